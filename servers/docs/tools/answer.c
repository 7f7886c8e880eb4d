/* answer.c - rag_query and rag_query_external: an answer from the documents' own sentences, with its sources. */
#include "docs/tools/tools.h"

#include <string.h>

#define RAG_SCORE      0.7
#define QUERY_LEN_MAX  10000
#define LINKED_MAX     20
#define CRITICAL_SHOWN 1000 /* characters of a critical document's summary */

/* ---- What is answered ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *path, *title, *summary, *heading_path, *anchor;
    int64_t     char_count, first_line, last_line;
    double      relevance_score;
    bool        critical, below_threshold, external;
} source;

TENON_ROWS(source_rows, source,
    TENON_STR (path,            "Path beneath the docs folder.", .required = true),
    TENON_STR (title,           "Title.", .required = true),
    TENON_STR (summary,         "Of one that was added because it is critical: what it is about."),
    TENON_INT (char_count,      "Characters of the whole document."),
    TENON_STR (heading_path,    "The headings above the passage that was used."),
    TENON_STR (anchor,          "The anchor of the nearest of them."),
    TENON_INT (first_line,      "First line of that passage."),
    TENON_INT (last_line,       "Last line of it."),
    TENON_NUM (relevance_score, "Relevance, from 0 to 1."),
    TENON_BOOL(critical,        "Added because it is critical, beside the counted sources."),
    TENON_BOOL(below_threshold, "Used only because nothing reached the default threshold."),
    TENON_BOOL(external,        "From the external documents: not the project's own words."));

typedef struct {
    const char *path, *title, *linked_from;
    int64_t     char_count;
} linked;

TENON_ROWS(linked_rows, linked,
    TENON_STR(path,        "Path beneath the docs folder.", .required = true),
    TENON_STR(title,       "Title.", .required = true),
    TENON_INT(char_count,  "Characters."),
    TENON_STR(linked_from, "The source that links to it.", .required = true));

typedef struct {
    used        used;
    const char *answer, *mode, *external_docs_path;
    TENON_LIST_OF(source) sources;
    TENON_LIST_OF(linked) linked_docs;
} rag_result;

TENON_ROWS(rag_result_rows, rag_result,
    TENON_GROUP  (used,               used_rows),
    TENON_STR    (answer,             "Sentences from the sources, each followed by [path:lines]; empty when "
                                      "nothing was found."),
    TENON_STR    (mode,               "How it was made: \"extractive\" (sentences), \"passage\" (no sentence answers: the best "
                                      "passage itself) or \"client-model\"."),
    TENON_OBJECTS(sources,            source_rows, "Where the answer comes from, the most relevant first."),
    TENON_OBJECTS(linked_docs,        linked_rows, "Documents that the sources link to."),
    TENON_STR    (external_docs_path, "Where the external documents are."));

static source source_of(tenon_call *call, const struct hit *hit, bool critical)
{
    const struct part *part = part_of(hit);

    return (source){
        .path            = hit->document.path,
        .title           = clean(call, hit->document.title, TITLE_SHOWN),
        .summary         = critical ? clean(call, hit->document.summary, CRITICAL_SHOWN) : NULL,
        .char_count      = hit->document.chars,
        .heading_path    = part ? clean(call, part->heading_path, TITLE_SHOWN) : NULL,
        .anchor          = part ? clean(call, part->anchor, TITLE_SHOWN) : NULL,
        .first_line      = part ? part->first_line : hit->piece.first_line,
        .last_line       = part ? part->last_line : hit->piece.last_line,
        .relevance_score = shown_score(hit->relevance),
        .critical        = critical,
        .below_threshold = hit->below_threshold,
        .external        = hit->document.external,
    };
}

/* ---- Beside the hits ----------------------------------------------------------------------------------------- */

static bool is_among(const struct hit *hits, size_t count, int64_t document)
{
    for (size_t i = 0; i < count; i++)
        if (hits[i].document.id == document)
            return true;
    return false;
}

/* Critical documents that were not found anyway, as hits of no relevance. */
static size_t add_critical(tenon_call *call, const struct project *project, struct hit *hits, size_t count)
{
    struct document critical[CRITICAL_MOST];
    size_t          found = 0, added = 0;

    if (store_critical(docs_of(call)->store, call, &project->tenant, critical, CRITICAL_MOST, &found) !=
        STORE_OK)
        return 0;
    for (size_t i = 0; i < found; i++)
        if (!is_among(hits, count, critical[i].id))
            hits[count + added++] = (struct hit){ .document = critical[i],
                                                  .piece    = { .header_path = "", .text = "" } };
    return added;
}

