/* ids.c - looking through all documents of the registry for their $id.
 *
 * Everything is opened beneath the place's handle (tenon/root.h). Names are sorted, so that of two documents with one $id
 * it is always the same that counts. One document is in memory at a time, and only one that has an $id is parsed.
 */
#define _GNU_SOURCE /* memmem */
#include "cli/validate/ids.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/validate/registry.h"
#include "json/read.h"
#include "text/uri_reference.h"

#define PATH_LEN_MAX 4095
#define DRAFT_04     "http://json-schema.org/draft-04/schema"
#define OUTSIDE      "it leads out of the folder, or is not a regular file"

static const struct tn_json_limits limits = { FILE_LEN_MAX, 256, 4000000 };

/* ---- In a document ----------------------------------------------------------------------------------------- */

/* A walk through all objects. `found` is asked for each $id, and true ends the walk. What is an $id only by its looks, in an
 * enum or an example, is met too; the engine knows better when it reads the document. */
struct ids_walk {
    struct tn_arena *arena;
    bool (*found)(struct ids_walk *walk, struct tn_slice uri);
    struct tn_slice         wanted;   /* ids_declare() */
    struct registry        *registry; /* ids_find() */
    const struct ids_where *where;
    size_t                  met; /* so far */
};

static bool is_older(yyjson_val *object, bool around)
{
    struct tn_slice schema = tn_json_slice(yyjson_obj_get(object, "$schema"));
    size_t          len    = sizeof DRAFT_04 - 1;

    return schema.at ? schema.len >= len && memcmp(schema.at, DRAFT_04, len) == 0 : around;
}

static bool walk_ids(struct ids_walk *walk, yyjson_val *value, struct tn_slice base, bool older);

static bool walk_members(struct ids_walk *walk, yyjson_val *object, struct tn_slice base, bool older)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;

    yyjson_obj_iter_init(object, &iter);
    while ((key = yyjson_obj_iter_next(&iter)))
        if (walk_ids(walk, yyjson_obj_iter_get_val(key), base, older))
            return true;
    return false;
}

static bool walk_items(struct ids_walk *walk, yyjson_val *array, struct tn_slice base, bool older)
{
    yyjson_arr_iter iter;
    yyjson_val     *item;

    yyjson_arr_iter_init(array, &iter);
    while ((item = yyjson_arr_iter_next(&iter)))
        if (walk_ids(walk, item, base, older))
            return true;
    return false;
}

static bool walk_ids(struct ids_walk *walk, yyjson_val *value, struct tn_slice base, bool older)
{
    struct tn_slice id, fragment;

    if (yyjson_is_arr(value))
        return walk_items(walk, value, base, older);
    if (!yyjson_is_obj(value))
        return false;
    older = is_older(value, older);
    id    = tn_json_slice(yyjson_obj_get(value, older ? "id" : "$id"));
    if (id.len > 0 && id.at[0] != '#') {
        if (walk->met++ == IDS_OF_DOCUMENT_MAX)
            return true;
        id = tn_uri_reference_resolve(walk->arena, base, id);
    }
    if (id.len > 0 && id.at && id.at[0] != '#') {
        tn_uri_reference_split(id, &base, &fragment);
        if (walk->found(walk, base))
            return true;
    }
    return walk_members(walk, value, base, older);
}

static bool is_wanted(struct ids_walk *walk, struct tn_slice uri)
{
    return tn_slice_same(uri, walk->wanted);
}

bool ids_declare(struct tn_arena *arena, yyjson_val *root, struct tn_slice base, tenon_dialect dialect,
                 struct tn_slice uri)
{
    struct ids_walk walk = { .arena = arena, .found = is_wanted, .wanted = uri };

    return walk_ids(&walk, root, base, dialect == TENON_DIALECT_DRAFT_04) && walk.met <= IDS_OF_DOCUMENT_MAX;
}

/* ---- Documents --------------------------------------------------------------------------------------------- */

static void pass_over(struct registry *registry, const struct registry_place *place, const char *path,
                      const char *why)
{
    struct ids *ids = &registry->ids;

    if (ids->passed_count < IDS_PASSED_MAX) {
        ids->passed[ids->passed_count].name = registry_name(registry->arena, place, path);
        ids->passed[ids->passed_count].why  = tn_arena_copy(registry->arena, why, strlen(why));
    }
    ids->passed_count++;
}

static bool keep(struct ids_walk *walk, struct tn_slice uri)
{
    struct registry  *registry = walk->registry;
    const char       *name     = tn_arena_copy(registry->arena, uri.at, uri.len);
    struct ids_where *where    = tn_arena_new(registry->arena, struct ids_where);

    if (!name || !where || registry->ids.table.count >= IDS_MAX)
        return true;
    *where = *walk->where;
    return !tn_table_add(&registry->ids.table, registry->arena, NULL, (struct tn_slice){ name, uri.len },
                         where);
}

