/* known.h - servers by the names that they have in the files of clients.
 *
 * Claude Code, Claude Desktop, Cursor and VS Code keep their servers in files of much the same form. Those of this folder
 * come first, then those of the person. A name that two files have is the one of the first.
 */
#ifndef CLI_CLIENT_KNOWN_H
#define CLI_CLIENT_KNOWN_H

#include "base/arena.h"
#include "guard/config/config.h"

#define KNOWN_FILES_MAX 8

struct known_file {
    const char *client; /* "claude-code", "claude-desktop", "cursor", "vscode" */
    bool        own;    /* the person's; else the folder's */
    const char *path;
};

/* Where clients keep their servers, whether a file is there or not; how many. */
size_t known_files(struct tn_arena *arena, struct known_file files[KNOWN_FILES_MAX]);

/* What a file says; NULL when it is not there. tn_config_free() frees it. */
struct tn_config *known_read(const struct known_file *file);

/* The server of that name, and the configuration that holds it; NULL when no file has it. */
const struct tn_upstream *known_find(struct tn_arena *arena, const char *name, struct tn_config **config,
                                     struct known_file *file);

#endif
