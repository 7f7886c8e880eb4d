/* search.c - hybrid search: the best pieces by words and the best by vectors, each scored by both.
 *
 * The two only propose. Whatever proposed a piece, its relevance is computed from both, so that it is the same however the
 * piece was found. What else was found matters in one way: the best are looked at more closely (closer.h).
 */
#include "docs/search/search.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "docs/index/parts.h"
#include "docs/search/closer.h"
#include "docs/search/meaning.h"
#include "docs/search/notes.h"
#include "docs/search/pick.h"
#include "docs/search/score.h"
#include "docs/store/nearest.h"
#include "kit/embed/embed.h"

#define IMPORTANT_BOOST  1.5
#define SUPERSEDED_BOOST 0.5
#define PHRASE_BOOST     1.5
#define PHRASE_WORDS     4 /* fewer in a row say little */
#define PHRASE_LEN_MAX   500
#define PHRASE_PIECES    16  /* the best, in which it is looked for */
#define BELOW_MOST       3   /* shown when only a default threshold leaves nothing */
#define BELOW_LEAST      0.1 /* less than that is not worth showing */
#define BELOW_PIECES     64  /* among which the documents to be shown are looked for */

struct candidate {
    int64_t                piece;
    const struct document *document; /* once it is known: of a piece that is gone its id is 0 */
    struct evidence        evidence;
    double relevance, order; /* what is compared with thresholds, and what decides the order */
    double sections;         /* what its sections have of the question: closer.h */
};

/* One search under way. */
struct run {
    struct docs         *docs;
    tenon_call          *call;
    const struct tenant *tenant;
    const struct search *search;
    struct hits         *hits;
    struct query_words   words;
    struct score_query   query;
    struct postings      postings;
    struct allowed       allowed;
    float               *vector;     /* NULL: words only */
    struct meaning       meaning;    /* of a model */
    struct nearest_found nearest;    /* where the database is asked for vectors */
    bool                 is_outside; /* it is */
    struct candidate    *candidates;
    size_t               count;
    struct look         *look; /* what was read of the best */
};

/* ---- Proposing ---- */

static enum store_status embed_query(struct run *run)
{
    struct embedder     *embedder = run->docs->embedder;
    struct embed_failure failure  = { 0 };
    float               *vector   = tenon_alloc(run->call, embedder->dimensions * sizeof *vector);

    if (!vector)
        return STORE_NO_MEMORY;
    switch (embedder->embed(embedder, run->call, EMBED_QUERY, &run->search->query, 1, vector, &failure)) {
    case EMBED_LOADING: run->hits->is_loading = true; break;
    case EMBED_OK: run->vector = vector; return STORE_OK;
    case EMBED_CANCELLED: return STORE_FAILED; /* and so is the call */
    case EMBED_NO_MEMORY: return STORE_NO_MEMORY;
    default: break;
    }
    run->hits->words_only = true;
    run->hits->failure    = tenon_alloc(run->call, sizeof failure);
    if (run->hits->failure)
        *run->hits->failure = failure;
    return STORE_OK;
}

static size_t propose_words(struct run *run, struct scored *out)
{
    struct best best = { out, 0, SEARCH_MOST };

    for (size_t i = 0; i < run->postings.row_count; i++) {
        const struct posting_row *row      = &run->postings.rows[i];
        struct evidence           evidence = score_words(&run->query, &run->postings, row);

        if (best_wants(&best, evidence.saturated) && allowed_has(&run->allowed, row->piece))
            best_offer(&best, (struct scored){ evidence.saturated, row->piece });
    }
    return best.count;
}

static bool is_allowed(void *user, int64_t part)
{
    return allowed_has(user, part_piece(part));
}

/* ---- Judging ---- */

static enum cosine_kind kind_of(const struct run *run)
{
    return run->docs->embedder->is_local ? COSINE_EMBEDDED : COSINE_MODEL;
}

