/* watch.h - one descriptor that stands for all that a client waits for. */
#ifndef NET_CLIENT_WATCH_H
#define NET_CLIENT_WATCH_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
