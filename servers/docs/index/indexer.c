/* indexer.c - one file into the store; what all indexing shares. */
#include "docs/index/parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "docs/index/glob.h"
#include "docs/source/pdf.h"
#include "docs/source/source.h"

#define LEASE_RENEW_SECONDS 3
#define TRIES               3 /* to store a file as it is now */

/* ---- The indexer --------------------------------------------------------------------------------------------- */

static struct indexer *indexer_new(void)
{
    struct indexer *indexer = calloc(1, sizeof *indexer);

    if (!indexer)
        return NULL;
    indexer->front = tenon_shape_new(front_view_table(), NULL);
    if (!indexer->front) {
        free(indexer);
        return NULL;
    }
    pthread_mutex_init(&indexer->lock, NULL);
    pthread_mutex_init(&indexer->levels, NULL);
    pthread_cond_init(&indexer->changed, NULL);
    return indexer;
}

struct indexer *indexer_of(struct docs *docs)
{
    struct indexer *indexer;

    pthread_mutex_lock(&docs->lock);
    if (!docs->indexer)
        docs->indexer = indexer_new();
    indexer = docs->indexer;
    pthread_mutex_unlock(&docs->lock);
    return indexer;
}

void indexer_free(struct docs *docs)
{
    struct indexer *indexer = docs->indexer;

    docs->indexer = NULL;
    if (!indexer)
        return;
    tenon_shape_free(indexer->front);
    pthread_cond_destroy(&indexer->changed);
    pthread_mutex_destroy(&indexer->levels);
    pthread_mutex_destroy(&indexer->lock);
    free(indexer);
}

void docs_log(const char *format, ...)
{
    char    line[1024];
    va_list list;

    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    for (char *at = line; *at; at++) /* a file may be named as it likes, but a line of the log is one line */
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    fprintf(stderr, DOCS_NAME ": %s\n", line);
}

/* ---- A run --------------------------------------------------------------------------------------------------- */

void run_begin(struct index_run *run, struct docs *docs, const tenon_call *call, struct project *project,
               bool external, struct index_problem *problem)
{
    *run = (struct index_run){ .docs     = docs,
                               .call     = call,
                               .project  = project,
                               .external = external,
                               .problem  = problem,
                               .root     = atomic_load(external ? &project->external_root
                                                                : &project->docs_root) };
    if (problem)
        *problem = (struct index_problem){ .status = INDEX_OK };
}

enum index_status run_fail_elsewhere(struct index_run *run)
{
    return run_fail(
        run, INDEX_ELSEWHERE,
        "The files of this project are on another machine: here it is searched and asked as it was indexed "
        "there. Documents are read, indexed and promoted where the files are.");
}

bool run_stopped(const struct index_run *run)
{
    return (run->call && tenon_is_cancelled(run->call)) || (run->stop && atomic_load(run->stop));
}

bool run_keeps_lease(struct index_run *run)
{
    struct timespec now;

    if (!run->is_leased)
        return true;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - run->leased.tv_sec < LEASE_RENEW_SECONDS)
        return true;
    run->leased    = now;
    run->is_leased = store_lease(run->docs->store, &run->project->tenant);
    return run->is_leased;
}

/* A text that was cut off after `most` bytes must not end inside of a character. */
static void cut_whole(char *text, size_t most)
{
    size_t len = strlen(text), start = len;

    if (len < most)
        return;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0)
        start--;
    text[start] = '\0';
}

enum index_status run_fail(struct index_run *run, enum index_status status, const char *format, ...)
{
    va_list list;

    if (!run->problem)
        return status;
    run->problem->status = status;
    va_start(list, format);
    vsnprintf(run->problem->text, sizeof run->problem->text, format, list);
    va_end(list);
    cut_whole(run->problem->text, sizeof run->problem->text - 1);
    return status;
}

/* What is wrong with a path that path_clean() refuses. */
static enum index_status fail_path(struct index_run *run, const char *path)
{
    if (strlen(path) >= FILE_PATH_MAX)
        return run_fail(run, INDEX_OUTSIDE, "A path has at most %d bytes. Move the file up, or rename it.",
                        FILE_PATH_MAX - 1);
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (at[0] == '.' && at[1] != '\0' && at[1] != '/')
            return run_fail(
                run, INDEX_OUTSIDE,
                "'%s' is hidden: files and folders whose names begin with a dot are not indexed. Rename "
                "it.",
                path);
    return run_fail(run, INDEX_OUTSIDE, "'%s' is not a path in the folder of documents.", path);
}

const char *index_line(const struct index_problem *problem, char out[INDEX_LINE_MAX])
{
    char violation[VIOLATION_TEXT_MAX], more[48] = "";

    if (problem->status != INDEX_INVALID || problem->violation_count == 0)
        return problem->text;
    violation_text(&problem->violations[0], violation);
    if (problem->violation_count > 1)
        snprintf(more, sizeof more, "; and %zu more", problem->violation_count - 1);
    snprintf(out, INDEX_LINE_MAX, "%s %s%s", problem->text, violation, more);
    return out;
}

