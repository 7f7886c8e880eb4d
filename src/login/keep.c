/* keep.c - logins that outlive the program: a file for each server, mode 0600, below $XDG_STATE_HOME/tenon/logins.
 *
 * What is kept belongs to one issuer: its tokens, and the id under which it registered us. A file that another could have
 * written or read is not used. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/read.h"
#include "json/write.h"
#include "login/inside.h"

#define FOLDER      "tenon/logins"
#define NAME_LEN    16 /* bytes of the hash of an address */
#define FILE_MAX    ((size_t)128 << 10)
#define PATH_LEN    ((size_t)4096)
#define OWNER_ONLY  0600
#define FOLDER_MODE 0700

const char *login_folder(struct tn_arena *arena)
{
    const char   *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct tn_buf path;

    tn_buf_init(&path, arena, 256, PATH_LEN);
    if (state && state[0] == '/')
        tn_buf_text(&path, state);
    else if (home && home[0] == '/') {
        tn_buf_text(&path, home);
        tn_buf_lit(&path, "/.local/state");
    } else
        return NULL;
    tn_buf_lit(&path, "/" FOLDER);
    return tn_buf_end(&path);
}

/* "FOLDER/HASH.end" for the server; NULL when nothing is kept. */
static const char *path_of(struct login *login, const char *end)
{
    const char *origin = urls_origin(&login->arena, login->options->server),
               *path   = urls_path(&login->arena, login->options->server);
    unsigned char hash[NAME_LEN];
    char          name[2 * NAME_LEN + 1];
    struct tn_buf out;

    if (!login->options->folder || !origin || !path)
        return NULL;
    tn_buf_init(&out, &login->arena, 256, LOGIN_TEXT_MAX);
    tn_buf_text(&out, origin);
    tn_buf_text(&out, path);
    if (!tn_buf_end(&out) || sodium_init() < 0)
        return NULL;
    crypto_generichash(hash, sizeof hash, (const unsigned char *)out.at, out.len, NULL, 0);
    sodium_bin2hex(name, sizeof name, hash, sizeof hash);
    tn_buf_init(&out, &login->arena, 256, PATH_LEN);
    tn_buf_text(&out, login->options->folder);
    tn_buf_char(&out, '/');
    tn_buf_text(&out, name);
    tn_buf_text(&out, end);
    return tn_buf_end(&out);
}

/* Every folder on the way; those that are made are ours alone. */
static void make_folders(struct login *login)
{
    char *path = tn_arena_copy(&login->arena, login->options->folder, strlen(login->options->folder));

    for (char *at = path ? path + 1 : NULL; at && *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, FOLDER_MODE);
            *at = '/';
        }
    if (path)
        mkdir(path, FOLDER_MODE);
}

int keep_lock(struct login *login)
{
    const char *path = path_of(login, ".lock");
    int         lock;

    if (!path)
        return -1;
    make_folders(login);
    lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, OWNER_ONLY);
    while (lock >= 0 && flock(lock, LOCK_EX) != 0)
        if (errno != EINTR)
            break;
    return lock;
}

void keep_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static struct tn_slice keep_read_file(struct login *login, const char *path)
{
    int         fd   = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char       *text = NULL;
    size_t      len  = 0;
    ssize_t     got  = 0;
    struct stat about;

    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
        (about.st_mode & 077) == 0 && about.st_size > 0 && (size_t)about.st_size <= FILE_MAX)
        text = tn_arena_take(&login->arena, (size_t)about.st_size, 1);
    while (text && len < (size_t)about.st_size &&
           (got = read(fd, text + len, (size_t)about.st_size - len)) > 0)
        len += (size_t)got;
    if (fd >= 0)
        close(fd);
    return (struct tn_slice){ text, len };
}

/* A member as it is, lines and all. */
static const char *lines_of(struct login *login, yyjson_val *object, const char *key)
{
    struct tn_slice text = tn_json_slice(yyjson_obj_get(object, key));

    return text.at && text.len < LOGIN_TEXT_MAX ? tn_arena_copy(&login->arena, text.at, text.len) : NULL;
}

