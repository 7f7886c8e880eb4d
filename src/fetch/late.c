/* late.c - loading a library of the system, once. */
#include "fetch/late.h"

#include <dlfcn.h>

/* Two threads may both load it, which the loader counts. It is never unloaded. All that it needs is bound at once, as in every
 * program of ours (cmake/options.cmake says why). */
static void *handle_of(struct tn_late *library)
{
    void *handle = atomic_load_explicit(&library->handle, memory_order_acquire);

    if (handle)
        return handle;
    handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    atomic_store_explicit(&library->handle, handle, memory_order_release);
    return handle;
}

void *tn_late_find(struct tn_late *library, _Atomic(void *) *known, const char *name)
{
    void *found = atomic_load_explicit(known, memory_order_acquire), *handle;

    if (found)
        return found;
    handle = handle_of(library);
    found  = handle ? dlsym(handle, name) : NULL;
    atomic_store_explicit(known, found, memory_order_release);
    return found;
}
