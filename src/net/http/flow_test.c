/* flow_test.c - answers that come later, streams, slow clients, full servers, and the ways to end. */
#define _GNU_SOURCE
#include "net/http/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/http_rig.h"

#define H       "Host: h\r\n"
#define GET(p)  "GET " p " HTTP/1.1\r\n" H "\r\n"
#define POST(p) "POST " p " HTTP/1.1\r\n" H "Content-Length: 4\r\n\r\nbody"

#define CONNECTION_BYTES ((size_t)32 << 10) /* of a connection without what it queues */

static struct rig rig;

static struct tn_http_counts counts(void)
{
    return tn_http_counts_of(rig.server);
}

static void answer(size_t which, const char *text)
{
    tn_http_answer(rig.waiting[which], 200, NULL, "text/plain", tn_slice_of(text));
}

static void on_stopped(void *user)
{
    *(bool *)user = true;
}

static void answers_in_order(void **state)
{
    struct peer client;

    (void)state;
    rig_start(&rig, NULL);
    peer_open(&client, &rig);
    peer_say(&client, POST("/later") POST("/later") GET("/echo") POST("/later"));
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    assert_string_equal(peer_summary(&client), "open");
    answer(0, "first");
    assert_int_equal(rig.answered, 0); /* what follows does so later */
    assert_int_equal(rig.waiting_count, 1);
    RIG_UNTIL(&rig, rig.waiting_count == 2);
    assert_int_equal(rig.answered, 1);
    answer(1, "second");
    RIG_UNTIL(&rig, rig.waiting_count == 3);
    answer(2, "third");
    peer_expect(&client, "200 200 200 200 open");
    assert_true(strstr(client.in, "first") < strstr(client.in, "second"));
    assert_true(strstr(client.in, "second") < strstr(client.in, "|/echo|"));
    assert_true(strstr(client.in, "|/echo|") < strstr(client.in, "third"));
    RIG_UNTIL(&rig, rig.answered == 4);
    peer_close(&client);
    rig_stop(&rig);
}