enum index_status run_fail_file(struct index_run *run, enum docs_file_status status, const char *path)
{
    switch (status) {
    case FILE_OK: return INDEX_OK;
    case FILE_NOT_FOUND: return run_fail(run, INDEX_NOT_FOUND, "There is no file '%s'.", path);
    case FILE_DENIED:
        return run_fail(run, INDEX_OUTSIDE,
                        "'%s' cannot be opened: it leads out of the folder, or may not be read.", path);
    case FILE_TOO_LARGE:
        return run_fail(run, INDEX_TOO_LARGE, "'%s' is larger than %zu MB.", path, FILE_LEN_MAX >> 20);
    case FILE_CHANGING:
        return run_fail(run, INDEX_CHANGING, "'%s' changes while it is used: try again.", path);
    case FILE_NO_MEMORY: return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    default: return run_fail(run, INDEX_FILE_SYSTEM, "'%s': %s.", path, strerror(errno));
    }
}

enum index_status run_fail_store(struct index_run *run, enum store_status status)
{
    switch (status) {
    case STORE_OK: return INDEX_OK;
    case STORE_BUSY:
        return run_fail(run, INDEX_DATABASE, "The database is busy: another process is writing.");
    case STORE_AWAY:
        return run_fail(run, INDEX_DATABASE, "The database cannot be reached: nothing was changed.");
    case STORE_FULL:
        return run_fail(run, INDEX_DATABASE, "The disk with the database is full: nothing was changed.");
    case STORE_OVER_LIMIT:
        return run_fail(run, INDEX_OVER_LIMIT,
                        "The database has reached the size that --max-db allows: nothing was changed.");
    case STORE_NO_MEMORY: return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    default: return run_fail(run, INDEX_DATABASE, "The database failed: nothing was changed.");
    }
}

/* ---- Which files --------------------------------------------------------------------------------------------- */

static bool matches(const char *const *patterns, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (glob_match(patterns[i], path))
            return true;
    return false;
}

/* Is everything in the folder excluded? Only a pattern for all that is beneath can say so. */
static bool excludes_folder(const struct project_config *config, const char *path)
{
    char inside[FILE_PATH_MAX + 2];

    snprintf(inside, sizeof inside, "%s/.", path);
    for (size_t i = 0; i < config->exclude_count; i++) {
        size_t len = strlen(config->excludes[i]);

        if (len > 0 &&
            (config->excludes[i][len - 1] == '/' ||
             (len >= 3 && strcmp(config->excludes[i] + len - 3, "/**") == 0)) &&
            glob_match(config->excludes[i], inside))
            return true;
    }
    return false;
}

/* Folders with the documents of others, by the thousand. */
static bool is_of_programs(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash ? slash + 1 : path, "node_modules") == 0;
}

/* Texts that programs read, whatever their names end with. */
static bool is_for_programs(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return strcmp(name, "CMakeLists.txt") == 0 || strcmp(name, "robots.txt") == 0 ||
           strncmp(name, "requirements", 12) == 0;
}

/* Kinds that have no front matter of their own are documents where plain ones are. */
static bool is_document(const struct project *project, const char *path)
{
    enum source_kind kind = source_kind_of(path);

    if (kind == SOURCE_MARKDOWN || kind == SOURCE_MDX)
        return true;
    if (kind == SOURCE_NONE || !types_find(&project->types, TYPE_PLAIN) || is_for_programs(path))
        return false;
    return kind != SOURCE_PDF || pdf_can_read();
}

bool index_wants(const struct project *project, bool external, const char *path, bool is_folder)
{
    const struct project_config *config = &project->config;

    if (!external)
        return is_folder ? !is_of_programs(path) : is_document(project, path);
    if (is_folder)
        return !excludes_folder(config, path);
    return !matches(config->excludes, config->exclude_count, path) &&
           matches(config->includes, config->include_count, path);
}

/* ---- Embedding and storing ----------------------------------------------------------------------------------- */

static enum index_status fail_embedding(struct index_run *run, enum embed_status status,
                                        const struct embed_failure *failure)
{
    if (status == EMBED_CANCELLED)
        return run_fail(run, INDEX_CANCELLED, "It was cancelled.");
    if (status == EMBED_NO_MEMORY)
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    run->was_refused = status == EMBED_REFUSED;
    if (run->problem)
        run->problem->failure = *failure;
    return run_fail(run, INDEX_EMBEDDING, "The provider of embeddings does not answer as it should.");
}

static enum index_status embed_window(struct index_run *run, const char *const *texts, size_t count,
                                      float *out)
{
    struct embedder     *embedder = run->docs->embedder;
    struct embed_failure failure  = { 0 };
    enum embed_status    status;

    if (run_stopped(run))
        return run_fail(run, INDEX_CANCELLED, "It was cancelled.");
    if (!run_keeps_lease(run))
        return run_fail(run, INDEX_CANCELLED, "Another process indexes this project.");
    status = embedder->embed(embedder, run->call, EMBED_DOCUMENT, texts, count, out, &failure);
    return status == EMBED_OK ? INDEX_OK : fail_embedding(run, status, &failure);
}