static void read_known(struct login *login, yyjson_val *known)
{
    yyjson_val *client, *issuer;
    size_t      index, count;

    yyjson_obj_foreach(known, index, count, client, issuer)
    {
        struct tn_slice id   = tn_json_slice(client);
        const char     *name = tn_arena_copy(&login->arena, id.at, id.len), *text;

        text = name ? login_text(login, known, name) : NULL;
        if (text)
            issuer_note(login, name, text);
    }
}

void keep_read(struct login *login)
{
    const char       *path   = path_of(login, ".json");
    struct tn_slice   text   = path ? keep_read_file(login, path) : (struct tn_slice){ NULL, 0 };
    yyjson_val       *object = text.at ? login_object(login, text) : NULL, *client, *ends;
    struct login_kept kept   = { 0 };

    if (!object || !login_text(login, object, "issuer"))
        return;
    kept.issuer      = login_text(login, object, "issuer");
    kept.known_count = login->kept.known_count; /* also what could not be written */
    memcpy(kept.known, login->kept.known, sizeof kept.known);
    login->kept         = kept;
    ends                = yyjson_obj_get(object, "ends");
    login->kept.access  = login_text(login, object, "access");
    login->kept.refresh = login_text(login, object, "refresh");
    login->kept.scope   = login_text(login, object, "scope");
    login->kept.key     = lines_of(login, object, "key");
    login->kept.ends    = yyjson_is_int(ends) ? yyjson_get_sint(ends) : 0;
    client              = yyjson_obj_get(object, "client");
    login->kept.client  = (struct client_identity){ .id       = login_text(login, client, "id"),
                                                    .secret   = login_text(login, client, "secret"),
                                                    .method   = login_text(login, client, "method"),
                                                    .redirect = login_text(login, client, "redirect") };
    if (!login->kept.client.method)
        login->kept.client.id = NULL;
    read_known(login, yyjson_obj_get(object, "known"));
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

static void add_member(struct tn_buf *out, const char *name, const char *text)
{
    if (!text)
        return;
    if (out->len > 0 && out->at[out->len - 1] != '{')
        tn_buf_char(out, ',');
    tn_json_string(out, name, strlen(name));
    tn_buf_char(out, ':');
    tn_json_string(out, text, strlen(text));
}

static bool keep_write_all(int fd, struct tn_slice text)
{
    for (ssize_t put; text.len > 0; text.at += put, text.len -= (size_t)put)
        if ((put = write(fd, text.at, text.len)) <= 0)
            return false;
    return fsync(fd) == 0;
}

/* A new file takes the place of the old one, so that a reader never sees half of it. */
static bool replace(struct login *login, struct tn_slice text)
{
    const char *path = path_of(login, ".json"), *fresh = path_of(login, ".new");
    int         fd;
    bool        good;

    if (!path || !fresh)
        return false;
    make_folders(login);
    unlink(fresh); /* of a program that ended in between; the lock is ours */
    fd   = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, OWNER_ONLY);
    good = fd >= 0 && keep_write_all(fd, text);
    if (fd >= 0)
        close(fd);
    if (good && rename(fresh, path) == 0)
        return true;
    if (fd >= 0)
        unlink(fresh);
    return false;
}

bool keep_write(struct login *login)
{
    const struct login_kept *kept = &login->kept;
    struct tn_buf            out;

    if (!login->options->folder)
        return true;
    tn_buf_init(&out, &login->arena, 1024, FILE_MAX);
    tn_buf_char(&out, '{');
    add_member(&out, "server", login->options->server);
    add_member(&out, "issuer", kept->issuer);
    add_member(&out, "scope", kept->scope);
    add_member(&out, "access", kept->access);
    add_member(&out, "refresh", kept->refresh);
    add_member(&out, "key", kept->key);
    tn_buf_addf(&out, ",\"ends\":%lld", (long long)kept->ends);
    if (kept->client.id) {
        tn_buf_lit(&out, ",\"client\":{");
        add_member(&out, "id", kept->client.id);
        add_member(&out, "secret", kept->client.secret);
        add_member(&out, "method", kept->client.method);
        add_member(&out, "redirect", kept->client.redirect);
        tn_buf_char(&out, '}');
    }
    tn_buf_lit(&out, ",\"known\":{");
    for (size_t i = 0; i < kept->known_count; i++)
        add_member(&out, kept->known[i].client, kept->known[i].issuer);
    tn_buf_lit(&out, "}}\n");
    return tn_buf_end(&out) && replace(login, tn_buf_slice(&out));
}
