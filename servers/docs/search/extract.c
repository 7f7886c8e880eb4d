/* extract.c - answers without a language model.
 *
 * Every sentence, table and block of code of the sources gets the weight of the question's words that it has, a little for
 * those of the heading above it, and a little for standing early. Then the best is taken, again and again, each time for
 * what it adds to those before. An answer has nothing that is not in a source, and each part names its place.
 */
#include "docs/search/extract.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "docs/search/extract_units.h"
#include "docs/search/words.h"
#include "kit/text.h"
#include "kit/words/knowledge.h"
#include "kit/words/words.h"

#define PARTS_MOST   10   /* of an answer */
#define UNITS_MOST   4000 /* that are looked at */
#define UNITS_FIRST  256
#define HEADING_PART 0.3  /* of a word's weight when only the heading has it */
#define AGAIN_PART   0.35 /* of its weight when the answer has it already */
#define EARLY_PART   0.1
#define BLOCK_PART   0.8 /* a table or code, against a sentence */
#define BLOCK_WORDS                                                                                          \
    80 /* a block of as many words is worth half: what has all words says nothing in particular */
#define OPENING_PART  0.8 /* a sentence that only leads to something else */
#define LEAST         0.2 /* of the question's weight: less is no answer */
#define LEAST_ALONE   0.1 /* of the first: with less, the passage itself is the answer */
#define LEAST_OF_BEST 0.4
#define ALIKE         0.7 /* words in common, of all: two that say the same */
#define WORDS_LEAST   2   /* a sentence of fewer words, stop words apart, says nothing */
#define SIGN_PARTS    4
#define NUMBER_TIMES  1.3 /* a unit with a number, when one is asked for */
#define PASSAGE_SHARE 0.7 /* of a unit's worth that its passage decides */
#define WHOLE_SHOWN   1500 /* characters of a passage that is the answer */

struct scored_unit {
    struct unit unit;
    const char *text; /* the source's */
    size_t      source;
    uint64_t    words, heading_words; /* which of the question's */
    uint64_t    signs[SIGN_PARTS];    /* of all its words, for likeness */
    size_t      word_count;
    double      part; /* of its passage's worth, to the best one's */
    bool        has_number, taken;
};

struct extraction {
    tenon_call         *call;
    const struct hit   *hits;
    struct query_words  words;
    double              weights[QUERY_WORDS_MAX];
    struct scored_unit *units;
    size_t              count, room;
    size_t              source; /* being read */
    size_t              part;   /* of its piece: where the last unit was */
    bool                asks_number;
    bool                failed;
};

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* ---- Reading ---- */

struct seen {
    const struct query_words *query;
    uint64_t                  words;
    struct scored_unit       *unit; /* NULL: a heading */
};

static bool see_word(void *user, const char *word, size_t len)
{
    struct seen *seen = user;

    for (size_t i = 0; i < seen->query->count; i++)
        if (strncmp(seen->query->at[i], word, len) == 0 && seen->query->at[i][len] == '\0')
            seen->words |= UINT64_C(1) << i;
    if (seen->unit) {
        uint64_t hash = word_hash(0, word, len);

        seen->unit->signs[hash >> 6 & (SIGN_PARTS - 1)] |= UINT64_C(1) << (hash & 63);
        seen->unit->word_count++;
    }
    return true;
}

static uint64_t words_of(struct extraction *extraction, const char *at, size_t len, struct scored_unit *unit)
{
    struct seen seen = { &extraction->words, 0, unit };

    words_each(at, len, see_word, &seen);
    return seen.words;
}

static bool grow(struct extraction *extraction)
{
    size_t              room  = extraction->room ? extraction->room * 2 : UNITS_FIRST;
    struct scored_unit *units = tenon_alloc(extraction->call, room * sizeof *units);

    if (!units)
        return false;
    if (extraction->count)
        memcpy(units, extraction->units, extraction->count * sizeof *units);
    extraction->units = units;
    extraction->room  = room;
    return true;
}

/* A table is worth what its best row is, with the names of the columns. */
static void read_rows(struct extraction *extraction, struct scored_unit *table)
{
    const char *at = table->text + table->unit.begin, *end = table->text + table->unit.end;
    uint64_t    names = 0, best = 0, row;
    size_t      rows = 0;

    for (; at < end; rows++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t      len  = (size_t)((next ? next : end) - at);

        row = words_of(extraction, at, len, NULL);
        if (rows == 0)
            names = row;
        else if (count_bits(row) > count_bits(best))
            best = row;
        at += len + 1;
    }
    table->words = names | best;
    if (rows > TABLE_TOP)
        table->word_count /= rows - TABLE_TOP;
}

