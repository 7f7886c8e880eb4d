/* project.c - activate_project: reads a project's configuration and brings its index up to date. */
#include <stdio.h>
#include <stdlib.h>

#include "docs/tools/tools.h"

typedef struct {
    const char *config_path, *branch_name;
} activate_args;

typedef struct {
    const char *name;
    int64_t     doc_count;
    bool        custom;
} active_type;

TENON_ROWS(active_type_rows, active_type,
    TENON_STR (name,      "Its name.", .required = true),
    TENON_INT (doc_count, "Documents of this type."),
    TENON_BOOL(custom,    "Declared by the project."));

typedef struct {
    const char *status, *project_name, *branch_name, *path_hash, *project_handle;
    TENON_LIST_OF(active_type) doc_types;
    int64_t total_docs, external_docs, indexed, removed, failed;
} activate_result;

TENON_ROWS(activate_result_rows, activate_result,
    TENON_STR    (status,         "\"activated\".", .required = true),
    TENON_STR    (project_name,   "From the configuration.", .required = true),
    TENON_STR    (branch_name,    "The branch.", .required = true),
    TENON_STR    (path_hash,      "Identifies the work tree among those of the same project.", .required = true),
    TENON_STR    (project_handle, "Send this as project_handle to be sure which project is used.", .required = true),
    TENON_OBJECTS(doc_types,      active_type_rows, "The types of documents."),
    TENON_INT    (total_docs,     "Documents in the index, external ones too."),
    TENON_INT    (external_docs,  "Those of them that are external."),
    TENON_INT    (indexed,        "Documents that were new or had changed, external ones too."),
    TENON_INT    (removed,        "Documents whose files are gone, external ones too."),
    TENON_INT    (failed,         "Files that could not be indexed; the messages say why."));

#define PROBLEMS_SAID 5
#define MISTAKES_SAID 50

struct told {
    tenon_call *call;
    size_t      problems;
};

/* Progress for the client, and the first few problems for the model. */
static bool tell(void *user, size_t done, size_t total, const char *path, enum index_status status,
                 const struct index_problem *problem)
{
    struct told *told = user;
    char         line[INDEX_LINE_MAX];

    tenon_progress(told->call, (double)done, (double)total, "%s", path);
    (void)status;
    if (problem && told->problems++ < PROBLEMS_SAID)
        tenon_message(told->call, "%s was not indexed: %s", path, index_line(problem, line));
    return !tenon_is_cancelled(told->call);
}

static tenon_outcome report(tenon_call *call, struct project *project, const struct index_counts *counts)
{
    struct store   *store  = docs_of(call)->store;
    active_type    *types  = tenon_alloc(call, TYPES_MAX * sizeof *types);
    activate_result result = { .status         = "activated",
                               .project_name   = project->tenant.project,
                               .branch_name    = project->tenant.branch,
                               .path_hash      = project->tenant.path_hash,
                               .project_handle = project_handle(call, project),
                               .indexed        = (int64_t)counts->indexed,
                               .removed        = (int64_t)counts->removed,
                               .failed         = (int64_t)counts->failed };

    if (!types || !result.project_handle)
        return tenon_internal(call, "out of memory");
    for (size_t i = 0; i < project->types.count; i++) {
        types[i] = (active_type){ project->types.at[i].name, 0, project->types.at[i].schema_file != NULL };
        store_count(store, &project->tenant, types[i].name, false, &types[i].doc_count);
    }
    store_count(store, &project->tenant, NULL, false, &result.total_docs);
    store_count(store, &project->tenant, NULL, true, &result.external_docs);
    result.total_docs += result.external_docs;
    result.doc_types.count = project->types.count;
    result.doc_types.at    = types;
    if (counts->elsewhere)
        tenon_message(call,
                      "Another process is indexing this project; what it has done so far can be searched.");
    if (project->is_elsewhere)
        tenon_message(
            call,
            "The files of this project are on another machine: answers are from what was indexed there.");
    if (counts->passed[0])
        tenon_message(call, "Not read, because of their kind: %s.", counts->passed);
    return tenon_ok_data(call, activate_result_rows, &result);
}

