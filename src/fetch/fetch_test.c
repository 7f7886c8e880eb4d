/* fetch_test.c - requests to a small server of the test's own, and what becomes of them. */
#define _GNU_SOURCE
#include "fetch/fetch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <unistd.h>

#include <cmocka.h>

#include "fetch/url.h"

/* ---- A server ---------------------------------------------------------------------------------------------------- */

static struct server {
    int             fd, port;
    pthread_mutex_t lock;
    char            seen[4096]; /* the last request */
} server = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Does the last request have it? */
static bool saw(const char *text)
{
    bool has;

    pthread_mutex_lock(&server.lock);
    has = strstr(server.seen, text) != NULL;
    pthread_mutex_unlock(&server.lock);
    return has;
}

static const char *answer_to(const char *seen)
{
    static const struct { const char *path, *answer; } table[] = {
        { " /plain ",  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-One:  first \r\nx-one: second\r\n\r\nhello" },
        { " /long ",   "HTTP/1.1 200 OK\r\n\r\n0123456789" },
        { " /stated ", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789" },
        { " /interim ","HTTP/1.1 103 Early\r\nX-Early: yes\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" },
        { " /away ",   "HTTP/1.1 303 See\r\nLocation: /plain\r\nContent-Length: 4\r\n\r\ngone" },
        { " /endless ","HTTP/1.1 303 See\r\nLocation: /plain\r\n\r\n" },
        { " /kept ",   "HTTP/1.1 307 Same\r\nLocation: /plain\r\nContent-Length: 0\r\n\r\n" },
        { " /file ",   "HTTP/1.1 302 Odd\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n" },
        { " /round ",  "HTTP/1.1 302 Again\r\nLocation: /round\r\nContent-Length: 0\r\n\r\n" },
        { " /later ",  "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n" },
        { " /junk ",   "SSH-2.0-nothing\r\n" },
        { " /silent ", NULL },
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(seen, table[i].path))
            return table[i].answer;
    return strstr(seen, " /origin ") ? "origin" : "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";
}

static void *serve_one(void *user)
{
    int         fd  = (int)(intptr_t)user;
    size_t      len = 0;
    ssize_t     got;
    char        seen[4096] = "", other[200];
    const char *answer;

    while (!strstr(seen, "\r\n\r\n") && len < sizeof seen - 1 &&
           (got = read(fd, seen + len, sizeof seen - 1 - len)) > 0)
        seen[len += (size_t)got] = '\0';
    pthread_mutex_lock(&server.lock);
    memcpy(server.seen, seen, sizeof seen);
    pthread_mutex_unlock(&server.lock);
    answer = answer_to(seen);
    if (answer && strcmp(answer, "origin") == 0) {
        snprintf(other, sizeof other,
                 "HTTP/1.1 302 Else\r\nLocation: http://localhost:%d/plain\r\nContent-Length: 0\r\n\r\n",
                 server.port);
        answer = other;
    }
    if (answer)
        (void)!write(fd, answer, strlen(answer));
    else
        (void)!read(fd, seen, 1); /* until the other side closes */
    while (strstr(seen, " /endless ") && send(fd, seen, sizeof seen, MSG_NOSIGNAL) > 0)
        continue;
    close(fd);
    return NULL;
}

static void *serve(void *user)
{
    (void)user;
    for (int fd; (fd = accept(server.fd, NULL, NULL)) >= 0;) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, serve_one, (void *)(intptr_t)fd) == 0)
            pthread_detach(thread);
    }
    return NULL;
}

static int begin_server(void **state)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t          len     = sizeof address;
    static pthread_t   thread;

    *state    = &thread;
    server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(server.fd, (struct sockaddr *)&address, len) || listen(server.fd, 16) ||
        getsockname(server.fd, (struct sockaddr *)&address, &len))
        return -1;
    server.port = ntohs(address.sin_port);
    return pthread_create(&thread, NULL, serve, NULL);
}

static int end_server(void **state)
{
    shutdown(server.fd, SHUT_RDWR);
    pthread_join(*(pthread_t *)*state, NULL);
    return close(server.fd);
}