/* Those of a collection that is too large for memory: what the database finds, and the pieces that words propose. */
static enum store_status find_outside(struct run *run, const struct scored *words, size_t count)
{
    static const int64_t    none     = 0;
    const struct allowed   *allowed  = &run->allowed;
    const struct embedder  *embedder = run->docs->embedder;
    int64_t                *pieces   = tenon_alloc(run->call, (count + 1) * sizeof *pieces);
    struct nearest_question question = { .model         = embedder->model,
                                         .dimensions    = embedder->dimensions,
                                         .vectors       = run->vector,
                                         .count         = 1,
                                         .most          = SEARCH_MOST,
                                         .pieces        = pieces,
                                         .piece_count   = count,
                                         .allowed       = allowed->all   ? NULL
                                                          : allowed->ids ? allowed->ids
                                                                         : &none,
                                         .allowed_count = allowed->count,
                                         .sample        = kind_of(run) == COSINE_MODEL ? MEANING_SAMPLE : 0 };
    enum store_status       status;

    if (!run->vector)
        return STORE_OK;
    if (!pieces)
        return STORE_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        pieces[i] = words[i].id;
    status = store_nearest(run->docs->store, run->tenant, run->search->external, &question, &run->nearest);
    run->is_outside = status == STORE_OK;
    return status == STORE_NONE ? STORE_OK : status;
}

/* The vectors of the collection; NULL: by words alone. release() ends it. */
static const struct matrix *hold_vectors(struct run *run,
                                         const struct matrix *(*how)(struct store *, const struct tenant *,
                                                                     bool, const char *))
{
    const struct matrix *matrix;

    if (run->is_outside)
        return &run->nearest.matrix;
    matrix = run->vector
                 ? how(run->docs->store, run->tenant, run->search->external, run->docs->embedder->model)
                 : NULL;
    if (matrix && matrix->dimensions != run->docs->embedder->dimensions) {
        store_vectors_done(run->docs->store, run->tenant, run->search->external);
        return NULL;
    }
    if (matrix && store_vectors_are_over(run->docs->store, matrix))
        docs_log("the vectors of a project take %zu MiB of memory, more than --vector-memory. They are "
                 "searched there all the "
                 "same; PostgreSQL with pgvector can search them instead (tenon db migrate).",
                 matrix_bytes(matrix) >> 20);
    return matrix;
}

static void release_vectors(struct run *run, const struct matrix *matrix)
{
    if (matrix && !run->is_outside)
        store_vectors_done(run->docs->store, run->tenant, run->search->external);
}

/* The greater of those that were set; false: the part has none. */
static bool set_cosine(const struct run *run, const struct matrix *matrix, int64_t part,
                       struct evidence *evidence)
{
    float cosine;

    if (!matrix || !matrix_cosine(matrix, part, run->vector, &cosine))
        return false;
    if (!evidence->has_cosine || (double)cosine > evidence->cosine)
        evidence->cosine = (double)cosine;
    evidence->has_cosine = true;
    return true;
}

/* A piece by its words, and by the part that is nearest to the question. */
static void judge(struct run *run, const struct matrix *matrix, struct candidate *candidate)
{
    struct evidence *evidence = &candidate->evidence;
    size_t           place    = 0;

    *evidence = score_words(&run->query, &run->postings, postings_of(&run->postings, candidate->piece));
    while (set_cosine(run, matrix, part_id(candidate->piece, place), evidence))
        place++;
    candidate->relevance = candidate->order = score_relevance(evidence, kind_of(run));
}

/* What decides the order, of documents and of sections. */
static double order_of(const struct run *run, const struct evidence *evidence)
{
    return run->vector && kind_of(run) == COSINE_MODEL ? meaning_order(&run->meaning, evidence)
                                                       : score_relevance(evidence, kind_of(run));
}

/* What is compared with thresholds. */
static double relevance_of(const struct run *run, const struct evidence *evidence)
{
    return run->vector && kind_of(run) == COSINE_MODEL ? meaning_relevance(&run->meaning, evidence)
                                                       : score_relevance(evidence, kind_of(run));
}

