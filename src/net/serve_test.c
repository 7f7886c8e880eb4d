/* serve_test.c - a server inside a program: on threads, polled, stopped and started again. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
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

#include <tenon/tenon.h>

#include "support/fault.h"

#define CALL_OF(tool)                                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool                   \
    "\",\"arguments\":{},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","             \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"                             \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"

static atomic_bool gate;
static atomic_int  inside;

static tenon_outcome quick(tenon_call *call)
{
    tenon_text(call, "quick");
    return tenon_ok(call);
}
TENON_TOOL0(quick, TENON_INFO("At once."));

static tenon_outcome slow(tenon_call *call)
{
    atomic_fetch_add(&inside, 1);
    while (!atomic_load(&gate))
        usleep(1000);
    atomic_fetch_sub(&inside, 1);
    tenon_text(call, "slow");
    return tenon_ok(call);
}
TENON_TOOL0(slow, TENON_INFO("Waits at the gate.", .blocking = true));

static tenon_outcome leave(tenon_call *call)
{
    tenon_server_stop(tenon_server_of(call));
    return tenon_ok(call);
}
TENON_TOOL0(leave, TENON_INFO("Stops the server that runs it."));

typedef struct {
    int         days, most;
    const char *mail;
} wrong_args;

static tenon_outcome forecast(tenon_call *call, const wrong_args *args)
{
    (void)args;
    return tenon_ok(call);
}

/* clang-format off */
TENON_TOOL(forecast, wrong_args,
    TENON_INFO("Three rows that are wrong, and one that is not."),
    TENON_INT(days, "How far ahead.", .range = {1, 14}, .def = 30),
    TENON_STR(mail, "Where to send it.", .format = "emial"),
    TENON_INT(most, "How many.", .clamp = true));
/* clang-format on */

/* An author sees all mistakes in one start. */
static void says_all_mistakes(void **state)
{
    tenon_server *server = tenon_server_new("test", "1.0.0");

    (void)state;
    tenon_server_add(server, quick_tool());
    tenon_server_add(server, forecast_tool());
    tenon_server_add(server, forecast_tool());
    tenon_server_resource(server, "nowhere", NULL);
    assert_int_equal(tenon_server_start(server), TENON_E_DECLARATION);
    assert_string_equal(
        tenon_server_error(server),
        "resource 'nowhere': its URI is not absolute, such as notes://today\n"
        "tool 'forecast' was added twice\n"
        "tool 'forecast': parameter 'mail': there is no format 'emial'; did you mean 'email'?\n"
        "tool 'forecast': parameter 'most': .clamp needs a .range to move values into\n"
        "tool 'forecast': parameter 'days': its default 30 does not pass: days must be between 1 and 14, got "
        "30");
    assert_int_equal(tenon_server_start(server), TENON_E_DECLARATION);
    assert_null(strstr(strstr(tenon_server_error(server), "got 30"), "\n")); /* no line comes again */
    tenon_server_free(server);
}

/* The standard streams belong to a program, or to one that polls. */
static void leaves_streams_alone_on_threads(void **state)
{
    tenon_server *server = tenon_server_new("test", "1.0.0");

    (void)state;
    tenon_server_set(server, "stdio", "");
    assert_int_equal(tenon_server_start(server), TENON_E_DECLARATION);
    assert_non_null(strstr(tenon_server_error(server), "stdio is served by tenon_server_main()"));
    tenon_server_free(server);
}

static tenon_server *make_in(const tenon_allocator *memory)
{
    tenon_server *server = tenon_server_new("test", "1.0.0", .memory = memory);

    tenon_server_add(server, quick_tool());
    tenon_server_add(server, slow_tool());
    tenon_server_add(server, leave_tool());
    atomic_store(&gate, false);
    return server;
}

static tenon_server *make(void)
{
    tenon_server *server = make_in(NULL);

    assert_null(tenon_server_error(server));
    return server;
}

static int dial(const char *url)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    unsigned           port;
    int                fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(sscanf(url, "http://127.0.0.1:%u/mcp", &port), 1);
    to.sin_port = htons((uint16_t)port);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static int ask(const char *url, const char *tool, const char *body)
{
    int  fd = dial(url);
    char request[2048];
    int  len = snprintf(
         request, sizeof request,
         "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
          "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
          "Mcp-Method: tools/call\r\nMcp-Name: %s\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
         tool, strlen(body), body);

    assert_int_equal(send(fd, request, (size_t)len, MSG_NOSIGNAL), len);
    return fd;
}

