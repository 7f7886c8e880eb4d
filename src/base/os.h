/* os.h - what systems other than Linux do in another way: each part is a file, os_NAME.c, and nothing else of the library asks
 * which system it is on. docs/internals/portability.md says what another system needs.
 */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- os_watch.c: one descriptor that stands for many, and can itself be waited for --------------------------- */

enum { WATCH_READ = 1, WATCH_WRITE = 2 };

struct tn_watch {
    int fd; /* -1 when there is none */
};

struct tn_ready {
    int      fd;
    unsigned what; /* of WATCH_ */
};

#define WATCH_READY_MAX 32 /* that one wait reports; the rest come with the next */

bool tn_watch_init(struct tn_watch *watch);
void tn_watch_free(struct tn_watch *watch);

/* What is waited for of a descriptor from now on; 0 forgets it, before it is closed. False when the system refuses. */
bool tn_watch_set(struct tn_watch *watch, int fd, unsigned what);

/* Waits at most `timeout_ms` (-1: without end) and returns how many are ready. */
size_t tn_watch_wait(struct tn_watch *watch, struct tn_ready ready[WATCH_READY_MAX], int timeout_ms);

/* ---- os_alarm.c: a descriptor that is readable once its time has come --------------------------------------- */

/* -1 when the system has none left. */
int tn_os_alarm_new(void);

/* In so many milliseconds, 0 for at once, or never (-1); an alarm that rang is silent again. */
void tn_os_alarm_set(int fd, int ms);

/* ---- os_bell.c: a descriptor that is readable from one ring to the next silence ------------------------------ */

struct tn_bell {
    int fd; /* readable; -1 when the system has none left */
};

struct tn_bell tn_os_bell_new(void);
void           tn_os_bell_free(struct tn_bell *bell);
void           tn_os_bell_ring(const struct tn_bell *bell); /* from any thread */
void           tn_os_bell_silence(const struct tn_bell *bell);

/* ---- os_beneath.c: paths that the kernel resolves beneath a directory ---------------------------------------- */

/* Opens `path` with flags of open() and for a new file this mode; no way leads out of `dir`. -1 with errno, which is ENOSYS where the
 * system cannot do so: root.c then walks the path. */
int tn_os_open_beneath(int dir, const char *path, int flags, unsigned mode);

/* ---- os_descriptor.c: descriptors that no other process has --------------------------------------------------- */

/* A pipe whose ends are closed in programs that are started. */
bool tn_os_pipe(int ends[2]);

/* The file of `fd` once more, opened with these flags of open(): what is set on it does not show in other processes that have the
 * same pipe or terminal. -1 where the system cannot do so. */
int tn_os_reopen(int fd, int flags);

/* ---- os_process.c: this process --------------------------------------------------------------------------------- */

/* The path of its program, with its NUL; false where the system does not tell, or `size` is too small. */
bool tn_os_program(char *path, size_t size);

/* Resident memory in KiB, or 0 where the system does not tell. */
uint32_t tn_os_memory_kib(void);

/* Gives what was freed back to the system, where the C library keeps it: after much was freed. */
void tn_os_memory_trim(void);

#endif
