/* embed_test.c - a server inside a program that keeps its own main: on threads, polled, and in memory, side by side. */
#define _GNU_SOURCE
#include <pthread.h>
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

#include "support/loopback.h"

/* ---- A tool that says where it runs -------------------------------------------------------------------------- */

static pthread_t ran_on;
static size_t    runs;

static tenon_outcome where(tenon_call *call)
{
    ran_on = pthread_self();
    runs++;
    tenon_text(call, "here");
    return tenon_ok(call);
}
TENON_TOOL0(where, TENON_INFO("Say where it runs.", .hints = TENON_READ_ONLY));

static tenon_outcome wait_there(tenon_call *call)
{
    ran_on = pthread_self();
    usleep(20000);
    tenon_text(call, "there");
    return tenon_ok(call);
}
TENON_TOOL0(wait_there, TENON_INFO("Wait a little.", .blocking = true));

static tenon_server *make(void)
{
    tenon_server *server = tenon_server_new("embedded", "1");

    tenon_server_add(server, where_tool());
    tenon_server_add(server, wait_there_tool());
    tenon_server_set(server, "http", "127.0.0.1:0");
    tenon_server_set(server, "log", "error");
    return server;
}

/* ---- A client of its own ------------------------------------------------------------------------------------- */

static void call_tool(const tenon_server *server, const char *tool, const char *want)
{
    char text[4096];
    int  fd = loopback_connect(tenon_server_url(server));

    loopback_send(fd, tool);
    loopback_read(fd, text, sizeof text);
    close(fd);
    if (!strstr(text, want))
        fail_msg("wanted %s, came: %s", want, text);
}

/* ---- On threads ---------------------------------------------------------------------------------------------- */

static void test_threads(void **state)
{
    struct sigaction before, after;
    sigset_t         mask_before, mask_after;
    tenon_server    *server = make();

    (void)state;
    sigaction(SIGTERM, NULL, &before);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    for (int i = 0; i < 3; i++) { /* and again */
        assert_int_equal(tenon_server_start(server), TENON_OK);
        call_tool(server, "where", "here");
        assert_false(pthread_equal(ran_on, pthread_self()));
        call_tool(server, "wait_there", "there");
        tenon_server_stop(server);
    }
    sigaction(SIGTERM, NULL, &after);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    assert_true(before.sa_handler == after.sa_handler);
    for (int i = 1; i < 32; i++)
        assert_int_equal(sigismember(&mask_before, i), sigismember(&mask_after, i));
    tenon_server_free(server);
}

static void test_freed_while_it_runs(void **state)
{
    tenon_server *server = make();

    (void)state;
    assert_int_equal(tenon_server_start(server), TENON_OK);
    call_tool(server, "where", "here");
    tenon_server_free(server);
}

/* ---- Polled -------------------------------------------------------------------------------------------------- */

static void test_polled(void **state)
{
    static const char *const tools[] = { "where", "wait_there" };
    tenon_server            *server  = make();
    char                     text[4096];

    (void)state;
    assert_int_equal(tenon_server_open(server), TENON_OK);
    assert_true(tenon_server_fd(server) >= 0);
    for (size_t i = 0; i < 2; i++) {
        int    fd       = loopback_connect(tenon_server_url(server));
        size_t before   = runs;
        int    answered = 0;

        loopback_send(fd, tools[i]);
        assert_int_equal(runs, before); /* nothing happens by itself */
        while (answered == 0)
            answered = tenon_server_poll(server, 1000);
        assert_true(answered > 0);
        assert_true(pthread_equal(ran_on, pthread_self()));
        tenon_server_poll(server, 0);
        loopback_read(fd, text, sizeof text);
        close(fd);
        assert_non_null(strstr(text, i == 0 ? "here" : "there"));
    }
    assert_int_equal(tenon_server_poll(server, 0), 0);
    tenon_server_stop(server);
    assert_int_equal(tenon_server_poll(server, 0), -1);
    tenon_server_free(server);
}

/* ---- In memory, beside HTTP ---------------------------------------------------------------------------------- */

static void keep(void *user, const char *json, size_t len)
{
    char *text = user;

    snprintf(text, 4096, "%.*s", (int)len, json);
}

static void test_memory(void **state)
{
    static const char call[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"where\"}}";
    char          text[4096] = "";
    tenon_server *server     = make();
    tenon_link   *link       = tenon_link_new(server, keep, text);

    (void)state;
    assert_non_null(link);
    assert_int_equal(tenon_server_start(server), TENON_OK);
    tenon_link_send(link, call, sizeof call - 1);
    assert_non_null(strstr(text, "here"));
    assert_true(pthread_equal(ran_on, pthread_self()));
    call_tool(server, "where", "here");
    tenon_link_free(link);
    tenon_server_free(server);
}

/* ---- Mistakes ------------------------------------------------------------------------------------------------ */

static void test_mistakes(void **state)
{
    tenon_server *server = make();

    (void)state;
    assert_int_not_equal(tenon_server_set(server, "htpp", "x"), TENON_OK);
    assert_non_null(strstr(tenon_server_error(server), "http"));
    assert_int_not_equal(tenon_server_start(server), TENON_OK);
    tenon_server_free(server);

    server = make();
    assert_int_equal(tenon_server_set(server, "http", "0.0.0.0:0"), TENON_OK);
    assert_int_not_equal(tenon_server_start(server), TENON_OK); /* nobody is asked who they are */
    assert_non_null(tenon_server_error(server));
    tenon_server_free(server);

    assert_int_not_equal(tenon_server_start(NULL), TENON_OK);
    assert_non_null(tenon_server_error(NULL));
    tenon_server_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_freed_while_it_runs),
        cmocka_unit_test(test_polled),   cmocka_unit_test(test_memory),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
