/* config.c - config.json of a project, validated by rows. */
#include "docs/project/parts.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "docs/index/glob.h"

#define LINKED_DOCS 5
#define LINK_DEPTH  2
#define NAME_MOST   64
#define NO_NAME     "project"

typedef struct {
    double min_relevance_score;
    int    max_results, max_linked_docs;
} retrieval_part;
TENON_ROWS(retrieval_rows, retrieval_part,
    TENON_NUM(min_relevance_score, "Least relevance of a source.", .range = {0, 1}, .tolerance = SCORE_ROUNDED),
    TENON_INT(max_results,         "Most sources of an answer.", .range = {1, 10}),
    TENON_INT(max_linked_docs,     "Most documents found by links.", .range = {0, 20}, .def = LINKED_DOCS));

typedef struct {
    double min_relevance_score;
    int    default_limit;
} search_part;
TENON_ROWS(search_rows, search_part,
    TENON_NUM(min_relevance_score, "Least relevance of a result.", .range = {0, 1}, .tolerance = SCORE_ROUNDED),
    TENON_INT(default_limit,       "Most results of a search.", .range = {1, 100}));

typedef struct {
    int max_depth;
} links_part;
TENON_ROWS(links_rows, links_part,
    TENON_INT(max_depth, "How far links are followed.", .range = {0, 10}, .def = LINK_DEPTH));

typedef struct {
    const char *path;
    tenon_strs  include_patterns, exclude_patterns;
} external_part;
TENON_ROWS(external_rows, external_part,
           TENON_STR(path, "The folder of external documents.", .required = true, .len = { 1, 1000 }),
           TENON_STRS(include_patterns, "Which files.", .count = { 0, PATTERNS_MAX },
                      .len = { 1, GLOB_LEN_MAX }, .def = "[\"**/*.md\"]"),
           TENON_STRS(exclude_patterns, "Which of them not.", .count = { 0, PATTERNS_MAX },
                      .len = { 1, GLOB_LEN_MAX }, .def = "[\"**/node_modules/**\"]"));

typedef struct {
    const char *name, *description, *folder, *schema_file;
    bool        common_fields;
} type_part;
TENON_ROWS(type_rows, type_part,
    TENON_STR (name,        "Its name, the value of doc_type.", .required = true, .len = {1, 64},
               .pattern = "^[a-z][a-z0-9_-]*$",
               .pattern_text = "small letters, digits, '_' and '-', a letter first", .example = "decision"),
    TENON_STR (description, "What it is for.", .len = {0, 500}),
    TENON_PATH(folder,      "Its folder, in the docs folder.", .len = {1, 200}),
    TENON_STR (schema_file, "The JSON Schema of its front matter.", .required = true, .len = {1, 1000}),
    TENON_BOOL(common_fields, "Its documents have what those of built-in kinds have: title, date, summary, significance.",
               .def = true));

typedef struct {
    const char    *project_name, *docs_folder;
    bool           plain_documents;
    retrieval_part retrieval;
    search_part    semantic_search;
    links_part     link_resolution;
    external_part  external_docs;
    TENON_LIST_OF(type_part) custom_doc_types;
} config_part;
TENON_ROWS(config_rows, config_part,
    TENON_STR    (project_name,     "Its name.", .required = true, .len = {1, 255}, .pattern = "^[a-z][a-z0-9-]*$",
                  .pattern_text = "small letters, digits and '-', a letter first", .example = "my-project"),
    TENON_PATH   (docs_folder,      "Where its documents are, in the project.", .len = {1, 500}),
    TENON_BOOL   (plain_documents,  "Files without front matter are documents, too."),
    TENON_OBJECT (retrieval,        retrieval_rows, "Of answers."),
    TENON_OBJECT (semantic_search,  search_rows, "Of searches."),
    TENON_OBJECT (link_resolution,  links_rows, "Of links."),
    TENON_OBJECT (external_docs,    external_rows, "Documents from elsewhere."),
    TENON_OBJECTS(custom_doc_types, type_rows, "More kinds of documents.", .count = {0, CUSTOM_TYPES_MAX}));

/* The same once more, as it is: a default looks like a value, and only this tells what is there. */
typedef struct {
    const tenon_json *config;
} config_view;
TENON_ROWS(view_rows, config_view, TENON_JSON(config, "The configuration."));

static char *copy(struct project *project, const char *text)
{
    return project_text(project, text, strlen(text));
}

static bool has(const tenon_json *part, const char *key)
{
    tenon_json_type type = tenon_json_type_of(tenon_json_get(part, key));

    return type != TENON_JSON_NONE && type != TENON_JSON_NULL;
}

static bool copy_list(struct project *project, const tenon_strs *list, const char **out, size_t *count)
{
    for (size_t i = 0; i < list->count && i < PATTERNS_MAX; i++) {
        out[i] = copy(project, list->at[i]);
        if (!out[i])
            return false;
        *count = i + 1;
    }
    return true;
}

static bool take_types(struct project *project, const config_part *part, struct custom_types *types)
{
    for (size_t i = 0; i < part->custom_doc_types.count && i < CUSTOM_TYPES_MAX; i++) {
        const type_part    *from = &part->custom_doc_types.at[i];
        struct custom_type *to   = &types->at[types->count++];

        to->name        = copy(project, from->name);
        to->description = copy(project, from->description);
        to->folder      = copy(project, *from->folder ? from->folder : from->name);
        to->schema_file = copy(project, from->schema_file);
        to->with_common = from->common_fields;
        if (!to->name || !to->description || !to->folder || !to->schema_file)
            return false;
    }
    return true;
}

