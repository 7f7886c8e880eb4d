/* program.h - a server that stands between two pipes of ours, in a process group of its own. */
#ifndef CLI_WIRE_PROGRAM_H
#define CLI_WIRE_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

struct program {
    pid_t child;   /* 0 when there is none */
    int   in, out; /* our ends, of which `in` does not block; -1 when closed */
};

/* Starts it, with a final NULL after its words; 0 or an errno. Standard error stays ours. */
int program_start(struct program *program, char *const *words);

/* Closes its input and waits for its end: 2 s by itself, then SIGTERM, after 1 s SIGKILL, for all of its group. */
void program_stop(struct program *program);

#endif
