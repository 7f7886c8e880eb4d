/* fuzz_server.c - runs the server under the guard's supervisor: whatever a call does to it, nothing of it is left behind. */
#define _GNU_SOURCE
#include "cli/contract/fuzz_server.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/contract/memory.h"
#include "guard/process/environment.h"
#include "net/client/client.h"

#define ANSWER_BYTES_MAX ((size_t)8 << 20)
#define UNASKED_BYTES    ((size_t)2 << 10) /* a millisecond, of what answers no request */
#define START_MS         10000
#define END_MS           8000
#define WAIT_MS          10
#define ERROR_READS      16 /* at a time */

extern char **environ;

/* ---- Its life ------------------------------------------------------------------------------------------------------ */

static void on_news(void *user, const struct tn_child_news *news)
{
    struct fuzz_server *server = user;

    switch (news->event) {
    case CHILD_RUNNING:
        server->running = true;
        server->process = news->process;
        break;
    case CHILD_FAILED:
        server->failed = true;
        snprintf(server->how, sizeof server->how, "%s", news->why);
        break;
    case CHILD_EXITED:
        server->exited = true;
        snprintf(server->how, sizeof server->how, "the server %s", news->why);
        break;
    case CHILD_ENDED: server->child = NULL; break;
    }
}

/* Keeps the last line, which often says why a server ends. */
static void keep_line(struct fuzz_server *server, const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (at[i] == '\n') {
            server->line_over = true;
            continue;
        }
        if (server->line_over)
            server->said_len = 0;
        server->line_over = false;
        if (server->said_len < FUZZ_SAID_MAX)
            server->said[server->said_len++] = at[i];
    }
}

static void read_errors(struct fuzz_server *server)
{
    char    chunk[4096];
    ssize_t got;

    for (int i = 0; server->errors >= 0 && i < ERROR_READS; i++) {
        got = read(server->errors, chunk, sizeof chunk);
        if (got <= 0)
            return;
        keep_line(server, chunk, (size_t)got);
        if (server->remote->verbose)
            console_text(server->remote->console->err, (struct tn_slice){ chunk, (size_t)got });
    }
}

static void server_step(void *user)
{
    struct fuzz_server *server = user;

    if (server->url)
        return;
    read_errors(server);
    uv_run(&server->loop, UV_RUN_NOWAIT);
}

static int64_t now_ms(void)
{
    return tn_client_now_ms();
}

static void rest(void)
{
    poll(NULL, 0, WAIT_MS);
}

static bool program_open(void *user, int *input, int *output, char why[TRANSPORT_WHY_MAX])
{
    struct fuzz_server  *server = user;
    struct tn_child_plan plan   = {
          .order  = { .words       = server->words,
                      .environment = server->environment ? server->environment : (const char *const *)environ,
                      .directory   = server->directory },
          .name   = "fuzz",
          .memory = tn_memory_of(NULL),
          .news   = on_news,
          .user   = server
    };
    int64_t until = now_ms() + START_MS;

    server->running = server->failed = server->exited = server->line_over = false;
    server->how[0]                                                        = '\0';
    server->said_len                                                      = 0;
    server->child = tn_child_start(&server->loop, &plan, why);
    if (!server->child)
        return false;
    *input         = tn_child_take(server->child, CHILD_INPUT);
    *output        = tn_child_take(server->child, CHILD_OUTPUT);
    server->errors = tn_child_take(server->child, CHILD_ERRORS);
    while (!server->running && !server->failed && now_ms() < until) {
        server_step(server);
        if (!server->running && !server->failed)
            rest();
    }
    if (server->running)
        return true;
    close(*input);
    close(*output);
    *input = *output = -1;
    snprintf(why, TRANSPORT_WHY_MAX, "%.390s",
             server->failed ? server->how : "the server was not started in time");
    return false;
}

/* Its input was closed before. Returns when no process of it is left. */
static void program_close(void *user)
{
    struct fuzz_server *server = user;
    int64_t             until  = now_ms() + END_MS;

    if (server->child)
        tn_child_end(server->child);
    while (server->child && now_ms() < until) {
        server_step(server);
        if (server->child)
            rest();
    }
    if (server->child)
        tn_child_forget(server->child);
    server->child = NULL;
    if (server->errors >= 0)
        close(server->errors);
    server->errors = -1;
}

/* ---- A client of it -------------------------------------------------------------------------------------------------- */

static void refuse_question(void *user, tenon_question *question)
{
    (void)user;
    tenon_question_refuse(question, NULL);
}

