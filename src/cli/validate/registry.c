/* registry.c - finding schema documents below folders.
 *
 * Everything is opened beneath the folder's handle (tenon/root.h). Names are sorted, so that two runs over the same
 * files print the same. A document is read, registered and forgotten one at a time; only those that were refused are
 * remembered, by their name.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/validate/registry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tenon/root.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/memory.h"
#include "cli/file.h"

#define PATH_LEN_MAX 4095
#define URI_LEN_MAX  8192
#define OUTSIDE      "it leads out of the folder, or is not a regular file"

struct refusal {
    struct refusal *next;
    const char     *folder, *path, *uri, *why;
};

/* A walk through one folder. `text` holds one document at a time. */
struct validate_walk {
    struct registry *registry;
    struct tn_arena *text;
    tenon_root      *root;
    const char      *uri, *folder;
};

struct names {
    const char **at;
    size_t       count, room;
};

/* ---- Names -------------------------------------------------------------------------------------------------- */

const char *registry_split(struct tn_arena *arena, const char *given, const char **uri, const char **folder)
{
    size_t        len = strcspn(given, "="), scheme = 0;
    struct tn_buf out;

    if (!given[len] || len == 0 || !given[len + 1])
        return "must be BASE_URI=FOLDER";
    while (scheme < len &&
           (tn_ascii_is_letter(given[scheme]) ||
            (scheme > 0 && (tn_ascii_is_digit(given[scheme]) || strchr("+-.", given[scheme])))))
        scheme++;
    if (scheme == 0 || given[scheme] != ':')
        return "must begin with an absolute URI, such as https://example.com/schemas/";
    if (memchr(given, '#', len))
        return "must not have a fragment in its URI";
    tn_buf_init(&out, arena, len + 2, URI_LEN_MAX);
    tn_buf_add(&out, given, len);
    if (given[len - 1] != '/')
        tn_buf_char(&out, '/');
    *uri    = tn_buf_end(&out);
    *folder = given + len + 1;
    return *uri ? NULL : "is too long";
}

static bool is_document(const char *name)
{
    size_t len = strlen(name);

    return len > 5 && strcmp(name + len - 5, ".json") == 0;
}

/* "folder/name", or "name" at the top. */
static const char *registry_joined(struct tn_arena *arena, const char *folder, const char *name)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, strlen(folder) + strlen(name) + 2, PATH_LEN_MAX);
    tn_buf_text(&out, folder);
    if (folder[0] && folder[strlen(folder) - 1] != '/')
        tn_buf_char(&out, '/');
    tn_buf_text(&out, name);
    return tn_buf_end(&out);
}

/* The URI of a path: what may not stand in one as it is becomes %XX. */
static const char *uri_of(struct tn_arena *arena, const char *base, const char *path)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, strlen(base) + strlen(path) + 1, URI_LEN_MAX);
    tn_buf_text(&out, base);
    for (; *path; path++) {
        if (tn_ascii_is_letter(*path) || tn_ascii_is_digit(*path) || strchr("-._~!$&'()*+,;=:@/", *path))
            tn_buf_char(&out, *path);
        else
            tn_buf_addf(&out, "%%%02X", (unsigned)(unsigned char)*path);
    }
    return tn_buf_end(&out);
}

/* ---- Documents ---------------------------------------------------------------------------------------------- */

static bool registry_out_of_memory(const struct registry *registry)
{
    console_error(registry->console, "out of memory");
    return false;
}

static bool registry_refuse(struct validate_walk *walk, const char *path, const char *uri, const char *why)
{
    struct registry *registry = walk->registry;
    struct refusal  *refusal  = tn_arena_new(registry->arena, struct refusal);
    const char      *kept     = tn_arena_copy(registry->arena, why, strlen(why));
    size_t           prefix   = uri ? strlen(uri) : 0;

    if (!refusal || !kept)
        return registry_out_of_memory(registry);
    if (uri && strncmp(kept, uri, prefix) == 0 && strncmp(kept + prefix, ": ", 2) == 0)
        kept += prefix + 2; /* the path says which it is */
    *refusal           = (struct refusal){ registry->refusals, walk->folder, path, uri, kept };
    registry->refusals = refusal;
    return true;
}

/* The text of a document. */
static struct file read_document(struct validate_walk *walk, const char *path)
{
    struct file  file = { .why = NULL };
    int          fd;
    tenon_status status = tenon_root_open(walk->root, path, TENON_READ, &fd);

    if (status != TENON_OK) {
        file.why = status == TENON_E_DENIED && errno != EACCES ? OUTSIDE : strerror(errno);
        return file;
    }
    file = file_read_open(walk->text, fd);
    close(fd);
    return file;
}

static bool is_own(const struct registry *registry, const struct file *file)
{
    return file->device == registry->own.device && file->number == registry->own.number;
}

static bool add_document(struct validate_walk *walk, const char *path)
{
    struct registry *registry = walk->registry;
    const char      *uri      = uri_of(registry->arena, walk->uri, path);
    struct file      file;
    tenon_status     status;

    if (registry->arena->failed)
        return registry_out_of_memory(registry);
    if (!uri)
        return registry_refuse(walk, path, NULL, "its URI is too long");
    if (++registry->count > REGISTRY_DOCUMENTS_MAX) {
        console_error(registry->console, "%s: more than %zu documents", walk->folder, REGISTRY_DOCUMENTS_MAX);
        return false;
    }
    tn_arena_reset(walk->text);
    file = read_document(walk, path);
    if (file.why)
        return registry_refuse(walk, path, NULL, file.why);
    if (is_own(registry, &file)) {
        registry->own.uri = uri;
        return true;
    }
    status = tenon_schemas_add(registry->schemas, uri, file.text.at, file.text.len);
    if (status == TENON_E_NOMEM)
        return registry_out_of_memory(registry);
    return status == TENON_OK || registry_refuse(walk, path, uri, tenon_schemas_error(registry->schemas));
}

