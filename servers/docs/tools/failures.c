/* failures.c - the error table, and which failure inside becomes which code outside. */
#include <string.h>

#include "docs/tools/tools.h"
#include "kit/call.h"
#include "kit/text.h"

const char *const level_names[3] = { "standard", "important", "critical" };

const tenon_error docs_errors[10] = {
    { DOCS_INVALID_DOC_TYPE,
      "There is no document type {doc_type} in this project. Use one of valid_doc_types.", false },
    { DOCS_PROJECT_NOT_ACTIVATED,
      "No project is active. Call activate_project first, or send the project_handle of one.", false },
    { DOCS_INVALID_PROJECT, "This is not the project that is active. Check its name, or activate it first.",
      false },
    { DOCS_DOCUMENT_NOT_FOUND, "There is no document {path}. Check the path, or search for it.", false },
    { DOCS_NO_EXTERNAL_DOCS,
      "This project has no external documents. Add the JSON in details to its configuration and activate it "
      "again.",
      false },
    { DOCS_EXTERNAL_READ_ONLY, "External documents are read-only and have no promotion level.", false },
    { DOCS_SCHEMA_FAILED,
      "The front matter of {path} breaks the schema of its type. Correct what is listed and index it again.",
      false },
    { DOCS_EMBEDDING_FAILED, "The embedding service does not answer. Try again later.", true },
    { DOCS_DATABASE_ERROR,
      "The database could not do this. Try again; if it happens again, report it to the operator.", true },
    { DOCS_FILE_SYSTEM_ERROR, "The file {path} cannot be used.", false },
};

tenon_outcome fail_store(tenon_call *call, enum store_status status)
{
    if (tenon_is_cancelled(call))
        return tenon_cancelled(call);
    switch (status) {
    case STORE_BUSY:
        return tenon_fail(call, DOCS_DATABASE_ERROR, "Another process is writing. Try again in a moment.");
    case STORE_AWAY:
        return tenon_fail(call, DOCS_DATABASE_ERROR, "The database cannot be reached. Try again later.");
    case STORE_FULL: return tenon_fail(call, DOCS_DATABASE_ERROR, "The disk is full. Nothing was changed.");
    case STORE_OVER_LIMIT: return tenon_fail(call, TENON_CODE_LIMIT_EXCEEDED, CALL_OVER_LIMIT);
    case STORE_LIMIT:
        return tenon_fail(
            call, TENON_CODE_LIMIT_EXCEEDED,
            "%d branches of this project are indexed already, which is the most. Delete one that is no "
            "longer needed with delete_documents.",
            BRANCHES_MAX);
    case STORE_NO_MEMORY: return tenon_internal(call, "out of memory");
    default: return tenon_fail(call, DOCS_DATABASE_ERROR, NULL);
    }
}

tenon_outcome fail_embedding(tenon_call *call, const struct embed_failure *failure)
{
    tenon_detail(call, "circuit_state", "%s", failure->circuit ? failure->circuit : "closed");
    tenon_detail_int(call, "retry_after_seconds", failure->retry_after);
    return tenon_fail(call, DOCS_EMBEDDING_FAILED, NULL);
}

tenon_outcome fail_not_found(tenon_call *call, const struct project *project, const char *path)
{
    const char *near[3];
    size_t      count = 0;

    tenon_detail(call, "path", "%s", path);
    if (store_near_paths(docs_of(call)->store, call, &project->tenant, path, near, &count) == STORE_OK &&
        count > 0)
        tenon_detail_strs(call, "similar_paths", near, count);
    return tenon_fail(call, DOCS_DOCUMENT_NOT_FOUND, NULL);
}

tenon_outcome fail_no_external(tenon_call *call)
{
    tenon_detail(call, "add_to_configuration", "%s",
                 "{\"project_name\": \"my-project\", \"plain_documents\": true, \"external_docs\": "
                 "{\"path\": \"vendor-docs\", "
                 "\"include_patterns\": [\"**/*.md\"]}}");
    return tenon_fail(call, DOCS_NO_EXTERNAL_DOCS, NULL);
}