static tenon_client *open_program(struct fuzz_server *server, char why[FUZZ_WHY_MAX])
{
    const tenon_client_options   options = { .size         = sizeof options,
                                             .revision     = server->remote->revision,
                                             .capabilities = "{}",
                                             .ask          = refuse_question,
                                             .max_bytes    = ANSWER_BYTES_MAX };
    const struct tn_pipe_program program = { .open    = program_open,
                                             .close   = program_close,
                                             .user    = server,
                                             .name    = server->words[0],
                                             .unasked = UNASKED_BYTES };
    struct tn_transport_frame    frame;
    tenon_client                *client = tn_client_new(&options);

    if (client) {
        tn_client_frame(client, &frame);
        client = tn_client_attach(client, tn_pipe_transport_over(&frame, &program));
    }
    if (!client)
        snprintf(why, FUZZ_WHY_MAX, "out of memory");
    return client;
}

static tenon_client *server_open(void *user, char why[FUZZ_WHY_MAX])
{
    struct fuzz_server *server = user;
    tenon_client       *client;

    why[0] = '\0';
    if (!server->url)
        return open_program(server, why);
    server->remote->capabilities = "{}";
    if (!remote_open(server->remote, server->url))
        snprintf(why, FUZZ_WHY_MAX, "the server cannot be reached");
    client                 = why[0] ? NULL : server->remote->client;
    server->remote->client = NULL;
    return client;
}

static void server_close(void *user, tenon_client *client)
{
    (void)user;
    tenon_client_free(client);
}

/* Waits a moment for the news: the end of its output comes first. */
static const char *server_ended(void *user)
{
    struct fuzz_server *server = user;
    int64_t             until  = now_ms() + START_MS / 10;

    if (server->url)
        return "";
    while (server->child && !server->exited && !server->failed && now_ms() < until) {
        server_step(server);
        if (!server->exited)
            rest();
    }
    read_errors(server);
    if (server->how[0] && server->said_len > 0) {
        size_t len = strlen(server->how);

        server->said[server->said_len] = '\0';
        snprintf(server->how + len, sizeof server->how - len, "; its last line: %s", server->said);
        server->said_len = 0;
    }
    return server->how;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

static int64_t server_memory(void *user)
{
    struct fuzz_server *server = user;

    return server->url || !server->child || server->process <= 0 ? -1 : memory_of_tree(server->process);
}

/* ---- All of it ------------------------------------------------------------------------------------------------------- */

bool fuzz_server_init(struct fuzz_server *server, struct remote *remote, const char *const *words,
                      const char *url)
{
    *server = (struct fuzz_server){ .way    = { .open   = server_open,
                                                .close  = server_close,
                                                .step   = server_step,
                                                .ended  = server_ended,
                                                .memory = server_memory,
                                                .user   = server },
                                    .remote = remote,
                                    .words  = words,
                                    .url    = words ? NULL : url,
                                    .errors = -1 };
    if (uv_loop_init(&server->loop) == 0)
        return true;
    console_error(remote->console, "out of memory");
    return false;
}

static bool read_list(struct fuzz_server *server, struct tn_session *session, struct tn_offer *offer,
                      const tenon_strs *unpinned)
{
    tenon_request *request = tenon_client_list(session->client, "tools", .timeout_ms = -1);
    int64_t        until   = now_ms() + server->remote->timeout_ms;
    tenon_str      text;
    const char    *why = "the server does not list its tools in time";
    char          *copy;
    bool           had = false;

    while (tenon_request_state_of(request) == TENON_REQUEST_OPEN && request && now_ms() < until) {
        tenon_client_poll(session->client, WAIT_MS);
        server_step(server);
    }
    text = tenon_request_text(request);
    if (tenon_request_state_of(request) == TENON_REQUEST_ANSWERED) {
        copy = tn_arena_copy(&server->remote->arena, text.at, text.len);
        had  = copy && tn_offer_read(offer, &server->remote->arena, (struct tn_slice){ copy, text.len },
                                     unpinned, &why);
    } else if (tenon_request_state_of(request) != TENON_REQUEST_OPEN)
        why = tenon_request_why(request);
    if (!had)
        console_error(server->remote->console, "%s", why);
    tenon_request_free(request);
    return had;
}

bool fuzz_server_list(struct fuzz_server *server, struct tn_offer *offer, const tenon_strs *unpinned)
{
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_session session;
    bool              had = false;

    tn_session_init(&session, &server->way, server->remote->timeout_ms, &memory);
    if (tn_session_ready(&session))
        had = read_list(server, &session, offer, unpinned);
    else
        console_error(server->remote->console, "%s", session.why);
    tn_session_free(&session);
    return had;
}

static void close_handle(uv_handle_t *handle, void *user)
{
    (void)user;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

void fuzz_server_free(struct fuzz_server *server)
{
    uv_run(&server->loop, UV_RUN_NOWAIT);
    if (uv_loop_close(&server->loop) == 0)
        return;
    uv_walk(&server->loop, close_handle, NULL);
    uv_run(&server->loop, UV_RUN_NOWAIT);
    uv_loop_close(&server->loop);
}