/* How much the passage that a unit lies in is worth; units come in order. */
static double part_worth(struct extraction *extraction, const struct unit *unit)
{
    const struct hit *hit = &extraction->hits[extraction->source];

    while (extraction->part + 1 < hit->piece.part_count &&
           unit->begin >= hit->piece.parts[extraction->part + 1].begin)
        extraction->part++;
    return extraction->part < hit->piece.part_count && hit->scores ? hit->scores[extraction->part] : 1;
}

static bool has_digit(const char *at, size_t len)
{
    for (; len > 0; at++, len--)
        if (*at >= '0' && *at <= '9')
            return true;
    return false;
}

static bool take_unit(void *user, const struct unit *unit)
{
    struct extraction  *extraction = user;
    const struct piece *piece      = &extraction->hits[extraction->source].piece;
    struct scored_unit *taken;

    if (extraction->count == UNITS_MOST)
        return false;
    if (unit->kind == UNIT_SENTENCE && is_made_of_links(piece->text + unit->begin, unit->end - unit->begin))
        return true;
    if (extraction->count == extraction->room && !grow(extraction)) {
        extraction->failed = true;
        return false;
    }
    taken        = &extraction->units[extraction->count];
    *taken       = (struct scored_unit){ .unit = *unit, .text = piece->text, .source = extraction->source };
    taken->words = words_of(extraction, piece->text + unit->begin, unit->end - unit->begin, taken);
    taken->part  = part_worth(extraction, unit);
    taken->has_number = has_digit(piece->text + unit->begin, unit->end - unit->begin);
    if (unit->kind == UNIT_TABLE)
        read_rows(extraction, taken);
    taken->heading_words = words_of(extraction, piece->text + unit->heading, unit->heading_len, NULL);
    if (piece->header_path)
        taken->heading_words |= words_of(extraction, piece->header_path, strlen(piece->header_path), NULL);
    extraction->count++;
    return true;
}

/* Sources in their order, as much of them as may be read. */
static void read_sources(struct extraction *extraction, size_t count)
{
    size_t left = (size_t)CONTEXT_TOKENS * TOKEN_CHARS;

    for (size_t i = 0; i < count && left && !extraction->failed; i++) {
        const struct piece *piece = &extraction->hits[i].piece;
        size_t              len   = piece->len < left ? piece->len : left;

        if (tenon_is_cancelled(extraction->call))
            return;
        extraction->source = i;
        extraction->part   = 0;
        if (piece->text)
            units_each(piece->text, len, take_unit, extraction);
        left -= len;
    }
}

/* ---- Weighing ---- */

/* A word is worth the more the fewer units have it; together 1. */
static void weigh_words(struct extraction *extraction)
{
    double total = 0, units = (double)extraction->count;

    for (size_t w = 0; w < extraction->words.count; w++) {
        double with = 0;

        for (size_t i = 0; i < extraction->count; i++)
            with += (double)(extraction->units[i].words >> w & 1);
        extraction->weights[w] = log(1 + (units - with + 0.5) / (with + 0.5));
        total += extraction->weights[w];
    }
    for (size_t w = 0; w < extraction->words.count; w++)
        extraction->weights[w] /= total;
}

static double weight_of(const struct extraction *extraction, uint64_t words)
{
    double weight = 0;

    for (size_t w = 0; w < extraction->words.count; w++)
        if (words >> w & 1)
            weight += extraction->weights[w];
    return weight;
}

/* What it adds to an answer that has `said` already. */
static double worth(const struct extraction *extraction, const struct scored_unit *unit, uint64_t said)
{
    double own = weight_of(extraction, unit->words & ~said) +
                 AGAIN_PART * weight_of(extraction, unit->words & said);
    double heading = weight_of(extraction, unit->heading_words & ~unit->words);
    double score   = own + HEADING_PART * heading;

    if (!unit->words || unit->word_count < WORDS_LEAST)
        return 0;
    if (unit->unit.kind != UNIT_SENTENCE)
        score *= BLOCK_PART / (1 + (double)unit->word_count / BLOCK_WORDS);
    else if (unit->text[unit->unit.end - 1] == ':')
        score *= OPENING_PART;
    if (extraction->asks_number && unit->has_number)
        score *= NUMBER_TIMES;
    score *= 1 + EARLY_PART / (1 + (double)unit->unit.place);
    score *= 1 - PASSAGE_SHARE + PASSAGE_SHARE * unit->part;
    return score * (0.5 + 0.5 * extraction->hits[unit->source].relevance);
}

