/* registry.c - documents by their URI, read beneath the folders that were given (tenon/root.h). */
#define _XOPEN_SOURCE 700
#include "cli/validate/registry.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/memory.h"
#include "cli/validate/place.h"
#include "json/read.h"
#include "text/uri.h"
#include "text/uri_reference.h"

#define NAME_LEN_MAX 5000
#define URI_LEN_MAX  8192
#define GUESSES_MAX  16
#define OUTSIDE      "it leads out of the folder, or is not a regular file"
#define TOO_MANY     "more documents are asked for than can be read"
#define FORM         "must be PATH or BASE_URI=PATH"

/* ---- Names ------------------------------------------------------------------------------------------------- */

/* A path as a part of a URI: what may not stand in one as it is becomes %XX. */
static void add_encoded(struct tn_buf *out, const char *path)
{
    for (; *path; path++) {
        if (tn_ascii_is_letter(*path) || tn_ascii_is_digit(*path) || strchr("-._~!$&'()*+,;=:@/", *path))
            tn_buf_char(out, *path);
        else
            tn_buf_addf(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
}

const char *registry_uri(struct tn_arena *arena, const struct registry_place *place, const char *path)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, strlen(place->uri) + strlen(path) + 1, URI_LEN_MAX);
    tn_buf_text(&out, place->uri);
    if (!place->only)
        add_encoded(&out, path);
    return tn_buf_end(&out);
}

const char *registry_name(struct tn_arena *arena, const struct registry_place *place, const char *path)
{
    size_t        len = strlen(place->given);
    struct tn_buf out;

    tn_buf_init(&out, arena, len + strlen(path) + 2, NAME_LEN_MAX);
    tn_buf_text(&out, place->given);
    if (!place->only) {
        tn_buf_text(&out, len > 0 && place->given[len - 1] == '/' ? "" : "/");
        tn_buf_text(&out, path);
    }
    return tn_buf_end(&out);
}

/* ---- Places ------------------------------------------------------------------------------------------------ */

bool registry_init(struct registry *registry, size_t most)
{
    tenon_allocator memory = tn_memory_of(NULL);

    tn_arena_init(&registry->text, &memory, 0);
    registry->places = tn_arena_array(registry->arena, most + 1, struct registry_place);
    return registry->places != NULL;
}

void registry_free(struct registry *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        tenon_root_free(registry->places[i].root);
    registry->count = 0;
    tn_arena_free(&registry->text);
}

static bool refuse_place(const struct registry *registry, const char *path, const char *why)
{
    console_error(registry->console, "%s: %s", path, why);
    return false;
}

/* The URI that was given, or a file: URI; with a slash at its end where it is that of a folder. */
static const char *base_of(struct registry *registry, struct tn_slice given, const char *real, bool folder)
{
    struct tn_buf out;

    tn_buf_init(&out, registry->arena, given.len + strlen(real) + 16, URI_LEN_MAX);
    if (given.at)
        tn_buf_add(&out, given.at, given.len);
    else {
        tn_buf_lit(&out, "file://");
        add_encoded(&out, real);
    }
    if (folder && !out.failed && out.at[out.len - 1] != '/')
        tn_buf_char(&out, '/');
    return tn_buf_end(&out);
}

/* Opens the folder of the place, or the one that its file lies in. */
static bool open_place(struct registry *registry, struct tn_slice uri, const char *path)
{
    struct registry_place *place = &registry->places[registry->count];
    char                   real[PATH_MAX], *name;
    struct stat            about;

    if (!realpath(path, real) || stat(real, &about) != 0)
        return refuse_place(registry, path, strerror(errno));
    if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode))
        return refuse_place(registry, path, "is neither a folder nor a regular file");
    *place = (struct registry_place){ .given = path,
                                      .uri   = base_of(registry, uri, real, S_ISDIR(about.st_mode)) };
    if (S_ISREG(about.st_mode)) {
        name               = strrchr(real, '/');
        place->only        = tn_arena_copy(registry->arena, name + 1, strlen(name + 1));
        name[name == real] = '\0'; /* a file of the root stays in "/" */
    }
    if (!place->uri || registry->arena->failed)
        return refuse_place(registry, path, "its URI is too long");
    if (tenon_root_new(real, NULL, &place->root) != TENON_OK)
        return refuse_place(registry, path, strerror(errno));
    registry->count++;
    return true;
}

