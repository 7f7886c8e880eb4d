/* tools_index.c - index_document, list_doc_types, delete_documents and update_promotion_level. */
#include "docs/tools.h"

#include <string.h>

#define PATH_LEN_MAX 1000
#define NAME_LEN_MAX 255

/* ---- index_document ------------------------------------------------------------------------------------------ */

typedef struct {
    const char    *path;
    project_choice project;
} index_args;

typedef struct {
    used        used;
    const char *status, *path;
    int64_t     embedding_dimensions;
} index_result;

TENON_ROWS(index_result_rows, index_result,
    TENON_GROUP(used,                 used_rows),
    TENON_STR  (status,               "\"indexed\".", .required = true),
    TENON_STR  (path,                 "The path, as the index knows it.", .required = true),
    TENON_INT  (embedding_dimensions, "Numbers in each vector."));

static tenon_outcome index_document(tenon_call *call, const index_args *args)
{
    tenon_outcome         outcome;
    struct project       *project = project_of(call, args->project.project_handle, &outcome);
    struct index_problem *problem = tenon_alloc(call, sizeof *problem);
    enum index_status     status;

    if (!project)
        return outcome;
    status = problem ? index_file(docs_of(call), call, project, args->path, false, problem) : INDEX_NO_MEMORY;
    if (status == INDEX_UNCHANGED)
        tenon_message(call, "%s has not changed since it was indexed; nothing was done.", args->path);
    if (status == INDEX_OK || status == INDEX_UNCHANGED)
        outcome = tenon_ok_data(call, index_result_rows,
                                (&(index_result){ used_of(project), "indexed", args->path,
                                                  (int64_t)docs_of(call)->embedder->dimensions }));
    else
        outcome = problem ? fail_index(call, project, args->path, problem)
                          : tenon_internal(call, "out of memory");
    project_release(project);
    return outcome;
}

TENON_TOOL(index_document, index_args,
    TENON_INFO("Index one document of the docs folder now, or again after it changed. Files that change are also "
               "indexed by themselves.", .title = "Index a document",
               .hints = TENON_IDEMPOTENT | TENON_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
               .result = index_result_rows, .blocking = true),
    TENON_PATH(path, "Path of a markdown file, relative to the docs folder. A file whose name is refused here, for a "
               "backslash for example, is indexed with the whole folder: activate_project.", .required = true, .ext = ".md",
               .len = {1, PATH_LEN_MAX}, .example = "guides/setup.md"),
    PROJECT_ROW(project));

/* ---- list_doc_types ------------------------------------------------------------------------------------------ */

typedef struct {
    project_choice project;
} types_args;

typedef struct {
    const char *name, *description, *folder, *schema;
    int64_t     doc_count;
    bool        custom;
} shown_type;

TENON_ROWS(shown_type_rows, shown_type,
    TENON_STR (name,        "Its name.", .required = true),
    TENON_STR (description, "What it is for."),
    TENON_STR (folder,      "The folder of its documents."),
    TENON_STR (schema,      "\"built-in\", or the file of its schema."),
    TENON_INT (doc_count,   "Documents of this type."),
    TENON_BOOL(custom,      "Declared by the project."));

typedef struct {
    used used;
    TENON_LIST_OF(shown_type) doc_types;
} types_result;

TENON_ROWS(types_result_rows, types_result,
    TENON_GROUP  (used,      used_rows),
    TENON_OBJECTS(doc_types, shown_type_rows, "The types."));

static tenon_outcome list_doc_types(tenon_call *call, const types_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);
    shown_type     *shown   = tenon_alloc(call, TYPES_MAX * sizeof *shown);
    bool            counted = true;

    if (!project)
        return outcome;
    for (size_t i = 0; shown && i < project->types.count; i++) {
        const struct doc_type *type = &project->types.at[i];

        shown[i] = (shown_type){ type->name,
                                 type->description,
                                 type->folder,
                                 type->schema_file ? type->schema_file : "built-in",
                                 0,
                                 type->schema_file != NULL };
        counted &= store_count(docs_of(call)->store, &project->tenant, type->name, false,
                               &shown[i].doc_count) == STORE_OK;
    }
    if (!counted)
        tenon_message(call, "The database could not be read: counts are not known and shown as 0.");
    outcome = shown ? tenon_ok_data(call, types_result_rows,
                                    (&(types_result){ used_of(project), { project->types.count, shown } }))
                    : tenon_internal(call, "out of memory");
    project_release(project);
    return outcome;
}

TENON_TOOL(list_doc_types, types_args,
    TENON_INFO("List the types of documents that the project knows, with how many there are of each.",
               .title = "List document types", .hints = TENON_READ_ONLY | TENON_NOT(TENON_OPEN_WORLD),
               .result = types_result_rows, .blocking = true),
    PROJECT_ROW(project));

/* ---- delete_documents ---------------------------------------------------------------------------------------- */

typedef struct {
    const char    *project_name, *branch_name, *path_hash;
    bool           dry_run;
    project_choice project;
} delete_args;

typedef struct {
    used        used;
    const char *status, *deleted_branch, *deleted_path_hash;
    int64_t     deleted_count, deleted_chunks;
    bool        dry_run;
} delete_result;

TENON_ROWS(delete_result_rows, delete_result,
    TENON_GROUP(used,              used_rows),
    TENON_STR  (status,            "\"deleted\", or \"preview\" of a dry run.", .required = true),
    TENON_INT  (deleted_count,     "Documents."),
    TENON_INT  (deleted_chunks,    "Pieces of them."),
    TENON_STR  (deleted_branch,    "The branch that was asked for, if one was."),
    TENON_STR  (deleted_path_hash, "The path hash that was asked for, if one was."),
    TENON_BOOL (dry_run,           "Nothing was deleted."));

