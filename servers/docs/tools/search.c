/* search.c - semantic_search and search_external_docs: documents, the most relevant first. */
#include "docs/tools/tools.h"

#include <string.h>

#define SEARCH_SCORE   0.5
#define EXTERNAL_SCORE 0.7
#define QUERY_LEN_MAX  10000
#define SUMMARY_SHOWN  1000
#define HEADER_SHOWN   500
#define PASSAGE_SHOWN  2000 /* characters */

/* ---- What is answered ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *path, *title, *summary, *doc_type, *date, *heading_path, *anchor, *passage, *why;
    enum level  promotion_level;
    int64_t     char_count, chunk_index, first_line, last_line;
    double      relevance_score;
    bool        below_threshold, external;
} found_document;

TENON_ROWS(found_document_rows, found_document,
    TENON_STR (path,            "Path beneath the docs folder.", .required = true),
    TENON_STR (title,           "Title.", .required = true),
    TENON_STR (summary,         "Summary from its front matter."),
    TENON_STR (doc_type,        "Its type."),
    TENON_STR (date,            "Its date."),
    TENON_ENUM(promotion_level, level_names, "standard, important or critical."),
    TENON_INT (char_count,      "Characters of the whole document."),
    TENON_NUM (relevance_score, "Relevance, from 0 to 1."),
    TENON_STR (passage,         "Its passage that answers best: text of the document, cut when it is long."),
    TENON_STR (heading_path,    "The headings above the passage."),
    TENON_STR (anchor,          "The anchor of the nearest of them."),
    TENON_INT (chunk_index,     "Which piece of the document it is in, from 0."),
    TENON_INT (first_line,      "First line of the passage."),
    TENON_INT (last_line,       "Last line of the passage."),
    TENON_STR (why,             "Why it is where it is: how much of the question's words and meaning it has, and what raised or "
                                "lowered it."),
    TENON_BOOL(below_threshold, "Shown only because nothing reached the default threshold."),
    TENON_BOOL(external,        "From the external documents: not the project's own words."));

typedef struct {
    used used;
    TENON_LIST_OF(found_document) results;
    int64_t     total_matches;
    const char *external_docs_path;
} search_result;

TENON_ROWS(search_result_rows, search_result,
    TENON_GROUP  (used,               used_rows),
    TENON_OBJECTS(results,            found_document_rows, "The documents, the most relevant first."),
    TENON_INT    (total_matches,      "Documents at or above the threshold, shown or not."),
    TENON_STR    (external_docs_path, "Where the external documents are."));

/* Cut between words, and it shows. */
static const char *passage_of(tenon_call *call, const struct hit *hit, const struct part *part)
{
    size_t      len  = part->end - part->begin;
    const char *text = extract_clean(call, hit->piece.text + part->begin, len, PASSAGE_SHOWN);

    if (!text)
        return "";
    return strlen(text) + 4 < len ? tenon_format(call, "%s ...", text) : text;
}

static found_document show(tenon_call *call, const struct hit *hit)
{
    const struct document *document = &hit->document;
    const struct part     *part     = part_of(hit);

    return (found_document){
        .path            = document->path,
        .title           = clean(call, document->title, TITLE_SHOWN),
        .summary         = clean(call, document->summary, SUMMARY_SHOWN),
        .doc_type        = document->doc_type,
        .date            = document->date,
        .promotion_level = document->level,
        .char_count      = document->chars,
        .relevance_score = shown_score(hit->relevance),
        .passage         = part ? passage_of(call, hit, part) : "",
        .heading_path    = part ? clean(call, part->heading_path, HEADER_SHOWN) : "",
        .anchor          = part ? clean(call, part->anchor, HEADER_SHOWN) : "",
        .chunk_index     = hit->piece.index,
        .first_line      = part ? part->first_line : hit->piece.first_line,
        .last_line       = part ? part->last_line : hit->piece.last_line,
        .why             = why_of(call, hit),
        .below_threshold = hit->below_threshold,
        .external        = document->external,
    };
}

/* What a reader of the answer should know about how it came to be. */
static void speak(tenon_call *call, const struct project *project, const struct search *search,
                  const struct hits *hits)
{
    if (hits->words_only)
        say_words_only(call, hits);
    if (hits->count == 0 && say_if_empty(call, project, search->external))
        return;
    if (hits->count == 0)
        tenon_message(call,
                      "Nothing reached the relevance %.2f; the best was %.2f. Use other words, or a lower "
                      "min_relevance_score.",
                      search->threshold, hits->best);
    else if (hits->at[0].below_threshold)
        tenon_message(call,
                      "Nothing reached the default relevance %.2f; the nearest documents are shown, marked "
                      "below_threshold.",
                      search->threshold);
}

