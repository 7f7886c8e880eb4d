/* admin_test.c - health and metrics over real connections: what is answered, to whom, and while it stops. */
#define _GNU_SOURCE
#include "net/admin.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "net/metrics.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct fixture {
    struct tn_loop      loop;
    tenon_server        server;
    struct tn_settings *settings;
    struct tn_serving   serving;
    struct admin       *admin;
    bool                closed;
};

static void gauges(struct tn_serving *serving, struct tn_metrics_gauges *to)
{
    (void)serving;
    to->http.connections = 42;
}

static int open_at(void **state, const char *address)
{
    struct fixture *fixture = test_calloc(1, sizeof *fixture);
    const char     *mistake = NULL, *error = NULL;

    assert_int_equal(tn_loop_init(&fixture->loop, NULL), TENON_OK);
    fixture->loop.thread = pthread_self();
    fixture->server      = (tenon_server){
             .name = "n", .version = "1", .memory = tn_memory_of(NULL), .clock = tn_clock_system()
    };
    fixture->server.boxes[BOX_TOOLS] = tenon_toolbox_new();
    fixture->settings                = tn_settings_new(NULL);
    assert_true(tn_settings_set(fixture->settings, "admin", address, &mistake));
    assert_true(tn_settings_set(fixture->settings, "allow-host", "status.example", &mistake));
    fixture->serving = (struct tn_serving){ .server   = &fixture->server,
                                            .settings = fixture->settings,
                                            .metrics  = tn_metrics_new(&fixture->server),
                                            .gauges   = gauges };
    assert_int_equal(tn_admin_new(&fixture->admin, &fixture->serving, &fixture->loop, NULL, &error),
                     TENON_OK);
    assert_true(tn_admin_port(fixture->admin) > 0);
    *state = fixture;
    return 0;
}

static int open_loopback(void **state)
{
    return open_at(state, "127.0.0.1:0");
}

static int open_everywhere(void **state)
{
    return open_at(state, "0.0.0.0:0");
}

static void on_closed(void *user)
{
    *(bool *)user = true;
}

static int close_fixture(void **state)
{
    struct fixture *fixture = *state;

    tn_admin_stop(fixture->admin, on_closed, &fixture->closed);
    tn_admin_abort(fixture->admin);
    while (!fixture->closed)
        uv_run(&fixture->loop.uv, UV_RUN_ONCE);
    tn_admin_free(fixture->admin);
    tn_loop_free(&fixture->loop);
    tn_metrics_free(fixture->serving.metrics);
    tenon_toolbox_free(fixture->server.boxes[BOX_TOOLS]);
    tn_settings_free(fixture->settings);
    test_free(fixture);
    return 0;
}

/* One request on a connection of its own; the loop is turned until the server closes it. */
static const char *ask(struct fixture *fixture, const char *request)
{
    static char        text[20000];
    struct sockaddr_in to  = { .sin_family = AF_INET,
                               .sin_port   = htons((uint16_t)tn_admin_port(fixture->admin)) };
    int                fd  = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t             len = 0;
    ssize_t            got;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    for (;;) {
        uv_run(&fixture->loop.uv, UV_RUN_NOWAIT);
        got = recv(fd, text + len, sizeof text - 1 - len, MSG_DONTWAIT);
        if (got == 0)
            break;
        len += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    text[len] = '\0';
    return text;
}

static const char *get(struct fixture *fixture, const char *method, const char *path, const char *host)
{
    char request[300];

    snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, path,
             host);
    return ask(fixture, request);
}