/* A model's cosines are weighed against each other, and against the collection's floor. */
static void weigh_meaning(struct run *run, const struct matrix *matrix)
{
    struct meaning *meaning = &run->meaning;
    float           sample[MEANING_SAMPLE];
    size_t          sampled = matrix_sample(run->is_outside ? &run->nearest.sample : matrix, run->vector,
                                   MEANING_SAMPLE, sample);

    *meaning = (struct meaning){
        .floor  = floor_of(run->docs, run->call, run->tenant, run->search->external,
                          run->is_outside ? NULL : matrix,
                          run->is_outside ? run->nearest.rows : matrix->count),
        .median = meaning_median(sample, sampled),
        .best   = -1,
    };
    for (size_t i = 0; i < run->count; i++) {
        const struct evidence *evidence = &run->candidates[i].evidence;

        if (evidence->has_cosine && evidence->cosine > meaning->best)
            meaning->best = evidence->cosine;
        if (evidence->saturated > meaning->words)
            meaning->words = evidence->saturated;
    }
    for (size_t i = 0; i < run->count; i++) {
        struct candidate *candidate = &run->candidates[i];

        candidate->relevance = meaning_relevance(meaning, &candidate->evidence);
        candidate->order     = meaning_order(meaning, &candidate->evidence);
    }
}

static void note_best(struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->candidates[i].relevance > run->hits->best)
            run->hits->best = run->candidates[i].relevance;
}

static int by_piece(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    return (a->piece > b->piece) - (a->piece < b->piece);
}

/* Both lists as one, each piece once, judged. */
static enum store_status propose(struct run *run)
{
    struct scored       *words = tenon_alloc(run->call, SEARCH_MOST * sizeof *words);
    struct nearest      *near  = tenon_alloc(run->call, SEARCH_MOST * sizeof *near);
    const struct matrix *matrix;
    enum store_status    status;
    size_t               word_count, near_count = 0, unique = 0;

    run->candidates = tenon_alloc(run->call, (size_t)2 * SEARCH_MOST * sizeof *run->candidates);
    if (!words || !near || !run->candidates)
        return STORE_NO_MEMORY;
    word_count = propose_words(run, words);
    status     = find_outside(run, words, word_count);
    if (status != STORE_OK)
        return status;
    matrix = hold_vectors(run, store_vectors);
    if (matrix)
        near_count = matrix_scan(matrix, run->vector, SEARCH_MOST, run->allowed.all ? NULL : is_allowed,
                                 &run->allowed, near);
    for (size_t i = 0; i < word_count; i++)
        run->candidates[run->count++].piece = words[i].id;
    for (size_t i = 0; i < near_count; i++)
        run->candidates[run->count++].piece = part_piece(near[i].id);
    if (run->count)
        qsort(run->candidates, run->count, sizeof *run->candidates, by_piece);
    for (size_t i = 0; i < run->count; i++)
        if (!unique || run->candidates[unique - 1].piece != run->candidates[i].piece) {
            run->candidates[unique] = run->candidates[i];
            judge(run, matrix, &run->candidates[unique++]);
        }
    run->count = unique;
    if (matrix && kind_of(run) == COSINE_MODEL)
        weigh_meaning(run, matrix);
    release_vectors(run, matrix);
    return STORE_OK;
}

/* ---- Documents ---- */

static int by_relevance(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->relevance != b->relevance)
        return a->relevance < b->relevance ? 1 : -1;
    return by_piece(left, right);
}

static int by_order(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->order != b->order)
        return a->order < b->order ? 1 : -1;
    return by_relevance(left, right);
}

static int by_document(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->document->id != b->document->id)
        return a->document->id < b->document->id ? -1 : 1;
    if (a->sections != b->sections)
        return a->sections < b->sections ? 1 : -1;
    return by_order(left, right);
}

/* Leaves what reaches the threshold, or the best of what does not when it is to be shown; true in the second case. */
static bool cut(struct run *run)
{
    size_t above = 0;

    if (run->count)
        qsort(run->candidates, run->count, sizeof *run->candidates, by_relevance);
    while (above < run->count && run->candidates[above].relevance >= run->search->threshold)
        above++;
    if (above || !run->search->threshold_is_default) {
        run->count = above;
        return false;
    }
    while (above < run->count && above < BELOW_PIECES && run->candidates[above].relevance >= BELOW_LEAST)
        above++;
    run->count = above;
    return true;
}