/* ---- Folders ------------------------------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool add_name(struct tn_arena *arena, struct names *names, const char *name)
{
    if (names->count == names->room) {
        size_t room = names->room ? names->room * 2 : 32;
        void  *at   = tn_arena_resize(arena, (void *)names->at, names->room * sizeof *names->at,
                                      room * sizeof *names->at);

        if (!at)
            return false;
        names->at   = at;
        names->room = room;
    }
    names->at[names->count] = tn_arena_copy(arena, name, strlen(name));
    return names->at[names->count++] != NULL;
}

/* The names in an open folder, sorted, without "." and "..". */
static bool list(struct tn_arena *arena, DIR *dir, struct names *names)
{
    const struct dirent *entry;

    while ((entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !add_name(arena, names, entry->d_name))
            return false;
    if (names->count > 1)
        qsort(names->at, names->count, sizeof *names->at, compare_names);
    return true;
}

static bool add_folder(struct validate_walk *walk, const char *path, int depth);

static bool add_entry(struct validate_walk *walk, DIR *dir, const char *folder, const char *name, int depth)
{
    const char *path = registry_joined(walk->registry->arena, folder, name);
    struct stat about;

    if (walk->registry->arena->failed)
        return registry_out_of_memory(walk->registry);
    if (!path)
        return registry_refuse(walk, name, NULL, "its path is too long");
    if (fstatat(dirfd(dir), name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return registry_refuse(walk, path, NULL, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return add_folder(walk, path, depth + 1);
    return !is_document(name) || add_document(walk, path);
}

static bool add_folder(struct validate_walk *walk, const char *path, int depth)
{
    struct names names = { NULL, 0, 0 };
    int          fd;
    tenon_status status = tenon_root_open(walk->root, path[0] ? path : ".", TENON_DIRECTORY, &fd);
    DIR         *dir    = status == TENON_OK ? fdopendir(fd) : NULL;
    bool         good;

    if (!dir) {
        const char *why = strerror(errno);

        if (status == TENON_OK)
            close(fd);
        return registry_refuse(walk, path, NULL, why);
    }
    good = depth < REGISTRY_DEPTH_MAX
               ? list(walk->registry->arena, dir, &names) || registry_out_of_memory(walk->registry)
               : registry_refuse(walk, path, NULL, "it lies too deep");
    for (size_t i = 0; good && i < names.count; i++)
        good = add_entry(walk, dir, path, names.at[i], depth);
    closedir(dir);
    return good;
}

bool registry_add(struct registry *registry, const char *uri, const char *folder)
{
    struct tn_arena      text;
    struct validate_walk walk   = { .registry = registry, .text = &text, .uri = uri, .folder = folder };
    tenon_allocator      memory = tn_memory_of(NULL);
    tenon_status         status = tenon_root_new(folder, NULL, &walk.root);
    bool                 good;

    if (status != TENON_OK) {
        console_error(registry->console, "%s: %s", folder,
                      status == TENON_E_NOMEM ? "out of memory" : strerror(errno));
        return false;
    }
    tn_arena_init(&text, &memory, 0);
    good = add_folder(&walk, "", 0);
    tn_arena_free(&text);
    tenon_root_free(walk.root);
    return good;
}

/* ---- Second tries ------------------------------------------------------------------------------------------- */

/* Is the document registered now? */
static bool try_again(struct registry *registry, const struct refusal *refusal, struct tn_arena *text)
{
    struct validate_walk walk = { .registry = registry, .text = text };
    struct file          file;
    bool                 added = false;

    if (!refusal->uri || tenon_root_new(refusal->folder, NULL, &walk.root) != TENON_OK)
        return false;
    tn_arena_reset(text);
    file = read_document(&walk, refusal->path);
    if (!file.why)
        added = tenon_schemas_add(registry->schemas, refusal->uri, file.text.at, file.text.len) == TENON_OK;
    tenon_root_free(walk.root);
    return added;
}

/* Drops the refusals that came too early; false when there was none. */
static bool try_all_again(struct registry *registry, struct tn_arena *text)
{
    bool some = false;

    for (struct refusal **at = &registry->refusals; *at;) {
        if (try_again(registry, *at, text)) {
            *at  = (*at)->next;
            some = true;
        } else
            at = &(*at)->next;
    }
    return some;
}

bool registry_settle(struct registry *registry)
{
    tenon_allocator memory   = tn_memory_of(NULL);
    struct refusal *in_order = NULL, *next;
    struct tn_arena text;

    tn_arena_init(&text, &memory, 0);
    while (registry->refusals && try_all_again(registry, &text)) {}
    tn_arena_free(&text);
    for (struct refusal *refusal = registry->refusals; refusal; refusal = next) {
        next          = refusal->next;
        refusal->next = in_order;
        in_order      = refusal;
    }
    registry->refusals = NULL;
    for (; in_order; in_order = in_order->next) {
        const char *path = registry_joined(registry->arena, in_order->folder, in_order->path);

        console_warn(registry->console, "%s is left out: %s", path ? path : in_order->path, in_order->why);
    }
    return !registry->arena->failed || registry_out_of_memory(registry);
}
