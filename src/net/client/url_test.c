/* url_test.c - a client of servers at addresses: ours in both eras, and bad ones. */
#define _GNU_SOURCE
#include <tenon/ask.h>
#include <tenon/client.h>
#include <tenon/progress.h>
#include <tenon/resource.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- A server of ours ---------------------------------------------------------------------------------------- */

typedef struct {
    bool sure;
} confirm;

TENON_ROWS(confirm_rows, confirm, TENON_BOOL(sure, "Really?", .required = true));

typedef struct {
    int         n;
    const char *region;
} purge_args;

static tenon_outcome purge(tenon_call *call, const purge_args *args)
{
    const confirm *given;

    if (args->n > 0) {
        tenon_progress(call, 1, 2, "half");
        tenon_text(call, "%d", args->n);
        return tenon_ok(call);
    }
    switch (tenon_elicit(call, "confirm", confirm_rows, &given, "Delete all?")) {
    case TENON_REPLY_PENDING: return tenon_ask(call);
    case TENON_REPLY_ACCEPTED: break;
    default: return tenon_fail(call, TENON_CODE_DENIED, "The user did not agree.");
    }
    tenon_text(call, given->sure ? "Deleted." : "Kept.");
    return tenon_ok(call);
}

TENON_TOOL(purge, purge_args,
    TENON_INFO("Delete all.", .hints = TENON_DESTRUCTIVE),
    TENON_INT(n, "How many.", .range = {0, 1000}, .def = 0),
    TENON_STR(region, "Where.", .header = "Region"));

static tenon_outcome read_motd(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_text(call, "Hello.");
    return tenon_ok(call);
}

static tenon_server *serve(void)
{
    tenon_server *server = tenon_server_new("test", "1");

    tenon_server_add(server, purge_tool());
    tenon_server_resource(server, "test://motd", read_motd, .name = "motd");
    tenon_server_set(server, "http", "127.0.0.1:0");
    assert_int_equal(tenon_server_start(server), TENON_OK);
    return server;
}

struct seen {
    int changes, updates, progress, done;
};

static void take_note(void *user, const char *method, const tenon_json *params)
{
    struct seen *seen = user;

    (void)params;
    seen->changes += strcmp(method, "notifications/tools/list_changed") == 0;
    seen->updates += strcmp(method, "notifications/resources/updated") == 0;
}

static void agree(void *user, tenon_question *question)
{
    (void)user;
    assert_int_equal(tenon_question_answer(question, "{\"action\":\"accept\",\"content\":{\"sure\":true}}"),
                     TENON_OK);
}

static void count_done(void *user, tenon_request *request)
{
    ((struct seen *)user)->done += tenon_request_state_of(request) == TENON_REQUEST_ANSWERED;
}

static void count_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)request, (void)params;
    ((struct seen *)user)->progress++;
}

static const char *const revisions[] = { "2026-07-28", "2025-11-25", "2025-03-26" };
#define REVISIONS (sizeof revisions / sizeof *revisions)

/* Calls in both eras: headers that repeat arguments, questions, progress, many at a time. */
static void calls(void **state)
{
    tenon_server *server = serve();

    (void)state;
    for (size_t i = 0; i < REVISIONS; i++) {
        struct seen       seen   = { 0 };
        tenon_client     *client = tenon_client_url(tenon_server_url(server), .revision = revisions[i],
                                                    .ask = agree, .user = &seen);
        const tenon_json *tools  = tenon_json_get(tenon_client_wait(tenon_client_list(client, "tools")),
                                                  "tools");
        tenon_request    *call = tenon_client_call(client, "purge", "{\"n\":3,\"region\":\"M\xc3\xbcnchen\"}",
                                                   .tool = tenon_json_at(tools, 0), .progress = count_progress,
                                                   .user = &seen);

        assert_non_null(tenon_client_wait(call));
        assert_string_equal(tenon_client_revision(client), revisions[i]);
        assert_int_equal(seen.progress, 1);
        if (i < 2) { /* 2025-03-26 has no elicitation */
            call = tenon_client_call(client, "purge", "{}");
            assert_non_null(tenon_client_wait(call));
            assert_non_null(strstr(tenon_request_text(call).at, "Deleted."));
        }
        for (int n = 1; n <= 50; n++)
            tenon_client_call(client, "purge", "{\"n\":7}", .done = count_done, .user = &seen);
        tenon_client_run(client);
        assert_int_equal(seen.done, 50);
        call = tenon_client_call(client, "purge", "{\"n\":3,\"region\":\"x\"}"); /* without its header */
        assert_int_equal(tenon_client_wait(call) == NULL, i == 0);
        tenon_client_free(client);
    }
    tenon_server_free(server);
}