/* The best pieces and their documents, as they are looked at. */
struct look {
    int64_t         ids[CLOSER_PIECES];
    struct piece    pieces[CLOSER_PIECES];
    struct document documents[CLOSER_PIECES];
    double          sections[CLOSER_PIECES];
    size_t          count;
};

static enum store_status read_look(struct run *run, struct look *look)
{
    struct store     *store = run->docs->store;
    enum store_status status;

    look->count = run->count < CLOSER_PIECES ? run->count : CLOSER_PIECES;
    for (size_t i = 0; i < look->count; i++)
        look->ids[i] = run->candidates[i].piece;
    status = store_pieces(store, run->call, run->tenant, look->ids, look->count, look->pieces);
    if (status == STORE_OK)
        status = store_parts(store, run->call, run->tenant, look->pieces, look->count);
    if (status == STORE_OK)
        status = store_documents(store, run->call, run->tenant, look->ids, look->count, look->documents);
    if (status == STORE_OK)
        closer_look(run->call, &run->query, &run->words, look->pieces, look->count, look->sections);
    return status;
}

/* Their relevance and order from what they have; the others stay after them. */
static void judge_again(struct run *run, const struct look *look)
{
    double least = INFINITY;

    run->meaning.words = 0;
    for (size_t i = 0; i < look->count; i++) {
        struct candidate *candidate = &run->candidates[i];
        double           *words     = &candidate->evidence.saturated;

        candidate->sections = look->sections[i] < 0 ? *words : look->sections[i];
        if (look->documents[i].id)
            *words = closer_evidence(&run->query, &run->words, &look->documents[i], look->sections[i],
                                     *words);
        if (*words > run->meaning.words)
            run->meaning.words = *words;
    }
    for (size_t i = 0; i < look->count; i++) {
        struct candidate *candidate = &run->candidates[i];

        candidate->order     = order_of(run, &candidate->evidence);
        candidate->relevance = relevance_of(run, &candidate->evidence);
        if (candidate->order < least)
            least = candidate->order;
    }
    for (size_t i = look->count; i < run->count; i++)
        if (run->candidates[i].order > least)
            run->candidates[i].order = least;
}

static enum store_status look_closer(struct run *run)
{
    struct look      *look = tenon_alloc(run->call, sizeof *look);
    enum store_status status;

    run->look = look;
    if (!look)
        return STORE_NO_MEMORY;
    if (run->count)
        qsort(run->candidates, run->count, sizeof *run->candidates, by_order);
    status = read_look(run, look);
    if (status == STORE_OK)
        judge_again(run, look);
    note_best(run);
    return status;
}

/* One candidate a document: its best piece. */
static enum store_status group(struct run *run)
{
    int64_t          *pieces    = tenon_alloc(run->call, (run->count + 1) * sizeof *pieces);
    struct document  *documents = tenon_alloc(run->call, (run->count + 1) * sizeof *documents);
    enum store_status status;
    size_t            unique = 0;

    if (!pieces || !documents)
        return STORE_NO_MEMORY;
    for (size_t i = 0; i < run->count; i++)
        pieces[i] = run->candidates[i].piece;
    status = store_documents(run->docs->store, run->call, run->tenant, pieces, run->count, documents);
    if (status != STORE_OK)
        return status;
    for (size_t i = 0; i < run->count; i++)
        run->candidates[i].document = &documents[i];
    qsort(run->candidates, run->count, sizeof *run->candidates, by_document);
    for (size_t i = 0; i < run->count; i++)
        if (run->candidates[i].document->id &&
            (!unique || run->candidates[unique - 1].document->id != run->candidates[i].document->id))
            run->candidates[unique++] = run->candidates[i];
    run->count = unique;
    return STORE_OK;
}

static int by_rank(const void *left, const void *right)
{
    const struct hit *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? 1 : -1;
    return strcmp(a->document.path, b->document.path);
}

static double rank_of(const struct document *document, bool is_notes, double relevance)
{
    if (document->level >= LEVEL_IMPORTANT)
        relevance *= IMPORTANT_BOOST;
    if (document->superseded)
        relevance *= SUPERSEDED_BOOST;
    if (is_notes)
        relevance *= NOTES_PART;
    return relevance;
}