bool registry_add(struct registry *registry, const char *given, const char *help)
{
    const char     *equals = strchr(given, '='), *why = NULL;
    struct tn_slice uri = { equals ? given : NULL, equals ? (size_t)(equals - given) : 0 };

    if (given[0] == '\0' || (equals && (uri.len == 0 || !equals[1])))
        why = FORM;
    else if (equals && tn_uri_scheme(uri).len == 0)
        why = "must begin with an absolute URI, such as https://example.com/schemas/";
    else if (equals && memchr(uri.at, '#', uri.len))
        why = "must not have a fragment in its URI";
    if (why) {
        console_error(registry->console, "--registry %s %s; %s", given, why, help);
        return false;
    }
    return open_place(registry, uri, equals ? equals + 1 : given);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

tenon_status registry_read(struct registry *registry, const struct registry_place *place, const char *path,
                           struct file *file)
{
    int          fd;
    tenon_status status = tenon_root_open(place->root, path, TENON_READ, &fd);

    *file = (struct file){ .why = NULL };
    tn_arena_reset(&registry->text);
    if (status != TENON_OK) {
        file->why = status == TENON_E_DENIED && errno != EACCES ? OUTSIDE : strerror(errno);
        return status;
    }
    *file = file_read_open(&registry->text, fd);
    close(fd);
    return file->why ? TENON_E_IO : TENON_OK;
}

/* "NAME: WHY", in the text's arena. */
static const char *sentence(struct registry *registry, const char *name, const char *why)
{
    struct tn_buf out;

    tn_buf_init(&out, &registry->text, strlen(name) + strlen(why) + 3, NAME_LEN_MAX);
    tn_buf_text(&out, name);
    tn_buf_lit(&out, ": ");
    tn_buf_text(&out, why);
    return tn_buf_end(&out) ? out.at : why;
}

/* Hands over a file that was read, or why it cannot be; under the URI of its path, unless that was asked for. */
static bool hand_over(struct registry *registry, const struct registry_place *place, const char *path,
                      const struct file *file, tenon_loaded *loaded)
{
    const char            *name   = registry_name(&registry->text, place, path), *where, *what;
    struct validate_source source = { name ? name : path, file->text };

    if (file->why)
        loaded->error = sentence(registry, source.name, file->why);
    else if (++registry->documents > REGISTRY_DOCUMENTS_MAX ||
             (registry->bytes += file->text.len) > REGISTRY_BYTES_MAX)
        loaded->error = TOO_MANY;
    else if (place_of_fault(&registry->text, &source, &where, &what))
        loaded->error = sentence(registry, where, what);
    loaded->json = file->text.at;
    loaded->len  = file->text.len;
    loaded->uri  = registry_uri(&registry->text, place, path);
    return true;
}

/* ---- By path ----------------------------------------------------------------------------------------------- */

/* A part of a URI as a path, in the registry's arena; NULL when it cannot be one. */
static const char *path_of(struct registry *registry, struct tn_slice part)
{
    struct tn_slice path = part.len > 0 ? tn_uri_reference_decode(registry->arena, part) : part;

    if (path.len == 0 || !path.at || path.at[0] == '/' || path.at[path.len - 1] == '/' ||
        memchr(path.at, '\0', path.len))
        return NULL;
    return tn_arena_copy(registry->arena, path.at, path.len);
}

/* Where the URI is in the place by its own text. */
static const char *path_in(struct registry *registry, const struct registry_place *place, const char *uri)
{
    size_t len = strlen(place->uri);

    if (place->only)
        return strcmp(uri, place->uri) == 0 ? place->only : NULL;
    return strncmp(uri, place->uri, len) == 0 ? path_of(registry, tn_slice_of(uri + len)) : NULL;
}

static bool is_folder(const struct registry_place *place, const char *path)
{
    int fd;

    if (tenon_root_open(place->root, path, TENON_DIRECTORY, &fd) != TENON_OK)
        return false;
    close(fd);
    return true;
}

static bool by_path(struct registry *registry, const char *uri, tenon_loaded *loaded)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct registry_place *place = &registry->places[i];
        const char                  *path  = path_in(registry, place, uri);
        struct file                  file;
        tenon_status                 status;

        if (!path)
            continue;
        status = registry_read(registry, place, path, &file);
        if (status == TENON_E_NOT_FOUND || (status == TENON_E_DENIED && is_folder(place, path)))
            continue;
        hand_over(registry, place, path, &file, loaded);
        loaded->uri = NULL;
        return true;
    }
    return false;
}

