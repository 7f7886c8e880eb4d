/* endpoint_test.c - requests of every kind while the nth allocation is refused: each is answered or its connection closed,
 * and afterwards everything works and nothing is left.
 */
#define _GNU_SOURCE
#include "net/endpoint/endpoint.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tenon/tenon.h>

#include "net/http/replay.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define PATIENCE        10000 /* rounds of a loop that has nothing to do but this */
#define NTH_MAX         200   /* more allocations than any of these requests makes */

static tenon_outcome say(tenon_call *call)
{
    tenon_text(call, "said");
    return tenon_ok(call);
}
TENON_TOOL0(say, TENON_INFO("Say it."));

static tenon_outcome tell(tenon_call *call)
{
    tenon_progress(call, 1, 2, "half");
    return say(call);
}
TENON_TOOL0(tell, TENON_INFO("Tell of the first half, then say it."));

struct place {
    struct tn_fault     fault;
    tenon_allocator     memory;
    tenon_server       *server;
    struct tn_loop      loop;
    struct tn_serving   serving;
    struct tn_endpoint *endpoint;
    bool                closed;
    char                session[200]; /* the id of a legacy session */
    char                event[64];    /* of a stream that may be resumed */
};

static void no_line(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

static void open_place(struct place *place)
{
    const char *mistake = NULL;

    *place        = (struct place){ .closed = false };
    place->memory = tn_fault_allocator(&place->fault);
    place->server = tenon_server_new("place", "1", .memory = &place->memory, .log = no_line);
    tenon_server_add(place->server, say_tool());
    tenon_server_add(place->server, tell_tool());
    assert_int_equal(tn_mcp_prepare(place->server), TENON_OK);
    place->serving.server   = place->server;
    place->serving.settings = tn_settings_new(&place->memory);
    assert_true(tn_settings_set(place->serving.settings, "http", "127.0.0.1:0", &mistake));
    place->serving.auth    = tn_auth_new(place->serving.settings, &place->memory, NULL, &mistake);
    place->serving.replays = tn_replays_new(&place->memory, (struct tn_clock){ 0 }, NULL);
    assert_int_equal(tn_loop_init(&place->loop, &place->memory), TENON_OK);
    assert_int_equal(tn_endpoint_new(&place->endpoint, &place->serving, &place->loop, NULL, &mistake),
                     TENON_OK);
}

static void on_closed(void *user)
{
    ((struct place *)user)->closed = true;
}

static void close_place(struct place *place)
{
    tn_endpoint_stop(place->endpoint, on_closed, place);
    for (int i = 0; i < PATIENCE && !place->closed; i++)
        tn_loop_run(&place->loop, UV_RUN_NOWAIT);
    assert_true(place->closed);
    tn_endpoint_free(place->endpoint);
    tn_loop_free(&place->loop);
    tn_replays_free(place->serving.replays);
    tn_auth_free(place->serving.auth);
    tn_settings_free(place->serving.settings);
    tenon_server_free(place->server);
    assert_int_equal(place->fault.blocks, 0);
    assert_int_equal(place->fault.bytes, 0);
}

/* ---- A client on the same thread ------------------------------------------------------------------------------- */

static int dial(const struct place *place)
{
    struct sockaddr_in to      = { .sin_family = AF_INET,
                                   .sin_port   = htons((uint16_t)tn_endpoint_port(place->endpoint)) };
    int                socket_ = socket(AF_INET, SOCK_STREAM, 0);

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(socket_, (struct sockaddr *)&to, sizeof to), 0);
    return socket_;
}

enum wanted { WANT_ANSWER, WANT_STREAM, WANT_BEGINNING, WANT_HEAD };

static bool is_whole(const char *text, enum wanted wanted)
{
    const char *body = strstr(text, "\r\n\r\n"), *len = strstr(text, "Content-Length: ");

    if (!body || strncmp(text, "HTTP/1.1 100", 12) == 0)
        return false;
    if (len && len < body)
        return strlen(body + 4) >= strtoul(len + 16, NULL, 10);
    if (wanted == WANT_HEAD)
        return true;
    return wanted == WANT_BEGINNING ? strstr(body, "data: ") != NULL : strstr(body, "\r\n0\r\n\r\n") != NULL;
}