static const char *url_of(const char *path)
{
    static char url[200];

    snprintf(url, sizeof url, "http://127.0.0.1:%d%s", server.port, path);
    return url;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static bool run(struct tn_fetch *fetch, const char *path, struct tn_fetch_request request,
                struct tn_fetch_answer *answer)
{
    request.url     = path[0] == '/' ? url_of(path) : path;
    request.time_ms = request.time_ms ? request.time_ms : 10000;
    return tn_fetch_run(fetch, &request, answer);
}

static void test_answers(void **state)
{
    struct tn_fetch       *fetch = tn_fetch_new(NULL);
    struct tn_fetch_answer answer;

    (void)state;
    assert_true(run(fetch, "/plain", (struct tn_fetch_request){ .keep_sent = true }, &answer));
    assert_int_equal(answer.status, 200);
    assert_string_equal(answer.body, "hello");
    assert_int_equal(answer.body_len, 5);
    assert_int_equal(answer.header_count, 3);
    assert_string_equal(tn_fetch_header_of(&answer, "X-ONE"), "first");
    assert_string_equal(answer.headers[2].value, "second");
    assert_null(tn_fetch_header_of(&answer, "X"));
    assert_string_equal(answer.address, "127.0.0.1");
    assert_string_equal(answer.method, "GET");
    assert_string_equal(answer.sent[0].name, "Host");
    assert_true(run(fetch, "/none?to=http://other", (struct tn_fetch_request){ .keep_sent = true }, &answer));
    assert_string_equal(answer.sent[0].name, "Host"); /* not the line with the request */
    assert_true(run(fetch, "/interim", (struct tn_fetch_request){ 0 }, &answer));
    assert_null(tn_fetch_header_of(&answer, "X-Early"));
    assert_string_equal(answer.body, "ok");
    assert_int_equal(answer.sent_count, 0);
    assert_true(run(fetch, "/later", (struct tn_fetch_request){ 0 }, &answer));
    assert_int_equal(answer.status, 503);
    assert_int_equal(answer.retry_after, 7);
    tn_fetch_free(fetch);
}

static void test_sending(void **state)
{
    static const char *const lines[] = { "X-Mine: yes", "Content-Language: en", "X-Empty;" };
    struct tn_fetch         *fetch   = tn_fetch_new(NULL);
    struct tn_fetch_request  request = { .headers      = lines,
                                         .header_count = 3,
                                         .has_body     = true,
                                         .body         = "{}",
                                         .body_len     = 2,
                                         .type         = "application/json",
                                         .follow       = true };
    struct tn_fetch_answer   answer;

    (void)state;
    assert_true(run(fetch, "/plain", request, &answer));
    assert_true(saw("POST /plain "));
    assert_true(saw("X-Mine: yes\r\n"));
    assert_true(saw("X-Empty:\r\n"));
    assert_true(saw("Content-Type: application/json\r\n"));
    assert_true(saw("User-Agent: tenon\r\n"));
    assert_false(saw("Expect"));
    assert_true(run(fetch, "/kept", request, &answer)); /* 307: all of it once more */
    assert_true(saw("POST /plain "));
    assert_true(saw("Content-Language: en\r\n"));
    assert_true(run(fetch, "/away", request, &answer)); /* 303: without the body and what is about it */
    assert_true(saw("GET /plain "));
    assert_true(saw("X-Mine: yes\r\n"));
    assert_false(saw("Content-"));
    assert_string_equal(answer.body, "hello");
    assert_false(answer.dropped);
    assert_int_equal(answer.hop_count, 1);
    assert_int_equal(answer.hops[0].status, 303);
    request.method = "DELETE";
    assert_true(run(fetch, "/plain", request, &answer));
    assert_true(saw("DELETE /plain "));
    tn_fetch_free(fetch);
}

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

static bool refuse_hop(void *user, const struct tn_fetch_hop *hop)
{
    (void)user;
    return hop->status == 0 && hop->port == server.port && strcmp(hop->host, "127.0.0.1") == 0;
}

static bool refuse_address(void *user, const struct sockaddr *address)
{
    (void)user, (void)address;
    return false;
}

static bool always(void *user)
{
    (void)user;
    return true;
}

static void test_ends(void **state)
{
    static const struct { const char *path; struct tn_fetch_request request; enum tn_fetch_end want; const char *why; } cases[] = {
        { "/long",            { .body_max = 9 },                     FETCH_BODY_TOO_LONG, "it has more than 9 bytes" },
        { "/long",            { .body_max = 10 },                    FETCH_DONE,          "" },
        { "/stated",          { .body_max = 9 },                     FETCH_BODY_TOO_LONG, "it has more than 9 bytes" },
        { "/plain",           { .head_max = 20 },                    FETCH_HEAD_TOO_LONG, "its headers are too long" },
        { "/away",            { 0 },                                 FETCH_DONE,          "" },
        { "/away",            { .follow = true, .body_max = 5 },     FETCH_DONE,          "" },
        { "/away",            { .follow = true, .approve_hop = refuse_hop }, FETCH_BAD_HOP, "its host is not allowed" },
        { "/plain",           { .approve_hop = refuse_hop },         FETCH_DONE,          "" },
        { "/plain",           { .approve_address = refuse_address }, FETCH_BAD_ADDRESS,   "its address is not allowed" },
        { "/plain",           { .https_only = true },                FETCH_BAD_SCHEME,    NULL },
        { "file:///etc/host", { 0 },                                 FETCH_BAD_SCHEME,    NULL },
        { "no URL",           { 0 },                                 FETCH_BAD_URL,       "it is not a URL" },
        { "/file",            { .follow = true },                    FETCH_BAD_SCHEME,    NULL },
        { "/round",           { .follow = true },                    FETCH_TOO_FAR,       "it redirects too often" },
        { "/silent",          { .time_ms = 100 },                    FETCH_LATE,          "Timeout was reached" },
        { "/silent",          { .is_cancelled = always },            FETCH_CANCELLED,     "it was cancelled" },
        { "/junk",            { 0 },                                 FETCH_FAILED,        NULL },
        { "http://127.0.0.1:1/", { 0 },                              FETCH_FAILED,        "Couldn't connect to server" },
    };
    struct tn_fetch       *fetch = tn_fetch_new(NULL);
    struct tn_fetch_answer answer;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool fine = run(fetch, cases[i].path, cases[i].request, &answer);

        if (answer.end != cases[i].want || (cases[i].why && strcmp(cases[i].why, answer.why) != 0))
            fail_msg("case %zu: end %d, %s", i, (int)answer.end, answer.why);
        assert_int_equal(fine, cases[i].want == FETCH_DONE);
        assert_int_equal(answer.why[0] != '\0', cases[i].want != FETCH_DONE);
    }
    assert_true(run(fetch, "/long", (struct tn_fetch_request){ .body_max = 4, .cut_body = true }, &answer));
    assert_string_equal(answer.body, "0123");
    assert_true(answer.cut);
    assert_false(run(fetch, "/file", (struct tn_fetch_request){ .follow = true }, &answer));
    assert_string_equal(answer.next, "file:///etc/passwd");
    tn_fetch_free(fetch);
}

