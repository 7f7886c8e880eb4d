/* index.c - index_document, list_doc_types, delete_documents and update_promotion_level. */
#include "docs/tools/tools.h"

#include <string.h>

#include "kit/text.h"

#define PATH_LEN_MAX 1000
#define NAME_LEN_MAX 255
#define BRANCHES_SAID 10

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

const char *path_after_folder(const struct project *project, const char *path)
{
    const char *folder = project->config.docs_folder;
    size_t      len    = strlen(folder);

    return strncmp(path, folder, len) == 0 && path[len] == '/' && path[len + 1] ? path + len + 1 : NULL;
}

static void say_rest(tenon_call *call, const char *path, const char *rest)
{
    tenon_message(call, "Paths are relative to the docs folder: %s was read as %s.", tenon_echo(call, path),
                  tenon_echo(call, rest));
}

static tenon_outcome index_one(tenon_call *call, struct project *project, const char *path)
{
    struct index_problem *problem = tenon_alloc(call, sizeof *problem);
    const char           *rest    = path_after_folder(project, path);
    enum index_status     status;

    if (!problem)
        return tenon_internal(call, "out of memory");
    status = index_file(docs_of(call), call, project, path, false, problem);
    if (status == INDEX_NOT_FOUND && rest) {
        status = index_file(docs_of(call), call, project, rest, false, problem);
        if (status != INDEX_NOT_FOUND) {
            say_rest(call, path, rest);
            path = rest;
        }
    }
    if (status == INDEX_UNCHANGED)
        tenon_message(call, "%s has not changed since it was indexed; nothing was done.",
                      tenon_echo(call, path));
    if (status != INDEX_OK && status != INDEX_UNCHANGED)
        return fail_index(call, project, path, problem);
    return tenon_ok_data(call, index_result_rows,
                         (&(index_result){ used_of(project), "indexed", path,
                                           (int64_t)docs_of(call)->embedder->dimensions }));
}

static tenon_outcome index_document(tenon_call *call, const index_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->project.project_handle, &outcome);

    if (!project)
        return outcome;
    outcome = index_one(call, project, args->path);
    project_release(project);
    return outcome;
}

TENON_TOOL(index_document, index_args,
    TENON_INFO("Index one document of the docs folder now, or again after it changed. Files that change are also "
               "indexed by themselves.", .title = "Index a document",
               .hints = TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
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
               .title = "List document types", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .result = types_result_rows, .blocking = true),
    PROJECT_ROW(project));

/* ---- delete_documents ---------------------------------------------------------------------------------------- */

typedef struct {
    const char    *project_name, *branch_name, *path_hash;
    bool           dry_run;
    project_choice project;
} delete_args;

typedef struct {
    const char *branch_name, *path_hash;
    int64_t     documents, external, chunks;
} gone_branch;

TENON_ROWS(gone_branch_rows, gone_branch,
    TENON_STR(branch_name, "The branch.", .required = true),
    TENON_STR(path_hash,   "Its work tree.", .required = true),
    TENON_INT(documents,   "Documents, external ones too.", .required = true),
    TENON_INT(external,    "Those of them that are external.", .key = "external_documents"),
    TENON_INT(chunks,      "Pieces of them."));

typedef struct {
    used        used;
    const char *status, *deleted_branch, *deleted_path_hash;
    int64_t     deleted_count, deleted_external, deleted_chunks;
    bool        dry_run;
    TENON_LIST_OF(gone_branch) branches;
} delete_result;

TENON_ROWS(delete_result_rows, delete_result,
    TENON_GROUP(used,              used_rows),
    TENON_STR  (status,            "\"deleted\", or \"preview\" of a dry run.", .required = true),
    TENON_INT  (deleted_count,     "Documents, external ones too."),
    TENON_INT  (deleted_external,  "Those of them that are external.", .key = "deleted_external_documents"),
    TENON_INT  (deleted_chunks,    "Pieces of them."),
    TENON_OBJECTS(branches,        gone_branch_rows, "What each branch of each work tree loses."),
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
    tenon_message(call, "Only the work tree %s is meant, which is the active one.", tenon_echo(call, *hash));
    return true;
}

/* A branch that is not there is nothing to be deleted, and perhaps a slip of the pen. */
static void say_unknown_branch(tenon_call *call, const delete_args *args, const char *hash)
{
    const char *names[BRANCHES_SAID + 1];
    size_t      count = 0;
    struct text list  = { 0 };

    if (store_branches(docs_of(call)->store, call, args->project_name, hash, names, BRANCHES_SAID + 1,
                       &count) != STORE_OK)
        return;
    for (size_t i = 0; i < count && i < BRANCHES_SAID; i++)
        text_addf(&list, "%s%s", i ? ", " : "", tenon_echo(call, names[i]));
    tenon_message(call, "Nothing of the branch %s is indexed. Indexed branches: %s%s.",
                  tenon_echo(call, args->branch_name), count ? text_of(&list) : "none",
                  count > BRANCHES_SAID ? " and more" : "");
    text_free(&list);
}