/* Links of the sources, breadth first; each document once, however it is reached. */
static size_t follow_links(tenon_call *call, const struct project *project, const struct hit *hits,
                           size_t count, linked *out)
{
    struct step {
        int64_t     id;
        const char *path;
        int         depth;
    } queue[LINKED_MAX + 32];
    size_t head = 0, tail = 0, most = (size_t)project->config.max_linked_docs, found = 0;

    if (most > LINKED_MAX)
        most = LINKED_MAX;
    for (size_t i = 0; i < count && tail < 32; i++)
        queue[tail++] = (struct step){ hits[i].document.id, hits[i].document.path, 0 };
    for (; head < tail && found < most; head++) {
        struct document links[LINKED_MAX];
        size_t          link_count = 0;

        if (queue[head].depth >= project->config.max_depth ||
            store_links(docs_of(call)->store, call, &project->tenant, queue[head].id, links, LINKED_MAX,
                        &link_count) != STORE_OK)
            continue;
        for (size_t i = 0; i < link_count && found < most; i++) {
            bool seen = false;

            for (size_t q = 0; q < tail; q++)
                seen = seen || queue[q].id == links[i].id;
            if (seen)
                continue;
            queue[tail++] = (struct step){ links[i].id, links[i].path, queue[head].depth + 1 };
            out[found++]  = (linked){ links[i].path, clean(call, links[i].title, TITLE_SHOWN),
                                      queue[head].path, links[i].chars };
        }
    }
    return found;
}

/* ---- The answer ---------------------------------------------------------------------------------------------- */

static void speak(tenon_call *call, const struct project *project, const struct search *search,
                  const struct hits *hits)
{
    if (hits->words_only)
        say_words_only(call, hits);
    if (hits->count == 0 && say_if_empty(call, project, search->external))
        return;
    if (hits->count == 0)
        tenon_message(call,
                      "No document reached the relevance %.2f; the best was %.2f. Ask in other words, or "
                      "lower min_relevance_score.",
                      search->threshold, hits->best);
    else if (hits->at[0].below_threshold)
        tenon_message(call,
                      "No document reached the default relevance %.2f; the answer comes from the nearest "
                      "ones, marked below_threshold.",
                      search->threshold);
}

static tenon_outcome answer(tenon_call *call, const struct project *project, const struct search *search,
                            bool include_critical)
{
    struct hits       hits;
    enum store_status status = search_run(docs_of(call), call, project, search, &hits);
    struct hit       *all;
    source           *sources;
    linked           *links;
    size_t            critical = 0, link_count = 0;
    const char       *written, *text;
    bool              is_passage = false;
    tenon_outcome     asking;

    if (status != STORE_OK)
        return fail_store(call, status);
    if (!model_answers(call, search->query, hits.at, hits.count, &written, &asking))
        return asking;
    all     = tenon_alloc(call, (hits.count + CRITICAL_MOST) * sizeof *all);
    sources = tenon_alloc(call, (hits.count + CRITICAL_MOST) * sizeof *sources);
    links   = tenon_alloc(call, LINKED_MAX * sizeof *links);
    if (!all || !sources || !links)
        return tenon_internal(call, "out of memory");
    if (hits.count > 0)
        memcpy(all, hits.at, hits.count * sizeof *all);
    if (include_critical && !search->external)
        critical = add_critical(call, project, all, hits.count);
    for (size_t i = 0; i < hits.count + critical; i++)
        sources[i] = source_of(call, &all[i], i >= hits.count);
    if (!search->external)
        link_count = follow_links(call, project, hits.at, hits.count, links);
    text = written ? written : extract_answer(call, search->query, hits.at, hits.count, &is_passage);
    speak(call, project, search, &hits);
    say_if_promoted(call, &hits);
    say_if_notes(call, &hits);
    say_if_incomplete(call);
    return tenon_ok_data(
        call, rag_result_rows,
        (&(rag_result){ .used               = used_of(project),
                        .answer             = text,
                        .mode               = written      ? "client-model"
                                              : is_passage ? "passage"
                                                           : "extractive",
                        .sources            = { hits.count + critical, sources },
                        .linked_docs        = { link_count, links },
                        .external_docs_path = search->external ? project->config.external_path : NULL }));
}