static bool take(struct project *project, const config_part *part, const tenon_json *view,
                 struct custom_types *types)
{
    struct project_config *config    = &project->config;
    const tenon_json      *retrieval = tenon_json_get(view, "retrieval");
    const tenon_json      *search    = tenon_json_get(view, "semantic_search");

    config->has_rag_score    = has(retrieval, "min_relevance_score");
    config->has_rag_results  = has(retrieval, "max_results");
    config->has_search_score = has(search, "min_relevance_score");
    config->has_search_limit = has(search, "default_limit");
    config->rag_score        = part->retrieval.min_relevance_score;
    config->rag_results      = part->retrieval.max_results;
    config->search_score     = part->semantic_search.min_relevance_score;
    config->search_limit     = part->semantic_search.default_limit;
    config->plain_allowed    = part->plain_documents;
    if (has(retrieval, "max_linked_docs"))
        config->max_linked_docs = part->retrieval.max_linked_docs;
    if (has(tenon_json_get(view, "link_resolution"), "max_depth"))
        config->max_depth = part->link_resolution.max_depth;
    config->name = copy(project, part->project_name);
    if (has(view, "docs_folder"))
        config->docs_folder = copy(project, *part->docs_folder ? part->docs_folder : ".");
    if (*part->external_docs.path) {
        config->external_path = copy(project, part->external_docs.path);
        if (!config->external_path ||
            !copy_list(project, &part->external_docs.include_patterns, config->includes,
                       &config->include_count) ||
            !copy_list(project, &part->external_docs.exclude_patterns, config->excludes,
                       &config->exclude_count))
            return false;
    }
    return config->name && config->docs_folder && take_types(project, part, types);
}

/* What is whole to a call, its arguments, is the file here. */
static void add_issues(tenon_params *params, struct text *mistakes)
{
    static const char whole[] = "arguments";

    for (size_t i = 0; i < tenon_params_issue_count(params); i++) {
        const tenon_issue *issue    = tenon_params_issue(params, i);
        bool               is_whole = strcmp(issue->parameter, whole) == 0 &&
                        strncmp(issue->text, whole, sizeof whole - 1) == 0;

        text_addf(mistakes, "%s%s\n", is_whole ? CONFIG_FILE : "",
                  issue->text + (is_whole ? sizeof whole - 1 : 0));
    }
}

static void set_defaults(struct project *project)
{
    const char *folder = project->docs->options.docs_folder;

    project->config.max_linked_docs = LINKED_DOCS;
    project->config.max_depth       = LINK_DEPTH;
    project->config.docs_folder     = folder ? folder : "docs";
}

static const tenon_json *view_of(tenon_params *params, const char *json, size_t len)
{
    const config_view *view = NULL;
    tenon_writer      *w    = tenon_writer_new(NULL, TEXT_MAX);
    const char        *text;

    tenon_write_object(w, NULL);
    tenon_write_raw(w, "config", json, len);
    tenon_write_end(w);
    text = tenon_writer_text(w, &len);
    if (text)
        view = tenon_params_bind(params, text, len);
    tenon_writer_free(w);
    return view ? view->config : NULL;
}

bool config_read(struct project *project, const char *json, size_t len, struct custom_types *types,
                 struct text *mistakes)
{
    tenon_shape  *shape = tenon_shape_new(config_rows(), NULL), *seen = tenon_shape_new(view_rows(), NULL);
    tenon_params *params    = shape ? tenon_params_new(shape) : NULL,
                 *views     = seen ? tenon_params_new(seen) : NULL;
    const config_part *part = params ? tenon_params_bind(params, json, len) : NULL;
    const tenon_json  *view = part && views ? view_of(views, json, len) : NULL;
    bool               fine = params && views && !tenon_params_failed(params);

    assert(!tenon_shape_error(shape) && !tenon_shape_error(seen));
    set_defaults(project);
    if (fine && part)
        fine = view && take(project, part, view, types);
    else if (fine)
        add_issues(params, mistakes);
    tenon_params_free(views);
    tenon_params_free(params);
    tenon_shape_free(seen);
    tenon_shape_free(shape);
    return fine;
}

/* A folder's name as a project's: lower case, dashes for what is neither letter nor digit, a letter first. */
static void name_from(const char *root, char out[NAME_MOST + 1])
{
    const char *slash = strrchr(root, '/');
    size_t      len   = 0;

    for (const char *p = slash ? slash + 1 : root; *p && len < NAME_MOST; p++) {
        unsigned char c = (unsigned char)*p;

        if (c < 0x80 && isalnum(c)) {
            if (len > 0 || isalpha(c))
                out[len++] = (char)tolower(c);
        } else if (len > 0 && out[len - 1] != '-') {
            out[len++] = '-';
        }
    }
    while (len > 0 && out[len - 1] == '-')
        len--;
    out[len] = '\0';
    if (len == 0)
        memcpy(out, NO_NAME, sizeof NO_NAME);
}

bool config_default(struct project *project)
{
    char name[NAME_MOST + 1];

    set_defaults(project);
    name_from(project->root, name);
    project->config.plain_allowed = true;
    project->config.name          = copy(project, name);
    return project->config.name != NULL;
}
