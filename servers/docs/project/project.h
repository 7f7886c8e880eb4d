/* project.h - a project: where it is, what its configuration says, its tenant, and the handles by which callers name it.
 *
 * A project's configuration is untrusted: it is read beneath an allowed root, what it names must lie beneath the project
 * unless the operator allows it, and nothing in it sets where data or questions are sent.
 */
#ifndef DOCS_PROJECT_PROJECT_H
#define DOCS_PROJECT_PROJECT_H

#include "docs/docs.h"
#include "docs/index/types.h"

#define PATTERNS_MAX       32
#define CUSTOM_TYPES_MAX   32
#define BRANCH_LEN_MAX     255
#define CONFIG_LEN_MAX     ((size_t)1 << 20)
#define PATH_HASH_LEN      16
#define PROJECTS_MAX       256 /* active at once; the oldest goes, but none of the operator's */
#define PROJECT_ROOTS_MAX  64
#define PROJECT_CALLER_MAX 64

struct project_config {
    const char *name;
    bool        has_rag_score, has_rag_results, has_search_score,
        has_search_limit; /* what it says; argument > this > default */
    double      rag_score, search_score;
    int         rag_results, search_limit;
    int         max_linked_docs; /* 5 */
    int         max_depth;       /* of links: 2 */
    bool        plain_allowed;   /* files without front matter are indexed */
    const char *docs_folder;     /* relative to the project */
    const char *external_path;   /* NULL: none; as the configuration has it */
    const char *includes[PATTERNS_MAX], *excludes[PATTERNS_MAX];
    size_t      include_count, exclude_count;
};

struct project {
    struct project       *next;
    atomic_uint           refs;
    struct docs          *docs;
    struct tenant         tenant;
    char                 *root;        /* absolute, resolved */
    char                 *config_path; /* as it was given; NULL: none, a folder with defaults */
    char                 *directory;   /* as it was given, when there is no configuration */
    char                 *external;    /* the external folder, absolute; NULL: none */
    struct project_config config;
    unsigned char rules[32]; /* a digest of what files are judged by: with other rules every file is new */
    struct types  types;
    /* openat2 beneath; the second may be NULL. A folder that was removed and made again has another root: the old one stays
     * usable until the project is freed (project_refresh). */
    _Atomic(tenon_root *) docs_root, external_root;
    tenon_root           *retired[PROJECT_ROOTS_MAX];
    size_t                retired_count;
    char                 *callers[PROJECT_CALLER_MAX]; /* who got a handle; guarded by the list's lock */
    size_t                caller_count;
    atomic_bool           looked_at;    /* reconciled, or being so */
    bool                  is_elsewhere; /* its files are on other machines: only what is indexed is here */
    void                 *memory;       /* of all texts */
};

enum project_status {
    PROJECT_OK,
    PROJECT_NOT_FOUND, /* no such file, or not beneath an allowed root: no caller sees which */
    PROJECT_INVALID,   /* *mistake has every problem of the configuration */
    PROJECT_FULL,      /* BRANCHES_MAX */
    PROJECT_FAILED     /* the database, the disk or memory */
};

/* Reads `config_path` (absolute; ends in CONFIG_FOLDER/config.json) or, without one, DIR with defaults (and its configuration,
 * when it has one in its place); registers the tenant; not yet active. Without `branch`, the one that git has checked out.
 * Held once. *mistake is to be freed. */
enum project_status project_load(struct docs *docs, const char *config_path, const char *directory,
                                 const char *branch, struct project **project, char **mistake);
void                project_hold(struct project *project);
void                project_release(struct project *project);

/* Makes it one of the active ones, in the place of another with the same tenant. The list holds it, too. */
void project_activate(struct docs *docs, struct project *project);
/* Takes all of them off the list, when the server ends. */
void project_forget_all(struct docs *docs);

/* Opens the folders again when others have taken their place. False when the docs folder is not there (now). */
bool project_refresh(struct project *project);

/* A handle for the caller: sealed, good after a restart. In the call's memory. */
const char *project_handle(tenon_call *call, struct project *project);

/* The project that a call is about: the handle (NULL or "": none), else the one that the session remembers (a handle, by
 * tenon_remember), else the operator's only one. NULL: *failure is PROJECT_NOT_ACTIVATED (or INVALID_PROJECT for a bad
 * handle) for the handler to return. Held for the call: released by project_release(). One that this process has not looked
 * at yet is reconciled first, and then watched if the operator wants that. */
struct project *project_of(tenon_call *call, const char *handle, tenon_outcome *failure);

#endif
