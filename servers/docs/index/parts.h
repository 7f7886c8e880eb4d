/* parts.h - what the indexer's own files share: a run, and a document that is ready for the store. */
#ifndef DOCS_INDEX_PARTS_H
#define DOCS_INDEX_PARTS_H

#include <time.h>

#include "docs/index/files.h"
#include "docs/index/indexer.h"
#include "docs/markdown/chunk.h"
#include "docs/markdown/front.h"
#include "docs/markdown/link.h"
#include "docs/markdown/passage.h"
#include "kit/embed/embed.h"

#define HASH_LEN    64
#define BUSY_MAX    256
#define SUMMARY_MAX 300
#define READY_MAX   64 /* documents of one transaction */

/* Of a server; made when it is first needed. */
struct indexer {
    pthread_mutex_t lock, levels; /* of the list of busy tenants; one level is rewritten at a time */
    pthread_cond_t  changed;
    int64_t         busy[BUSY_MAX]; /* tenants that are being reconciled by this process */
    size_t          busy_count;
    tenon_shape    *front; /* {"front": anything} */
};

const tenon_rows *front_view_table(void);

struct indexer *indexer_of(struct docs *docs); /* NULL without memory */
void            indexer_free(struct docs *docs);

/* One piece of work. */
struct index_run {
    struct docs          *docs;
    const tenon_call     *call; /* may be NULL */
    const atomic_bool    *stop; /* may be NULL */
    struct project       *project;
    tenon_root           *root;
    bool                  external;
    bool                  is_leased;
    bool                  was_refused; /* by the provider, which is there: perhaps only one of the texts */
    struct timespec       leased;      /* when the lease was renewed */
    struct index_problem *problem;
};

void run_begin(struct index_run *run, struct docs *docs, const tenon_call *call, struct project *project,
               bool external, struct index_problem *problem);
bool run_stopped(const struct index_run *run);
/* Renews the lease now and then; false when another process has it now. */
bool run_keeps_lease(struct index_run *run);

/* Fills in the problem; returns the status. */
enum index_status run_fail(struct index_run *run, enum index_status status, const char *format, ...)
    TENON_PRINTF(3, 4);
enum index_status run_fail_file(struct index_run *run, enum docs_file_status status, const char *path);
enum index_status run_fail_store(struct index_run *run, enum store_status status);
enum index_status run_fail_elsewhere(struct index_run *run); /* the files are on other machines */

/* A document that is read, judged and cut, but for its vectors. */
struct ready {
    char            *path;
    struct docs_file file;
    struct front     front;
    struct text      text;       /* the document as markdown: front matter, then its body */
    size_t           text_line;  /* of the file, where it begins */
    size_t           body_begin; /* in it */
    struct chunks    chunks;
    struct passages  passages;
    struct links     links;
    struct document  document;
    struct piece    *pieces;
    struct part     *parts; /* of all pieces: one for each passage */
    char **texts;   /* of the passages, to be embedded, each ended by a NUL; in one block behind the list */
    float *vectors; /* not its own */
    tenon_params     *params; /* has the texts of the front matter */
    const tenon_json *related;
    char             *title, *summary, *supersedes, *tags; /* made, not read; NULL else */
    char              hash[HASH_LEN + 1];
    bool              is_named; /* the title is the file's name */
};

/* The hash of a file: of its content and of the rules that it is judged by. */
void index_hash(const struct project *project, const char *at, size_t len, char out[HASH_LEN + 1]);

/* Reads the file and its hash. */
enum index_status ready_read(struct index_run *run, struct ready *ready, const char *path);
/* The file as markdown, with its title. */
enum index_status ready_text(struct index_run *run, struct ready *ready);
/* Front matter, type, judgement and fields. */
enum index_status ready_judge(struct index_run *run, struct ready *ready);
/* Pieces and links. */
enum index_status ready_cut(struct index_run *run, struct ready *ready);
void              ready_free(struct ready *ready);

/* Embeds and stores them in one transaction; what fails leaves the store as it was. */
enum index_status ready_store(struct index_run *run, struct ready *const *at, size_t count);
/* Stores them only, without vectors or with those that they have. */
enum index_status ready_put(struct index_run *run, struct ready *const *at, size_t count, bool with_vectors);
/* Is the file still the one that was read? Asked after storing: the last one to store is right. */
bool ready_is_current(const struct index_run *run, const struct ready *ready);

/* One file, with a clean path. */
enum index_status index_one(struct index_run *run, const char *path);

/* Stored documents of these paths (sorted), and files that may be there: what the watcher saw. */
enum index_status index_some(struct docs *docs, const atomic_bool *stop, struct project *project,
                             const struct paths *docs_paths, const struct paths *external_paths,
                             index_progress_fn progress, void *user, struct index_counts *counts);
enum index_status index_all(struct docs *docs, const tenon_call *call, const atomic_bool *stop,
                            struct project *project, index_progress_fn progress, void *user,
                            struct index_counts *counts);

/* Is this path one of the folder's documents, by its name? */
bool index_wants(const struct project *project, bool external, const char *path, bool is_folder);

/* A line for the operator. */
void docs_log(const char *format, ...) TENON_PRINTF(1, 2);

#endif
