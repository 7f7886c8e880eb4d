/* load.c - finds and loads the module that judges access tokens of OAuth.
 *
 * It is looked for beside the code that asks (libtenon, or the program that it was linked into), in ../lib of the
 * program, and where the system looks. Only absolute places: what lies in the working directory is never loaded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "net/auth/inside.h"

#define MISTAKE_MAX 1000
#define WHY_MAX     300

static const char words[] =
    "install it (it is built where cjose and libcurl are found), or leave --oauth-issuer out";

/* Changes "/a/b/file" into "/a/b/TAIL"; false when that is no absolute place. */
static bool beside(char path[PATH_MAX], const char *tail)
{
    char  *slash = path[0] == '/' ? strrchr(path, '/') : NULL;
    size_t room;

    if (!slash)
        return false;
    room = PATH_MAX - (size_t)(slash + 1 - path);
    return (size_t)snprintf(slash + 1, room, "%s", tail) < room;
}

struct attempt {
    void *handle;
    bool  there; /* a file of that name is, but something it needs may not be */
    char  why[WHY_MAX];
};

static void try_path(struct attempt *attempt, const char *path)
{
    const char *why;

    attempt->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    why             = attempt->handle ? NULL : dlerror();
    if (why && attempt->why[0] == '\0')
        snprintf(attempt->why, WHY_MAX, "%s", why);
}

static void try_beside(struct attempt *attempt, const char *file, const char *tail)
{
    char path[PATH_MAX];

    if (attempt->handle || !realpath(file, path) || !beside(path, tail) || access(path, R_OK) != 0)
        return;
    attempt->there = true;
    try_path(attempt, path);
}

static void find_module(struct attempt *attempt)
{
    Dl_info info;

    if (dladdr((const void *)&words, &info) != 0 && info.dli_fname && strchr(info.dli_fname, '/'))
        try_beside(attempt, info.dli_fname, AUTH_MODULE_FILE);
    try_beside(attempt, "/proc/self/exe", AUTH_MODULE_FILE);
    try_beside(attempt, "/proc/self/exe", "../lib/" AUTH_MODULE_FILE);
    if (!attempt->handle)
        try_path(attempt, AUTH_MODULE_FILE);
}

const struct tn_auth_module *tn_auth_load(struct tn_arena *arena, const char **mistake)
{
    struct attempt               attempt = { .handle = NULL };
    const struct tn_auth_module *module  = NULL;
    auth_module_fn               function;
    struct tn_buf                text;
    void                        *entry;

    find_module(&attempt);
    entry = attempt.handle ? dlsym(attempt.handle, AUTH_MODULE_ENTRY) : NULL;
    if (entry) {
        memcpy(&function, &entry, sizeof function); /* ISO C has no cast from data to functions */
        module = function();
        if (module->version == AUTH_MODULE_VERSION && strcmp(module->tenon, tenon_version()) == 0)
            return module;
    }
    tn_buf_init(&text, arena, 0, MISTAKE_MAX);
    if (module)
        tn_buf_addf(&text, AUTH_MODULE_FILE " is of Tenon %s, and this is %s; install those of one version",
                    module->tenon, tenon_version());
    else if (attempt.handle)
        tn_buf_addf(&text, AUTH_MODULE_FILE " is not Tenon's; %s", words);
    else
        tn_buf_addf(&text, "the settings ask for OAuth, but " AUTH_MODULE_FILE " %s (%s); %s",
                    attempt.there ? "cannot be loaded" : "was not found", attempt.why, words);
    *mistake = tn_buf_end(&text) ? text.at : "out of memory";
    return NULL;
}
