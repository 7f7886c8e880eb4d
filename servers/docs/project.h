/* project.h - a project: where it is, what its configuration says, its tenant, and the handles by which callers name it.
 *
 * A project's configuration is a stranger's: it is read beneath an allowed root, what it names must lie beneath the project
 * unless the operator allows it, and nothing in it says where data or questions are sent.
 */
#ifndef DOCS_PROJECT_H
#define DOCS_PROJECT_H

#include "docs/docs.h"
#include "docs/types.h"

struct project_config {
    const char *name;
    bool        has_rag_score, has_rag_results, has_search_score, has_search_limit; /* what it says; argument > this > default */
    double      rag_score, search_score;
    int         rag_results, search_limit;
    int         max_linked_docs; /* 5 */
    int         max_depth;       /* of links: 2 */
    bool        plain_allowed;   /* files without front matter are indexed */
    const char *docs_folder;     /* relative to the project */
    const char *external_path;   /* NULL: none */
    const char *includes[32], *excludes[32];
    size_t      include_count, exclude_count;
};

struct project {
    struct project       *next;
    atomic_uint           refs;
    struct docs          *docs;
    struct tenant         tenant;
    char                 *root;     /* absolute, resolved */
    struct project_config config;
    struct types          types;
    tenon_root           *docs_root, *external_root; /* openat2 beneath; the second may be NULL */
    void                 *memory;   /* of all texts */
};

enum project_status {
    PROJECT_OK,
    PROJECT_NOT_FOUND, /* no such file, or not beneath an allowed root: told apart for no caller */
    PROJECT_INVALID,   /* *mistake has every problem of the configuration */
    PROJECT_FAILED
};

/* Reads `config_path` (absolute; ends in CONFIG_FOLDER/config.json) or, without one, DIR with defaults; not yet active. Held
 * once. *mistake is to be freed. */
enum project_status project_load(struct docs *docs, const char *config_path, const char *directory, const char *branch,
                                 struct project **project, char **mistake);
void project_hold(struct project *project);
void project_release(struct project *project);

/* Makes it one of the active ones, in the place of another with the same tenant. */
void project_activate(struct docs *docs, struct project *project);

/* A handle for the caller: sealed, good after a restart. In the call's memory. */
const char *project_handle(tenon_call *call, const struct project *project);

/* The project that a call is about: the handle, else the session's, else the operator's only one. NULL: *failure is
 * PROJECT_NOT_ACTIVATED (or INVALID_PROJECT for a bad handle) for the handler to return. Held for the call: released by
 * project_release(). */
struct project *project_of(tenon_call *call, const char *handle, tenon_outcome *failure);

#endif
