/* control.h - what the guard and the supervisor of a child report to each other, over one socket of theirs.
 *
 * The guard sends one order, and later one byte that ends the child. The supervisor sends reports of a fixed
 * length. A socket that is closed ends the child as well, so that nothing outlives a guard that was killed.
 * Both are the same program, so that structs travel as they are; the lengths in them are checked all the
 * same.
 */
#ifndef GUARD_PROCESS_CONTROL_H
#define GUARD_PROCESS_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

#define CONTROL_HANDLE 3   /* of the supervisor */
#define CONTROL_END    'E' /* the byte that ends the child */

#define ORDER_BYTES_MAX ((size_t)4 << 20) /* of all texts; the system's own limit for a program is about half of it */
#define ORDER_HEAD_MAX  ((size_t)64)      /* what stands before them */
#define ORDER_TEXTS_MAX ((size_t)16384)   /* words, or variables */

/* What is to be run. */
struct tn_order {
    const char *const *words;       /* up to NULL, at least one; never a line for a shell */
    const char *const *environment; /* NAME=VALUE up to NULL: all that the child gets */
    const char        *directory;   /* NULL: the guard's own */
    uint64_t           memory;      /* bytes of data that each process may have; 0: as many as there are */
};

/* Appends an order as it travels: its head, then its texts. False when it is longer than allowed, or without
 * memory. */
bool tn_order_write(struct tn_buf *to, const struct tn_order *order);

/* Reads one from a socket, and waits for it; false when the other end closes, or sends anything else. Its
 * texts are in the arena. */
bool tn_order_read(int control, struct tn_arena *arena, struct tn_order *order);

/* Which step of a start failed. */
enum tn_start_step {
    START_PROTECT,     /* session, subreaper, no_new_privs */
    START_FORK,        /* a process, or a handle for it */
    START_LIMIT,       /* of memory */
    START_DIRECTORY,   /* it cannot be entered */
    START_PROGRAM,     /* it is not found, or must not be run */
    START_INTERPRETER, /* the program is there, but not what its first line names */
    START_STEPS
};

enum tn_report_kind {
    REPORT_RUNNING = 1, /* the program runs: `process` */
    REPORT_FAILED,      /* it never did: `step` and `error` */
    REPORT_EXITED,      /* it ended: `code`, or -1 and `signal` */
    REPORT_DONE         /* and nothing that it started is left; the last report */
};

struct tn_report {
    int32_t kind;
    int32_t process;
    int32_t step, error;
    int32_t code, signal;
};

#endif
