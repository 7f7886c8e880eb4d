/* inside.h - the guard's lock, for the files of this folder. */
#ifndef GUARD_PINS_INSIDE_H
#define GUARD_PINS_INSIDE_H

#include "contract/lock.h"
#include "guard/pins/pins.h"

#define PINS_LOGGED_MAX ((size_t)4096) /* things that are logged once */
#define PINS_WARNED_MAX ((size_t)4096) /* callers and tools of one list */

struct tn_pins {
    struct tn_guard    *guard;
    struct tn_lock_file file;
    struct tn_lock      lock;
    yyjson_val        **servers; /* of each entry, in the lock's memory */
    struct {
        bool     known;
        uint64_t device, number;
        int64_t  size, changed_s, changed_ns;
    } identity; /* of the file that was read */
    uv_timer_t      timer;
    bool            watching;
    struct tn_arena arena; /* of what was logged */
    struct tn_table logged;
    size_t          logged_count;
};

/* True the first time. */
bool tn_pins_once(struct tn_guard *guard, const char *what, struct tn_slice name, const char *hash);

#endif
