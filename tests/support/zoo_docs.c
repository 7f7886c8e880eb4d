/* zoo_docs.c - the nine tools of a documentation server: questions, searches, documents, projects. */
#include "support/zoo.h"

enum level { LEVEL_STANDARD, LEVEL_IMPORTANT, LEVEL_CRITICAL };
static const char *const level_names[] = { "standard", "important", "critical" };

#define DOC_QUERY     "What to look for, in plain words."
#define DOC_DOC_TYPES "Only documents of these types."
#define DOC_SCORE     "Least relevance of a result."

/* ---- Questions ----------------------------------------------------------------------------------------------- */

typedef struct {
    const char *query;
    tenon_strs  doc_types;
    int         max_sources;
    float       min_relevance_score;
    enum level  min_promotion_level;
    bool        include_critical;
} rag_query_args;

static tenon_outcome rag_query(tenon_call *call, const rag_query_args *args)
{
    tenon_text(call, "%d sources about %s", args->max_sources, args->query);
    return tenon_ok(call);
}

TENON_TOOL(rag_query, rag_query_args,
    TENON_INFO("Answer a question from the documents.", .hints = TENON_READ_ONLY),
    TENON_STR (query, DOC_QUERY, .required = true, .len = {1, 10000}),
    TENON_STRS(doc_types, DOC_DOC_TYPES, .count = {0, 20}),
    TENON_INT (max_sources, "Most documents to answer from.", .range = {1, 10}, .def = 3),
    TENON_NUM (min_relevance_score, DOC_SCORE, .range = {0, 1}, .def = 0.7, .tolerance = 1e-6),
    TENON_ENUM(min_promotion_level, level_names, "Least promotion level.", .def = LEVEL_STANDARD),
    TENON_BOOL(include_critical, "Always include critical documents.", .def = true, .strict = true));

typedef struct {
    const char *query;
    int         max_sources;
    float       min_relevance_score;
} rag_query_external_args;

static tenon_outcome rag_query_external(tenon_call *call, const rag_query_external_args *args)
{
    tenon_text(call, "%d sources about %s", args->max_sources, args->query);
    return tenon_ok(call);
}

TENON_TOOL(rag_query_external, rag_query_external_args,
    TENON_INFO("Answer a question from external documents.", .hints = TENON_READ_ONLY | TENON_OPEN_WORLD),
    TENON_STR(query, DOC_QUERY, .required = true, .len = {1, 10000}),
    TENON_INT(max_sources, "Most documents to answer from.", .range = {1, 10}, .def = 3),
    TENON_NUM(min_relevance_score, DOC_SCORE, .range = {0, 1}, .def = 0.7));

/* ---- Searches ------------------------------------------------------------------------------------------------ */

typedef struct {
    const char *query;
    tenon_strs  doc_types;
    int         limit;
    float       min_relevance_score;
    tenon_set   promotion_levels;
} semantic_search_args;

static tenon_outcome semantic_search(tenon_call *call, const semantic_search_args *args)
{
    tenon_text(call, "%d results for %s", args->limit, args->query);
    return tenon_ok(call);
}

TENON_TOOL(semantic_search, semantic_search_args,
    TENON_INFO("Search the documents by meaning.", .hints = TENON_READ_ONLY),
    TENON_STR  (query, DOC_QUERY, .required = true, .len = {1, 10000}),
    TENON_STRS (doc_types, DOC_DOC_TYPES, .count = {0, 20}),
    TENON_INT  (limit, "Most results.", .range = {1, 100}, .def = 10),
    TENON_NUM  (min_relevance_score, DOC_SCORE, .range = {0, 1}, .def = 0.5),
    TENON_ENUMS(promotion_levels, level_names, "Only these promotion levels.", .count = {0, 3}));

typedef struct {
    const char *query;
    int         limit;
    float       min_relevance_score;
} search_external_docs_args;

static tenon_outcome search_external_docs(tenon_call *call, const search_external_docs_args *args)
{
    tenon_text(call, "%d results for %s", args->limit, args->query);
    return tenon_ok(call);
}

