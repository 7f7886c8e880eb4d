/* inside.h - the guard's lock, for the files of this folder. */
#ifndef GUARD_PINS_INSIDE_H
#define GUARD_PINS_INSIDE_H

#include "contract/lock.h"
#include "guard/pins/pins.h"

#define PINS_LOGGED_MAX ((size_t)4096) /* things that are logged once */
#define PINS_COMPARED_MAX 64            /* changes that are compared for the log: it takes a moment, and a server can cause it */
#define PINS_COMPARED_LEN ((size_t)64 << 10)
#define PINS_KEPT_MAX   ((size_t)256)  /* definitions that an operator keeps */
#define PINS_WARNED_MAX ((size_t)4096) /* callers and tools of one list */

/* A changed definition, in whose place the approved one is published by the word of an operator. */
struct tn_kept {
    const struct tn_upstream *upstream;
    struct tn_slice           name;
    char                      hash[HASH_LEN + 1];
};

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
    size_t          compared;
    struct tn_arena arena; /* of what was logged */
    struct tn_table logged;
    size_t          logged_count;
    struct tn_kept  kept[PINS_KEPT_MAX];
    size_t          kept_count;
};

/* Does an operator keep what was approved, although the definition is this one now? */
bool tn_pins_keeps(const struct tn_guard *guard, const struct tn_upstream *upstream, struct tn_slice name,
                   const char *hash);

/* True the first time. */
bool tn_pins_once(struct tn_guard *guard, const char *what, struct tn_slice name, const char *hash);

#endif
