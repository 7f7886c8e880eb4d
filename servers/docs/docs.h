/* docs.h - the documentation server: what its parts share.
 *
 *   project   a project's configuration, its tenant, the handles that name it
 *   types     kinds of documents, and the schemas of their front matter
 *   front     front matter: YAML to JSON, and one key of it rewritten
 *   chunk     a document in pieces
 *   mdlink    the links of a document
 *   matrix    the vectors of a tenant in memory
 *   store     the database
 *   indexer   files into the store
 *   watch     files that change
 *   search    hybrid search, with a calibrated relevance
 *   extract   answers from sentences, cited
 *   tools_*   the ten tools
 *
 * Files on disk are the source; everything in the database is derived and can be made again.
 */
#ifndef DOCS_DOCS_H
#define DOCS_DOCS_H

#include <pthread.h>
#include <stdatomic.h>

#include <tenon/tenon.h>

#include "kit/database.h"
#include "kit/embed/embed.h"
#include "kit/program.h"

struct store;
struct embedder;
struct project;

enum level { LEVEL_STANDARD, LEVEL_IMPORTANT, LEVEL_CRITICAL };
extern const char *const level_names[3];

#define DOCS_NAME "tenon-docs"
#define PATHS_MAX TENON_SETTING_TEXTS_MAX
#define SCORE_ROUNDED 1e-6 /* by which a score that was computed may miss 0 or 1 */

/* What the operator decides. All text outlives the server. */
struct docs_options {
    struct database_options database; /* default: tenon/docs.db in the user's data folder */
    tenon_strs              roots;    /* --root: projects lie beneath one of them; needed over HTTP */
    tenon_strs              projects; /* --project DIR */
    tenon_strs  allowed;     /* --allow-path: folders outside of a project that its configuration may name */
    const char *docs_folder; /* --docs-folder; "docs" */
    const char *config_folder;      /* --config-folder; ".tenon" */
    struct embed_options embedding; /* --embedding and what belongs to it */
    const char          *vectors;   /* --vectors float16|int8: how they are kept in memory; NULL: float16 */
    size_t               vector_memory; /* --vector-memory; 0: 1 GiB */
    int                  debounce_ms;   /* 500, from 100 to 5000 */
    bool                 no_watch;
    bool                 over_http; /* known when it starts */
    bool                 ask_model; /* --ask-model: rag_query may ask the client's model */
};

/* activate_project with an example that has the operator's --config-folder. */
#define ACTIVATION_ROWS_MAX 4
struct activation {
    tenon_tool tool;
    tenon_row  rows[ACTIVATION_ROWS_MAX];
    char       example[512];
};

struct docs {
    struct docs_options options;
    struct activation   activation;
    tenon_server       *server;
    struct store       *store;
    struct embedder    *embedder;
    struct indexer     *indexer;
    struct floors      *floors;   /* of cosines; NULL: none was asked for */
    struct watcher     *watcher;  /* NULL when nothing is watched */
    pthread_mutex_t     lock;     /* of the list */
    struct project     *projects; /* active ones */
    pthread_t           first_look;
    bool                is_looking;
    atomic_bool         stopping;
    atomic_bool         is_first_look;           /* until the operator's projects are as their files */
    atomic_size_t       first_done, first_total; /* its files, once they are counted */
};

/* Which rows of the database: all three, everywhere. */
struct tenant {
    int64_t     id; /* of the store; 0: not registered */
    const char *project, *branch, *path_hash;
};

/* The error table; codes beside the library's. */
#define DOCS_INVALID_DOC_TYPE      "INVALID_DOC_TYPE"
#define DOCS_PROJECT_NOT_ACTIVATED "PROJECT_NOT_ACTIVATED"
#define DOCS_INVALID_PROJECT       "INVALID_PROJECT"
#define DOCS_DOCUMENT_NOT_FOUND    "DOCUMENT_NOT_FOUND"
#define DOCS_NO_EXTERNAL_DOCS      "EXTERNAL_DOCS_NOT_CONFIGURED"
#define DOCS_EXTERNAL_READ_ONLY    "EXTERNAL_DOCS_NOT_PROMOTABLE"
#define DOCS_SCHEMA_FAILED         "SCHEMA_VALIDATION_FAILED"
#define DOCS_EMBEDDING_FAILED      "EMBEDDING_SERVICE_ERROR"
#define DOCS_DATABASE_ERROR        "DATABASE_ERROR"
#define DOCS_FILE_SYSTEM_ERROR     "FILE_SYSTEM_ERROR"
extern const tenon_error docs_errors[10];

/* The server with its ten tools; NULL and *mistake when the options cannot work: a database that
 * cannot be opened, a provider that does not answer or has other dimensions. Freed by docs_free(). */
tenon_server *docs_new(struct docs *docs, const struct docs_options *options, struct mistake *mistake);
void          docs_free(struct docs *docs);

/* Brings the operator's projects up to date on a thread of its own, and watches them. docs_free() ends it. */
void docs_begin(struct docs *docs);
void docs_end(struct docs *docs);

/* Only what a client sees before it calls anything: for --help and --version, which need no database. */
tenon_server *docs_face(struct docs *docs);

static inline struct docs *docs_of(const tenon_call *call)
{
    return tenon_user(call);
}

#endif