/* The candidates as hits, in their order. */
static enum store_status rank(struct run *run, struct hit **hits, size_t *count)
{
    bool asked = notes_are_asked(run->search->query);

    *count = 0;
    *hits  = tenon_alloc(run->call, (run->count + 1) * sizeof **hits);
    if (!*hits)
        return STORE_NO_MEMORY;
    for (; *count < run->count; ++*count) {
        const struct candidate *candidate = &run->candidates[*count];
        bool                    is_notes  = !asked && notes_are(candidate->document->path);

        (*hits)[*count] = (struct hit){ .document  = *candidate->document,
                                        .piece     = { .id = candidate->piece },
                                        .evidence  = candidate->evidence,
                                        .relevance = candidate->relevance,
                                        .rank      = rank_of(candidate->document, is_notes, candidate->order),
                                        .is_notes  = is_notes };
    }
    if (*count)
        qsort(*hits, *count, sizeof **hits, by_rank);
    return STORE_OK;
}

/* Pieces with their parts: most of them were read for the closer look. */
static enum store_status read_pieces(struct run *run, const int64_t *ids, size_t count, struct piece *out)
{
    struct store     *store   = run->docs->store;
    int64_t          *missing = tenon_alloc(run->call, (count + 1) * sizeof *missing);
    struct piece     *read    = tenon_alloc(run->call, (count + 1) * sizeof *read);
    size_t            many = 0, next = 0;
    enum store_status status = STORE_OK;

    if (!missing || !read)
        return STORE_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;

        while (at < run->look->count && run->look->ids[at] != ids[i])
            at++;
        out[i] = at < run->look->count ? run->look->pieces[at] : (struct piece){ 0 };
        if (at == run->look->count)
            missing[many++] = ids[i];
    }
    if (many)
        status = store_pieces(store, run->call, run->tenant, missing, many, read);
    if (many && status == STORE_OK)
        status = store_parts(store, run->call, run->tenant, read, many);
    for (size_t i = 0; i < count && next < many && status == STORE_OK; i++)
        if (ids[i] == missing[next])
            out[i] = read[next++];
    return status;
}

/* The texts of what is shown; a piece that is gone by now takes its hit with it. */
static enum store_status read_shown(struct run *run, struct hit *hits, size_t count)
{
    int64_t          *ids    = tenon_alloc(run->call, (count + 1) * sizeof *ids);
    struct piece     *pieces = tenon_alloc(run->call, (count + 1) * sizeof *pieces);
    enum store_status status;

    if (!ids || !pieces)
        return STORE_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        ids[i] = hits[i].piece.id;
    status = read_pieces(run, ids, count, pieces);
    if (status != STORE_OK)
        return status;
    run->hits->at = hits;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].id) {
            hits[run->hits->count]         = hits[i];
            hits[run->hits->count++].piece = pieces[i];
        }
    return STORE_OK;
}

static double judge_part(const struct run *run, const struct matrix *matrix, const struct hit *hit,
                         size_t place)
{
    const struct part *part     = &hit->piece.parts[place];
    struct evidence    evidence = { .saturated = score_section(&run->query, &run->words, part->heading_path,
                                                               hit->piece.text + part->begin,
                                                               part->end - part->begin) };

    set_cosine(run, matrix, part_id(hit->piece.id, place), &evidence);
    return order_of(run, &evidence);
}

/* Of the parts of a piece the one that answers best, by the same evidence as pieces; the others to it. */
static enum store_status choose_part(struct run *run, const struct matrix *matrix, struct hit *hit)
{
    double best = 0;

    hit->scores = tenon_alloc(run->call, (hit->piece.part_count + 1) * sizeof *hit->scores);
    if (!hit->scores)
        return STORE_NO_MEMORY;
    for (size_t i = 0; i < hit->piece.part_count; i++) {
        hit->scores[i] = judge_part(run, matrix, hit, i);
        if (hit->scores[i] > best) {
            best      = hit->scores[i];
            hit->part = i;
        }
    }
    for (size_t i = 0; i < hit->piece.part_count && best > 0; i++)
        hit->scores[i] /= best;
    return STORE_OK;
}

