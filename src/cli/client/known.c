/* known.c - looking into the files of clients. */
#define _POSIX_C_SOURCE 200809L
#include "cli/client/known.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#define PATH_LEN_MAX ((size_t)4096)

enum place { PLACE_HERE, PLACE_HOME, PLACE_CONFIG };

/* In the order in which they are looked at. */
static const struct {
    const char *client;
    enum place  place;
    const char *path;
} places[] = {
    { "claude-code", PLACE_HERE, ".mcp.json" },
    { "cursor", PLACE_HERE, ".cursor/mcp.json" },
    { "vscode", PLACE_HERE, ".vscode/mcp.json" },
    { "claude-code", PLACE_HOME, ".claude.json" },
    { "cursor", PLACE_HOME, ".cursor/mcp.json" },
    { "vscode", PLACE_CONFIG, "Code/User/mcp.json" },
    { "claude-desktop", PLACE_CONFIG, "Claude/claude_desktop_config.json" },
};

_Static_assert(sizeof places / sizeof *places <= KNOWN_FILES_MAX, "there is room for all");

/* The folder that paths of a place begin in, "" for this one; NULL when it is not known. */
static const char *folder_of(struct tn_arena *arena, enum place place)
{
    const char   *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
    struct tn_buf path;

    if (place == PLACE_HERE)
        return "";
    if (place == PLACE_CONFIG && config && config[0] == '/')
        return config;
    if (!home || home[0] != '/')
        return NULL;
    tn_buf_init(&path, arena, 0, PATH_LEN_MAX);
    tn_buf_addf(&path, "%s%s", home, place == PLACE_CONFIG ? "/.config" : "");
    return tn_buf_end(&path);
}

size_t known_files(struct tn_arena *arena, struct known_file files[KNOWN_FILES_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char   *folder = folder_of(arena, places[i].place), *text;
        struct tn_buf path;

        if (!folder)
            continue;
        tn_buf_init(&path, arena, 0, PATH_LEN_MAX);
        tn_buf_addf(&path, "%s%s%s", folder, folder[0] ? "/" : "", places[i].path);
        text = tn_buf_end(&path);
        if (text)
            files[count++] = (struct known_file){ places[i].client, places[i].place != PLACE_HERE, text };
    }
    return count;
}

struct tn_config *known_read(const struct known_file *file)
{
    return access(file->path, R_OK) == 0 ? tn_config_read_whole(file->path, NULL) : NULL;
}

static const struct tn_upstream *upstream_named(const struct tn_config *config, const char *name)
{
    for (size_t i = 0; config && i < config->upstream_count; i++)
        if (strcmp(config->upstreams[i].name, name) == 0 &&
            (config->upstreams[i].words || config->upstreams[i].url))
            return &config->upstreams[i];
    return NULL;
}

const struct tn_upstream *known_find(struct tn_arena *arena, const char *name, struct tn_config **config,
                                     struct known_file *file)
{
    struct known_file files[KNOWN_FILES_MAX];
    size_t            count = known_files(arena, files);

    for (size_t i = 0; i < count; i++) {
        const struct tn_upstream *found;

        *config = known_read(&files[i]);
        found   = upstream_named(*config, name);
        if (found) {
            *file = files[i];
            return found;
        }
        tn_config_free(*config);
    }
    *config = NULL;
    return NULL;
}
