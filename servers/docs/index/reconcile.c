/* reconcile.c - the store as the files are: everything, or what the watcher saw.
 *
 * Files are compared by content. Those that changed are collected, embedded together and stored in one transaction, which is
 * much cheaper than one by one; when that fails, one by one after all, so that a bad one is found. A file that is new and has
 * the content of a stored one that is gone was renamed, and keeps its vectors. With a provider that takes its time, a first pass
 * stores what changed without vectors: it is found by its words while the second one embeds it, and stopping loses little.
 */
#include "docs/index/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH_PIECES 256
#define SLOW_PIECES  32 /* the same, where each takes milliseconds */
#define BATCH_BYTES  ((size_t)4 << 20)
#define BUSY_WAIT_NS 100000000L
#define NANOS        1000000000L

struct stored {
    char *path;
    char  hash[HASH_LEN + 1];
    bool  is_of_model; /* its vectors are the provider's */
    bool  is_gone, is_taken;
};

struct stored_list {
    struct stored *at; /* by path */
    size_t         count, room;
    const char    *model;
    bool           failed;
};

struct reconciling {
    struct index_run     run;
    struct index_counts *counts;
    index_progress_fn    progress;
    void                *user;
    size_t               done, total;
    struct stored_list   stored;
    struct stored      **gone; /* by hash */
    size_t               gone_count;
    struct ready         batch[READY_MAX];
    bool                 is_known[READY_MAX]; /* stored with this content, by another model */
    size_t               batch_count, batch_pieces, batch_bytes;
    bool                 is_words_pass;
    enum index_status    end; /* INDEX_OK, or why it stopped */
    struct index_problem problem;
};

/* ---- What is stored ------------------------------------------------------------------------------------------ */

static bool add_stored(void *user, const char *path, const char *hash, const char *model)
{
    struct stored_list *list = user;
    struct stored      *item;

    if (list->count == list->room) {
        size_t         room = list->room ? list->room * 2 : 256;
        struct stored *at   = realloc(list->at, room * sizeof *at);

        list->failed |= !at;
        if (!at)
            return false;
        list->at   = at;
        list->room = room;
    }
    item  = &list->at[list->count];
    *item = (struct stored){ .path = strdup(path), .is_of_model = strcmp(model, list->model) == 0 };
    list->failed |= !item->path;
    if (!item->path)
        return false;
    memcpy(item->hash, hash, strnlen(hash, HASH_LEN));
    list->count++;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct stored *)a)->path, ((const struct stored *)b)->path);
}

static int compare_hashes(const void *a, const void *b)
{
    return strcmp((*(struct stored *const *)a)->hash, (*(struct stored *const *)b)->hash);
}

static void stored_free(struct stored_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i].path);
    free(list->at);
    *list = (struct stored_list){ 0 };
}

static struct stored *find_stored(const struct stored_list *list, const char *path)
{
    struct stored key = { .path = (char *)path };

    return list->count ? bsearch(&key, list->at, list->count, sizeof key, compare_paths) : NULL;
}

/* Marks what has no file any more, and lists it by content. */
static bool find_gone(struct reconciling *work, const struct listing *listing)
{
    work->gone_count = 0;
    free(work->gone);
    work->gone = calloc(work->stored.count + 1, sizeof(struct stored *));
    if (!work->gone)
        return false;
    for (size_t i = 0; i < work->stored.count; i++) {
        struct stored *stored = &work->stored.at[i];

        stored->is_gone = !paths_has(&listing->files, stored->path) && !listing->too_many &&
                          !paths_beneath(&listing->unreadable, stored->path);
        if (stored->is_gone)
            work->gone[work->gone_count++] = stored;
    }
    qsort(work->gone, work->gone_count, sizeof *work->gone, compare_hashes);
    return true;
}

static struct stored *find_moved(const struct reconciling *work, const char *hash)
{
    size_t low = 0, high = work->gone_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(work->gone[middle]->hash, hash) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < work->gone_count && strcmp(work->gone[low]->hash, hash) == 0; low++)
        if (!work->gone[low]->is_taken && work->gone[low]->is_of_model)
            return work->gone[low];
    return NULL;
}

/* ---- Telling ------------------------------------------------------------------------------------------------- */