static enum store_status choose_parts(struct run *run)
{
    const struct matrix *matrix = hold_vectors(run, store_vectors_again);
    enum store_status    status = STORE_OK;

    for (size_t i = 0; i < run->hits->count && status == STORE_OK; i++)
        status = choose_part(run, matrix, &run->hits->at[i]);
    release_vectors(run, matrix);
    return status;
}

/* Has the text these words in a row, in any case, whatever is between them? */
static bool quotes(const char *text, size_t len, const char *quoted)
{
    const char *end = text + len;

    for (; text < end; text++) {
        const char *at = text, *want = quoted;

        while (at < end && *want && tolower((unsigned char)*at) == tolower((unsigned char)*want)) {
            want += *want == ' ' ? strspn(want, " ") : 1;
            at++;
        }
        if (!*want)
            return true;
    }
    return false;
}

static bool is_phrase(const char *query)
{
    size_t spaces = 0;

    for (const char *at = query; *at; at++)
        spaces += *at == ' ';
    return spaces + 1 >= PHRASE_WORDS && strlen(query) <= PHRASE_LEN_MAX;
}

/* What has the question word for word comes before what has its words elsewhere. */
static enum store_status raise_quoting(struct run *run, struct hit *hits, size_t count)
{
    int64_t           ids[PHRASE_PIECES] = { 0 };
    struct piece      pieces[PHRASE_PIECES];
    enum store_status status;

    count = count < PHRASE_PIECES ? count : PHRASE_PIECES;
    if (!is_phrase(run->search->query))
        return STORE_OK;
    for (size_t i = 0; i < count; i++)
        ids[i] = hits[i].piece.id;
    status = read_pieces(run, ids, count, pieces);
    for (size_t i = 0; i < count && status == STORE_OK; i++)
        if (pieces[i].id && quotes(pieces[i].text, pieces[i].len, run->search->query))
            hits[i].rank *= PHRASE_BOOST;
    if (status == STORE_OK && count)
        qsort(hits, count, sizeof *hits, by_rank);
    return status;
}

static enum store_status show(struct run *run)
{
    bool              below  = cut(run);
    enum store_status status = run->count ? group(run) : STORE_OK;
    struct hit       *hits;
    size_t            count, shown;

    if (status == STORE_OK)
        status = rank(run, &hits, &count);
    if (status != STORE_OK)
        return status;
    status = raise_quoting(run, hits, count);
    if (status != STORE_OK)
        return status;
    shown = count < run->search->most ? count : run->search->most;
    if (below && shown > BELOW_MOST)
        shown = BELOW_MOST;
    for (size_t i = 0; i < shown; i++)
        hits[i].below_threshold = below;
    run->hits->total = below ? 0 : count;
    status           = read_shown(run, hits, shown);
    return status == STORE_OK ? choose_parts(run) : status;
}

/* ---- All of it ---- */

/* Steps between which the caller may lose interest. */
static enum store_status find(struct run *run)
{
    struct store *store = run->docs->store;
    size_t        len   = strlen(run->search->query);

    query_words_of(&run->words, run->search->query, len);
    query_words_widen(&run->words);
    return postings_find(store, run->call, run->tenant, run->search->external, &run->words, &run->postings);
}

static enum store_status weigh(struct run *run)
{
    score_question(&run->query, &run->words, &run->postings);
    return allowed_find(run->docs->store, run->tenant, run->search, &run->allowed);
}

enum store_status search_run(struct docs *docs, tenon_call *call, const struct project *project,
                             const struct search *search, struct hits *hits)
{
    static enum store_status (*const steps[])(struct run *) = { find,    weigh,       embed_query,
                                                                propose, look_closer, show };

    struct run run = {
        .docs = docs, .call = call, .tenant = &project->tenant, .search = search, .hits = hits
    };
    enum store_status status = STORE_OK;

    *hits = (struct hits){ 0 };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == STORE_OK; i++) {
        if (tenon_is_cancelled(call))
            status = STORE_FAILED; /* the answer is that of a cancelled call, whatever it says */
        else
            status = steps[i](&run);
    }
    postings_free(&run.postings);
    allowed_free(&run.allowed);
    nearest_free(&run.nearest);
    return status;
}
