/* late.h - libraries that are loaded when one of their functions is first called, so that a program that never calls one has
 * neither their memory nor their time at its start. libcurl alone brings some thirty other libraries.
 *
 * A file that stands in for a library defines the functions that this program uses of it, under their own names and by its own
 * headers; each leads to the library's. The callers are written, and checked by the compiler, as if it were linked.
 */
#ifndef FETCH_LATE_H
#define FETCH_LATE_H

#include <stdatomic.h>
#include <string.h>

struct tn_late {
    const char     *file; /* as the system's loader knows it: "libcurl.so.4" */
    _Atomic(void *) handle;
};

/* The function of that name, which *known keeps; NULL when the library cannot be loaded, or is not the one that was expected. */
void *tn_late_find(struct tn_late *library, _Atomic(void *) *known, const char *name);

/* Defines NAME; MISSING is what it returns without the library. */
#define LATE(library, missing, type, name, parameters, arguments)    \
    type name parameters                                             \
    {                                                                \
        static _Atomic(void *) known;                                \
        void                  *found = tn_late_find(&(library), &known, #name); \
        type(*function) parameters;                                  \
                                                                     \
        memcpy(&function, &found, sizeof function);                  \
        return found ? function arguments : (missing);               \
    }

/* The same of one that returns nothing. */
#define LATE_VOID(library, name, parameters, arguments)              \
    void name parameters                                             \
    {                                                                \
        static _Atomic(void *) known;                                \
        void                  *found = tn_late_find(&(library), &known, #name); \
        void(*function) parameters;                                  \
                                                                     \
        memcpy(&function, &found, sizeof function);                  \
        if (found)                                                   \
            function arguments;                                      \
    }

#endif