/* True when it goes on. */
static bool tell(struct reconciling *work, const char *path, enum index_status status)
{
    bool is_fine = status == INDEX_OK || status == INDEX_UNCHANGED;

    if (status == INDEX_NO_TYPE ||
        status == INDEX_BAD_NAME) /* the rules have changed: it would not be indexed now */
        (void)store_remove(work->run.docs->store, &work->run.project->tenant, path, work->run.external);
    if (work->is_words_pass) /* the second pass reports */
        return work->end == INDEX_OK;
    work->done++;
    work->counts->indexed += status == INDEX_OK;
    work->counts->unchanged += status == INDEX_UNCHANGED;
    work->counts->failed += !is_fine;
    if (status == INDEX_EMBEDDING) {
        work->counts->waiting++;
        work->counts->retry_after = work->problem.failure.retry_after;
    }
    if (work->progress &&
        !work->progress(work->user, work->done, work->total, path, status, is_fine ? NULL : &work->problem))
        work->end = INDEX_CANCELLED;
    return work->end == INDEX_OK;
}

/* A status that ends everything, not only one file. */
static bool is_end(enum index_status status)
{
    return status == INDEX_CANCELLED || status == INDEX_NO_MEMORY;
}

/* ---- Changed files ------------------------------------------------------------------------------------------- */

/* One that was stored is looked at once more: when its file has changed in between, what was stored is not it. */
static void finish(struct reconciling *work, struct ready *ready, enum index_status status)
{
    struct ready *one[] = { ready };
    size_t        place = (size_t)(ready - work->batch);

    if (status == INDEX_OK && !ready_is_current(&work->run, ready)) {
        status = index_one(&work->run, ready->path);
        status = status == INDEX_UNCHANGED ? INDEX_OK : status;
    } else if (status == INDEX_EMBEDDING && !work->is_known[place]) {
        (void)ready_put(&work->run, one, 1, false); /* found by its words until the provider is back */
        work->problem.status = INDEX_EMBEDDING;
    }
    if (status == INDEX_NOT_FOUND) { /* gone in between: not a failure */
        work->counts->removed++;
        status = INDEX_UNCHANGED;
    }
    if (is_end(status))
        work->end = status;
    else
        tell(work, ready->path, status);
}

/* Words only; what cannot be stored now is reported when it is embedded. */
static void flush_words(struct reconciling *work, struct ready *const *at, size_t count)
{
    enum index_status status = count > 0 && work->end == INDEX_OK ? ready_put(&work->run, at, count, false)
                                                                  : INDEX_OK;

    if (is_end(status))
        work->end = status;
    for (size_t i = 0; i < count; i++)
        ready_free(at[i]);
    work->batch_count = work->batch_pieces = work->batch_bytes = 0;
}

static void flush(struct reconciling *work)
{
    struct ready     *at[READY_MAX];
    size_t            count  = work->batch_count;
    enum index_status status = INDEX_OK;

    for (size_t i = 0; i < count; i++)
        at[i] = &work->batch[i];
    if (work->is_words_pass) {
        flush_words(work, at, count);
        return;
    }
    work->run.was_refused = false;
    if (count > 0 && work->end == INDEX_OK)
        status = ready_store(&work->run, at, count);
    if (is_end(status))
        work->end = status;
    for (size_t i = 0; i < count; i++) {
        bool one_by_one = count > 1 && ((status == INDEX_EMBEDDING && work->run.was_refused) ||
                                        status == INDEX_DATABASE || status == INDEX_OVER_LIMIT);

        if (work->end == INDEX_OK)
            finish(work, at[i], one_by_one ? ready_store(&work->run, &at[i], 1) : status);
        ready_free(at[i]);
    }
    work->batch_count = work->batch_pieces = work->batch_bytes = 0;
}

/* True when it was a rename, and is stored as such. Links depend on the folder, and a title may be the file's name. */
static bool take_moved(struct reconciling *work, struct ready *ready)
{
    struct stored *moved = work->run.external ? NULL : find_moved(work, ready->hash);
    const char    *to = strrchr(ready->path, '/'), *from = moved ? strrchr(moved->path, '/') : NULL;
    bool           same_folder;

    if (!moved || ready->is_named)
        return false;
    same_folder = (!to && !from) || (to && from && to - ready->path == from - moved->path &&
                                     memcmp(ready->path, moved->path, (size_t)(to - ready->path)) == 0);
    if (!same_folder && ready->links.count > 0)
        return false;
    if (store_rename(work->run.docs->store, &work->run.project->tenant, moved->path, ready->path) != STORE_OK)
        return false;
    moved->is_taken = true;
    work->counts->renamed++;
    return true;
}