/* In one piece, before the loop runs again. */
static void send_unseen(const struct peer *client, const char *text)
{
    assert_int_equal(send(client->fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Many send much at once. A client that comes then waits for about one request of each, and not for all of them. */
static void serves_one_request_of_each_in_turn(void **state)
{
    enum { CLIENTS = 20, EACH = 100 };
    struct peer clients[CLIENTS], polite;
    char        many[EACH * (sizeof GET("/empty") - 1) + 1] = "";
    size_t      before;

    (void)state;
    for (size_t i = 0; i < EACH; i++)
        strcat(many, GET("/empty"));
    rig_start(&rig, NULL);
    for (size_t i = 0; i < CLIENTS; i++)
        peer_open(&clients[i], &rig);
    RIG_UNTIL(&rig, counts().connections == CLIENTS);
    for (size_t i = 0; i < CLIENTS; i++)
        send_unseen(&clients[i], many);
    RIG_UNTIL(&rig, rig.requests > 0);
    before = rig.requests;
    assert_true(before <= CLIENTS);
    for (int i = 0; i < 5; i++, before = rig.requests) {
        rig_pump(&rig);
        assert_true(rig.requests > before && rig.requests - before <= CLIENTS);
    }
    peer_open(&polite, &rig);
    peer_say(&polite, GET("/later"));
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    assert_true(rig.requests - before <= 3 * CLIENTS); /* accepted, read, handled */
    RIG_UNTIL(&rig, rig.answered == CLIENTS * EACH);
    answer(0, "late");
    peer_expect(&polite, "200 open");
    peer_close(&polite);
    for (size_t i = 0; i < CLIENTS; i++)
        peer_close(&clients[i]);
    rig_stop(&rig);
}

/* What waits for its turn is answered when the client has sent its last byte, when the server stops (but for what follows
 * the answer that ends the connection), and not when the client is gone. An end of line is no request. */
static void ends_with_requests_in_the_queue(void **state)
{
    static const struct { const char *all; bool stop; const char *want; } cases[] = {
        { GET("/empty") GET("/empty") GET("/empty"), false, "202 202 202 closed" },
        { GET("/empty") GET("/empty") GET("/empty"), true, "202 202 closed" },
        { GET("/empty") "\r\n", false, "202 closed" },
        { GET("/empty") "\r\n", true, "202 closed" },
        { GET("/empty") "GET /e", false, "202 closed" },
        { GET("/empty") "GET /echo HTTP/9.9\r\n\r\n", true, "202 505 closed" },
    };
    const struct tn_http_limits limits = { .idle_ms = 60 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct peer client;

        rig_start(&rig, &limits);
        peer_open(&client, &rig);
        RIG_UNTIL(&rig, counts().connections == 1);
        send_unseen(&client, cases[i].all);
        if (!cases[i].stop && i != 2) /* which is closed because it is idle */
            shutdown(client.fd, SHUT_WR);
        RIG_UNTIL(&rig, rig.requests > 0);
        assert_int_equal(rig.requests, 1);
        if (cases[i].stop)
            tn_http_stop(rig.server, on_stopped, &rig.closed);
        peer_expect(&client, cases[i].want);
        peer_close(&client);
        rig_stop(&rig);
    }
}

static void reads_only_so_far_ahead(void **state)
{
    const struct tn_http_limits limits = { .pipeline_bytes = 2000 };
    static const char           form[] = "GET /empty HTTP/1.1\r\nHost: localhost\r\nX-Long: %01000d\r\n\r\n";
    char                        one[1200];
    size_t                      one_len = (size_t)snprintf(one, sizeof one, form, 0);
    size_t                      count = 8000, begun = 0, len = count * one_len, sent = 0, got = 0;
    char                       *many = malloc(len); /* more than the system keeps for a connection */
    struct peer                 client;

    (void)state;
    for (size_t i = 0; i < count; i++)
        memcpy(many + i * one_len, one, one_len);
    rig_start(&rig, &limits);
    peer_open(&client, &rig);
    peer_say(&client, GET("/later"));
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    for (int quiet = 0; quiet < 50; quiet++) {
        ssize_t some = send(client.fd, many + sent, len - sent, MSG_NOSIGNAL);

        rig_pump(&rig);
        if (some > 0)
            quiet = 0, sent += (size_t)some;
    }
    assert_true(sent < len);
    assert_true(counts().bytes_in < 2000 + 65536 + 100);
    begun = rig.requests;
    assert_int_equal(begun, 1);
    answer(0, "now");
    while (sent < len || got < count + 1) {
        ssize_t some = sent < len ? send(client.fd, many + sent, len - sent, MSG_NOSIGNAL) : 0;

        if (some > 0)
            sent += (size_t)some;
        rig_pump(&rig);
        peer_read(&client);
        assert_false(client.eof);
        got = rig.answered;
    }
    peer_close(&client);
    rig_stop(&rig);
    free(many);
}

static void cuts_the_slow(void **state)
{
    static const struct { const char *first, *drip, *want; } cases[] = {
        { "", "", "closed" },
        { GET("/empty"), "", "202 closed" },
        { "G", "", "408 closed" },
        { "GET /echo HTTP/1.1\r\nA: ", "x", "408 closed" },
        { "POST /echo HTTP/1.1\r\n" H "Content-Length: 1000000\r\n\r\n", "x", "408 closed" },
        { "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", "408 closed" },
        { "\r\n", "\r\n", "closed" },
    };
    const struct tn_http_limits limits = {
        .head_ms = 60, .body_ms = 60, .idle_ms = 60, .head_bytes = 1 << 20
    };

    (void)state;
    rig_start(&rig, &limits);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct peer client;

        peer_open(&client, &rig);
        peer_say(&client, cases[i].first);
        for (uint64_t since = 0; strcmp(peer_summary(&client), cases[i].want) != 0;) {
            assert_true(rig_patience(&rig, &since));
            usleep(1000);
            peer_say(&client, cases[i].drip);
        }
        peer_close(&client);
    }
    assert_int_equal(counts().time_outs, 4);
    rig_stop(&rig);
}

static void answers_half_closed_clients(void **state)
{
    static const struct { const char *bytes, *want; } cases[] = {
        { GET("/echo"), "200 closed" },
        { GET("/echo") GET("/empty"), "200 202 closed" },
        { "GET /ec", "closed" },
        { GET("/large"), "200 closed" },
        { GET("/large") GET("/empty"), "200 202 closed" },
        { "GET /large HTTP/1.0\r\n\r\n", "200 closed" },
        { "", "closed" },
    };

    (void)state;
    rig_start(&rig, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct peer client;

        peer_open(&client, &rig);
        peer_say(&client, cases[i].bytes);
        shutdown(client.fd, SHUT_WR);
        peer_expect(&client, cases[i].want);
        peer_close(&client);
    }
    rig_stop(&rig);
}

static void notices_who_is_gone(void **state)
{
    struct peer client;

    (void)state;
    rig_start(&rig, NULL);
    for (int i = 0; i < 4; i++) {
        peer_open(&client, &rig);
        peer_say(&client, i % 2 ? GET("/stream") : POST("/later"));
        RIG_UNTIL(&rig, rig.waiting_count == (size_t)i + 1);
        if (i >= 2) { /* with a reset */
            struct linger none = { .l_onoff = 1 };
            setsockopt(client.fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
        }
        peer_close(&client);
        RIG_UNTIL(&rig, rig.gone == (size_t)i + 1);
        assert_null(rig.waiting[i]);
        assert_int_equal(counts().streams, 0);
    }
    peer_open(&client, &rig); /* answered when it is closed already, but not yet known to be */
    peer_say(&client, POST("/later"));
    RIG_UNTIL(&rig, rig.waiting_count == 5);
    peer_close(&client);
    answer(4, "nobody");
    RIG_UNTIL(&rig, counts().connections == 0);
    rig_stop(&rig);
}

static void streams(void **state)
{
    const struct tn_http_limits limits = { .streams = 1 };
    struct peer                 client, other;

    (void)state;
    rig_start(&rig, &limits);
    peer_open(&client, &rig);
    peer_say(&client, GET("/stream") GET("/echo"));
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    assert_true(rig.streamed);
    assert_int_equal(counts().streams, 1);
    assert_true(tn_http_stream_send(rig.waiting[0], SLICE_LIT("data: 1\n\n")));
    assert_true(tn_http_stream_send(rig.waiting[0], SLICE_LIT("")));
    RIG_UNTIL(&rig, peer_has(&client, "X-Stream: yes\r\n\r\n9\r\ndata: 1\n\n\r\n"));
    assert_true(peer_has(&client, "Content-Type: text/event-stream\r\n"));

    peer_open(&other, &rig);
    peer_say(&other, GET("/stream"));
    peer_expect(&other, "503 open");
    assert_false(rig.streamed);
    assert_true(tn_http_stream_send(rig.waiting[0], SLICE_LIT("data: 0123456\n\n")));
    tn_http_stream_end(rig.waiting[0]);
    assert_false(tn_http_stream_send(rig.waiting[0], SLICE_LIT("x")));
    peer_expect(&client, "200 200 open");
    assert_true(peer_has(&client, "\r\nf\r\ndata: 0123456\n\n\r\n0\r\n\r\nHTTP/1.1 200 OK"));

    peer_say(&other, "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    RIG_UNTIL(&rig, rig.waiting_count == 3);
    tn_http_stream_send(rig.waiting[2], SLICE_LIT("data: old\n\n"));
    tn_http_stream_end(rig.waiting[2]);
    peer_expect(&other, "503 200 closed");
    assert_true(peer_has(&other, "Connection: close\r\nX-Stream: yes\r\n\r\ndata: old\n\n"));
    assert_false(peer_has(&other, "chunked"));
    peer_close(&client);
    peer_close(&other);
    rig_stop(&rig);
}

static void answers_head_without_a_body(void **state)
{
    struct peer client;

    (void)state;
    rig_start(&rig, NULL);
    peer_open(&client, &rig);
    peer_say(&client, "HEAD /echo HTTP/1.1\r\n" H "\r\nHEAD /stream HTTP/1.1\r\n" H "\r\n");
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    assert_true(tn_http_stream_send(rig.waiting[0], SLICE_LIT("data: 1\n\n")));
    tn_http_stream_end(rig.waiting[0]);
    peer_say(&client, GET("/none"));
    RIG_UNTIL(&rig, peer_has(&client, "204 No Content\r\n\r\n"));
    assert_true(peer_has(&client, "Content-Length: 11\r\n\r\nHTTP/1.1 200 OK\r\n"));
    assert_true(peer_has(&client, "X-Stream: yes\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"));
    peer_close(&client);
    rig_stop(&rig);
}

static void closes_slow_readers(void **state)
{
    const struct tn_http_limits limits = { .queue_bytes = 100000, .write_ms = 60 };
    static char                 event[10000];
    struct peer                 client;
    size_t                      most = 0;

    (void)state;
    rig_start(&rig, &limits);
    peer_open(&client, &rig);
    peer_say(&client, GET("/stream"));
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    memset(event, 'e', sizeof event);
    while (tn_http_stream_send(rig.waiting[0], (struct tn_slice){ event, sizeof event }))
        most = rig.fault.bytes > most ? rig.fault.bytes : most;
    assert_true(most < 2 * (limits.queue_bytes + sizeof event) + CONNECTION_BYTES); /* buffers double */
    assert_int_equal(rig.gone, 0);                                                  /* told later */
    RIG_UNTIL(&rig, rig.gone == 1);
    peer_close(&client);

    peer_open(&client, &rig); /* takes nothing of one large answer, let alone of many */
    peer_say(&client, GET("/large") GET("/large") GET("/large") GET("/large"));
    RIG_UNTIL(&rig, counts().connections == 0);
    assert_int_equal(counts().time_outs, 1);
    assert_int_equal(rig.answered, 1);
    peer_close(&client);
    rig_stop(&rig);
}

static void closes_streams_that_nobody_reads(void **state)
{
    const struct tn_http_limits limits = { .queue_bytes = 8 << 20, .write_ms = 60 };
    static char                 event[1 << 20];
    struct peer                 reader, sleeper;
    uint64_t                    since = 0;
    int                         small = 4096;

    (void)state;
    rig_start(&rig, &limits);
    peer_open(&reader, &rig);
    peer_say(&reader, GET("/stream"));
    RIG_UNTIL(&rig, rig.waiting_count == 1);
    peer_open(&sleeper, &rig);
    setsockopt(sleeper.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    peer_say(&sleeper, GET("/stream"));
    RIG_UNTIL(&rig, rig.waiting_count == 2);
    memset(event, 'e', sizeof event);
    assert_true(tn_http_stream_send(rig.waiting[1], (struct tn_slice){ event, sizeof event }));
    while (rig.gone == 0) {
        assert_true(tn_http_stream_send(rig.waiting[0], SLICE_LIT(": still here\n\n")));
        assert_true(rig_patience(&rig, &since));
        peer_read(&reader);
    }
    assert_null(rig.waiting[1]);
    assert_int_equal(counts().time_outs, 1);
    for (uint64_t from = uv_hrtime();
         uv_hrtime() - from < 200000000;) /* silent, for longer than the deadline */
        rig_pump(&rig);
    assert_true(tn_http_stream_send(rig.waiting[0], SLICE_LIT("data: last\n\n")));
    tn_http_stream_end(rig.waiting[0]);
    RIG_UNTIL(&rig, peer_has(&reader, "data: last\n\n\r\n0\r\n\r\n"));
    peer_close(&reader);
    peer_close(&sleeper);
    rig_stop(&rig);
}

static void serves_readers_who_are_not_stuck(void **state)
{
    const struct tn_http_limits limits = {
        .write_ms = 500
    }; /* more than a busy machine keeps the test waiting */
    struct peer client;

    (void)state;
    rig_start(&rig, &limits);
    peer_open(&client, &rig);
    peer_say(&client, GET("/large") GET("/empty"));
    client.in = malloc(client.room = RIG_LARGE + 100000);
    for (int i = 0; i < 400; i++) { /* for longer than the deadline */
        ssize_t len = recv(client.fd, client.in + client.len, 20000, 0);

        client.len += len > 0 ? (size_t)len : 0;
        assert_int_not_equal(len, 0);
        rig_pump(&rig);
        usleep(4000);
    }
    peer_expect(&client, "200 202 open");
    peer_close(&client);
    rig_stop(&rig);
}

/* Closing a connection with unread bytes would take the answer away: it is kept for a while, but not for ever. */
static void lets_refused_clients_read(void **state)
{
    static const size_t lens[] = { 1, 100000, 900000 };
    static char         body[900000];
    struct peer         client;

    (void)state;
    rig_start(&rig, NULL);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        peer_open(&client, &rig);
        peer_say(&client, "POST /echo HTTP/1.1\r\n" H "Content-Length: 900000000\r\n\r\n");
        peer_send(&client, body, lens[i]);
        peer_expect(&client, "413 closed");
        assert_int_equal(counts().connections, 1);
        peer_close(&client);
        RIG_UNTIL(&rig, counts().connections == 0);
    }
    peer_open(&client, &rig);
    peer_say(&client, GET("/echo") "\x01");
    for (int i = 0; i < 100 && counts().connections > 0; i++)
        peer_send(&client, body, sizeof body); /* more than is thrown away */
    RIG_UNTIL(&rig, counts().connections == 0);
    peer_close(&client);
    peer_open(&client, &rig);
    peer_say(&client, "\x01");
    peer_expect(&client, "400 closed");
    RIG_UNTIL(&rig, counts().connections == 0); /* though the client keeps its side open */
    peer_close(&client);
    rig_stop(&rig);
}

static void stops_under_load(void **state)
{
    enum { IDLE, LATER, STREAM, HEAD, BODY, LARGE, KINDS };
    static const char *const first[KINDS] = { GET("/empty"),
                                              GET("/later"),
                                              GET("/stream"),
                                              "GET /echo HTT",
                                              "POST /echo HTTP/1.1\r\n" H "Content-Length: 4\r\n\r\nbo",
                                              GET("/large") };
    struct peer              clients[KINDS];

    for (int abort = 0; abort < 2; abort++) {
        rig_start(&rig, NULL);
        for (int i = 0; i < KINDS; i++) {
            peer_open(&clients[i], &rig);
            peer_say(&clients[i], first[i]);
        }
        RIG_UNTIL(&rig, rig.waiting_count == 2 && rig.requests == 4 && rig.heads == 5);
        peer_expect(&clients[IDLE], "202 open");
        tn_http_stop(rig.server, on_stopped, &rig.closed);
        peer_expect(&clients[IDLE], "202 closed");
        for (int i = 0; i < 20; i++)
            rig_pump(&rig);
        assert_false(rig.closed);
        assert_int_equal(counts().connections, 5);
        if (abort) {
            tn_http_abort(rig.server);
        } else {
            peer_say(&clients[HEAD], "P/1.1\r\n" H "\r\n");
            peer_say(&clients[BODY], "dy");
            peer_expect(&clients[HEAD], "200 closed");
            peer_expect(&clients[BODY], "200 closed");
            assert_true(peer_has(&clients[BODY], "Connection: close"));
            tn_http_answer(rig.waiting[0], 200, NULL, NULL, SLICE_LIT(""));
            tn_http_stream_end(rig.waiting[1]);
            peer_expect(&clients[LATER], "200 closed");
            peer_expect(&clients[STREAM], "200 closed");
            peer_expect(&clients[LARGE], "200 closed");
        }
        RIG_UNTIL(&rig, rig.closed);
        assert_int_equal(rig.gone, abort ? 3 : 0); /* with the one whose body did not come */
        for (int i = 0; i < KINDS; i++)
            peer_close(&clients[i]);
        rig_stop(&rig);
    }
    (void)state;
}

static void aborts_within_a_request(void **state)
{
    struct peer client, other;

    (void)state;
    rig_start(&rig, NULL);
    peer_open(&other, &rig);
    peer_say(&other, GET("/later"));
    peer_open(&client, &rig);
    peer_say(&client, POST("/abort") GET("/echo"));
    peer_expect(&client, "closed");
    peer_expect(&other, "closed");
    RIG_UNTIL(&rig, rig.gone == 2);
    peer_close(&client);
    peer_close(&other);
    rig_stop(&rig);
}

static void has_so_many_connections(void **state)
{
    enum { MOST = 3, ALL = 100 };
    const struct tn_http_limits limits = { .connections = MOST };
    struct peer                 clients[ALL];
    size_t                      told = 0;

    (void)state;
    rig_start(&rig, &limits);
    for (size_t i = 0; i < ALL; i++) {
        peer_open(&clients[i], &rig);
        peer_say(&clients[i], GET("/empty"));
        rig_pump(&rig);
    }
    for (size_t i = 0; i < MOST; i++)
        peer_expect(&clients[i], "202 open");
    for (size_t i = MOST; i < ALL; i++) {
        RIG_UNTIL(&rig, peer_summary(&clients[i]) && clients[i].eof);
        told += strcmp(peer_summary(&clients[i]), "503 closed") == 0;
    }
    assert_int_equal(told, 64);
    assert_int_equal(counts().connections, MOST);
    assert_int_equal(counts().refused, ALL - MOST);
    for (size_t i = 0; i < ALL; i++)
        peer_close(&clients[i]);
    RIG_UNTIL(&rig, counts().connections == 0);
    peer_open(&clients[0], &rig);
    peer_say(&clients[0], GET("/empty"));
    peer_expect(&clients[0], "202 open");
    peer_close(&clients[0]);
    rig_stop(&rig);
}

/* As many as the system allows: each one is two descriptors here. */
static void serves_thousands(void **state)
{
    struct rlimit files;
    size_t        count = 5000, before;
    struct peer  *clients;

    (void)state;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 2 * count + 100)
        count = (files.rlim_cur - 100) / 2;
    rig_start(&rig, NULL);
    before  = rig.fault.bytes;
    clients = calloc(count, sizeof *clients);
    for (size_t i = 0; i < count; i++) {
        peer_open(&clients[i], &rig);
        peer_say(&clients[i],
                 i % 2 ? POST("/echo") : "POST /echo HTTP/1.1\r\n" H "Content-Length: 4\r\n\r\nbo");
        rig_pump(&rig);
    }
    for (size_t i = 0; i < count; i += 2)
        peer_say(&clients[i], "dy");
    for (size_t i = 0; i < count; i++) {
        peer_expect(&clients[i], "200 open");
        free(clients[i].in);
        clients[i].in  = NULL;
        clients[i].len = clients[i].room = 0;
    }
    assert_int_equal(counts().connections, count);
    assert_true((rig.fault.bytes - before) / count <
                1024 + 64 * 4096 / count); /* spare heads are the server's */
    for (size_t i = 0; i < count; i++)
        peer_close(&clients[i]);
    RIG_UNTIL(&rig, counts().connections == 0);
    free(clients);
    rig_stop(&rig);
}

/* Everything that allocates, on connections that may be closed at any time. */
static void go_through_it(void)
{
    static char body[40000], event[3000000];
    struct peer client, stream, large;

    peer_open(&client, &rig);
    peer_say(&client, "POST /later HTTP/1.1\r\n" H "Content-Length: 40000\r\nA: ");
    memset(body, 'b', sizeof body);
    peer_send(&client, body, 5000);
    peer_say(&client, "\r\n\r\n");
    peer_send(&client, body, sizeof body / 2);
    peer_send(&client, body, sizeof body / 2);
    peer_say(&client, GET("/echo") GET("/echo"));
    peer_open(&stream, &rig);
    peer_say(&stream, GET("/stream"));
    peer_open(&large, &rig);
    peer_say(&large, GET("/large"));
    for (int i = 0; i < 20; i++)
        rig_pump(&rig);
    for (size_t i = 0; i < rig.waiting_count; i++)
        if (rig.waiting[i]) {
            tn_http_stream_send(rig.waiting[i], (struct tn_slice){ event, 900000 });
            tn_http_stream_end(rig.waiting[i]);
        }
    for (size_t i = 0; i < rig.waiting_count; i++)
        if (rig.waiting[i] && tn_slice_is(tn_http_request_of(rig.waiting[i])->path, "/later"))
            answer(i, "later");
    for (int i = 0; i < 20; i++) {
        rig_pump(&rig);
        peer_read(&client);
        peer_read(&large);
    }
    peer_close(&client);
    peer_close(&stream);
    peer_close(&large);
    RIG_UNTIL(&rig, counts().connections == 0);
}

static void survives_without_memory(void **state)
{
    bool refused = true;

    (void)state;
    for (size_t nth = 1; refused; nth++)
        for (int rest = 0; rest < 2; rest++) {
            rig_start(&rig, NULL);
            rig.fault.refuse_at   = rig.fault.requests + nth;
            rig.fault.refuse_rest = rest;
            go_through_it();
            refused = rig.fault.refused;
            rig_stop(&rig);
        }
}

static void rests_without_descriptors(void **state)
{
    struct rlimit before, few;
    struct peer   client;
    int           next;
    uint64_t      turns = 0;

    (void)state;
    if (getenv("TENON_TEST_WRAPPED")) {
        print_message("SKIPPED: valgrind closes what it accepts beyond the limit of descriptors, where the "
                      "kernel leaves it waiting.\n");
        skip();
    }
    rig_start(&rig, NULL);
    rig_pump(&rig);
    getrlimit(RLIMIT_NOFILE, &before);
    peer_open(&client, &rig);
    next         = dup(0);
    few          = before;
    few.rlim_cur = (rlim_t)next;
    close(next);
    setrlimit(RLIMIT_NOFILE, &few);
    peer_say(&client, GET("/empty"));
    RIG_UNTIL(&rig, counts().refused == 1);
    while (turns++ < 1000)
        tn_loop_run(&rig.loop, UV_RUN_NOWAIT);
    assert_true(counts().refused < 100); /* once for each sweep, not for each turn */
    setrlimit(RLIMIT_NOFILE, &before);
    peer_expect(&client, "202 open");
    peer_close(&client);
    rig_stop(&rig);
}

static int take(void *user, struct tn_http_conn *conn)
{
    (void)user, (void)conn;
    return 0;
}

static void run(void *user, struct tn_http_conn *conn)
{
    (void)user;
    tn_http_answer(conn, 200, NULL, NULL, SLICE_LIT(""));
}

static void done(void *user, struct tn_http_conn *conn, bool gone)
{
    (void)user, (void)conn, (void)gone;
}

static const struct tn_http_handler plain = { take, run, done, NULL, NULL };

static void says_where_it_cannot_listen(void **state)
{
    static const struct { const char *host, *port, *begins; } cases[] = {
        { "no.such.host.invalid", "0", "cannot listen on no.such.host.invalid:0: " },
        { "127.0.0.1", "http!", "cannot listen on 127.0.0.1:http!: " },
        { "203.0.113.1", "0", "cannot listen on 203.0.113.1:0: " },
        { "[::1", "0", "cannot listen on [::1:0: " },
        { "2001:db8::1", "0", "cannot listen on [2001:db8::1]:0: " },
    };
    struct tn_loop         loop;
    struct tn_http_server *server;
    const char            *error;

    (void)state;
    assert_int_equal(tn_loop_init(&loop, NULL), TENON_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_not_equal(tn_http_listen(&server, &loop, cases[i].host, cases[i].port, false, NULL, &plain,
                                            &error),
                             TENON_OK);
        assert_null(server);
        assert_memory_equal(error, cases[i].begins, strlen(cases[i].begins));
    }
    tn_loop_free(&loop);
}

static void shares_an_address(void **state)
{
    static const char *const hosts[] = { "127.0.0.1", "[::1]", "::1", "localhost" };
    struct tn_loop           loop;
    struct tn_http_server   *first, *second, *third;
    const char              *error;
    char                     port[8];

    (void)state;
    assert_int_equal(tn_loop_init(&loop, NULL), TENON_OK);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        bool gone[2] = { false, false };

        if (tn_http_listen(&first, &loop, hosts[i], "0", true, NULL, &plain, &error) != TENON_OK) {
            assert_int_not_equal(i, 0); /* a machine may have no IPv6 */
            continue;
        }
        snprintf(port, sizeof port, "%u", tn_http_port(first));
        assert_int_equal(tn_http_listen(&second, &loop, hosts[i], port, true, NULL, &plain, &error),
                         TENON_OK);
        assert_int_equal(tn_http_port(second), tn_http_port(first));
        assert_int_equal(tn_http_listen(&third, &loop, hosts[i], port, false, NULL, &plain, &error),
                         TENON_E_EXISTS);
        tn_http_stop(first, on_stopped, &gone[0]);
        tn_http_stop(second, on_stopped, &gone[1]);
        tn_loop_run(&loop, UV_RUN_DEFAULT);
        assert_true(gone[0] && gone[1]);
        tn_http_free(first);
        tn_http_free(second);
    }
    tn_loop_free(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_in_order),
        cmocka_unit_test(serves_one_request_of_each_in_turn),
        cmocka_unit_test(ends_with_requests_in_the_queue),
        cmocka_unit_test(reads_only_so_far_ahead),
        cmocka_unit_test(cuts_the_slow),
        cmocka_unit_test(answers_half_closed_clients),
        cmocka_unit_test(notices_who_is_gone),
        cmocka_unit_test(streams),
        cmocka_unit_test(answers_head_without_a_body),
        cmocka_unit_test(closes_slow_readers),
        cmocka_unit_test(closes_streams_that_nobody_reads),
        cmocka_unit_test(serves_readers_who_are_not_stuck),
        cmocka_unit_test(lets_refused_clients_read),
        cmocka_unit_test(stops_under_load),
        cmocka_unit_test(aborts_within_a_request),
        cmocka_unit_test(has_so_many_connections),
        cmocka_unit_test(serves_thousands),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(rests_without_descriptors),
        cmocka_unit_test(says_where_it_cannot_listen),
        cmocka_unit_test(shares_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
