/* judge.c - a server whose tools do what they should not: print, read, wait, ignore that they were cancelled. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tenon/tenon.h>

#include "support/schema_tool.h"

typedef struct {
    const char *text;
} text_args;

typedef struct {
    int ms;
} time_args;

typedef struct {
    int count;
} count_args;

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 }, NULL);
}

static tenon_outcome echo(tenon_call *call, const text_args *args)
{
    tenon_text(call, "%s", args->text);
    return tenon_ok(call);
}

TENON_TOOL(echo, text_args, TENON_INFO("Say it again."), TENON_STR(text, "What to say.", .required = true));

static tenon_outcome print_it(tenon_call *call, const text_args *args)
{
    printf("printed %s\n", args->text);
    fflush(stdout);
    if (write(STDOUT_FILENO, "written\n", 8) != 8 ||
        system("echo from a child; echo to descriptor 1 >&1") != 0)
        return tenon_internal(call, "printing failed");
    return tenon_ok(call);
}

TENON_TOOL(print_it, text_args, TENON_INFO("Print to standard output.", .name = "print"),
    TENON_STR(text, "What to print.", .required = true));

static tenon_outcome swallow(tenon_call *call)
{
    char    bytes[4096];
    ssize_t len  = read(STDIN_FILENO, bytes, sizeof bytes);
    int     done = system("cat >/dev/null");

    tenon_text(call, "%d bytes, %d", (int)len, done);
    return tenon_ok(call);
}

TENON_TOOL0(swallow, TENON_INFO("Read standard input.", .blocking = true));

static tenon_outcome wait_for(tenon_call *call, const time_args *args)
{
    fprintf(stderr, "waiting\n");
    for (int i = 0; i < args->ms; i += 10) {
        if (tenon_is_cancelled(call)) {
            fprintf(stderr, "cancelled\n");
            return tenon_cancelled(call);
        }
        sleep_ms(10);
    }
    tenon_text(call, "waited %d", args->ms);
    return tenon_ok(call);
}

TENON_TOOL(wait_for, time_args, TENON_INFO("Wait.", .name = "wait", .blocking = true),
    TENON_INT(ms, "How long.", .range = {0, 60000}, .def = 100));

static tenon_outcome hang(tenon_call *call, const time_args *args)
{
    sleep_ms(args->ms);
    return tenon_ok(call);
}

TENON_TOOL(hang, time_args, TENON_INFO("Wait, whatever happens.", .blocking = true, .deadline_ms = 50),
    TENON_INT(ms, "How long.", .range = {0, 60000}, .def = 100));

static tenon_outcome repeat(tenon_call *call, const count_args *args)
{
    char *text = tenon_alloc(call, (size_t)args->count + 1);

    if (text)
        memset(text, 'x', (size_t)args->count);
    tenon_text(call, "%s", text ? text : "");
    return tenon_ok(call);
}

TENON_TOOL(repeat, count_args, TENON_INFO("Say x, often.", .budget = 8000000),
    TENON_INT(count, "How often.", .range = {0, 3000000}, .def = 1));

static tenon_outcome repeat_slowly(tenon_call *call, const count_args *args)
{
    return repeat(call, args);
}

TENON_TOOL(repeat_slowly, count_args, TENON_INFO("Say x, often, on a worker.", .blocking = true, .budget = 8000000),
    TENON_INT(count, "How often.", .range = {0, 3000000}, .def = 1));

TENON_ROWS(name_rows, text_args, TENON_STR(text, "A name.", .required = true));

static tenon_outcome ask(tenon_call *call)
{
    const text_args *given;

    switch (tenon_elicit(call, "name", name_rows, &given, "Who are you?")) {
    case TENON_REPLY_PENDING: return tenon_ask(call);
    case TENON_REPLY_ACCEPTED: break;
    default: return tenon_fail(call, TENON_CODE_DENIED, "No name was given.");
    }
    tenon_text(call, "hello %s", given->text);
    return tenon_ok(call);
}
TENON_TOOL0(ask, TENON_INFO("Ask for a name, on a worker.", .blocking = true));

static tenon_outcome report(tenon_call *call, const count_args *args)
{
    for (int i = 0; i < args->count; i++)
        tenon_progress(call, i, args->count, "%d", i);
    return tenon_ok(call);
}

TENON_TOOL(report, count_args, TENON_INFO("Tell progress, often.", .blocking = true),
    TENON_INT(count, "How often.", .range = {0, 1000000}, .def = 1));

/* As a program with a loop of its own: --loop. It sleeps until there is something to do, so that whatever is forgotten hangs. */
static int serve_in_loop(tenon_server *server)
{
    struct pollfd ready = { .events = POLLIN };
    int           turns = 0;

    tenon_server_set(server, "stdio", "");
    if (tenon_server_open(server) != TENON_OK) {
        fprintf(stderr, "%s\n", tenon_server_error(server));
        return 1;
    }
    ready.fd = tenon_server_fd(server);
    do {
        poll(&ready, 1, -1);
        turns++;
    } while (tenon_server_poll(server, 0) >= 0);
    fprintf(stderr, "%s\n", turns < 100000 ? "it slept" : "it turned without end");
    tenon_server_free(server);
    return 0;
}

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("judge", "1.0.0");

    printf("printed before it serves\n");
    tenon_server_add(server, echo_tool());
    tenon_server_add(server, print_it_tool());
    tenon_server_add(server, swallow_tool());
    tenon_server_add(server, wait_for_tool());
    tenon_server_add(server, hang_tool());
    tenon_server_add(server, repeat_tool());
    tenon_server_add(server, repeat_slowly_tool());
    tenon_server_add(server, ask_tool());
    tenon_server_add(server, report_tool());
    tenon_server_add(server, by_schema_tool());
    tenon_server_add(server, numbers_tool());
    tenon_server_add(server, hard_tool());
    return argc == 2 && strcmp(argv[1], "--loop") == 0 ? serve_in_loop(server)
                                                       : tenon_server_main(server, argc, argv);
}