/* All texts of all documents, EMBED_BATCH at a time. */
static enum index_status embed_all(struct index_run *run, struct ready *const *at, size_t count, float *out)
{
    const char       *texts[EMBED_BATCH];
    size_t            dimensions = run->docs->embedder->dimensions, held = 0, done = 0;
    enum index_status status = INDEX_OK;

    for (size_t i = 0; i < count && status == INDEX_OK; i++) {
        at[i]->vectors = out + (done + held) * dimensions;
        for (size_t k = 0; k < at[i]->passages.count && status == INDEX_OK; k++) {
            texts[held++] = at[i]->texts[k];
            if (held == EMBED_BATCH) {
                status = embed_window(run, texts, held, out + done * dimensions);
                done += held;
                held = 0;
            }
        }
    }
    if (status == INDEX_OK && held > 0)
        status = embed_window(run, texts, held, out + done * dimensions);
    return status;
}

enum index_status ready_put(struct index_run *run, struct ready *const *at, size_t count, bool with_vectors)
{
    struct store_entry entries[READY_MAX];

    for (size_t i = 0; i < count; i++)
        entries[i] = (struct store_entry){ .document    = &at[i]->document,
                                           .pieces      = at[i]->pieces,
                                           .piece_count = at[i]->chunks.count,
                                           .vectors     = with_vectors ? at[i]->vectors : NULL,
                                           .dimensions  = run->docs->embedder->dimensions,
                                           .model       = run->docs->embedder->model,
                                           .links       = (const char *const *)at[i]->links.at,
                                           .link_count  = at[i]->links.count };
    return run_fail_store(run, store_put_many(run->docs->store, &run->project->tenant, run->external, entries,
                                              count));
}

enum index_status ready_store(struct index_run *run, struct ready *const *at, size_t count)
{
    size_t            pieces = 0;
    enum index_status status;
    float            *vectors;

    for (size_t i = 0; i < count; i++)
        pieces += at[i]->passages.count;
    vectors = malloc((pieces + 1) * run->docs->embedder->dimensions * sizeof *vectors);
    if (!vectors)
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    status = embed_all(run, at, count, vectors);
    if (status == INDEX_OK)
        status = ready_put(run, at, count, true);
    free(vectors);
    for (size_t i = 0; i < count; i++)
        at[i]->vectors = NULL;
    return status;
}

bool ready_is_current(const struct index_run *run, const struct ready *ready)
{
    return docs_file_is_same(run->root, ready->path, &ready->file);
}

/* ---- One file ------------------------------------------------------------------------------------------------ */

static enum index_status index_once(struct index_run *run, struct ready *ready, const char *path)
{
    char              hash[HASH_LEN + 1] = "", model[129] = "";
    enum index_status status = ready_read(run, ready, path);
    enum store_status stored;

    if (status != INDEX_OK)
        return status;
    stored = store_hash(run->docs->store, &run->project->tenant, path, run->external, hash, model);
    if (stored != STORE_OK && stored != STORE_NONE)
        return run_fail_store(run, stored);
    if (strcmp(hash, ready->hash) == 0 && strcmp(model, run->docs->embedder->model) == 0)
        return INDEX_UNCHANGED;
    status = ready_judge(run, ready);
    if (status == INDEX_OK)
        status = ready_cut(run, ready);
    if (status == INDEX_OK)
        status = ready_store(run, &ready, 1);
    return status;
}

enum index_status index_one(struct index_run *run, const char *path)
{
    struct ready      ready;
    enum index_status status     = INDEX_OK;
    bool              is_current = false, was_stored = false;

    for (int i = 0; i < TRIES && !is_current && (status == INDEX_OK || status == INDEX_UNCHANGED); i++) {
        status = index_once(run, &ready, path);
        was_stored |= status == INDEX_OK;
        is_current = status == INDEX_UNCHANGED || ready_is_current(run, &ready);
        ready_free(&ready);
    }
    if (status == INDEX_NOT_FOUND)
        (void)store_remove(run->docs->store, &run->project->tenant, path, run->external);
    return status == INDEX_UNCHANGED && was_stored ? INDEX_OK : status;
}

enum index_status index_file(struct docs *docs, const tenon_call *call, struct project *project,
                             const char *path, bool external, struct index_problem *problem)
{
    struct index_run run;
    char             clean[FILE_PATH_MAX];

    (void)project_refresh(project);
    run_begin(&run, docs, call, project, external, problem);
    if (project->is_elsewhere)
        return run_fail_elsewhere(&run);
    if (!path_clean(path, clean))
        return fail_path(&run, path);
    if (!index_wants(project, external, clean, false))
        return run_fail(&run, INDEX_OUTSIDE, "'%s' is not a document: %s.", clean,
                        external ? "the patterns of external_docs leave it out"
                                 : "its name must end in .md, .mdx, .rst, .adoc, .txt, .html or .pdf, and "
                                   "plain documents must be "
                                   "allowed for all but the first two");
    if (!run.root)
        return run_fail(&run, INDEX_NOT_FOUND, "There is no folder of such documents.");
    return index_one(&run, clean);
}
