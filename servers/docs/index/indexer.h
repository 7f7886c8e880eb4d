/* indexer.h - files into the store: one, or all that changed. */
#ifndef DOCS_INDEX_INDEXER_H
#define DOCS_INDEX_INDEXER_H

#include "docs/project/project.h"
#include "docs/store/store.h"
#include "kit/embed/embed.h"

#define FILE_LEN_MAX ((size_t)64 << 20)

enum index_status {
    INDEX_OK,
    INDEX_UNCHANGED,
    INDEX_NOT_FOUND,
    INDEX_OUTSIDE,  /* of the folder, or a link out of it */
    INDEX_BAD_NAME, /* not UTF-8 */
    INDEX_NOT_TEXT, /* not UTF-8 */
    INDEX_TOO_LARGE,
    INDEX_CHANGING, /* it changed while it was read, again and again */
    INDEX_NO_TYPE,  /* no front matter and plain files are not allowed, or a doc_type that is not known */
    INDEX_INVALID,  /* front matter breaks its schema: violations */
    INDEX_EMBEDDING,
    INDEX_DATABASE,
    INDEX_OVER_LIMIT, /* the database may not grow any more */
    INDEX_FILE_SYSTEM,
    INDEX_ELSEWHERE, /* the files of the project are on other machines */
    INDEX_CANCELLED,
    INDEX_NO_MEMORY
};

struct index_problem {
    enum index_status    status;
    char                 text[512];                  /* a sentence */
    struct violation     violations[VIOLATIONS_MAX]; /* of INDEX_INVALID: what is wrong in detail */
    size_t               violation_count;
    struct embed_failure failure;
};

/* The problem on one line: of several violations, the first and how many more there are. */
#define INDEX_LINE_MAX 2048
const char *index_line(const struct index_problem *problem, char out[INDEX_LINE_MAX]);

/* One file, at a path relative to the docs folder (or the external one). `problem` may be NULL. A file that is gone is taken
 * out of the store, too (INDEX_NOT_FOUND); any other failure leaves what was stored of it before. */
enum index_status index_file(struct docs *docs, const tenon_call *call, struct project *project,
                             const char *path, bool external, struct index_problem *problem);

struct index_counts {
    size_t seen, indexed, unchanged, removed, failed;
    size_t renamed; /* of those indexed: moved without embedding them again */
    size_t
        waiting; /* of those that failed: for the provider of embeddings; found by their words until then */
    int retry_after; /* seconds, as the provider says; 0: it does not */
    char
        passed[160]; /* files that are not read, by the end of their names: "3 .docx, 12 .org"; "" for none */
    bool elsewhere;  /* another process indexes this tenant: nothing was done */
};

/* Told after each file, with a problem when there is one; false ends it. */
typedef bool (*index_progress_fn)(void *user, size_t done, size_t total, const char *path,
                                  enum index_status status, const struct index_problem *problem);

/* Everything that changed since: by content, so that nothing is embedded twice. One bad file is reported and counted, and the rest
 * goes on; what lies in a folder that cannot be read stays. `progress` may be NULL. INDEX_NOT_FOUND when the docs folder is
 * not there: then nothing is removed. */
enum index_status index_reconcile(struct docs *docs, const tenon_call *call, struct project *project,
                                  index_progress_fn progress, void *user, struct index_counts *counts);

/* Rewrites the level in the file and the store: both or neither. *previous is what it was. INDEX_UNCHANGED when it has this
 * level already: the file is not touched. */
enum index_status index_set_level(struct docs *docs, struct project *project, const char *path,
                                  enum level level, enum level *previous, struct index_problem *problem);

/* ---- Watching: a thread of its own, on libuv; events of a file are put together for the debounce time ---- */

/* Begin it after index_reconcile(): what changed in between is looked for once more, by the thread. False: it cannot be
 * watched, which is logged. */
bool watch_begin(struct docs *docs, struct project *project);
void watch_end(struct docs *docs, struct project *project);
/* Stops the thread, and ends what it does; frees what the indexer keeps, too. */
void watch_free(struct docs *docs);

#endif