static void look_into(struct registry *registry, const struct registry_place *place, const char *path)
{
    struct ids_where where = { place, path };
    struct ids_walk walk = { .arena = &registry->text, .found = keep, .registry = registry, .where = &where };
    struct file     file;
    struct tn_json_text read;
    const char         *uri;

    if (registry_read(registry, place, path, &file) != TENON_OK) {
        pass_over(registry, place, path, file.why);
        return;
    }
    registry->ids.bytes += file.text.len;
    if (file.text.len == 0 || (!memmem(file.text.at, file.text.len, "\"$id\"", 5) &&
                               !memmem(file.text.at, file.text.len, "\"id\"", 4)))
        return;
    read = tn_json_read(&registry->text, file.text.at, file.text.len, &limits);
    uri  = registry_uri(&registry->text, place, path);
    if (!read.root || !uri)
        pass_over(registry, place, path, read.what ? read.what : "it is too long, too deep or too large");
    else
        walk_ids(&walk, read.root, tn_slice_of(uri), registry->dialect == TENON_DIALECT_DRAFT_04);
}

/* ---- Folders ----------------------------------------------------------------------------------------------- */

struct names {
    const char **at;
    size_t       count, room;
};

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

static bool is_document(const char *name)
{
    size_t len = strlen(name);

    return len > 5 && strcmp(name + len - 5, ".json") == 0;
}

/* "folder/name", or "name" at the top. */
static const char *path_below(struct tn_arena *arena, const char *folder, const char *name)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, strlen(folder) + strlen(name) + 2, PATH_LEN_MAX);
    tn_buf_text(&out, folder);
    tn_buf_text(&out, folder[0] ? "/" : "");
    tn_buf_text(&out, name);
    return tn_buf_end(&out);
}

static bool look_through(struct registry *registry, const struct registry_place *place, const char *folder,
                         int depth);

/* False when enough was seen. */
static bool look_at(struct registry *registry, const struct registry_place *place, DIR *dir,
                    const char *folder, const char *name, int depth)
{
    const char *path = path_below(registry->arena, folder, name);
    struct ids *ids  = &registry->ids;
    struct stat about;

    if (registry->arena->failed)
        return false;
    if (!path || fstatat(dirfd(dir), name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        pass_over(registry, place, path ? path : name, path ? strerror(errno) : "its path is too long");
        return true;
    }
    if (S_ISDIR(about.st_mode))
        return look_through(registry, place, path, depth + 1);
    if (!is_document(name))
        return true;
    if (++ids->documents > IDS_DOCUMENTS_MAX || ids->bytes > IDS_BYTES_MAX) {
        pass_over(registry, place, path, "there are too many documents, and none after it was looked at");
        return false;
    }
    look_into(registry, place, path);
    return true;
}

static bool look_through(struct registry *registry, const struct registry_place *place, const char *folder,
                         int depth)
{
    struct names names = { NULL, 0, 0 };
    int          fd;
    tenon_status status = tenon_root_open(place->root, folder[0] ? folder : ".", TENON_DIRECTORY, &fd);
    DIR         *dir    = status == TENON_OK ? fdopendir(fd) : NULL;
    bool         more   = true;

    if (!dir) {
        pass_over(registry, place, folder, status == TENON_OK ? OUTSIDE : strerror(errno));
        if (status == TENON_OK)
            close(fd);
        return true;
    }
    if (depth >= IDS_DEPTH_MAX)
        pass_over(registry, place, folder, "it lies too deep");
    else
        more = list(registry->arena, dir, &names);
    for (size_t i = 0; more && i < names.count; i++)
        more = look_at(registry, place, dir, folder, names.at[i], depth);
    closedir(dir);
    return more;
}

/* ---- All of them ------------------------------------------------------------------------------------------- */

const struct ids_where *ids_find(struct registry *registry, struct tn_slice uri)
{
    bool more = !registry->ids.made;

    for (size_t i = 0; more && i < registry->count; i++) {
        const struct registry_place *place = &registry->places[i];

        if (place->only)
            look_into(registry, place, place->only);
        else
            more = look_through(registry, place, "", 0);
    }
    registry->ids.made = true;
    return tn_table_find(&registry->ids.table, NULL, uri);
}

void ids_warn(const struct registry *registry)
{
    const struct ids *ids = &registry->ids;

    for (size_t i = 0; i < ids->passed_count && i < IDS_PASSED_MAX; i++)
        console_warn(registry->console, "%s was passed over: %s",
                     ids->passed[i].name ? ids->passed[i].name : "a document",
                     ids->passed[i].why ? ids->passed[i].why : "out of memory");
    if (ids->passed_count > IDS_PASSED_MAX)
        console_warn(registry->console, "%zu more documents were passed over",
                     ids->passed_count - IDS_PASSED_MAX);
}