static enum index_status look(struct reconciling *work, struct ready *ready, const char *path, bool *is_known)
{
    struct stored    *stored = find_stored(&work->stored, path);
    enum index_status status = ready_read(&work->run, ready, path);

    if (status != INDEX_OK)
        return status;
    *is_known = stored && strcmp(stored->hash, ready->hash) == 0;
    if (*is_known && (stored->is_of_model || work->is_words_pass))
        return INDEX_UNCHANGED;
    status = ready_judge(&work->run, ready);
    return status == INDEX_OK ? ready_cut(&work->run, ready) : status;
}

static size_t most_pieces(const struct reconciling *work)
{
    return work->run.docs->embedder->is_slow && !work->is_words_pass ? SLOW_PIECES : BATCH_PIECES;
}

/* True when it goes on. */
static bool take_file(struct reconciling *work, const char *path)
{
    size_t            place  = work->batch_count;
    struct ready     *ready  = &work->batch[place];
    enum index_status status = look(work, ready, path, &work->is_known[place]);

    work->counts->seen += !work->is_words_pass;
    if (status == INDEX_OK && !take_moved(work, ready)) {
        work->batch_count++;
        work->batch_pieces += ready->passages.count;
        work->batch_bytes += ready->file.len;
        if (work->batch_count == READY_MAX || work->batch_pieces >= most_pieces(work) ||
            work->batch_bytes >= BATCH_BYTES)
            flush(work);
        return work->end == INDEX_OK;
    }
    ready_free(ready);
    if (status == INDEX_NOT_FOUND) {
        struct stored *stored = find_stored(&work->stored, path);

        if (stored)
            stored->is_gone = true;
        status = INDEX_UNCHANGED;
    }
    if (is_end(status)) {
        work->end = status;
        return false;
    }
    return tell(work, path, status);
}

static void remove_gone(struct reconciling *work)
{
    for (size_t i = 0; i < work->stored.count && work->end == INDEX_OK; i++) {
        struct stored    *stored = &work->stored.at[i];
        enum store_status status;

        if (!stored->is_gone || stored->is_taken)
            continue;
        status = store_remove(work->run.docs->store, &work->run.project->tenant, stored->path,
                              work->run.external);
        work->counts->removed += status == STORE_OK;
        if (status != STORE_OK && status != STORE_NONE)
            work->end = run_fail_store(&work->run, status);
    }
}

/* One folder: its files, and what is stored of it. */
static void reconcile_side(struct reconciling *work, const struct listing *listing)
{
    if (!find_gone(work, listing)) {
        work->end = INDEX_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < listing->files.count && work->end == INDEX_OK; i++) {
        if (run_stopped(&work->run)) {
            work->end = INDEX_CANCELLED;
        } else if (!run_keeps_lease(&work->run)) {
            work->end = INDEX_CANCELLED;
        } else {
            take_file(work, listing->files.at[i]);
        }
    }
    flush(work);
    remove_gone(work);
}

/* ---- One at a time ------------------------------------------------------------------------------------------- */

static bool is_busy(const struct indexer *indexer, int64_t tenant)
{
    for (size_t i = 0; i < indexer->busy_count; i++)
        if (indexer->busy[i] == tenant)
            return true;
    return indexer->busy_count == BUSY_MAX;
}

/* Waits until no other thread of this process reconciles the tenant; false when it was stopped. */
static bool begin_tenant(struct indexer *indexer, const struct index_run *run)
{
    int64_t tenant = run->project->tenant.id;
    bool    stopped;

    pthread_mutex_lock(&indexer->lock);
    while (!(stopped = run_stopped(run)) && is_busy(indexer, tenant)) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += BUSY_WAIT_NS;
        until.tv_sec += until.tv_nsec / NANOS;
        until.tv_nsec %= NANOS;
        pthread_cond_timedwait(&indexer->changed, &indexer->lock, &until);
    }
    if (!stopped)
        indexer->busy[indexer->busy_count++] = tenant;
    pthread_mutex_unlock(&indexer->lock);
    return !stopped;
}

