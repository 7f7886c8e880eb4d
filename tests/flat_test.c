/* flat_test.c - memory stays flat: after a warm-up, thousands of calls leave as many bytes allocated as before, whatever
 * they were: good, bad, with questions, over HTTP or in memory.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tenon/server.h>

#include "support/loopback.h"
#include "support/offered.h"

#define WARM_UP 300
#define CALLS   6000

static atomic_size_t bytes;

static void *count_bytes(void *user, void *block, size_t old_len, size_t new_len)
{
    void *grown;

    (void)user;
    if (new_len == 0) {
        free(block);
        atomic_fetch_sub(&bytes, old_len);
        return NULL;
    }
    grown = realloc(block, new_len);
    if (grown) {
        atomic_fetch_sub(&bytes, old_len);
        atomic_fetch_add(&bytes, new_len);
    }
    return grown;
}

static const tenon_allocator counting = { count_bytes, NULL };

#define ENVELOPE(capabilities)                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientCapabilities\":" capabilities "}"

/* ---- In memory ----------------------------------------------------------------------------------------------- */

static const char *const messages[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}," ENVELOPE("{}") "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"txt\":7,\"times\":\"9\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"resources/read\",\"params\":{\"uri\":\"app://files/x\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"prompts/"
    "get\",\"params\":{\"name\":\"review\",\"arguments\":{\"path\":\"a\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"greet\"," ENVELOPE(
        "{\"elicitation\":{}}") "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"greet\"}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}",
    "not json",
};

static void ignore(void *user, const char *json, size_t len)
{
    (void)user, (void)json, (void)len;
}

static void test_memory(void **state)
{
    tenon_server *server = offered_server(&counting);
    tenon_link   *link   = tenon_link_new(server, ignore, NULL);
    size_t        before = 0;

    (void)state;
    assert_non_null(link);
    for (size_t i = 0; i < CALLS; i++) {
        if (i == WARM_UP)
            before = atomic_load(&bytes);
        for (size_t m = 0; m < sizeof messages / sizeof *messages; m++)
            tenon_link_send(link, messages[m], strlen(messages[m]));
    }
    assert_int_equal(atomic_load(&bytes), before);
    tenon_link_free(link);
    tenon_server_free(server);
    assert_int_equal(atomic_load(&bytes), 0);
}

/* ---- Over HTTP ----------------------------------------------------------------------------------------------- */

static void test_http(void **state)
{
    tenon_server *server = offered_server(&counting);
    char          text[65536];
    size_t        before = 0;
    int           fd;

    (void)state;
    tenon_server_set(server, "http", "127.0.0.1:0");
    assert_int_equal(tenon_server_start(server), TENON_OK);
    fd = loopback_connect(tenon_server_url(server));
    for (size_t i = 0; i < CALLS; i++) {
        if (i == WARM_UP)
            before = atomic_load(&bytes);
        loopback_send(fd, "picture");
        loopback_read(fd, text, sizeof text);
    }
    assert_true(atomic_load(&bytes) <= before + 4096); /* the loop may be about to give something back */
    close(fd);
    tenon_server_free(server);
    assert_int_equal(atomic_load(&bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_memory), cmocka_unit_test(test_http) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
