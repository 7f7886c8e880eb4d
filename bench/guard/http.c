/* http.c - calls a server over one connection of HTTP, and measures what of it the server's process used.
 *
 *     guard http PORT CALLS CORE FILE [--legacy] [--sessions N WARM] [--counts FILE] -- COMMAND...
 *
 * Starts COMMAND on CORE, which listens on PORT of this machine, and sends the call of FILE again and again, each after the
 * answer to the one before; as a client of 2026-07-28, or with --legacy of 2025-11-25 with a session. Then, with --sessions,
 * WARM and N sessions are opened one after the other, each with one call, and closed. Prints lines of a name and a number: nanoseconds of CPU
 * time of the process a call, and of the whole by the clock; its memory after a tenth of the calls and at the end, in KiB, and the
 * same for sessions after WARM of them. With --counts, the file of bench/guard/count: allocations of a call, and how many are alive.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/guard/client.h"

static const volatile unsigned long *counts; /* allocations, and how many are alive; or NULL */

struct wanted {
    size_t sessions, warm_sessions;
    int    core;
    bool   legacy;
};

/* What is looked at after a tenth, and at the end. */
struct look {
    long          rss, anon;
    unsigned long allocations, alive;
};

static struct look look(void)
{
    return (struct look){ .rss         = memory_kib("VmRSS"),
                          .anon        = memory_kib("RssAnon"),
                          .allocations = counts ? counts[0] : 0,
                          .alive       = counts ? counts[1] : 0 };
}

static void map_counts(const char *path)
{
    int   fd = open(path, O_RDONLY);
    void *at = fd < 0 ? MAP_FAILED : mmap(NULL, 2 * sizeof *counts, PROT_READ, MAP_SHARED, fd, 0);

    if (at == MAP_FAILED)
        fail("the counts cannot be read", path);
    counts = at;
    close(fd);
}

static void report_memory(const char *of, const struct look *warm, const struct look *end, size_t count)
{
    printf("%srss_warm %ld\n%srss_end %ld\n%sanon_warm %ld\n%sanon_end %ld\n", of, warm->rss, of, end->rss,
           of, warm->anon, of, end->anon);
    if (counts)
        printf("%sallocations %f\n%salive_warm %lu\n%salive_end %lu\n", of,
               (double)(end->allocations - warm->allocations) / (double)count, of, warm->alive, of,
               end->alive);
}

static void measure_calls(int line, const char *post, size_t len, size_t calls)
{
    struct look warm, end;
    double      cpu, began;

    for (size_t i = 0; i < calls / 10 + 10; i++)
        ask(line, post, len);
    if (!strstr(answer, "20 results at high"))
        fail("not the answer to the call", answer);
    warm  = look();
    cpu   = server_cpu();
    began = now(CLOCK_MONOTONIC);
    for (size_t i = 0; i < calls; i++)
        ask(line, post, len);
    printf("cpu_ns %.0f\nwall_ns %.0f\n", (server_cpu() - cpu) / (double)calls,
           (now(CLOCK_MONOTONIC) - began) / (double)calls);
    end = look();
    report_memory("", &warm, &end, calls);
}

static void one_session(int line, const char *call)
{
    static char post[1 << 17];
    char        session[512] = "";
    int         len;

    greet(line, session, sizeof session);
    if (session[0] == '\0')
        fail("there is no session", answer);
    ask(line, post, write_post(post, sizeof post, call, NULL, session));
    len = snprintf(post, sizeof post, "DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", session);
    ask(line, post, (size_t)len);
}

static void measure_sessions(int line, const char *call, size_t sessions, size_t first)
{
    struct look warm, end;

    for (size_t i = 0; i < first; i++)
        one_session(line, call);
    warm = look();
    for (size_t i = 0; i < sessions; i++)
        one_session(line, call);
    end = look();
    report_memory("sessions_", &warm, &end, sessions);
}

/* The options; where the command begins. */
static int read_options(int argc, char **argv, int at, struct wanted *wanted, const char **counted)
{
    for (; at < argc && strcmp(argv[at], "--"); at++)
        if (!strcmp(argv[at], "--legacy")) {
            wanted->legacy = true;
        } else if (!strcmp(argv[at], "--sessions") && at + 2 < argc) {
            wanted->sessions      = strtoul(argv[++at], NULL, 10);
            wanted->warm_sessions = strtoul(argv[++at], NULL, 10);
        } else if (!strcmp(argv[at], "--counts") && at + 1 < argc) {
            *counted = argv[++at];
        } else {
            fail("there is no option", argv[at]);
        }
    return at + 1;
}

int drive_http(int argc, char **argv)
{
    static char   call[1 << 16], post[1 << 17];
    char          session[512] = "";
    const char   *counted      = NULL;
    struct wanted wanted       = { .core = argc > 3 ? atoi(argv[3]) : 0 };
    int           at           = argc > 5 ? read_options(argc, argv, 5, &wanted, &counted) : argc, line;
    size_t        len;

    if (at >= argc)
        fail("usage: guard http PORT CALLS CORE FILE [--legacy] [--sessions N WARM] [--counts FILE] -- "
             "COMMAND...",
             NULL);
    read_call(argv[4], call, sizeof call);
    pin(wanted.core);
    start(argv + at);
    line = reach(atoi(argv[1]));
    if (counted)
        map_counts(counted);
    if (wanted.legacy)
        greet(line, session, sizeof session);
    len = write_post(post, sizeof post, call, wanted.legacy ? NULL : TOOL, session);
    measure_calls(line, post, len, strtoul(argv[2], NULL, 10));
    if (wanted.sessions > 0)
        measure_sessions(line, call, wanted.sessions, wanted.warm_sessions);
    stop();
    return 0;
}
