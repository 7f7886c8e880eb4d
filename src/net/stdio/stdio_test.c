/* stdio_test.c - a client at a pipe, with every allocation refused in turn. */
#define _GNU_SOURCE
#include "net/stdio/stdio.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tenon/tenon.h>

#include "net/runner.h"
#include "support/fault.h"

#define PINGS 50

static tenon_outcome greet(tenon_call *call)
{
    tenon_text(call, "hello");
    return tenon_ok(call);
}
TENON_TOOL0(greet, TENON_INFO("Say hello.", .blocking = true));

static const char messages[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n"
    "not a message\n"
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"greet\"}}\n";

static void note_over(void *user)
{
    *(bool *)user = true;
}

/* How many lines come back for what is written; -1 when it does not open. */
static int answers_to(tenon_server *server, struct tn_settings *settings, const char *text)
{
    struct tn_serving serving = { .server = server, .settings = settings };
    struct stdio     *stdio;
    struct tn_loop    loop;
    int               in[2], out[2], lines = 0;
    bool              over = false;
    char              bytes[4096];
    ssize_t           got;

    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    assert_int_equal(write(in[1], text, strlen(text)), strlen(text));
    close(in[1]);
    assert_int_equal(tn_loop_init(&loop, NULL), TENON_OK);
    if (tn_stdio_open(&stdio, &serving, &loop, in[0], out[1], note_over, &over) != TENON_OK) {
        lines = -1;
    } else {
        tn_loop_run(&loop, UV_RUN_DEFAULT);
        assert_true(over);
        tn_stdio_free(stdio);
    }
    tn_loop_free(&loop);
    while ((got = read(out[0], bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++)
            lines += bytes[i] == '\n';
    close(out[0]);
    return lines;
}

static int serve_one(const tenon_allocator *memory, struct tn_settings *settings, const char *text)
{
    tenon_server *server = tenon_server_new("test", "1.0.0", .memory = memory);
    int           lines  = -1;

    tenon_server_add(server, greet_tool());
    if (tn_mcp_prepare(server) == TENON_OK)
        lines = answers_to(server, settings, text);
    tenon_server_free(server);
    return lines;
}

/* With less memory there are fewer answers, or none; never a wrong end. */
static void refused_memory(void **state)
{
    struct tn_settings *settings = *state;
    bool                refused  = true;

    for (size_t n = 1; refused; n++) {
        struct tn_fault fault  = { .refuse_at = n, .refuse_rest = n % 2 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        int             lines  = serve_one(&memory, settings, messages);

        assert_true(lines <= 4);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        refused = fault.refused;
        if (!refused)
            assert_int_equal(lines, 4);
    }
}

/* Once everything has its room, messages take no memory. */
static void a_message_takes_no_memory(void **state)
{
    static const char ping[]                        = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n";
    char              text[2 * PINGS * sizeof ping] = "";
    size_t            requests[2];

    for (int round = 0; round < 2; round++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);

        for (int i = 0; i < PINGS; i++)
            strcat(text, ping);
        assert_int_equal(serve_one(&memory, *state, text), PINGS * (round + 1));
        requests[round] = fault.requests;
    }
    assert_int_equal(requests[0], requests[1]);
}

static int make_settings(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    *state = tn_settings_new(NULL);
    return *state ? 0 : -1;
}

static int free_settings(void **state)
{
    tn_settings_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_memory),
        cmocka_unit_test(a_message_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, make_settings, free_settings);
}