static void hear(int fd, const char *want)
{
    char    answer[8192];
    size_t  len = 0;
    ssize_t got;

    while (len < sizeof answer - 1 && (got = recv(fd, answer + len, sizeof answer - 1 - len, 0)) > 0)
        len += (size_t)got;
    answer[len] = '\0';
    close(fd);
    if (!strstr(answer, want))
        fail_msg("no '%s' in: %s", want, answer);
}

static void serves_on_threads_and_starts_again(void **state)
{
    tenon_server *server = make();

    (void)state;
    assert_string_equal(tenon_server_url(server), "");
    assert_int_equal(tenon_server_set(server, "loops", "3"), TENON_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(tenon_server_start(server), TENON_OK);
        for (int i = 0; i < 20; i++)
            hear(ask(tenon_server_url(server), "quick", CALL_OF("quick")), "quick");
        tenon_server_stop(server);
        assert_string_equal(tenon_server_url(server), "");
    }
    tenon_server_stop(server);
    tenon_server_free(server);
    tenon_server_stop(NULL);
}

/* A quick handler runs on the loop itself: the server stops behind it, and whoever stops it next waits for that. */
static void a_handler_stops_its_server(void **state)
{
    tenon_server *server = make();

    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(tenon_server_start(server), TENON_OK);
        hear(ask(tenon_server_url(server), "leave", CALL_OF("leave")), "SUCCESS");
        tenon_server_stop(server);
    }
    tenon_server_free(server);
}

static void *open_gate(void *unused)
{
    (void)unused;
    usleep(20000);
    atomic_store(&gate, true);
    return NULL;
}

static void stopping_waits_for_calls(void **state)
{
    tenon_server *server = make();
    pthread_t     thread;
    int           fd;

    (void)state;
    assert_int_equal(tenon_server_start(server), TENON_OK);
    fd = ask(tenon_server_url(server), "slow", CALL_OF("slow"));
    while (atomic_load(&inside) == 0)
        usleep(1000);
    pthread_create(&thread, NULL, open_gate, NULL);
    tenon_server_free(server);
    hear(fd, "slow");
    pthread_join(thread, NULL);
}

static void a_handler_that_does_not_end_is_waited_for_before_freeing(void **state)
{
    tenon_server *server = make();
    pthread_t     thread;
    int           fd;

    (void)state;
    assert_int_equal(tenon_server_set(server, "grace", "0"), TENON_OK);
    assert_int_equal(tenon_server_start(server), TENON_OK);
    fd = ask(tenon_server_url(server), "slow", CALL_OF("slow"));
    while (atomic_load(&inside) == 0)
        usleep(1000);
    tenon_server_stop(server);
    assert_int_equal(atomic_load(&inside), 1);
    close(fd);
    pthread_create(&thread, NULL, open_gate, NULL);
    tenon_server_free(server);
    assert_int_equal(atomic_load(&inside), 0);
    pthread_join(thread, NULL);
}

static void serves_while_it_is_polled(void **state)
{
    tenon_server *server   = make();
    int           answered = 0, fd;

    (void)state;
    assert_int_equal(tenon_server_poll(server, 0), -1);
    assert_int_equal(tenon_server_fd(server), -1);
    assert_int_equal(tenon_server_open(server), TENON_OK);
    assert_int_equal(tenon_server_poll(server, 0), 0);
    assert_int_equal(tenon_server_poll(server, 1), 0);
    for (int i = 0; i < 10; i++) {
        struct pollfd watched = { .fd = tenon_server_fd(server), .events = POLLIN };

        atomic_store(&gate, true); /* what may wait runs here, too */
        fd = i % 2 ? ask(tenon_server_url(server), "slow", CALL_OF("slow"))
                   : ask(tenon_server_url(server), "quick", CALL_OF("quick"));
        for (answered = 0; answered == 0;) { /* the descriptor tells when */
            assert_int_equal(poll(&watched, 1, 10000), 1);
            answered = tenon_server_poll(server, 0);
        }
        assert_int_equal(answered, 1);
        hear(fd, i % 2 ? "slow" : "quick");
    }
    fd = ask(tenon_server_url(server), "quick", CALL_OF("quick"));
    assert_int_equal(tenon_server_poll(server, -1), 1);
    hear(fd, "quick");
    fd = ask(tenon_server_url(server), "leave", CALL_OF("leave"));
    while (tenon_server_poll(server, 1000) >= 0) {}
    hear(fd, "SUCCESS");
    assert_int_equal(tenon_server_poll(server, 0), -1);
    tenon_server_free(server);
}

