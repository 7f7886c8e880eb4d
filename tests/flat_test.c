/* flat_test.c - memory stays flat: after a warm-up, thousands of calls leave as many bytes allocated as before, whatever
 * they were: good, bad, with questions, over HTTP or in memory.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tenon/server.h>

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

static int connect_to(const char *url)
{
    struct sockaddr_in to = { .sin_family = AF_INET };
    unsigned           port;
    int                fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(sscanf(url, "http://127.0.0.1:%u/mcp", &port), 1);
    to.sin_port        = htons((uint16_t)port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Reads one answer with a Content-Length. */
static void read_answer(int fd)
{
    char   text[65536];
    size_t len = 0, want = SIZE_MAX;

    while (len < want) {
        ssize_t got = read(fd, text + len, sizeof text - 1 - len);
        char   *body;

        assert_true(got > 0);
        len += (size_t)got;
        text[len] = '\0';
        body      = strstr(text, "\r\n\r\n");
        if (body && want == SIZE_MAX)
            want = (size_t)(body + 4 - text) + strtoul(strcasestr(text, "content-length:") + 15, NULL, 10);
    }
    assert_int_equal(strncmp(text, "HTTP/1.1 200", 12), 0);
}

static void test_http(void **state)
{
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"picture\"," ENVELOPE(
            "{}") "}}";
    tenon_server *server = offered_server(&counting);
    char          request[4096];
    size_t        before = 0;
    int           fd, len;

    (void)state;
    len = snprintf(request, sizeof request,
                   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: picture\r\n"
                   "Content-Length: %zu\r\n\r\n%s",
                   sizeof body - 1, body);
    tenon_server_set(server, "http", "127.0.0.1:0");
    assert_int_equal(tenon_server_start(server), TENON_OK);
    fd = connect_to(tenon_server_url(server));
    for (size_t i = 0; i < CALLS; i++) {
        if (i == WARM_UP)
            before = atomic_load(&bytes);
        assert_int_equal(write(fd, request, (size_t)len), len);
        read_answer(fd);
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