static tenon_outcome answer(tenon_call *call, const struct project *project, const struct search *search)
{
    struct hits       hits;
    enum store_status status = search_run(docs_of(call), call, project, search, &hits);
    found_document   *shown;

    if (status != STORE_OK)
        return fail_store(call, status);
    shown = tenon_alloc(call, (hits.count + 1) * sizeof *shown);
    if (!shown)
        return tenon_internal(call, "out of memory");
    for (size_t i = 0; i < hits.count; i++)
        shown[i] = show(call, &hits.at[i]);
    speak(call, project, search, &hits);
    say_if_promoted(call, &hits);
    say_if_notes(call, &hits);
    say_if_incomplete(call);
    return tenon_ok_data(
        call, search_result_rows,
        (&(search_result){ .used               = used_of(project),
                           .results            = { hits.count, shown },
                           .total_matches      = (int64_t)hits.total,
                           .external_docs_path = search->external ? project->config.external_path : NULL }));
}

/* ---- semantic_search ----------------------------------------------------------------------------------------- */

typedef struct {
    const char    *query;
    tenon_strs     doc_types, tags, paths;
    int            limit;
    double         min_relevance_score;
    tenon_set      promotion_levels;
    project_choice project;
} search_args;

static void search_types(tenon_lookup *lookup, const void *value)
{
    const search_args *args = tenon_lookup_args(lookup);

    doc_types_look_up(lookup, value, &args->project.project_handle);
}

static tenon_outcome semantic_search(tenon_call *call, const search_args *args)
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
                                .levels         = (unsigned)args->promotion_levels.bits };

    if (!project)
        return outcome;
    choose_threshold(&search, call, &args->min_relevance_score, project->config.has_search_score,
                     project->config.search_score);
    search.most = choose_most(call, &args->limit, project->config.has_search_limit,
                              project->config.search_limit);
    outcome     = answer(call, project, &search);
    project_release(project);
    return outcome;
}

TENON_TOOL(semantic_search, search_args,
    TENON_INFO("Find documents of the project by meaning and by words, the most relevant first. Returns paths, "
               "titles and the passages that fit best; read_document opens one, rag_query answers from their text.",
               .title = "Search the documentation", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .result = search_result_rows, .blocking = true),
    TENON_STR  (query,               "What to look for, in plain words.", .required = true, .len = {1, QUERY_LEN_MAX}),
    TENON_STRS (doc_types,           "Only documents of these types; list_doc_types names them.", .count = {0, 20},
                .comma = true, .lookup = search_types, .example = "[\"problem\",\"style\"]"),
    FILTER_ROWS,
    TENON_INT  (limit,               "Most documents to return.", .range = {1, 100}, .def = 10),
    TENON_NUM  (min_relevance_score, "Least relevance, from 0 to 1.", .range = {0, 1}, .tolerance = SCORE_ROUNDED,
                .def = SEARCH_SCORE),
    TENON_ENUMS(promotion_levels,    level_names, "Only documents of these levels.", .count = {0, 3},
                .example = "[\"important\",\"critical\"]"),
    PROJECT_ROW(project));

/* ---- search_external_docs ------------------------------------------------------------------------------------ */

typedef struct {
    const char    *query;
    int            limit;
    double         min_relevance_score;
    project_choice project;
} external_args;

static tenon_outcome search_external_docs(tenon_call *call, const external_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);
    struct search   search  = { .query = args->query, .external = true, .most = (size_t)args->limit };

    if (!project)
        return outcome;
    choose_threshold(&search, call, &args->min_relevance_score, project->config.has_search_score,
                     project->config.search_score);
    outcome = project->config.external_path ? answer(call, project, &search) : fail_no_external(call);
    project_release(project);
    return outcome;
}

TENON_TOOL(search_external_docs, external_args,
    TENON_INFO("Find documents in the project's external, read-only documentation, the most relevant first.",
               .title = "Search external documentation", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .result = search_result_rows, .blocking = true),
    TENON_STR(query,               "What to look for, in plain words.", .required = true, .len = {1, QUERY_LEN_MAX}),
    TENON_INT(limit,               "Most documents to return.", .range = {1, 100}, .def = 10),
    TENON_NUM(min_relevance_score, "Least relevance, from 0 to 1.", .range = {0, 1}, .tolerance = SCORE_ROUNDED,
              .def = EXTERNAL_SCORE),
    PROJECT_ROW(project));
