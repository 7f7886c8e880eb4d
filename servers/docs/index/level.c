/* level.c - the level of a document, in its file and in the store: both or neither. */
#include "docs/index/parts.h"

#include <stdlib.h>
#include <string.h>

#define LEVEL_KEY "promotion_level"

static size_t count_lines(const char *at, size_t len)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++)
        count += at[i] == '\n' || (at[i] == '\r' && (i + 1 == len || at[i + 1] != '\n'));
    return count;
}

/* Only the level has changed: when every line is where it was, and the store has the file as it was, so are the pieces. */
static enum index_status store_level(struct index_run *run, const struct ready *ready,
                                     const struct text *text, enum level level)
{
    char              hash[HASH_LEN + 1] = "", model[129] = "", changed[HASH_LEN + 1];
    enum store_status status;

    status = store_hash(run->docs->store, &run->project->tenant, ready->path, false, hash, model);
    if (status == STORE_OK && strcmp(hash, ready->hash) == 0 &&
        strcmp(model, run->docs->embedder->model) == 0 &&
        count_lines(text->at, text->len) == count_lines(ready->file.at, ready->file.len)) {
        index_hash(run->project, text->at, text->len, changed);
        return run_fail_store(run, store_set_level(run->docs->store, &run->project->tenant, ready->path,
                                                   level, changed));
    }
    if (status != STORE_OK && status != STORE_NONE)
        return run_fail_store(run, status);
    switch (index_one(run, ready->path)) {
    case INDEX_OK:
    case INDEX_UNCHANGED: return INDEX_OK;
    default: return run->problem->status;
    }
}

static enum index_status rewrite(struct index_run *run, struct ready *ready, enum level level)
{
    struct text       text = { 0 };
    enum index_status status;

    if (!ready->front.present)
        return run_fail(run, INDEX_NO_TYPE, "'%s' has no front matter to write the level into.", ready->path);
    if (!front_set(&text, ready->file.at, ready->file.len, LEVEL_KEY, level_names[level])) {
        text_free(&text);
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    }
    status = run_fail_file(run, docs_file_replace(run->root, ready->path, &ready->file, text.at, text.len),
                           ready->path);
    if (status == INDEX_OK) {
        status = store_level(run, ready, &text, level);
        if (status != INDEX_OK && docs_file_replace(run->root, ready->path, &ready->file, ready->file.at,
                                                    ready->file.len) != FILE_OK)
            docs_log("the level of '%s' was written into the file but not into the index; the next "
                     "reconciliation does it",
                     ready->path);
    }
    text_free(&text);
    return status;
}

static enum index_status set_level(struct index_run *run, const char *path, enum level level,
                                   enum level *previous)
{
    struct ready      ready;
    enum index_status status = ready_read(run, &ready, path);

    if (status == INDEX_OK)
        status = ready_judge(run, &ready);
    if (status == INDEX_OK) {
        *previous = ready.document.level;
        status    = *previous == level ? INDEX_UNCHANGED : rewrite(run, &ready, level);
    }
    ready_free(&ready);
    return status;
}

enum index_status index_set_level(struct docs *docs, struct project *project, const char *path,
                                  enum level level, enum level *previous, struct index_problem *problem)
{
    struct index_problem *own     = problem ? NULL : malloc(sizeof *own);
    struct indexer       *indexer = indexer_of(docs);
    char                  clean[FILE_PATH_MAX];
    struct index_run      run;
    enum index_status     status;

    if (!indexer || (!own && !problem)) {
        free(own);
        return INDEX_NO_MEMORY;
    }
    (void)project_refresh(project);
    run_begin(&run, docs, NULL, project, false, problem ? problem : own);
    *previous = LEVEL_STANDARD;
    if (project->is_elsewhere) {
        status = run_fail_elsewhere(&run);
    } else if (path_clean(path, clean) && index_wants(project, false, clean, false)) {
        pthread_mutex_lock(&indexer->levels);
        status = set_level(&run, clean, level, previous);
        pthread_mutex_unlock(&indexer->levels);
    } else {
        status = run_fail(&run, INDEX_OUTSIDE, "'%s' is not a document in the docs folder.", path);
    }
    free(own);
    return status;
}