static bool are_alike(const struct scored_unit *a, const struct scored_unit *b)
{
    unsigned both = 0, any = 0;

    for (size_t i = 0; i < SIGN_PARTS; i++) {
        both += count_bits(a->signs[i] & b->signs[i]);
        any += count_bits(a->signs[i] | b->signs[i]);
    }
    return both >= ALIKE * any;
}

static bool is_said(const struct extraction *extraction, const struct scored_unit *unit)
{
    for (size_t i = 0; i < extraction->count; i++)
        if (extraction->units[i].taken && are_alike(unit, &extraction->units[i]))
            return true;
    return false;
}

/* ---- Choosing ---- */

static struct scored_unit *choose_next(struct extraction *extraction, uint64_t said, double *score)
{
    struct scored_unit *best = NULL;

    *score = 0;
    for (size_t i = 0; i < extraction->count; i++) {
        struct scored_unit *unit = &extraction->units[i];
        double              adds = unit->taken ? 0 : worth(extraction, unit, said);

        if (adds > *score && !is_said(extraction, unit)) {
            *score = adds;
            best   = unit;
        }
    }
    return best;
}

/* "Run this:" goes with what is to be run. */
static void take_what_follows(struct extraction *extraction, const struct scored_unit *unit)
{
    struct scored_unit *next = &extraction->units[unit - extraction->units + 1];

    if (unit->unit.kind == UNIT_SENTENCE && unit->text[unit->unit.end - 1] == ':' &&
        next < extraction->units + extraction->count && next->source == unit->source &&
        next->unit.kind != UNIT_SENTENCE && next->unit.last_line - next->unit.first_line < CODE_LINES_MOST)
        next->taken = true;
}

/* False: nothing answers. */
static bool choose(struct extraction *extraction)
{
    uint64_t said  = 0;
    double   first = 0, score;

    for (size_t chosen = 0; chosen < PARTS_MOST; chosen++) {
        struct scored_unit *unit = choose_next(extraction, said, &score);

        if (!unit || score < (chosen ? LEAST : LEAST_ALONE) || (chosen && score < LEAST_OF_BEST * first))
            break;
        first       = chosen ? first : score;
        unit->taken = true;
        said |= unit->words;
        take_what_follows(extraction, unit);
    }
    return first > 0;
}

/* ---- Writing ---- */

/* On one line, without what marks lines as quoted. */
static void write_sentence(struct text *out, const char *at)
{
    for (bool blank = false; *at; at++) {
        if (*at == '\n') {
            while (at[1] == ' ' || at[1] == '\t' || at[1] == '>')
                at++;
            blank = true;
        } else if (*at == ' ' || *at == '\t') {
            blank = true;
        } else {
            if (blank)
                text_char(out, ' ');
            blank = false;
            text_char(out, *at);
        }
    }
}

/* Is it a row that has a word of the question? */
static bool has_word(void *user, const char *at, size_t len)
{
    return words_of(user, at, len, NULL) != 0;
}

static size_t fence_len(const char *at)
{
    size_t len = 0;

    while (*at == ' ')
        at++;
    while (at[len] == at[0] && (at[0] == '`' || at[0] == '~'))
        len++;
    return len >= 3 ? len : 0;
}

/* As it is, and closed if it was cut: what follows is not code. */
static void write_block(struct text *out, const char *at)
{
    size_t      fence = fence_len(at);
    const char *last  = strrchr(at, '\n');

    text_put(out, at);
    text_char(out, '\n');
    if (fence && (!last || fence_len(last + 1) < fence)) {
        for (size_t i = 0; i < fence; i++)
            text_char(out, at[strspn(at, " ")]);
        text_char(out, '\n');
    }
    text_char(out, '\n');
}

static void write_path(struct text *out, const char *at)
{
    for (; *at; at++)
        text_char(out, *at == '\n' || *at == '\t' ? ' ' : *at);
}