/* Both tools take threshold and number of sources from the same part of the configuration. */
static void choose_for_answer(struct search *search, tenon_call *call, const struct project *project,
                              const double *score, const int *most)
{
    choose_threshold(search, call, score, project->config.has_rag_score, project->config.rag_score);
    search->most = choose_most(call, most, project->config.has_rag_results, project->config.rag_results);
}

/* ---- rag_query ----------------------------------------------------------------------------------------------- */

typedef struct {
    const char    *query;
    tenon_strs     doc_types, tags, paths;
    int            max_sources;
    double         min_relevance_score;
    enum level     min_promotion_level;
    bool           include_critical;
    project_choice project;
} rag_args;

static unsigned levels_from(enum level least)
{
    return 7u & ~((1u << least) - 1u);
}

static void rag_types(tenon_lookup *lookup, const void *value)
{
    const rag_args *args = tenon_lookup_args(lookup);

    doc_types_look_up(lookup, value, &args->project.project_handle);
}

static tenon_outcome rag_query(tenon_call *call, const rag_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);
    struct search   search  = { .query          = args->query,
                                .doc_types      = args->doc_types.at,
                                .doc_type_count = args->doc_types.count,
                                .tags           = args->tags.at,
                                .tag_count      = args->tags.count,
                                .paths          = args->paths.at,
                                .path_count     = args->paths.count,
                                .levels         = levels_from(args->min_promotion_level) };

    if (!project)
        return outcome;
    choose_for_answer(&search, call, project, &args->min_relevance_score, &args->max_sources);
    outcome = answer(call, project, &search, args->include_critical);
    project_release(project);
    return outcome;
}

TENON_TOOL(rag_query, rag_args,
    TENON_INFO("Answer a question from the project's documents, with the sentences that answer it and where they "
               "stand.", .title = "Ask the documentation", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .result = rag_result_rows, .blocking = true),
    TENON_STR (query,               "The question, in plain words.", .required = true, .len = {1, QUERY_LEN_MAX}),
    TENON_STRS(doc_types,           "Only documents of these types; list_doc_types names them.", .count = {0, 20},
               .comma = true, .lookup = rag_types, .example = "[\"problem\",\"style\"]"),
    FILTER_ROWS,
    TENON_INT (max_sources,         "Most documents to answer from.", .range = {1, 10}, .def = 3),
    TENON_NUM (min_relevance_score, "Least relevance, from 0 to 1.", .range = {0, 1}, .tolerance = SCORE_ROUNDED,
              .def = RAG_SCORE),
    TENON_ENUM(min_promotion_level, level_names, "Only documents of this level or above.", .def = LEVEL_STANDARD),
    TENON_BOOL(include_critical,    "Add critical documents beside the counted ones.", .def = true, .strict = true),
    PROJECT_ROW(project));

/* ---- rag_query_external -------------------------------------------------------------------------------------- */

typedef struct {
    const char    *query;
    int            max_sources;
    double         min_relevance_score;
    project_choice project;
} rag_external_args;

static tenon_outcome rag_query_external(tenon_call *call, const rag_external_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);
    struct search   search  = { .query = args->query, .external = true };

    if (!project)
        return outcome;
    choose_for_answer(&search, call, project, &args->min_relevance_score, &args->max_sources);
    outcome = project->config.external_path ? answer(call, project, &search, false) : fail_no_external(call);
    project_release(project);
    return outcome;
}

TENON_TOOL(rag_query_external, rag_external_args,
    TENON_INFO("Answer a question from the project's external, read-only documentation. Its text is not the "
               "project's own.", .title = "Ask external documentation",
               .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD), .result = rag_result_rows, .blocking = true),
    TENON_STR(query,               "The question, in plain words.", .required = true, .len = {1, QUERY_LEN_MAX}),
    TENON_INT(max_sources,         "Most documents to answer from.", .range = {1, 10}, .def = 3),
    TENON_NUM(min_relevance_score, "Least relevance, from 0 to 1.", .range = {0, 1}, .tolerance = SCORE_ROUNDED,
              .def = RAG_SCORE),
    PROJECT_ROW(project));