TENON_TOOL(search_external_docs, search_external_docs_args,
    TENON_INFO("Search external documents.", .hints = TENON_READ_ONLY | TENON_OPEN_WORLD),
    TENON_STR(query, DOC_QUERY, .required = true, .len = {1, 10000}),
    TENON_INT(limit, "Most results.", .range = {1, 100}, .def = 10),
    TENON_NUM(min_relevance_score, DOC_SCORE, .range = {0, 1}, .def = 0.7));

/* ---- Documents ----------------------------------------------------------------------------------------------- */

typedef struct {
    const char *path;
} index_document_args;

static tenon_outcome index_document(tenon_call *call, const index_document_args *args)
{
    tenon_text(call, "indexed %s", args->path);
    return tenon_ok(call);
}

TENON_TOOL(index_document, index_document_args,
    TENON_INFO("Index one document.", .hints = TENON_IDEMPOTENT),
    TENON_PATH(path, "The document, relative to the project.", .required = true));

typedef struct {
    const char *name;
    int64_t     count;
} doc_type;

TENON_ROWS(doc_type_rows, doc_type,
    TENON_STR(name,  "Name of the type.", .required = true),
    TENON_INT(count, "Documents of it."));

typedef struct {
    TENON_LIST_OF(doc_type) types;
} doc_types;

TENON_ROWS(doc_types_rows, doc_types, TENON_OBJECTS(types, doc_type_rows, "The types."));

static tenon_outcome list_doc_types(tenon_call *call)
{
    static const doc_type types[] = { { "spec", 3 }, { "insight", 0 } };
    const doc_types       all     = { { 2, types } };

    return tenon_ok_data(call, doc_types_rows, &all);
}

TENON_TOOL0(list_doc_types,
            TENON_INFO("List the types of documents.", .hints = TENON_READ_ONLY, .result = doc_types_rows));

typedef struct {
    const char *project_name, *branch_name, *path_hash;
    bool        dry_run;
} delete_documents_args;

static tenon_outcome delete_documents(tenon_call *call, const delete_documents_args *args)
{
    tenon_text(call, "%s documents of %s", args->dry_run ? "would delete" : "deleted", args->project_name);
    return tenon_ok(call);
}

TENON_TOOL(delete_documents, delete_documents_args,
    TENON_INFO("Delete documents of a project.", .hints = TENON_DESTRUCTIVE),
    TENON_STR (project_name, "Name of the project.", .required = true),
    TENON_STR (branch_name, "Only of this branch."),
    TENON_STR (path_hash, "Only of this path."),
    TENON_BOOL(dry_run, "Only say what would be deleted.", .def = false, .strict = true));

typedef struct {
    const char *document_path;
    enum level  promotion_level;
} update_promotion_level_args;

static tenon_outcome update_promotion_level(tenon_call *call, const update_promotion_level_args *args)
{
    tenon_text(call, "%s is %s", args->document_path, level_names[args->promotion_level]);
    return tenon_ok(call);
}

TENON_TOOL(update_promotion_level, update_promotion_level_args,
    TENON_INFO("Promote a document.", .hints = TENON_IDEMPOTENT),
    TENON_PATH(document_path, "The document, relative to the project.", .required = true),
    TENON_ENUM(promotion_level, level_names, "Its new level.", .required = true));

/* ---- Projects ------------------------------------------------------------------------------------------------ */

typedef struct {
    const char *config_path, *branch_name;
} activate_project_args;

static tenon_outcome activate_project(tenon_call *call, const activate_project_args *args)
{
    tenon_text(call, "activated %s on %s", args->config_path, args->branch_name);
    return tenon_ok(call);
}

TENON_TOOL(activate_project, activate_project_args,
    TENON_INFO("Activate a project.", .title = "Activate a project"),
    TENON_ABS_PATH(config_path, "Absolute path of its configuration.", .required = true),
    TENON_STR     (branch_name, "Its branch.", .required = true));