static void test_another_origin(void **state)
{
    static const char *const lines[] = { "Authorization: Bearer mine" };
    struct tn_fetch         *fetch   = tn_fetch_new(NULL);
    struct tn_fetch_answer   answer;

    (void)state;
    assert_true(run(fetch, "/origin",
                    (struct tn_fetch_request){ .headers = lines, .header_count = 1, .follow = true },
                    &answer));
    assert_string_equal(answer.body, "hello");
    assert_false(saw("Authorization"));
    assert_true(answer.dropped);
    tn_fetch_free(fetch);
}

/* ---- Streams, and several at once -------------------------------------------------------------------------------- */

struct stream {
    int    status;
    size_t len, most;
};

static bool begin_stream(void *user, const struct tn_fetch_answer *answer)
{
    struct stream *stream = user;

    stream->status = answer->status;
    return answer->status == 200;
}

static bool take_stream(void *user, const char *at, size_t len)
{
    struct stream *stream = user;

    (void)at;
    stream->len += len;
    return stream->len < stream->most;
}

static void test_streams(void **state)
{
    struct stream           stream  = { .most = 100 };
    struct tn_fetch_request request = {
        .user = &stream, .begin = begin_stream, .take = take_stream, .follow = true
    };
    struct tn_fetch       *fetch = tn_fetch_new(NULL);
    struct tn_fetch_answer answer;

    (void)state;
    assert_true(run(fetch, "/away", request, &answer)); /* of the redirect nothing is handed over */
    assert_int_equal(stream.status, 200);
    assert_int_equal(stream.len, 5);
    assert_string_equal(answer.body, "");
    request.time_ms = 5000;
    assert_true(run(fetch, "/endless", request, &answer));
    stream = (struct stream){ .most = 3 };
    assert_false(run(fetch, "/long", request, &answer));
    assert_int_equal(answer.end, FETCH_STOPPED);
    assert_false(run(fetch, "/later", request, &answer));
    assert_int_equal(answer.end, FETCH_STOPPED);
    assert_int_equal(answer.status, 503);
    request.body_max = 4;
    stream           = (struct stream){ .most = 100 };
    assert_false(run(fetch, "/stated", request, &answer));
    assert_int_equal(answer.end, FETCH_BODY_TOO_LONG);
    tn_fetch_free(fetch);
}