/* Sends, and reads until the answer is there or the connection is closed. False when neither happens. */
static bool converse(struct place *place, int client, const char *request, enum wanted wanted, char *answer,
                     size_t room)
{
    size_t len = 0;

    answer[0] = '\0';
    assert_int_equal(send(client, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    for (int i = 0; i < PATIENCE; i++) {
        ssize_t got;

        tn_loop_run(&place->loop, UV_RUN_NOWAIT);
        got = recv(client, answer + len, room - len - 1, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            return true;
        len += got > 0 ? (size_t)got : 0;
        answer[len] = '\0';
        if (is_whole(answer, wanted))
            return true;
        if (got < 0)
            poll(&(struct pollfd){ .fd = client, .events = POLLIN }, 1, 1);
    }
    return false;
}

static void settle(struct place *place)
{
    for (int i = 0; i < PATIENCE && tn_endpoint_counts(place->endpoint).connections > 0; i++)
        tn_loop_run(&place->loop, UV_RUN_NOWAIT);
    assert_int_equal(tn_endpoint_counts(place->endpoint).connections, 0);
}

#define HEAD "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
#define META                                                                                                 \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                            \
    "\"io.modelcontextprotocol/clientCapabilities\":{}"

static const struct kind {
    const char *name, *head, *body;
    enum wanted wanted;
    const char *has;                                      /* in an answer that worked */
    enum { WITH_NOTHING, WITH_SESSION, WITH_EVENT } with; /* an event of the session */
} kinds[] = {
    { "call", HEAD "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: say\r\n",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"say\",\"_meta\":{" META
      "}}}",
      WANT_ANSWER, "said", WITH_NOTHING },
    { "call from a page",
      HEAD "Origin: http://localhost:3000\r\nMCP-Protocol-Version: 2026-07-28\r\n"
           "Mcp-Method: tools/call\r\nMcp-Name: say\r\n",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"say\",\"_meta\":{" META
      "}}}",
      WANT_ANSWER, "said", WITH_NOTHING },
    { "stream", HEAD "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: tell\r\n",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\",\"_meta\":{" META
      ",\"progressToken\":1}}}",
      WANT_STREAM, "said", WITH_NOTHING },
    { "listen", HEAD "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":"
      "{\"toolsListChanged\":true},\"_meta\":{" META "}}}",
      WANT_BEGINNING, "acknowledged", WITH_NOTHING },
    { "initialize", HEAD,
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-"
      "25\","
      "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
      WANT_ANSWER, "Mcp-Session-Id: ", WITH_NOTHING },
    { "legacy stream", HEAD,
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\",\"_meta\":"
      "{\"progressToken\":1}}}",
      WANT_STREAM, "said", WITH_SESSION },
    { "get", "GET /mcp HTTP/1.1\r\nHost: localhost\r\n", "", WANT_BEGINNING, "retry: ", WITH_SESSION },
    { "come back", "GET /mcp HTTP/1.1\r\nHost: localhost\r\n", "", WANT_STREAM, "said", WITH_EVENT },
    { "preflight", "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n", "", WANT_HEAD,
      "204", WITH_NOTHING },
};

static bool ask(struct place *place, const struct kind *kind, enum wanted wanted, char *answer, size_t room)
{
    char request[4096];
    int  client = dial(place), len;
    bool ended;

    len = snprintf(request, sizeof request, "%s%s%s%s%s%s%sContent-Length: %zu\r\n\r\n%s", kind->head,
                   kind->with >= WITH_SESSION ? "Mcp-Session-Id: " : "",
                   kind->with >= WITH_SESSION ? place->session : "", kind->with >= WITH_SESSION ? "\r\n" : "",
                   kind->with == WITH_EVENT ? "Last-Event-ID: " : "",
                   kind->with == WITH_EVENT ? place->event : "", kind->with == WITH_EVENT ? "\r\n" : "",
                   strlen(kind->body), kind->body);
    assert_true((size_t)len < sizeof request);
    ended = converse(place, client, request, wanted, answer, room);
    close(client);
    return ended;
}

/* A session, and the id of the first event of a stream in it. */
static void remember(struct place *place, const char *answer)
{
    const char *session = strstr(answer, "Mcp-Session-Id: "), *event = strstr(answer, "id: ");

    if (session)
        snprintf(place->session, sizeof place->session, "%.*s", (int)strcspn(session + 16, "\r"),
                 session + 16);
    else if (event && strstr(answer, "said"))
        snprintf(place->event, sizeof place->event, "%.*s", (int)strcspn(event + 4, "\n"), event + 4);
}

static void refused_allocations(void **state)
{
    struct place place;
    char         answer[8192];

    (void)state;
    open_place(&place);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        bool refused = true;

        for (size_t nth = 1; refused && nth < NTH_MAX; nth++) {
            place.fault.requests  = 0;
            place.fault.refused   = false;
            place.fault.refuse_at = nth;
            /* a stream that stays open may do so without what it begins with */
            if (!ask(&place, &kinds[i], kinds[i].wanted == WANT_BEGINNING ? WANT_HEAD : kinds[i].wanted,
                     answer, sizeof answer))
                fail_msg("%s is not answered when allocation %zu is refused: %s", kinds[i].name, nth, answer);
            refused               = place.fault.refused;
            place.fault.refuse_at = 0;
            settle(&place);
            if (!ask(&place, &kinds[i], kinds[i].wanted, answer, sizeof answer) ||
                !strstr(answer, kinds[i].has))
                fail_msg("%s does not work after allocation %zu was refused: %s", kinds[i].name, nth, answer);
            settle(&place);
        }
        assert_false(refused);
        remember(&place, answer);
    }
    close_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