/* Each violation as a line. */
static tenon_outcome fail_schema(tenon_call *call, const char *path, const struct index_problem *problem)
{
    const char *lines[VIOLATIONS_MAX];
    char        line[VIOLATION_TEXT_MAX];
    size_t      shown = problem->violation_count < VIOLATIONS_MAX ? problem->violation_count : VIOLATIONS_MAX;

    for (size_t i = 0; i < shown; i++) {
        violation_text(&problem->violations[i], line);
        lines[i] = tenon_format(call, "%s", line);
    }
    tenon_detail(call, "path", "%s", path);
    tenon_detail_strs(call, "errors", lines, shown);
    tenon_detail_int(call, "total_errors", (int64_t)problem->violation_count);
    return tenon_fail(call, DOCS_SCHEMA_FAILED, NULL);
}

tenon_outcome fail_index(tenon_call *call, const struct project *project, const char *path,
                         const struct index_problem *problem)
{
    switch (problem->status) {
    case INDEX_NOT_FOUND: return fail_not_found(call, project, path);
    case INDEX_INVALID: return fail_schema(call, path, problem);
    case INDEX_EMBEDDING: return fail_embedding(call, &problem->failure);
    case INDEX_DATABASE: return tenon_fail(call, DOCS_DATABASE_ERROR, NULL);
    case INDEX_OVER_LIMIT: return tenon_fail(call, TENON_CODE_LIMIT_EXCEEDED, CALL_OVER_LIMIT);
    case INDEX_CANCELLED: return tenon_cancelled(call);
    case INDEX_NO_MEMORY: return tenon_internal(call, "out of memory");
    case INDEX_NO_TYPE:
        tenon_detail(call, "path", "%s", path);
        return tenon_fail(call, DOCS_SCHEMA_FAILED, "%s", problem->text);
    default:
        tenon_detail(call, "path", "%s", path);
        return tenon_fail(call, DOCS_FILE_SYSTEM_ERROR, "%s", problem->text);
    }
}

static void list_types(tenon_call *call, const struct project *project)
{
    const char *names[TYPES_MAX];

    for (size_t i = 0; i < project->types.count; i++)
        names[i] = project->types.at[i].name;
    tenon_detail_strs(call, "valid_doc_types", names, project->types.count);
}

/* Names those that are no types of the project: "novel or poem". */
static const char *find_unknown(tenon_lookup *lookup, const struct project *project, const tenon_strs *names)
{
    tenon_call *call    = tenon_lookup_call(lookup);
    const char *unknown = NULL;

    for (size_t i = 0; i < names->count; i++) {
        if (types_find(&project->types, names->at[i]))
            continue;
        tenon_lookup_unknown(lookup, names->at[i]);
        unknown = tenon_format(call, "%s%s%s", unknown ? unknown : "", unknown ? " or " : "", names->at[i]);
    }
    return unknown;
}

void doc_types_look_up(tenon_lookup *lookup, const tenon_strs *names, const char *const *handle)
{
    tenon_call     *call = tenon_lookup_call(lookup);
    tenon_outcome   failure;
    struct project *project;
    const char     *unknown;

    if (!tenon_lookup_holds(lookup, handle))
        return; /* of which project is not known */
    project = project_of(call, *handle, &failure);
    if (!project) {
        tenon_lookup_fail(lookup, failure);
        return;
    }
    tenon_lookup_words(lookup, "document type", "list_doc_types has all of them.");
    tenon_lookup_code(lookup, DOCS_INVALID_DOC_TYPE);
    unknown = find_unknown(lookup, project, names);
    if (unknown) {
        tenon_detail(call, "doc_type", "%s", unknown);
        list_types(call, project);
        for (size_t i = 0; i < project->types.count; i++)
            tenon_lookup_offer(lookup, project->types.at[i].name);
    }
    project_release(project);
}