/* Each mistake of the configuration on a line; the first line says whose they are. */
static void list_mistakes(tenon_call *call, const char *text)
{
    const char *lines[MISTAKES_SAID];
    size_t      count = 0;

    for (const char *at = strchr(text, '\n'); at && at[1] && count < MISTAKES_SAID; at = strchr(at + 1, '\n'))
        lines[count++] = tenon_format(call, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    tenon_detail_strs(call, "mistakes", lines, count);
}

static tenon_outcome fail_load(tenon_call *call, const char *path, enum project_status status,
                               const char *mistake)
{
    tenon_detail(call, "path", "%s", path);
    if (status == PROJECT_INVALID) {
        list_mistakes(call, mistake ? mistake : "");
        return tenon_fail(
            call, DOCS_INVALID_PROJECT,
            "The configuration cannot be used. Correct every one of its mistakes and activate it again.");
    }
    if (status == PROJECT_FULL)
        return fail_store(call, STORE_LIMIT);
    if (status == PROJECT_NOT_FOUND)
        return tenon_fail(call, DOCS_FILE_SYSTEM_ERROR, "%s",
                          mistake ? mistake : "There is no project there.");
    return tenon_fail(call, DOCS_DATABASE_ERROR, NULL);
}

static tenon_outcome activate(tenon_call *call, struct project *project)
{
    struct docs          *docs   = docs_of(call);
    struct told           told   = { call, 0 };
    struct index_counts   counts = { 0 };
    struct index_problem *none   = tenon_alloc(call, sizeof *none);
    enum store_status     status = store_tenant(docs->store, &project->tenant, project->root);
    enum index_status     indexed;

    if (status != STORE_OK || !none)
        return fail_store(call, status);
    indexed = index_reconcile(docs, call, project, tell, &told, &counts);
    if (indexed != INDEX_OK) {
        none->status = indexed;
        return fail_index(call, project, "", none);
    }
    if (told.problems > PROBLEMS_SAID)
        tenon_message(call, "%zu more files were not indexed.", told.problems - PROBLEMS_SAID);
    project_activate(docs, project);
    tenon_remember(call, project_handle(call, project));
    if (!docs->options.no_watch)
        watch_begin(docs, project);
    return report(call, project, &counts);
}

static tenon_outcome activate_project(tenon_call *call, const activate_args *args)
{
    struct project     *project = NULL;
    char               *mistake = NULL;
    enum project_status status  = project_load(docs_of(call), args->config_path, NULL, args->branch_name,
                                               &project, &mistake);
    tenon_outcome       outcome = status == PROJECT_OK ? activate(call, project)
                                                       : fail_load(call, args->config_path, status, mistake);

    if (project)
        project_release(project);
    free(mistake);
    return outcome;
}

TENON_TOOL(activate_project, activate_args,
    TENON_INFO("Make a project the active one: read its configuration, index what changed, and watch its files. The "
               "project that was active stays so when this fails.", .title = "Activate a project",
               .hints = TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
               .result = activate_result_rows, .blocking = true, .deadline_ms = -1),
    TENON_ABS_PATH(config_path, "Absolute path of the project's config.json.", .required = true, .ext = ".json",
                   .example = "/srv/project/.tenon/config.json"),
    TENON_STR     (branch_name, "The branch that is checked out.", .required = true, .len = {1, 255}));

/* ---- As the operator has it ---------------------------------------------------------------------------------- */

bool activation_of(struct activation *own, const char *config_folder)
{
    const tenon_tool *tool = activate_project_tool();

    own->tool = *tool;
    if (!config_folder)
        return true;
    if (tool->rows.count > ACTIVATION_ROWS_MAX ||
        (size_t)snprintf(own->example, sizeof own->example, "/srv/project/%s/config.json", config_folder) >=
            sizeof own->example)
        return false;
    memcpy(own->rows, tool->rows.at, tool->rows.count * sizeof *own->rows);
    for (size_t i = 0; i < tool->rows.count; i++)
        if (strcmp(own->rows[i].field, "config_path") == 0)
            own->rows[i].rule.text.example = own->example;
    own->tool.rows.at = own->rows;
    return true;
}