static bool write_part(struct extraction *extraction, const struct scored_unit *part, struct text *out)
{
    const struct hit *hit   = &extraction->hits[part->source];
    long long         first = (long long)hit->piece.first_line + (long long)part->unit.first_line;
    long long         last  = (long long)hit->piece.first_line + (long long)part->unit.last_line;
    char             *text  = (char *)extract_clean(extraction->call, part->text + part->unit.begin,
                                                    part->unit.end - part->unit.begin, UNIT_LEN_MAX);
    const char *path = extract_clean(extraction->call, hit->document.path, strlen(hit->document.path), 4096);

    if (!text || !path)
        return false;
    if (out->len)
        text_put(out, "\n\n");
    if (part->unit.kind == UNIT_TABLE)
        table_shorten(text, has_word, extraction);
    else if (part->unit.kind == UNIT_CODE && code_shorten(text))
        last = first + CODE_LINES_MOST - 1;
    if (part->unit.kind == UNIT_SENTENCE) {
        write_sentence(out, text);
        text_char(out, ' ');
    } else {
        write_block(out, text);
    }
    text_char(out, '[');
    write_path(out, path);
    text_addf(out, ":%lld", first);
    if (last > first)
        text_addf(out, "-%lld", last);
    text_char(out, ']');
    return !out->failed;
}

/* ---- The passage itself ---- */

static bool write_place(struct text *out, tenon_call *call, const struct hit *hit, long long first,
                        long long last)
{
    const char *path = extract_clean(call, hit->document.path, strlen(hit->document.path), 4096);

    text_char(out, '[');
    write_path(out, path ? path : "");
    text_addf(out, ":%lld", first);
    if (last > first)
        text_addf(out, "-%lld", last);
    text_char(out, ']');
    return path && !out->failed;
}

static bool write_passage(tenon_call *call, const struct hit *hit, struct text *out)
{
    const struct part *part = hit->part < hit->piece.part_count ? &hit->piece.parts[hit->part] : NULL;
    size_t             len  = part ? part->end - part->begin : hit->piece.len;
    const char *text = extract_clean(call, hit->piece.text + (part ? part->begin : 0), len, WHOLE_SHOWN);

    if (!text || !*text)
        return false;
    text_put(out, text);
    text_put(out, strlen(text) + 4 < len ? " ...\n\n" : "\n\n");
    return write_place(out, call, hit, (long long)(part ? part->first_line : hit->piece.first_line),
                       (long long)(part ? part->last_line : hit->piece.last_line));
}

/* ---- All of it ---- */

/* "How long", "how many", "which port": the answer has a number. */
static bool asks_number(const char *query)
{
    static const char *const forms[] = { "how long", "how many", "how much", "how often", "how large",
                                         "how big",  "how old",  "how far",  "how soon",  "default",
                                         "limit",    "most ",    "at most",  "maximum",   "which port",
                                         "timeout",  "size of",  "how fast" };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcasestr(query, forms[i]))
            return true;
    return false;
}

static const char *copy_out(tenon_call *call, struct text *out, bool written)
{
    char *answer = written && !out->failed ? tenon_alloc(call, out->len + 1) : NULL;

    if (answer && out->len)
        memcpy(answer, out->at, out->len);
    text_free(out);
    return answer ? answer : "";
}

const char *extract_answer(tenon_call *call, const char *query, const struct hit *hits, size_t count,
                           bool *is_passage)
{
    struct extraction *extraction = tenon_alloc(call, sizeof *extraction);
    struct text        out        = { 0 };
    bool               written    = true;

    *is_passage = false;
    if (!extraction || !count)
        return "";
    extraction->call        = call;
    extraction->hits        = hits;
    extraction->asks_number = asks_number(query);
    query_words_of(&extraction->words, query, strlen(query));
    read_sources(extraction, count);
    if (extraction->failed)
        return "";
    weigh_words(extraction);
    if (!extraction->count || !choose(extraction)) {
        *is_passage = true;
        return copy_out(call, &out, write_passage(call, &hits[0], &out));
    }
    for (size_t i = 0; i < extraction->count && written; i++)
        if (extraction->units[i].taken && out.len < (size_t)CONTEXT_TOKENS * TOKEN_CHARS)
            written = write_part(extraction, &extraction->units[i], &out);
    return copy_out(call, &out, written);
}
