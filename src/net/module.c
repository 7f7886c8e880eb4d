/* module.c - finding and loading a module. */
#define _GNU_SOURCE
#include "net/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os.h"

static const char here; /* stands where this code is */

/* Changes "/a/b/file" into "/a/b/BEFORE" "FILE"; false when that is no absolute place. */
static bool beside(char path[PATH_MAX], const char *before, const char *file)
{
    char  *slash = path[0] == '/' ? strrchr(path, '/') : NULL;
    size_t room;

    if (!slash)
        return false;
    room = PATH_MAX - (size_t)(slash + 1 - path);
    return (size_t)snprintf(slash + 1, room, "%s%s", before, file) < room;
}

static void try_file(struct tn_module *module, const char *path)
{
    const char *why;

    module->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    why            = module->handle ? NULL : dlerror();
    if (why && module->why[0] == '\0')
        snprintf(module->why, sizeof module->why, "%s", why);
}

static void try_path(struct tn_module *module, const char *path)
{
    if (module->handle || access(path, R_OK) != 0)
        return;
    module->there = true;
    try_file(module, path);
}

static void try_beside(struct tn_module *module, const char *ours, const char *before, const char *file)
{
    char path[PATH_MAX];

    if (realpath(ours, path) && beside(path, before, file))
        try_path(module, path);
}

/* Where the library was to be installed, for a program that it was linked into. */
static void try_installed(struct tn_module *module, const char *file)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%s/%s", TENON_LIBDIR_WHOLE, TENON_MODULE_DIR, file) < PATH_MAX)
        try_path(module, path);
}

struct tn_module tn_module_load(const char *file, const char *entry)
{
    struct tn_module module = { .handle = NULL };
    char             program[PATH_MAX];
    Dl_info          info;

    if (dladdr((const void *)&here, &info) != 0 && info.dli_fname && strchr(info.dli_fname, '/')) {
        try_beside(&module, info.dli_fname, "", file);
        try_beside(&module, info.dli_fname, TENON_MODULE_DIR "/", file);
    }
    if (tn_os_program(program, sizeof program)) {
        try_beside(&module, program, "", file);
        try_beside(&module, program, "../lib/", file);
        try_beside(&module, program, "../" TENON_LIBDIR "/" TENON_MODULE_DIR "/", file);
    }
    try_installed(&module, file);
    if (!module.handle)
        try_file(&module, file);
    if (module.handle)
        module.entry = dlsym(module.handle, entry);
    return module;
}
