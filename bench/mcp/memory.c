/* memory.c - the same call in memory: what it costs without a transport.
 *
 *     memory CALL CALLS [CORE]    the text of a call in the file CALL; prints lines of a name and a number
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "search.h"

enum { SAMPLE = 1000 };

static size_t answers, bad;

static void sink(void *user, const char *json, size_t len)
{
    (void)user;
    if (answers++ % SAMPLE == 0)
        bad += !memmem(json, len, "20 results at high, 2 tags.", 27) ||
               memmem(json, len, "\"isError\":true", 14);
}

static double now(clockid_t clock)
{
    struct timespec at;

    clock_gettime(clock, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static void send_many(tenon_link *link, const char *text, size_t len, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tenon_link_send(link, text, len);
}

static size_t read_call(const char *path, char *text, size_t size)
{
    FILE  *file = fopen(path, "rb");
    size_t len  = file ? fread(text, 1, size, file) : 0;

    if (file)
        fclose(file);
    while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    return len;
}

int main(int argc, char **argv)
{
    static char   text[65536];
    size_t        calls  = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    tenon_server *server = tenon_server_new("bench", "1.0.0");
    size_t        len    = argc > 1 ? read_call(argv[1], text, sizeof text) : 0;
    double        wall, cpu;
    cpu_set_t     cores;

    if (!len || !calls)
        return fputs("usage: memory CALL CALLS [CORE]\n", stderr), 2;
    if (argc > 3) {
        CPU_ZERO(&cores);
        CPU_SET(strtoul(argv[3], NULL, 10), &cores);
        sched_setaffinity(0, sizeof cores, &cores);
    }
    tenon_server_add(server, search_tool());
    tenon_link *link = tenon_link_new(server, sink, NULL);

    send_many(link, text, len, calls / 10 + 1);
    answers = 0;
    wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    send_many(link, text, len, calls);
    wall = now(CLOCK_MONOTONIC) - wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    tenon_link_free(link);
    tenon_server_free(server);
    if (answers != calls || bad)
        return fprintf(stderr, "memory: %zu answers to %zu calls, and %zu not a success\n", answers, calls,
                       bad),
               1;
    printf("wall_ns %.1f\ncpu_ns %.1f\n", wall / (double)calls, cpu / (double)calls);
    return 0;
}