static void a_client_that_leaves_is_no_signal(void **state)
{
    tenon_server *server = make();

    (void)state;
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(tenon_server_open(server), TENON_OK);
    for (int i = 0; i < 5; i++) {
        int           fd  = ask(tenon_server_url(server), "quick", CALL_OF("quick"));
        struct linger now = { .l_onoff = 1 };

        setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close(fd);
        tenon_server_poll(server, 20);
    }
    tenon_server_free(server);
}

static void mistakes_are_said(void **state)
{
    static const struct {
        const char *name, *value, *want;
    } cases[] = {
        { "htp", "127.0.0.1:0", "http" },
        { "http", "nonsense", "http" },
        { "http", "0.0.0.0:0", "auth" },
        { "key-file", "/nowhere/at/all", "/nowhere" },
        { "audit", "/nowhere/at/all", "/nowhere" },
        { "http", "192.0.2.1:0", "auth" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tenon_server *server = make();

        tenon_server_set(server, cases[i].name, cases[i].value);
        assert_int_not_equal(tenon_server_start(server), TENON_OK);
        if (!strstr(tenon_server_error(server), cases[i].want))
            fail_msg("no '%s' in: %s", cases[i].want, tenon_server_error(server));
        tenon_server_free(server);
    }
}

/* What is due at a time is seen from outside, too: a connection that is idle for too long is closed. */
static void time_makes_the_descriptor_readable(void **state)
{
    tenon_server *server = make();
    char          byte;
    int           fd;

    (void)state;
    assert_int_equal(tenon_server_set(server, "header-timeout", "100ms"), TENON_OK);
    assert_int_equal(tenon_server_open(server), TENON_OK);
    fd = dial(tenon_server_url(server));
    assert_int_equal(send(fd, "POST", 4, MSG_NOSIGNAL), 4);
    while (recv(fd, &byte, 1, MSG_DONTWAIT) < 0) { /* until it is answered, or closed */
        struct pollfd watched = { .fd = tenon_server_fd(server), .events = POLLIN };

        assert_int_equal(poll(&watched, 1, 10000), 1);
        tenon_server_poll(server, 0);
    }
    close(fd);
    tenon_server_free(server);
}

/* An address that is taken: nothing is left of what had been made before. */
static void a_taken_address(void **state)
{
    tenon_server *first = make(), *second = make();
    const char   *host;
    char          address[64];

    (void)state;
    assert_int_equal(tenon_server_start(first), TENON_OK);
    host = tenon_server_url(first) + strlen("http://");
    snprintf(address, sizeof address, "%.*s", (int)strcspn(host, "/"), host);
    assert_int_equal(tenon_server_set(second, "http", address), TENON_OK);
    assert_int_not_equal(tenon_server_start(second), TENON_OK);
    assert_non_null(strstr(tenon_server_error(second), address));
    assert_int_not_equal(tenon_server_start(first), TENON_OK); /* it runs */
    tenon_server_free(second);
    tenon_server_free(first);
}

/* Whatever is refused while it starts is a mistake that is said, and nothing is left of the rest. */
static void refused_memory(void **state)
{
    bool refused = true;

    (void)state;
    for (size_t n = 1; refused; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_server   *server = make_in(&memory);
        tenon_status    status = tenon_server_set(server, "admin", "127.0.0.1:0");

        if (status == TENON_OK)
            status = tenon_server_open(server);
        if (status == TENON_OK)
            tenon_server_poll(server, 0);
        else
            assert_non_null(tenon_server_error(server));
        tenon_server_free(server);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        refused = fault.refused;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_all_mistakes),
        cmocka_unit_test(leaves_streams_alone_on_threads),
        cmocka_unit_test(serves_on_threads_and_starts_again),
        cmocka_unit_test(a_handler_stops_its_server),
        cmocka_unit_test(stopping_waits_for_calls),
        cmocka_unit_test(a_handler_that_does_not_end_is_waited_for_before_freeing),
        cmocka_unit_test(serves_while_it_is_polled),
        cmocka_unit_test(time_makes_the_descriptor_readable),
        cmocka_unit_test(a_client_that_leaves_is_no_signal),
        cmocka_unit_test(mistakes_are_said),
        cmocka_unit_test(a_taken_address),
        cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