static void *cancel_soon(void *user)
{
    nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    tn_fetch_cancel(user);
    return NULL;
}

static void test_cancel(void **state)
{
    struct tn_fetch       *fetch = tn_fetch_new(NULL);
    struct tn_fetch_answer answer;
    pthread_t              thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, fetch), 0);
    assert_false(run(fetch, "/silent", (struct tn_fetch_request){ 0 }, &answer));
    pthread_join(thread, NULL);
    assert_int_equal(answer.end, FETCH_CANCELLED);
    assert_true(answer.elapsed_ms < 5000);
    assert_true(run(fetch, "/plain", (struct tn_fetch_request){ 0 }, &answer)); /* and then it is over */
    tn_fetch_cancel(fetch);
    assert_false(
        run(fetch, "/plain", (struct tn_fetch_request){ 0 }, &answer)); /* one before the start counts */
    assert_int_equal(answer.end, FETCH_CANCELLED);
    tn_fetch_free(fetch);
}

static void test_pool(void **state)
{
    struct tn_fetch_pool   *pool = tn_fetch_pool_new();
    struct tn_fetch        *one = tn_fetch_new(pool), *other = tn_fetch_new(pool);
    char                    url[200];
    struct tn_fetch_request silent = { .url = url, .time_ms = 10000 }, plain = silent;

    (void)state;
    snprintf(url, sizeof url, "%s", url_of("/silent"));
    tn_fetch_start(one, &silent);
    plain.url = url_of("/plain");
    tn_fetch_start(other, &plain);
    while (!tn_fetch_is_over(other))
        tn_fetch_step(pool, 1000);
    assert_false(tn_fetch_is_over(one));
    assert_string_equal(tn_fetch_answer_of(other)->body, "hello");
    tn_fetch_free(one); /* while it runs */
    tn_fetch_wake(pool);
    tn_fetch_step(pool, 1000);
    tn_fetch_free(other);
    tn_fetch_pool_free(pool);
}

static void test_urls(void **state)
{
    struct tn_url *url = tn_url_new("HTTP://[::1]/a?b=c");

    (void)state;
    assert_string_equal(tn_url_get(url, URL_SCHEME), "http");
    assert_string_equal(tn_url_get(url, URL_HOST), "[::1]");
    assert_string_equal(tn_url_get(url, URL_PORT), "80");
    assert_null(tn_url_get(url, URL_USER));
    assert_true(tn_url_add(url, "d e", "f&g"));
    assert_string_equal(tn_url_get(url, URL_WHOLE), "http://[::1]/a?b=c&d%20e=f%26g");
    assert_true(tn_url_set(url, URL_WHOLE, "../x"));
    assert_string_equal(tn_url_get(url, URL_WHOLE), "http://[::1]/x");
    tn_url_free(url);
    assert_null(tn_url_new("no URL"));
    assert_true(tn_url_is_loopback("127.1.2.3"));
    assert_false(tn_url_is_loopback("127.0.0.1.example.com"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),        cmocka_unit_test(test_sending), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_another_origin), cmocka_unit_test(test_streams), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_pool),           cmocka_unit_test(test_urls),
    };

    return cmocka_run_group_tests(tests, begin_server, end_server);
}
