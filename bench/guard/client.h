/* client.h - what the drivers share: the process that is measured, and a client of it over HTTP. */
#ifndef BENCH_GUARD_CLIENT_H
#define BENCH_GUARD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#define TOOL "search" /* of bench/mcp/server.c */

extern pid_t server;

_Noreturn void fail(const char *what, const char *answer);

double now(clockid_t clock);
double server_cpu(void);             /* nanoseconds */
double tree_cpu(void);               /* of this process, the server and all that it started */
long   memory_kib(const char *name); /* "VmRSS", "RssAnon" */

void   pin(int core);
void   start(char **command);
int    reach(int port); /* a connection; waits until there is someone */
void   stop(void);
size_t read_call(const char *path, char *call, size_t room);

/* A POST of a body for that tool (NULL: for none), with a header of a session or "". */
size_t write_post(char *out, size_t room, const char *body, const char *tool, const char *session);

/* Where the answer ends that `len` bytes begin with, or 0 when more is to come. */
size_t whole(char *answer, size_t len);

/* Sends a request and waits for its answer, which stays in `answer`. */
void ask(int line, const char *text, size_t len);

/* The handshake of 2025-11-25; the header of the session, with its line's end. */
void greet(int line, char *session, size_t room);

extern char answer[1 << 20];

int drive_http(int argc, char **argv);
int drive_load(int argc, char **argv);
int drive_begin(int argc, char **argv);
int serve_badly(int argc, char **argv);

#endif
