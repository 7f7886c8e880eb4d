/* watch_folders.c - the folders of a project, each watched by itself: the system has no recursive watch. */
#include "docs/index/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WATCH_PATH_MAX 8192

static void full_path(const struct project *project, bool external, const char *path,
                      char out[WATCH_PATH_MAX])
{
    if (external)
        snprintf(out, WATCH_PATH_MAX, "%s/%s", project->external, path);
    else
        snprintf(out, WATCH_PATH_MAX, "%s/%s/%s", project->root, project->config.docs_folder, path);
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

static const char *last_name(const struct watch_folder *folder)
{
    const struct project *project = folder->of->project;
    const char           *path    = *folder->path      ? folder->path
                                    : folder->external ? project->external
                                                       : project->config.docs_folder;
    const char           *slash   = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The name of something that is a folder, or was one. */
static bool is_folder(const struct watch_folder *folder, const char *path)
{
    const struct watched *watched = folder->of;
    char                  full[WATCH_PATH_MAX];
    struct stat           now;

    for (size_t i = 0; i < watched->folder_count; i++)
        if (watched->folders[i]->external == folder->external && strcmp(watched->folders[i]->path, path) == 0)
            return true;
    full_path(watched->project, folder->external, path, full);
    return lstat(full, &now) == 0 && S_ISDIR(now.st_mode);
}

static void add_pending(struct watch_folder *folder, const char *path)
{
    struct watched *watched = folder->of;
    struct paths   *pending = &watched->pending[folder->external];

    if (watched->is_all || (pending->count > 0 && strcmp(pending->at[pending->count - 1], path) == 0))
        return;
    if (pending->count >= PENDING_MAX || !paths_add(pending, path))
        watched->is_all = true;
}

static void on_event(uv_fs_event_t *event, const char *name, int events, int status)
{
    struct watch_folder *folder  = event->data;
    struct watched      *watched = folder->of;
    char                 path[FILE_PATH_MAX];

    if (status < 0 || !name) {
        watched->is_all = true;
    } else {
        if ((events & UV_RENAME) && strcmp(name, last_name(folder)) == 0)
            folder->is_stale = watched->is_all = true;
        if (*name == '.')
            return;
        if (snprintf(path, sizeof path, "%s%s%s", folder->path, *folder->path ? "/" : "", name) >=
            (int)sizeof path)
            return;
        if (index_wants(watched->project, folder->external, path, false))
            add_pending(folder, path);
        if ((events & UV_RENAME) && is_folder(folder, path))
            watched->is_all = true;
        if (!watched->is_all && watched->pending[0].count + watched->pending[1].count == 0)
            return;
    }
    if (++watched->events >= watched->watcher->burst)
        watched->is_all = true;
    watch_touch(watched);
}

/* ---- Which folders ------------------------------------------------------------------------------------------- */

static void on_closed(uv_handle_t *handle)
{
    struct watch_folder *folder = handle->data;

    folder->of->open_count--;
    folder->of->watcher->watch_count--;
    free(folder);
}

static void close_folder(struct watch_folder *folder)
{
    uv_close((uv_handle_t *)&folder->event, on_closed);
}

static void say_limit(struct watched *watched, const char *why)
{
    watched->is_partial = true;
    if (!watched->watcher->said_limit)
        docs_log("%s: not every folder can be watched (%s); all files are checked every %d seconds instead",
                 watched->project->config.name, why, UNWATCHED_MS / 1000);
    watched->watcher->said_limit = true;
}

/* NULL when it cannot be watched. */
static struct watch_folder *open_folder(struct watched *watched, const char *path, bool external)
{
    struct watcher      *watcher = watched->watcher;
    struct watch_folder *folder;
    char                 full[WATCH_PATH_MAX];
    size_t               len = strlen(path) + 1;
    int                  status;

    if (watcher->watch_count >= WATCHES_MAX) {
        say_limit(watched, "there are more than 8192");
        return NULL;
    }
    folder = malloc(sizeof *folder + len);
    if (!folder)
        return NULL;
    *folder = (struct watch_folder){ .of = watched, .external = external };
    memcpy(folder->path, path, len);
    uv_fs_event_init(&watcher->loop, &folder->event);
    folder->event.data = folder;
    watched->open_count++;
    watcher->watch_count++;
    full_path(watched->project, external, path, full);
    status = uv_fs_event_start(&folder->event, on_event, full, 0);
    if (status == 0)
        return folder;
    if (status != UV_ENOENT && status != UV_ENOTDIR)
        say_limit(watched, uv_strerror(status));
    close_folder(folder);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const struct watch_folder *one   = *(struct watch_folder *const *)a,
                              *other = *(struct watch_folder *const *)b;

    if (one->external != other->external)
        return one->external ? 1 : -1;
    return strcmp(one->path, other->path);
}

/* The folder that is watched there already, taken out of the old list. */
static struct watch_folder *take_old(struct watched *watched, const char *path, bool external)
{
    size_t low = 0, high = watched->folder_count;

    while (low < high) {
        size_t               middle = low + (high - low) / 2;
        struct watch_folder *folder = watched->folders[middle];
        int order = folder->external != external ? (folder->external ? 1 : -1) : strcmp(folder->path, path);

        if (order == 0)
            return folder->is_stale ? NULL : folder;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool only_docs_folders(void *user, const char *path, bool is_dir)
{
    return is_dir && index_wants(user, false, path, true);
}

static bool only_external_folders(void *user, const char *path, bool is_dir)
{
    return is_dir && index_wants(user, true, path, true);
}

/* Adds what is to be watched of one side to `now`, old or new. */
static void add_side(struct watched *watched, const struct paths *paths, bool external,
                     struct watch_folder **now, size_t *count)
{
    for (size_t i = 0; i < paths->count; i++) {
        struct watch_folder *folder = take_old(watched, paths->at[i], external);

        if (!folder)
            folder = open_folder(watched, paths->at[i], external);
        if (folder)
            now[(*count)++] = folder;
    }
}

static void forget_others(struct watched *watched, struct watch_folder **now, size_t count)
{
    for (size_t i = 0; i < watched->folder_count; i++)
        if (count == 0 ||
            !bsearch(&watched->folders[i], now, count, sizeof(struct watch_folder *), compare) ||
            watched->folders[i]->is_stale)
            close_folder(watched->folders[i]);
    free(watched->folders);
    watched->folders      = now;
    watched->folder_count = count;
}

/* The folders of a root that is not the one they were opened for are others. */
static void mark_stale(struct watched *watched, bool external, const tenon_root *root)
{
    if (watched->seen[external] == root)
        return;
    watched->seen[external] = root;
    for (size_t i = 0; i < watched->folder_count; i++)
        watched->folders[i]->is_stale |= watched->folders[i]->external == external;
}

bool watch_folders(struct watched *watched)
{
    struct project       *project    = watched->project;
    struct listing        listing[2] = { 0 };
    struct watch_folder **now;
    const tenon_root     *root;
    size_t                count = 0;

    if (!project_refresh(project))
        return false;
    root = atomic_load(&project->docs_root);
    mark_stale(watched, false, root);
    if (!listing_make(&listing[0], root, only_docs_folders, project))
        return false;
    root = atomic_load(&project->external_root);
    mark_stale(watched, true, root);
    if (root)
        (void)listing_make(&listing[1], root, only_external_folders, project);
    now = calloc(listing[0].folders.count + listing[1].folders.count + 1, sizeof(struct watch_folder *));
    if (now) {
        watched->is_partial = false;
        add_side(watched, &listing[0].folders, false, now, &count);
        add_side(watched, &listing[1].folders, true, now, &count);
        forget_others(watched, now, count);
    }
    listing_free(&listing[0]);
    listing_free(&listing[1]);
    return now != NULL;
}

void watch_folders_close(struct watched *watched)
{
    for (size_t i = 0; i < watched->folder_count; i++)
        close_folder(watched->folders[i]);
    free(watched->folders);
    watched->folders      = NULL;
    watched->folder_count = 0;
}
