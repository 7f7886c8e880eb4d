/* reach.c - files that decide what a server may do, and folders that it may change.
 *
 * A server is given folders by its directory and by its arguments. If the configuration, the lock, a list of tokens or a secret
 * lies below one of them, a model could write its own approval.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "guard/config/config.h"
#include "guard/config/spot.h"
#include "guard/phrases.h"

#define FILES_MAX 256

struct reach {
    struct tn_config *config;
    const char       *files[FILES_MAX]; /* without links */
    size_t            count;
};

/* What a path leads to, also when its last name is not there yet. */
static bool resolve(const char *path, char to[PATH_MAX])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char        folder[PATH_MAX];
    size_t      len = slash ? (size_t)(slash - path) : 0, rest = strlen(name) + 1, above;

    if (realpath(path, to))
        return true;
    if (len >= sizeof folder || strlen(path) >= PATH_MAX)
        return false;
    memcpy(folder, path, len);
    folder[len] = '\0';
    if (!realpath(slash ? (len ? folder : "/") : ".", to))
        return false;
    above = strlen(to);
    if (above + 1 + rest > PATH_MAX)
        return false;
    to[above] = '/';
    memcpy(to + above + 1, name, rest);
    return true;
}

static void add_file(struct reach *reach, const char *path)
{
    char        to[PATH_MAX];
    const char *kept;

    if (!path || reach->count == FILES_MAX || !resolve(path, to))
        return;
    kept = tn_arena_copy(&reach->config->arena, to, strlen(to));
    if (kept)
        reach->files[reach->count++] = kept;
}

static void add_files(struct reach *reach)
{
    static const char *const settings[] = { "tokens-file", "key-file", "oauth-keys" };
    struct tn_config        *config     = reach->config;

    add_file(reach, config->path);
    add_file(reach, config->policy.lock);
    add_file(reach, config->policy.lock_key);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        add_file(reach, tenon_map_get(&config->serve, settings[i]));
    for (size_t i = 0; i < config->upstream_count; i++) {
        const struct tn_upstream *upstream = &config->upstreams[i];
        const tenon_map          *maps[]   = { &upstream->environment.secrets, &upstream->header_files };

        add_file(reach, upstream->token_file);
        for (size_t m = 0; m < 2; m++)
            for (size_t j = 0; j < maps[m]->count; j++)
                add_file(reach, maps[m]->at[j].value);
    }
}

static bool is_below(const char *file, const char *folder)
{
    size_t len = strlen(folder);

    return strcmp(folder, "/") == 0 || (strncmp(file, folder, len) == 0 && file[len] == '/');
}

/* `path` is a folder of the upstream, as it is written at the spot. */
static void check_folder(struct reach *reach, const struct tn_spot *spot, const char *from, const char *path)
{
    char          whole[PATH_MAX * 2], folder[PATH_MAX];
    struct stat   about;
    struct tn_buf names;

    if (!path || !path[0] || strlen(path) >= PATH_MAX || (from && strlen(from) >= PATH_MAX))
        return;
    snprintf(whole, sizeof whole, "%s%s%s", from && path[0] != '/' ? from : "",
             from && path[0] != '/' ? "/" : "", path);
    if (!realpath(whole, folder) || stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
        return;
    tn_buf_init(&names, &reach->config->arena, 0, MISTAKE_TEXT_MAX);
    for (size_t i = 0; i < reach->count; i++)
        if (is_below(reach->files[i], folder))
            tn_buf_addf(&names, "%s%.200s", names.len ? ", " : "", reach->files[i]);
    if (names.len > 0)
        tn_spot_wrong(spot, SAY_CONFIG_BELOW, tn_buf_end(&names) ? names.at : "");
}

/* Arguments that are folders, also behind an equals sign: --root=/srv. */
static void check_words(struct reach *reach, const struct tn_spot *command,
                        const struct tn_upstream *upstream)
{
    for (size_t i = 1; upstream->words && upstream->words[i]; i++) {
        struct tn_spot word = tn_spot_item(command, i, yyjson_arr_get(command->value, i));
        const char    *mark = strchr(upstream->words[i], '=');

        check_folder(reach, &word, upstream->directory, upstream->words[i]);
        if (mark)
            check_folder(reach, &word, upstream->directory, mark + 1);
    }
}

void tn_config_reach(struct tn_config *config, const struct tn_spot *root)
{
    struct reach   reach = { .config = config };
    struct tn_spot all   = tn_spot_member(root, "upstreams");

    add_files(&reach);
    for (size_t i = 0; i < config->upstream_count; i++) {
        const struct tn_upstream *upstream  = &config->upstreams[i];
        struct tn_spot            spot      = tn_spot_member(&all, upstream->name);
        struct tn_spot            directory = tn_spot_member(&spot, "directory");
        struct tn_spot            command   = tn_spot_member(&spot, "command");

        check_folder(&reach, &directory, NULL, upstream->directory);
        check_words(&reach, &command, upstream);
    }
}