/* ---- By a name that is alike, and the $id ------------------------------------------------------------------ */

/* Is there a document at the path that has the URI as an $id? */
static bool try_guess(struct registry *registry, const struct registry_place *place, const char *path,
                      const char *uri, tenon_loaded *loaded)
{
    static const struct tn_json_limits limits = { FILE_LEN_MAX, 256, 4000000 };
    struct file                        file;
    struct tn_json_text                read;
    const char                        *own;

    if (!path || registry_read(registry, place, path, &file) != TENON_OK)
        return false;
    read = tn_json_read(&registry->text, file.text.at, file.text.len, &limits);
    own  = registry_uri(&registry->text, place, path);
    return read.root && own &&
           ids_declare(&registry->text, read.root, tn_slice_of(own), registry->dialect, tn_slice_of(uri)) &&
           hand_over(registry, place, path, &file, loaded);
}

/* "example.com/a/b", "a/b" and "b" of the URI, each as it is and with ".json". */
static bool by_guess(struct registry *registry, const struct registry_place *place, const char *uri,
                     tenon_loaded *loaded)
{
    const char *rest = strchr(uri, ':') + 1;

    rest += strspn(rest, "/");
    for (int i = 0; i < GUESSES_MAX && rest && *rest; i++) {
        const char   *path = path_of(registry, tn_slice_of(rest));
        struct tn_buf with;

        if (try_guess(registry, place, path, uri, loaded))
            return true;
        tn_buf_init(&with, registry->arena, strlen(rest) + 8, URI_LEN_MAX);
        tn_buf_text(&with, path ? path : "");
        tn_buf_lit(&with, ".json");
        if (path && try_guess(registry, place, tn_buf_end(&with), uri, loaded))
            return true;
        rest = strchr(rest, '/');
        rest = rest ? rest + strspn(rest, "/") : NULL;
    }
    return false;
}

static bool by_id(struct registry *registry, const char *uri, tenon_loaded *loaded)
{
    const struct ids_where *where = ids_find(registry, tn_slice_of(uri));
    struct file             file;

    if (!where)
        return false;
    registry_read(registry, where->place, where->path, &file);
    return hand_over(registry, where->place, where->path, &file, loaded);
}

bool registry_load(void *user, const char *uri, tenon_loaded *loaded)
{
    struct registry *registry = user;

    if (registry->count == 0)
        return false;
    if (by_path(registry, uri, loaded))
        return true;
    for (size_t i = 0; i < registry->count; i++)
        if (!registry->places[i].only && by_guess(registry, &registry->places[i], uri, loaded))
            return true;
    return by_id(registry, uri, loaded);
}

/* ---- The schema's own URI ---------------------------------------------------------------------------------- */

/* The URI of a real path, if a place has it. */
static const char *uri_of_real(struct registry *registry, const char *real)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct registry_place *place = &registry->places[i];
        char                         root[PATH_MAX];
        size_t                       len;

        if (!realpath(place->given, root))
            continue;
        len = strlen(root);
        if (place->only && strcmp(root, real) == 0)
            return place->uri;
        if (place->only || strncmp(real, root, len) != 0)
            continue;
        if (root[len - 1] == '/' || real[len] == '/')
            return registry_uri(registry->arena, place, real + len + (root[len - 1] != '/'));
    }
    return NULL;
}

/* By the folder that it is named in, and by where it is if it is a link. */
const char *registry_uri_of(struct registry *registry, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *uri = NULL, *folder;
    char        real[PATH_MAX];
    size_t      len;

    if (strcmp(path, "-") == 0 || registry->count == 0)
        return NULL;
    folder = slash ? tn_arena_copy(registry->arena, path, slash == path ? 1 : (size_t)(slash - path)) : ".";
    if (folder && realpath(folder, real)) {
        len = strlen(real);
        if (len + strlen(name) + 2 <= sizeof real) {
            if (real[len - 1] != '/')
                real[len++] = '/';
            memcpy(real + len, name, strlen(name) + 1);
            uri = uri_of_real(registry, real);
        }
    }
    if (!uri && realpath(path, real))
        uri = uri_of_real(registry, real);
    return uri;
}