static void answers_its_paths(void **state)
{
    static const struct { const char *method, *path, *host, *status, *part; } cases[] = {
        { "GET",  "/healthz",     "127.0.0.1:9",      "200", "\r\n\r\n{\"status\":\"ok\"}" },
        { "GET",  "/healthz?a=b", "localhost",        "200", "\r\n\r\n{\"status\":\"ok\"}" },
        { "GET",  "/healthz",     "[::1]:9",          "200", "Cache-Control: no-store\r\n" },
        { "GET",  "/healthz",     "status.example",   "200", "application/json" },
        { "HEAD", "/healthz",     "127.0.0.1",        "200", "\r\n\r\n" },
        { "GET",  "/readyz",      "127.0.0.1",        "503", "\r\n\r\n{\"status\":\"starting\"}" },
        { "POST", "/readyz",      "127.0.0.1",        "405", "Allow: GET, HEAD\r\n" },
        { "GET",  "/metrics",     "127.0.0.1",        "200", "text/plain; version=0.0.4; charset=utf-8" },
        { "GET",  "/metrics",     "127.0.0.1",        "200", "\ntenon_http_connections 42\n" },
        { "GET",  "/metrics",     "127.0.0.1",        "200", "\ntenon_healthy 1\n" },
        { "GET",  "/metrics",     "evil.example",     "403", "" },
        { "GET",  "/healthz",     "192.0.2.1",        "403", "" },
        { "GET",  "/",            "127.0.0.1",        "404", "" },
        { "GET",  "/mcp",         "127.0.0.1",        "404", "" },
        { "GET",  "/healthz/",    "127.0.0.1",        "404", "" },
        { "PUT",  "/healthz",     "127.0.0.1",        "405", "Allow: GET, HEAD\r\n" },
        { "POST", "/metrics",     "127.0.0.1",        "405", "Allow: GET, HEAD\r\n" },
        { "OPTIONS", "/metrics",  "127.0.0.1",        "405", "" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *text = get(*state, cases[i].method, cases[i].path, cases[i].host);
        char        line[20];

        snprintf(line, sizeof line, "HTTP/1.1 %s ", cases[i].status);
        if (strncmp(text, line, strlen(line)) != 0 || !strstr(text, cases[i].part))
            fail_msg("%s %s of %s: %s", cases[i].method, cases[i].path, cases[i].host, text);
        if (strcmp(cases[i].method, "HEAD") == 0)
            assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n");
    }
}

static void numbers_are_known_beyond_loopback(void **state)
{
    static const struct { const char *host, *status; } cases[] = {
        { "10.1.2.3:9464", "HTTP/1.1 200 " }, { "[2001:db8::1]:9464", "HTTP/1.1 200 " }, { "localhost", "HTTP/1.1 200 " },
        { "evil.example",  "HTTP/1.1 403 " }, { "10.1.2.3.evil.example", "HTTP/1.1 403 " },
        { "status.example", "HTTP/1.1 200 " },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *text = get(*state, "GET", "/healthz", cases[i].host);

        if (strncmp(text, cases[i].status, strlen(cases[i].status)) != 0)
            fail_msg("%s: %s", cases[i].host, text);
    }
}

static void says_that_it_stops(void **state)
{
    struct fixture *fixture = *state;
    const char     *text;

    assert_true(tn_admin_is_healthy(&fixture->serving));
    atomic_store(&fixture->serving.begun, true);
    text = get(fixture, "GET", "/readyz", "localhost");
    assert_non_null(strstr(text, "HTTP/1.1 200 "));
    assert_non_null(strstr(text, "{\"status\":\"ready\"}"));
    atomic_store(&fixture->serving.stopping, true);
    text = get(fixture, "GET", "/readyz", "localhost");
    assert_non_null(strstr(text, "HTTP/1.1 503 "));
    assert_non_null(strstr(text, "{\"status\":\"stopping\"}"));
    assert_false(tn_admin_is_healthy(&fixture->serving));
    text = get(fixture, "GET", "/healthz", "localhost");
    assert_non_null(strstr(text, "HTTP/1.1 503 "));
    assert_non_null(strstr(text, "{\"status\":\"stopping\"}"));
    assert_non_null(strstr(get(fixture, "GET", "/metrics", "localhost"), "\ntenon_healthy 0\n"));
}

/* A worker that never comes back, and no more to replace it. */
static sem_t go_on;

static void hang(struct tn_job *job)
{
    (void)job;
    sem_wait(&go_on);
}

static void nothing(struct tn_job *job)
{
    (void)job;
}

static void says_that_workers_are_lost(void **state)
{
    struct fixture *fixture = *state;
    struct tn_job   job     = { .run = hang, .overrun = nothing, .end = nothing, .deadline_ms = 1 };
    const char     *text;

    sem_init(&go_on, 0, 0);
    fixture->serving.workers = tn_workers_new(&(struct tn_worker_options){
        .workers = 1, .queued = 1, .lost = WORKER_NONE, .clock = tn_clock_system() });
    assert_int_equal(tn_workers_post(fixture->serving.workers, &job), WORKER_TAKEN);
    do
        text = get(fixture, "GET", "/metrics", "localhost");
    while (!strstr(text, "\ntenon_workers_lost 1\n"));
    text = get(fixture, "GET", "/healthz", "localhost");
    if (!strstr(text, "{\"status\":\"unhealthy\",\"reason\":\"workers are lost\"}"))
        fail_msg("%s", text);
    sem_post(&go_on);
    tn_workers_free(fixture->serving.workers, 10000);
    fixture->serving.workers = NULL;
    sem_destroy(&go_on);
}

static void cannot_listen_twice(void **state)
{
    struct fixture *fixture = *state;
    struct admin   *second  = NULL;
    const char     *error   = NULL, *mistake;
    char            address[40];

    snprintf(address, sizeof address, "127.0.0.1:%u", tn_admin_port(fixture->admin));
    assert_true(tn_settings_set(fixture->settings, "admin", address, &mistake));
    assert_int_not_equal(tn_admin_new(&second, &fixture->serving, &fixture->loop, NULL, &error), TENON_OK);
    assert_null(second);
    assert_non_null(strstr(error, address));
}

int main(void)
{
#define AT(test, open) cmocka_unit_test_setup_teardown(test, open, close_fixture)
    const struct CMUnitTest tests[] = {
        AT(answers_its_paths, open_loopback),   AT(numbers_are_known_beyond_loopback, open_everywhere),
        AT(says_that_it_stops, open_loopback),  AT(says_that_workers_are_lost, open_loopback),
        AT(cannot_listen_twice, open_loopback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