static void listens(void **state)
{
    tenon_server *server = serve();

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct seen    seen   = { 0 };
        tenon_client  *client = tenon_client_url(tenon_server_url(server), .revision = revisions[i],
                                                 .note = take_note, .user = &seen);
        tenon_request *lists, *motd;

        assert_true(tenon_client_ready(client));
        lists = tenon_client_listen(client, NULL);
        motd  = tenon_client_listen(client, "test://motd");
        for (int n = 0; n < 100 && (seen.changes == 0 || seen.updates == 0); n++) {
            tenon_server_show_tool(server, "purge", n % 2 == 1);
            tenon_server_updated(server, "test://motd");
            tenon_client_poll(client, 50);
        }
        assert_true(seen.changes > 0);
        assert_true(seen.updates > 0);
        tenon_request_cancel(lists);
        tenon_request_free(motd);
        tenon_client_run(client);
        tenon_client_free(client);
    }
    tenon_server_free(server);
}

/* ---- Bad ones ------------------------------------------------------------------------------------------------ */

struct bad {
    const char *response;      /* of every request; NULL: none, and the connection stays open */
    size_t      endless;       /* bytes of 'x' that follow it */
    int         answers;       /* requests that are answered before the others are not; 0: all of them */
    atomic_int  came;          /* requests */
    char        request[4096]; /* the last one that was answered */
    int         fd;
    pthread_t   thread;
    char        url[64];
};

static void answer_one(struct bad *bad, int fd)
{
    char block[4096] = "";
    int  before      = atomic_fetch_add(&bad->came, 1);
    bool silent      = !bad->response || (bad->answers && before >= bad->answers);

    if (recv(fd, block, sizeof block - 1, 0) <= 0 || silent) {
        if (silent)
            while (recv(fd, block, sizeof block, 0) > 0)
                continue;
        close(fd);
        return;
    }
    memcpy(bad->request, block, sizeof block);
    send(fd, bad->response, strlen(bad->response), MSG_NOSIGNAL);
    memset(block, 'x', sizeof block);
    for (size_t sent = 0; sent < bad->endless; sent += sizeof block)
        if (send(fd, block, sizeof block, MSG_NOSIGNAL) < 0)
            break;
    close(fd);
}

static void *answer_all(void *user)
{
    struct bad *bad = user;
    int         fd;

    while ((fd = accept(bad->fd, NULL, NULL)) >= 0)
        answer_one(bad, fd);
    return NULL;
}

static void bad_start(struct bad *bad)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t          len     = sizeof address;

    bad->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(bad->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(bad->fd, 10), 0);
    assert_int_equal(getsockname(bad->fd, (struct sockaddr *)&address, &len), 0);
    snprintf(bad->url, sizeof bad->url, "http://127.0.0.1:%d/mcp", ntohs(address.sin_port));
    assert_int_equal(pthread_create(&bad->thread, NULL, answer_all, bad), 0);
}

static void bad_stop(struct bad *bad)
{
    shutdown(bad->fd, SHUT_RDWR);
    pthread_join(bad->thread, NULL);
    close(bad->fd);
}

#define OK     "HTTP/1.1 200 OK\r\nConnection: close\r\n"
#define JSON   OK "Content-Type: application/json\r\n\r\n"
#define EVENTS OK "Content-Type: text/event-stream\r\n\r\n"