static void say_what_goes(tenon_call *call, const delete_args *args, const char *hash,
                          const struct store_deleted *deleted)
{
    const char *would = args->dry_run ? "would be deleted" : "were deleted";

    if (given(args->branch_name) && deleted->documents == 0)
        say_unknown_branch(call, args, hash);
    else if (!given(args->branch_name) && deleted->branch_count > 1)
        tenon_message(call, "No branch_name was given: all %zu branches %s, which branches lists.",
                      deleted->branch_count, would);
    if (deleted->branch_count > deleted->listed)
        tenon_message(call, "branches lists %zu of %zu; the counts are of all.", deleted->listed,
                      deleted->branch_count);
    if (deleted->documents > 0)
        tenon_message(
            call,
            "Only the index is changed: files that are still on disk come back at the next reconciliation.");
}

static tenon_outcome show_deleted(tenon_call *call, const struct project *project, const delete_args *args,
                                  const struct store_deleted *deleted)
{
    gone_branch  *branches = tenon_alloc(call, (deleted->listed + 1) * sizeof *branches);
    delete_result result   = { .used              = used_of(project),
                               .status            = args->dry_run ? "preview" : "deleted",
                               .deleted_branch    = given(args->branch_name),
                               .deleted_path_hash = given(args->path_hash),
                               .deleted_count     = deleted->documents,
                               .deleted_external  = deleted->external,
                               .deleted_chunks    = deleted->pieces,
                               .dry_run           = args->dry_run };

    for (size_t i = 0; branches && i < deleted->listed; i++) {
        const struct deleted_branch *from = &deleted->branches[i];

        branches[i] = (gone_branch){ from->branch, from->path_hash, from->documents, from->external,
                                     from->pieces };
    }
    result.branches.at    = branches;
    result.branches.count = branches ? deleted->listed : 0;
    return tenon_ok_data(call, delete_result_rows, &result);
}

static tenon_outcome delete_in(tenon_call *call, const struct project *project, const delete_args *args)
{
    struct store_deleted *deleted = tenon_alloc(call, sizeof *deleted);
    const char           *hash;
    enum store_status     status;

    if (!deleted)
        return tenon_internal(call, "out of memory");
    if (strcmp(args->project_name, project->tenant.project) != 0 ||
        !choose_tree(call, project, args, &hash)) {
        tenon_detail(call, "active_project", "%s", project->tenant.project);
        tenon_detail(call, "active_path_hash", "%s", project->tenant.path_hash);
        return tenon_fail(call, DOCS_INVALID_PROJECT, NULL);
    }
    status = store_delete(docs_of(call)->store, call, args->project_name, given(args->branch_name), hash,
                          args->dry_run, deleted);
    if (status != STORE_OK)
        return fail_store(call, status);
    say_what_goes(call, args, hash, deleted);
    return show_deleted(call, project, args, deleted);
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
               .hints = TENON_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .result = delete_result_rows, .blocking = true),
    TENON_STR (project_name, "The active project, to confirm what is meant.", .required = true,
               .len = {1, NAME_LEN_MAX}),
    TENON_STR (branch_name,  "Only this branch; else all.", .len = {1, NAME_LEN_MAX}),
    TENON_STR (path_hash,    "Only this work tree; else all.", .pattern = "^[0-9a-f]{16}$",
               .pattern_text = "the 16 hexadecimal digits of a work tree, in small letters", .example = "0123456789abcdef"),
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

static bool is_external(tenon_call *call, const struct project *project, const char *path)
{
    struct store   *store = docs_of(call)->store;
    struct document document;

    return store_find(store, call, &project->tenant, path, false, &document) == STORE_NONE &&
           store_find(store, call, &project->tenant, path, true, &document) == STORE_OK;
}

static tenon_outcome promote(tenon_call *call, struct project *project, const promote_args *args)
{
    struct index_problem *problem = tenon_alloc(call, sizeof *problem);
    const char           *path = args->document_path, *rest = path_after_folder(project, path);
    enum level            previous = LEVEL_STANDARD;
    enum index_status     status;

    if (!problem)
        return tenon_internal(call, "out of memory");
    if (is_external(call, project, path)) {
        tenon_detail(call, "path", "%s", path);
        return tenon_fail(call, DOCS_EXTERNAL_READ_ONLY, NULL);
    }
    status = index_set_level(docs_of(call), project, path, args->promotion_level, &previous, problem);
    if (status == INDEX_NOT_FOUND && rest) {
        status = index_set_level(docs_of(call), project, rest, args->promotion_level, &previous, problem);
        if (status != INDEX_NOT_FOUND) {
            say_rest(call, path, rest);
            path = rest;
        }
    }
    if (status != INDEX_OK && status != INDEX_UNCHANGED)
        return fail_index(call, project, path, problem);
    if (previous == args->promotion_level)
        tenon_message(call, "%s is %s already; the file was not touched.", tenon_echo(call, path),
                      level_names[previous]);
    return tenon_ok_data(call, promote_result_rows,
                         (&(promote_result){ used_of(project), "updated", path, previous,
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
               .hints = TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
               .result = promote_result_rows, .blocking = true),
    TENON_PATH(document_path,   "Path of the document, relative to the docs folder.", .required = true,
               .len = {1, PATH_LEN_MAX}, .example = "guides/setup.md"),
    TENON_ENUM(promotion_level, level_names, "The new level.", .required = true),
    PROJECT_ROW(project));