static const char *given(const char *text)
{
    return text[0] ? text : NULL;
}

/* Of several callers with names, each deletes only in the work tree that it has activated: another's project may have the same
 * name. *hash is what is meant; false when that is another's. */
static bool choose_tree(tenon_call *call, const struct project *project, const delete_args *args,
                        const char **hash)
{
    *hash = given(args->path_hash);
    if (!*tenon_caller(call))
        return true;
    if (*hash)
        return strcmp(*hash, project->tenant.path_hash) == 0;
    *hash = project->tenant.path_hash;
    tenon_message(call, "Only the work tree %s is meant, which is the active one.", *hash);
    return true;
}

static tenon_outcome delete_in(tenon_call *call, const struct project *project, const delete_args *args)
{
    struct store_deleted deleted = { 0, 0 };
    const char          *hash;
    enum store_status    status;

    if (strcmp(args->project_name, project->tenant.project) != 0 ||
        !choose_tree(call, project, args, &hash)) {
        tenon_detail(call, "active_project", "%s", project->tenant.project);
        tenon_detail(call, "active_path_hash", "%s", project->tenant.path_hash);
        return tenon_fail(call, DOCS_INVALID_PROJECT, NULL);
    }
    status = store_delete(docs_of(call)->store, args->project_name, given(args->branch_name), hash,
                          args->dry_run, &deleted);
    if (status != STORE_OK)
        return fail_store(call, status);
    tenon_message(
        call,
        "Only the index is changed: files that are still on disk come back at the next reconciliation.");
    return tenon_ok_data(call, delete_result_rows,
                         (&(delete_result){ used_of(project), args->dry_run ? "preview" : "deleted",
                                            given(args->branch_name), given(args->path_hash),
                                            deleted.documents, deleted.pieces, args->dry_run }));
}

static tenon_outcome delete_documents(tenon_call *call, const delete_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);

    if (!project)
        return outcome;
    outcome = delete_in(call, project, args);
    project_release(project);
    return outcome;
}

TENON_TOOL(delete_documents, delete_args,
    TENON_INFO("Delete the index of a project, of one of its branches or of one work tree. Files are not touched.",
               .title = "Delete from the index",
               .hints = TENON_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_NOT(TENON_OPEN_WORLD),
               .result = delete_result_rows, .blocking = true),
    TENON_STR (project_name, "The active project, to confirm what is meant.", .required = true,
               .len = {1, NAME_LEN_MAX}),
    TENON_STR (branch_name,  "Only this branch; else all.", .len = {1, NAME_LEN_MAX}),
    TENON_STR (path_hash,    "Only this work tree; else all.", .pattern = "^[0-9a-f]{16}$",
               .example = "0123456789abcdef"),
    TENON_BOOL(dry_run,      "Only say what would be deleted.", .def = false, .strict = true),
    PROJECT_ROW(project));

/* ---- update_promotion_level ---------------------------------------------------------------------------------- */

typedef struct {
    const char    *document_path;
    enum level     promotion_level;
    project_choice project;
} promote_args;

typedef struct {
    used        used;
    const char *status, *document_path;
    enum level  previous_level, new_level;
} promote_result;

TENON_ROWS(promote_result_rows, promote_result,
    TENON_GROUP(used,           used_rows),
    TENON_STR  (status,         "\"updated\".", .required = true),
    TENON_STR  (document_path,  "The document.", .required = true),
    TENON_ENUM (previous_level, level_names, "The level that it had."),
    TENON_ENUM (new_level,      level_names, "The level that it has now."));

static tenon_outcome promote(tenon_call *call, struct project *project, const promote_args *args)
{
    struct index_problem *problem  = tenon_alloc(call, sizeof *problem);
    enum level            previous = LEVEL_STANDARD;
    struct document       document;
    enum index_status     status;

    if (!problem)
        return tenon_internal(call, "out of memory");
    if (store_find(docs_of(call)->store, call, &project->tenant, args->document_path, false, &document) ==
            STORE_NONE &&
        store_find(docs_of(call)->store, call, &project->tenant, args->document_path, true, &document) ==
            STORE_OK) {
        tenon_detail(call, "path", "%s", args->document_path);
        return tenon_fail(call, DOCS_EXTERNAL_READ_ONLY, NULL);
    }
    status = index_set_level(docs_of(call), project, args->document_path, args->promotion_level, &previous,
                             problem);
    if (status != INDEX_OK && status != INDEX_UNCHANGED)
        return fail_index(call, project, args->document_path, problem);
    if (previous == args->promotion_level)
        tenon_message(call, "%s is %s already; the file was not touched.", args->document_path,
                      level_names[previous]);
    return tenon_ok_data(call, promote_result_rows,
                         (&(promote_result){ used_of(project), "updated", args->document_path, previous,
                                             args->promotion_level }));
}

static tenon_outcome update_promotion_level(tenon_call *call, const promote_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);

    if (!project)
        return outcome;
    outcome = promote(call, project, args);
    project_release(project);
    return outcome;
}

TENON_TOOL(update_promotion_level, promote_args,
    TENON_INFO("Set how important a document is: standard, important (found before others) or critical (always "
               "added to answers). Changes its front matter and the index.", .title = "Promote a document",
               .hints = TENON_IDEMPOTENT | TENON_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
               .result = promote_result_rows, .blocking = true),
    TENON_PATH(document_path,   "Path of the document, relative to the docs folder.", .required = true,
               .len = {1, PATH_LEN_MAX}, .example = "guides/setup.md"),
    TENON_ENUM(promotion_level, level_names, "The new level.", .required = true),
    PROJECT_ROW(project));