static void survives_bad_servers(void **state)
{
    static const struct { const char *response; size_t endless; tenon_request_state state; const char *why; } cases[] = {
        { NULL, 0, TENON_REQUEST_LOST, "did not answer in time" },
        { "garbage\r\n\r\n", 0, TENON_REQUEST_LOST, "cannot reach http://127.0.0.1:" },
        { "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n", 0, TENON_REQUEST_LOST,
          "sends elsewhere (HTTP 302): http://127.0.0.1:1/" },
        { "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n", 0, TENON_REQUEST_LOST, "HTTP 401" },
        { "HTTP/1.1 500 Broken\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nno luck", 0, TENON_REQUEST_LOST,
          "HTTP 500: no luck" },
        { "HTTP/1.1 202 Accepted\r\nConnection: close\r\n\r\n", 0, TENON_REQUEST_LOST, "HTTP 202 without a message" },
        { JSON "{", 0, TENON_REQUEST_LOST, "something that is no message" },
        { JSON "[]", 0, TENON_REQUEST_LOST, "something that is no message" },
        { JSON "{\"id\":77,\"result\":{}}", 0, TENON_REQUEST_LOST, "HTTP 200 without a message" },
        { JSON, (size_t)8 << 20, TENON_REQUEST_LOST, "longer than 1 MiB" },
        { EVENTS "data: {\n\n", 0, TENON_REQUEST_LOST, "something that is no message" },
        { EVENTS "data: ", (size_t)8 << 20, TENON_REQUEST_LOST, "longer than 1 MiB" },
        { EVENTS ": nothing\n\n", 0, TENON_REQUEST_LOST, "ended its stream without an answer" },
        { EVENTS "id: 1\nretry: 1\ndata: {\"method\":\"notifications/x\"}\n\n", 0, TENON_REQUEST_LOST, "without an answer" },
        { JSON "{\"error\":{\"code\":-32022,\"message\":\"v\",\"data\":{\"supported\":[\"3000-01-01\"]}}}", 0,
          TENON_REQUEST_LOST, "does not know 2026-07-28: v (-32022)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bad     bad = { .response = cases[i].response, .endless = cases[i].endless };
        tenon_client  *client;
        tenon_request *call;

        bad_start(&bad);
        client = tenon_client_url(bad.url, .timeout_ms = cases[i].response ? 5000 : 200,
                                  .max_bytes = (size_t)1 << 20);
        call   = tenon_client_call(client, "purge", NULL);
        assert_null(tenon_client_wait(call));
        if (tenon_request_state_of(call) != cases[i].state || !strstr(tenon_request_why(call), cases[i].why))
            fail_msg("%zu: %d %s", i, tenon_request_state_of(call), tenon_request_why(call));
        tenon_client_free(client);
        bad_stop(&bad);
    }
}

/* A message that is not answered holds the handshake up no longer than an answer may take. */
static void notes_end_in_time(void **state)
{
    struct bad     bad = { .response = JSON "{\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\"}}",
                           .answers  = 1 };
    tenon_client  *client;
    tenon_request *call;

    (void)state;
    bad_start(&bad);
    client = tenon_client_url(bad.url, .revision = "2025-11-25", .timeout_ms = 300);
    call   = tenon_client_call(client, "purge", NULL);
    assert_null(tenon_client_wait(call));
    assert_int_equal(tenon_request_state_of(call), TENON_REQUEST_LATE);
    tenon_client_free(client);
    bad_stop(&bad);
}

#define NOTE   "data: {\"method\":\"notifications/x\"}\n\n"
#define NOTES  NOTE NOTE NOTE NOTE NOTE NOTE NOTE NOTE

/* The bound of bytes is that of a message, not of several that come together. */
static void takes_many_events_at_once(void **state)
{
    struct bad    bad = { .response = EVENTS NOTES NOTES NOTES NOTES
                          "data: {\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}\n\n" };
    tenon_client *client;

    (void)state;
    bad_start(&bad);
    client = tenon_client_url(bad.url, .timeout_ms = 2000, .max_bytes = 500);
    assert_true(tenon_client_ready(client));
    tenon_client_free(client);
    bad_stop(&bad);
}

#define PING  "data: {\"id\":\"a\",\"method\":\"ping\"}\n\n"
#define PINGS PING PING PING PING PING PING PING PING PING PING

/* Each answer has a connection of its own: a server cannot have more of them than there is a bound. */
static void answers_have_a_bound(void **state)
{
    struct bad    bad = { .response = EVENTS PINGS PINGS PINGS PINGS PINGS PINGS PINGS PINGS PINGS PINGS };
    tenon_client *client;

    (void)state;
    bad_start(&bad);
    client = tenon_client_url(bad.url, .revision = "2026-07-28", .no_discover = true);
    assert_null(tenon_client_wait(tenon_client_call(client, "purge", NULL)));
    for (int i = 0; i < 50; i++)
        tenon_client_poll(client, 10);
    tenon_client_free(client);
    bad_stop(&bad);
    assert_in_range(atomic_load(&bad.came), 2, 1 + 64);
}

/* Is it a connection to the port? */
static bool is_connected(int fd, int port)
{
    struct sockaddr_in peer = { .sin_family = 0 };
    socklen_t          len  = sizeof peer;

    return getpeername(fd, (struct sockaddr *)&peer, &len) == 0 && peer.sin_family == AF_INET &&
           ntohs(peer.sin_port) == port;
}

/* Programs that are started meanwhile do not get the connection. */
static void keeps_its_connection(void **state)
{
    struct bad    bad = { .response = NULL };
    tenon_client *client;
    int           port = 0, found = 0;

    (void)state;
    bad_start(&bad);
    sscanf(bad.url, "http://127.0.0.1:%d/", &port);
    client = tenon_client_url(bad.url, .revision = "2026-07-28", .no_discover = true);
    tenon_client_call(client, "purge", NULL);
    while (atomic_load(&bad.came) == 0)
        tenon_client_poll(client, 10);
    for (int fd = 0; fd < 1024; fd++)
        if (is_connected(fd, port)) {
            found++;
            assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        }
    assert_int_equal(found, 1);
    tenon_client_free(client);
    bad_stop(&bad);
}

/* What would begin another header is not sent. */
static void heads_are_whole(void **state)
{
    struct bad    bad    = { .response = JSON "{\"id\":1,\"result\":{}}" };
    tenon_client *client = tenon_client_url("http://127.0.0.1:1/", .token = "a\r\nX-Other: b");

    (void)state;
    assert_false(tenon_client_ready(client));
    assert_string_equal(tenon_client_error(client), "the token must be one word of ASCII");
    tenon_client_free(client);
    bad_start(&bad);
    client = tenon_client_url(bad.url, .revision = "2026-07-28", .no_discover = true);
    assert_non_null(tenon_client_wait(tenon_client_request(client, "ping\r\nX-Other: b\r\n", NULL)));
    assert_null(strstr(bad.request, "\nX-Other"));
    tenon_client_free(client);
    bad_stop(&bad);
}

static void is_no_address(void **state)
{
    tenon_client *client = tenon_client_url("ftp://127.0.0.1/");

    (void)state;
    assert_false(tenon_client_ready(client));
    assert_non_null(strstr(tenon_client_error(client), "must begin with http://"));
    assert_null(tenon_client_wait(tenon_client_call(client, "x", NULL)));
    tenon_client_free(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls),
        cmocka_unit_test(listens),
        cmocka_unit_test(survives_bad_servers),
        cmocka_unit_test(notes_end_in_time),
        cmocka_unit_test(takes_many_events_at_once),
        cmocka_unit_test(answers_have_a_bound),
        cmocka_unit_test(keeps_its_connection),
        cmocka_unit_test(heads_are_whole),
        cmocka_unit_test(is_no_address),
    };
    tenon_client *client = tenon_client_url("http://127.0.0.1:1/");
    bool          absent = strstr(tenon_client_error(client), "was not found") != NULL;

    tenon_client_free(client);
    if (absent) {
        puts("built without libcurl: addresses are not tested");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