static void end_tenant(struct indexer *indexer, int64_t tenant)
{
    pthread_mutex_lock(&indexer->lock);
    for (size_t i = 0; i < indexer->busy_count; i++)
        if (indexer->busy[i] == tenant) {
            indexer->busy[i] = indexer->busy[--indexer->busy_count];
            break;
        }
    pthread_cond_broadcast(&indexer->changed);
    pthread_mutex_unlock(&indexer->lock);
}

static void set_side(struct reconciling *work, bool external)
{
    struct index_run *run = &work->run;

    stored_free(&work->stored);
    work->stored.model = run->docs->embedder->model;
    run->external      = external;
    run->root          = atomic_load(external ? &run->project->external_root : &run->project->docs_root);
}

/* Does `what` while nobody else indexes the tenant. */
static enum index_status with_tenant(struct reconciling *work,
                                     void (*what)(struct reconciling *work, void *user), void *user)
{
    struct index_run *run     = &work->run;
    struct indexer   *indexer = indexer_of(run->docs);

    if (!indexer)
        return INDEX_NO_MEMORY;
    if (!begin_tenant(indexer, run))
        return INDEX_CANCELLED;
    clock_gettime(CLOCK_MONOTONIC, &run->leased);
    run->is_leased = store_lease(run->docs->store, &run->project->tenant);
    if (run->is_leased) {
        what(work, user);
        store_lease_end(run->docs->store, &run->project->tenant);
    }
    work->counts->elsewhere =
        !run->is_leased; /* from the beginning, or since another one thought we were gone */
    end_tenant(indexer, run->project->tenant.id);
    stored_free(&work->stored);
    free(work->gone);
    work->gone = NULL;
    return work->counts->elsewhere ? INDEX_OK : work->end;
}

static struct reconciling *work_new(struct docs *docs, const tenon_call *call, const atomic_bool *stop,
                                    struct project *project, struct index_counts *counts)
{
    struct reconciling *work = calloc(1, sizeof *work);

    *counts = (struct index_counts){ 0 };
    if (!work)
        return NULL;
    work->counts = counts;
    run_begin(&work->run, docs, call, project, false, &work->problem);
    work->run.stop = stop;
    return work;
}

/* ---- Everything ---------------------------------------------------------------------------------------------- */

struct sides {
    struct listing docs, external;
};

static bool wants_docs(void *user, const char *path, bool is_folder)
{
    return index_wants(user, false, path, is_folder);
}

static bool wants_external(void *user, const char *path, bool is_folder)
{
    return index_wants(user, true, path, is_folder);
}

static void report_listing(const struct project *project, const struct listing *listing)
{
    for (size_t i = 0; i < listing->unreadable.count; i++)
        docs_log("%s: the folder '%s' cannot be read; what is indexed of it stays", project->config.name,
                 listing->unreadable.at[i]);
    if (listing->too_many)
        docs_log("%s: there are more than %d files, or folders too deep; the rest is not indexed",
                 project->config.name, FILES_MAX);
}

static void list_passed(const struct listing *listing, struct index_counts *counts)
{
    size_t len = 0;

    for (size_t i = 0; i < PASSED_MAX && listing->passed[i].count && len < sizeof counts->passed; i++)
        len += (size_t)snprintf(counts->passed + len, sizeof counts->passed - len, "%s%zu %s", i ? ", " : "",
                                listing->passed[i].count, listing->passed[i].ending);
}

static void read_stored(struct reconciling *work)
{
    enum store_status status = store_each_path(work->run.docs->store, &work->run.project->tenant,
                                               work->run.external, add_stored, &work->stored);

    if (work->stored.failed)
        work->end = INDEX_NO_MEMORY;
    else if (status != STORE_OK && status != STORE_NONE)
        work->end = run_fail_store(&work->run, status);
    else if (work->stored.count > 0)
        qsort(work->stored.at, work->stored.count, sizeof *work->stored.at, compare_paths);
}

