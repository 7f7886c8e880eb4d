/* module.h - parts of the library that are loaded when they are asked for, so that programs that never do never see what
 * those need.
 *
 * A module is looked for beside the code that asks (libtenon, or the program that it was linked into), in ../lib of the
 * program, in the folder of modules that this version installs (lib/tenon-MAJOR.MINOR, so that versions stand side by
 * side), and where the system looks. Only absolute places: what lies in the working directory is never loaded.
 */
#ifndef NET_MODULE_H
#define NET_MODULE_H

#include <stdbool.h>

#define MODULE_WHY_MAX 300

struct tn_module {
    void *handle; /* NULL when it cannot be loaded */
    void *entry;  /* its function, or NULL when it is not one of ours */
    bool  there;  /* a file of that name is, but something it needs may not be */
    char  why[MODULE_WHY_MAX];
};

struct tn_module tn_module_load(const char *file, const char *entry);

#endif
