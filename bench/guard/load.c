/* load.c - calls tools over many connections at once, and measures how long each waited.
 *
 *     guard load PORT CONNECTIONS CALLS CORE FILE NAME,... [--beside NAME COUNT] -- COMMAND...
 *
 * Starts COMMAND on CORE and calls the tools of these names by turns, one on each connection, each call after the answer to the one
 * before, CALLS in all: the call of FILE with the name put in, as a client of 2026-07-28. With --beside, COUNT more connections call
 * the tool NAME all the time; what they get is not measured. Prints lines of a name and a number: nanoseconds of a call by the clock,
 * of the CPU time of all that takes part in it, and of the server's process; the median, the 99th percentile and the most of the time
 * to an answer in microseconds.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "bench/guard/client.h"

enum { LINES_MAX = 256, NAMES_MAX = 16, ANSWER_MAX = 1 << 16, CALL_MAX = 1 << 14, EVENTS = 64 };

struct line {
    int    fd;
    bool   beside;
    double sent;
    size_t len, held; /* of the request, and of its answer so far */
    char   post[CALL_MAX], answer[ANSWER_MAX];
};

static struct line lines[LINES_MAX];
static size_t      line_count, left, taken;
static float      *took; /* microseconds of each call */
static int         events;

static void line_open(int port, const char *call, const char *name, bool beside)
{
    static const char  key[] = "\"name\":\"" TOOL "\"";
    const char        *place = strstr(call, key);
    struct line       *line  = &lines[line_count];
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = line };
    char               body[CALL_MAX / 2];

    if (!place || line_count == LINES_MAX)
        fail("not a call of the tool " TOOL ", or too many connections", call);
    line_count++;
    snprintf(body, sizeof body, "%.*s\"name\":\"%s\"%s", (int)(place - call), call, name,
             place + sizeof key - 1);
    line->len    = write_post(line->post, sizeof line->post, body, name, "");
    line->beside = beside;
    line->fd     = reach(port);
    epoll_ctl(events, EPOLL_CTL_ADD, line->fd, &event);
}

static void line_send(struct line *line)
{
    line->held = 0;
    line->sent = now(CLOCK_MONOTONIC);
    if (write(line->fd, line->post, line->len) != (ssize_t)line->len)
        fail("it takes no more", NULL);
}

/* Takes what came; the next call goes out when the answer is whole. */
static void line_take(struct line *line)
{
    ssize_t got = read(line->fd, line->answer + line->held, sizeof line->answer - 1 - line->held);

    if (got <= 0)
        fail("it closed a connection", line->answer);
    line->held += (size_t)got;
    line->answer[line->held] = '\0';
    if (!whole(line->answer, line->held))
        return;
    if (line->beside) {
        line_send(line);
        return;
    }
    if (!strstr(line->answer, "20 results at high"))
        fail("not the answer to the call", line->answer);
    took[taken++] = (float)((now(CLOCK_MONOTONIC) - line->sent) / 1000);
    if (left > 0) {
        left--;
        line_send(line);
    }
}

static void run(size_t calls)
{
    struct epoll_event ready[EVENTS];

    taken = 0;
    left  = calls;
    for (size_t i = 0; i < line_count && left > 0; i++)
        if (!lines[i].beside) {
            left--;
            line_send(&lines[i]);
        }
    while (taken < calls) {
        int count = epoll_wait(events, ready, EVENTS, -1);

        for (int i = 0; i < count; i++)
            line_take(ready[i].data.ptr);
    }
}

static int by_length(const void *left_one, const void *right_one)
{
    float a = *(const float *)left_one, b = *(const float *)right_one;

    return (a > b) - (a < b);
}

static void measure(size_t calls)
{
    double cpu, tree, began;

    for (size_t i = 0; i < line_count; i++)
        if (lines[i].beside)
            line_send(&lines[i]);
    run(calls / 10 + line_count);
    cpu   = server_cpu();
    tree  = tree_cpu();
    began = now(CLOCK_MONOTONIC);
    run(calls);
    printf("wall_ns %.0f\ntree_ns %.0f\ncpu_ns %.0f\n", (now(CLOCK_MONOTONIC) - began) / (double)calls,
           (tree_cpu() - tree) / (double)calls, (server_cpu() - cpu) / (double)calls);
    qsort(took, taken, sizeof *took, by_length);
    printf("p50_us %.1f\np99_us %.1f\nmost_us %.1f\n", took[taken / 2], took[taken * 99 / 100],
           took[taken - 1]);
}

static void open_lines(int port, size_t connections, const char *call, char *names)
{
    const char *all[NAMES_MAX];
    size_t      count = 0;

    for (char *name = strtok(names, ","); name && count < NAMES_MAX; name = strtok(NULL, ","))
        all[count++] = name;
    for (size_t i = 0; count > 0 && i < connections; i++)
        line_open(port, call, all[i % count], false);
}

int drive_load(int argc, char **argv)
{
    static char call[CALL_MAX / 4];
    bool        beside = argc > 9 && !strcmp(argv[7], "--beside");
    int         at     = beside ? 11 : 8;
    size_t      calls  = argc > at ? strtoul(argv[3], NULL, 10) : 0;

    if (calls == 0 || strcmp(argv[at - 1], "--"))
        fail(
            "usage: guard load PORT CONNECTIONS CALLS CORE FILE NAME,... [--beside NAME COUNT] -- COMMAND...",
            NULL);
    took   = malloc((calls + calls / 10 + LINES_MAX) * sizeof *took);
    events = epoll_create1(EPOLL_CLOEXEC);
    if (!took || events < 0)
        fail("no memory", NULL);
    read_call(argv[5], call, sizeof call);
    pin(atoi(argv[4]));
    start(argv + at);
    open_lines(atoi(argv[1]), strtoul(argv[2], NULL, 10), call, argv[6]);
    for (size_t i = 0; beside && i < strtoul(argv[9], NULL, 10); i++)
        line_open(atoi(argv[1]), call, argv[8], true);
    measure(calls);
    stop();
    free(took);
    return 0;
}