static void reconcile_all(struct reconciling *work, void *user)
{
    struct sides *sides = user;

    for (int external = 0; external < 2 && work->end == INDEX_OK; external++) {
        set_side(work, external != 0);
        /* an external folder that is not there (now) keeps what is indexed; one that is not configured does not */
        if (external && !work->run.root && work->run.project->config.external_path)
            continue;
        read_stored(work);
        if (work->end == INDEX_OK && work->run.docs->embedder->is_slow) {
            work->is_words_pass = true;
            reconcile_side(work, external ? &sides->external : &sides->docs);
            work->is_words_pass = false;
            set_side(work, external != 0);
            read_stored(work);
        }
        if (work->end == INDEX_OK)
            reconcile_side(work, external ? &sides->external : &sides->docs);
    }
}

enum index_status index_all(struct docs *docs, const tenon_call *call, const atomic_bool *stop,
                            struct project *project, index_progress_fn progress, void *user,
                            struct index_counts *counts)
{
    struct reconciling *work  = work_new(docs, call, stop, project, counts);
    struct sides        sides = { 0 };
    tenon_root         *external;
    enum index_status   status;
    bool                is_there;

    if (!work)
        return INDEX_NO_MEMORY;
    atomic_store(&project->looked_at, true);
    if (project->is_elsewhere) { /* a replica that has its files does it */
        free(work);
        return INDEX_OK;
    }
    work->progress = progress;
    work->user     = user;
    is_there       = project_refresh(project);
    external       = atomic_load(&project->external_root);
    if (!is_there || !listing_make(&sides.docs, atomic_load(&project->docs_root), wants_docs, project)) {
        status = INDEX_NOT_FOUND;
    } else if (external && !listing_make(&sides.external, external, wants_external, project)) {
        status = INDEX_FILE_SYSTEM;
    } else {
        report_listing(project, &sides.docs);
        list_passed(&sides.docs, counts);
        report_listing(project, &sides.external);
        work->total = sides.docs.files.count + sides.external.files.count;
        status      = with_tenant(work, reconcile_all, &sides);
    }
    listing_free(&sides.docs);
    listing_free(&sides.external);
    free(work);
    return status;
}

enum index_status index_reconcile(struct docs *docs, const tenon_call *call, struct project *project,
                                  index_progress_fn progress, void *user, struct index_counts *counts)
{
    return index_all(docs, call, NULL, project, progress, user, counts);
}

/* ---- What the watcher saw ------------------------------------------------------------------------------------ */

struct seen {
    const struct paths *docs, *external;
};

static bool has_file(const tenon_root *root, const char *path)
{
    int fd;

    switch (tenon_root_open(root, path, TENON_READ, &fd)) {
    case TENON_OK: break;
    case TENON_E_NOT_FOUND: return false;
    default: return true; /* it is, but not for us: that is for indexing to tell */
    }
    close(fd);
    return true;
}

static void reconcile_seen(struct reconciling *work, void *user)
{
    const struct seen *seen = user;

    for (int external = 0; external < 2 && work->end == INDEX_OK; external++) {
        const struct paths *paths   = external ? seen->external : seen->docs;
        struct listing      listing = { 0 };

        set_side(work, external != 0);
        for (size_t i = 0; work->run.root && i < paths->count && work->end == INDEX_OK; i++) {
            char              hash[HASH_LEN + 1] = "", model[129] = "";
            enum store_status status = store_hash(work->run.docs->store, &work->run.project->tenant,
                                                  paths->at[i], external != 0, hash, model);

            if (status != STORE_OK && status != STORE_NONE)
                work->end = run_fail_store(&work->run, status);
            else if ((*hash && !add_stored(&work->stored, paths->at[i], hash, model)) ||
                     (has_file(work->run.root, paths->at[i]) && !paths_add(&listing.files, paths->at[i])))
                work->end = INDEX_NO_MEMORY;
        }
        if (work->run.root && work->end == INDEX_OK)
            reconcile_side(work, &listing);
        listing_free(&listing);
    }
}

enum index_status index_some(struct docs *docs, const atomic_bool *stop, struct project *project,
                             const struct paths *docs_paths, const struct paths *external_paths,
                             index_progress_fn progress, void *user, struct index_counts *counts)
{
    struct reconciling *work = work_new(docs, NULL, stop, project, counts);
    struct seen         seen = { docs_paths, external_paths };
    enum index_status   status;

    if (!work)
        return INDEX_NO_MEMORY;
    work->progress = progress;
    work->user     = user;
    work->total    = docs_paths->count + external_paths->count;
    status         = with_tenant(work, reconcile_seen, &seen);
    free(work);
    return status;
}
