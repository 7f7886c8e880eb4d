/* console.c - paths of the console, who may have them, and what they answer. */
#define _GNU_SOURCE
#include "net/console/console.h"

#include <stdio.h>

#include "base/memory.h"
#include "json/read.h"
#include "mcp/source.h"
#include "net/admin.h"
#include "net/console/inside.h"
#include "net/console/page.h"

#define JSON_TYPE "application/json"
#define SECOND_MS 1000
#define BODY_MAX  ((size_t)64 << 10) /* of what is not a message of MCP */
#define NUMBER_DIGITS ((size_t)19) /* of a call's number: more may be too large */

/* What every answer of the console says to a browser. Nothing is loaded from elsewhere, and no page may hold this one. */
#define SAFE                                                                                                  \
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"                                      \
    "Cross-Origin-Resource-Policy: same-origin\r\n"
#define SAFE_DATA SAFE "Cache-Control: no-store\r\n"
#define SAFE_PAGE                                                                                              \
    SAFE "Cache-Control: no-cache\r\nCross-Origin-Opener-Policy: same-origin\r\nX-Frame-Options: DENY\r\n"     \
         "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "                  \
         "img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "    \
         "frame-ancestors 'none'\r\n"

static const struct tn_slice nothing = { "", 0 };

static tn_console_lint *looks; /* of the program */

void tn_console_lints(tn_console_lint *lint)
{
    looks = lint;
}

int64_t tn_console_now_ms(const struct tn_console *console)
{
    struct tn_clock clock = console->serving->server->clock;

    return clock.wall_ms(clock.user);
}

bool tn_console_number(struct tn_slice text, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        *number = *number * 10 + (uint64_t)(text.at[i] - '0');
    }
    return text.len > 0 && text.len <= NUMBER_DIGITS;
}

/* ---- Answers ------------------------------------------------------------------------------------------------------ */

static void answer_json(struct tn_console *console, struct tn_http_conn *conn, int status,
                        const char *headers, tenon_writer *to)
{
    size_t      len  = 0;
    const char *text = tenon_writer_text(to, &len);

    if (text)
        tn_http_answer(conn, status, headers, JSON_TYPE, (struct tn_slice){ text, len });
    else
        tn_http_answer(conn, 503, SAFE_DATA, NULL, nothing);
    tn_arena_reset(&console->arena);
}

/* A refusal that the page can show. The words are ours. */
static void refuse(struct tn_http_conn *conn, int status, const char *words)
{
    char room[256];
    int  len = snprintf(room, sizeof room, "{\"error\":\"%s\"}", words);

    tn_http_answer(conn, status, SAFE_DATA, JSON_TYPE, (struct tn_slice){ room, (size_t)len });
}

static tenon_writer *begin(struct tn_console *console)
{
    tenon_writer *to = tn_writer_in(&console->arena, CONSOLE_TEXT_MAX);

    tenon_write_object(to, NULL);
    return to;
}

static void end(struct tn_console *console, struct tn_http_conn *conn, tenon_writer *to)
{
    tenon_write_end(to);
    answer_json(console, conn, 200, SAFE_DATA, to);
}

/* ---- The page ------------------------------------------------------------------------------------------------------ */

static const struct tn_page_file *file_of(struct tn_slice path)
{
    for (size_t i = 0; i < tn_page_file_count; i++)
        if (tn_slice_is(path, tn_page_files[i].path))
            return &tn_page_files[i];
    return NULL;
}

static void answer_file(struct tn_http_conn *conn, const struct tn_page_file *file)
{
    struct tn_http_value known = tn_http_header(conn, SLICE_LIT("If-None-Match"));
    char                 headers[1024];

    snprintf(headers, sizeof headers, SAFE_PAGE "ETag: %s\r\n", file->tag);
    if (known.count == 1 && tn_slice_is(known.value, file->tag))
        tn_http_answer(conn, 304, headers, NULL, nothing);
    else
        tn_http_answer(conn, 200, headers, file->type,
                       (struct tn_slice){ (const char *)file->at, file->len });
}

/* ---- Data ---------------------------------------------------------------------------------------------------------- */

static void get_status(struct tn_console *console, struct tn_http_conn *conn,
                       const struct tn_access_session *session)
{
    tenon_writer *to = begin(console);

    tn_console_status(console, to, session->key);
    end(console, conn, to);
}

static void get_tools(struct tn_console *console, struct tn_http_conn *conn,
                      const struct tn_access_session *session)
{
    tenon_writer *to = begin(console);

    (void)session;
    tn_feed_write_tools(console->feed, to);
    end(console, conn, to);
}

static void get_series(struct tn_console *console, struct tn_http_conn *conn,
                       const struct tn_access_session *session)
{
    tenon_writer *to = begin(console);

    (void)session;
    tn_feed_write_series(console->feed, to);
    end(console, conn, to);
}

static void get_issues(struct tn_console *console, struct tn_http_conn *conn,
                       const struct tn_access_session *session)
{
    tenon_writer *to = begin(console);

    (void)session;
    tn_feed_write_wrong(console->feed, to);
    end(console, conn, to);
}

static void get_events(struct tn_console *console, struct tn_http_conn *conn,
                       const struct tn_access_session *session)
{
    (void)session;
    tn_console_follow(console, conn);
}

static void get_upstreams(struct tn_console *console, struct tn_http_conn *conn,
                          const struct tn_access_session *session)
{
    const struct tn_source *source = console->serving->server->source;
    struct tn_buf           out;

    (void)session;
    tn_buf_init(&out, &console->arena, (size_t)16 << 10, CONSOLE_TEXT_MAX);
    if (source && source->console)
        source->console(source->user, &out);
    if (!source || !source->console)
        refuse(conn, 404, "This server has no upstreams.");
    else if (out.failed)
        refuse(conn, 503, "There is not enough memory.");
    else
        tn_http_answer(conn, 200, SAFE_DATA, JSON_TYPE, tn_buf_slice(&out));
    tn_arena_reset(&console->arena);
}

static void get_call(struct tn_console *console, struct tn_http_conn *conn, struct tn_slice number)
{
    uint64_t      id;
    tenon_writer *to;

    if (!tn_console_number(number, &id)) {
        refuse(conn, 404, "There is no such call.");
        return;
    }
    to = begin(console);
    if (tn_feed_write_call(console->feed, to, id, true))
        end(console, conn, to);
    else
        refuse(conn, 404, "This call is not kept any more.");
    tn_arena_reset(&console->arena);
}

/* ---- What is posted -------------------------------------------------------------------------------------------------- */

static yyjson_val *body_of(struct tn_console *console, struct tn_http_conn *conn)
{
    static const struct tn_json_limits limits = { BODY_MAX, 8, 64 };
    struct tn_slice                    body   = tn_http_request_of(conn)->body;
    yyjson_val                        *root = tn_json_read(&console->arena, body.at, body.len, &limits).root;

    return yyjson_is_obj(root) ? root : NULL;
}

static struct tn_slice text_of(yyjson_val *object, const char *name)
{
    yyjson_val *value = yyjson_obj_get(object, name);

    return yyjson_is_str(value) ? (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) } : nothing;
}

/* A token for a cookie. The link's token is void then, and the next link is logged. */
static void post_session(struct tn_console *console, struct tn_http_conn *conn,
                         const struct tn_access_session *none)
{
    yyjson_val                     *body = body_of(console, conn);
    const struct tn_access_session *session;
    const struct tn_http_value     *origin = &tn_http_known(conn)[FIELD_ORIGIN];
    bool secure = origin->count == 1 && origin->value.len > 8 && memcmp(origin->value.at, "https://", 8) == 0;
    char cookie[ACCESS_TEXT], headers[768];
    bool once;
    tenon_writer *to;

    (void)none;
    session = body ? tn_access_redeem(&console->access, text_of(body, "token"), tn_console_now_ms(console),
                                      cookie, &once)
                   : NULL;
    tn_arena_reset(&console->arena);
    if (!session) {
        refuse(conn, 401, "This link was used already, or is not of this server; its log has the next one.");
        return;
    }
    snprintf(headers, sizeof headers,
             SAFE_DATA "Set-Cookie: %s=%s; Path=/console; HttpOnly; SameSite=Strict; Max-Age=%lld%s\r\n",
             console->access.name, cookie, (long long)(ACCESS_IDLE_MS / 1000), secure ? "; Secure" : "");
    tn_memory_scrub(cookie, sizeof cookie);
    to = begin(console);
    tenon_write_str(to, "key", session->key);
    tenon_write_end(to);
    answer_json(console, conn, 200, headers, to);
    tn_memory_scrub(headers, sizeof headers);
    if (once)
        tn_console_invite(console);
}

static void post_approve(struct tn_console *console, struct tn_http_conn *conn,
                         const struct tn_access_session *session)
{
    const struct tn_source *source = console->serving->server->source;
    yyjson_val             *body   = body_of(console, conn);
    struct tn_slice         id = text_of(body, "id"), hash = text_of(body, "newHash");
    bool                    approves = tn_slice_is(text_of(body, "decision"), "approve");
    bool                    keeps    = tn_slice_is(text_of(body, "decision"), "keep");
    const char             *words    = NULL;

    (void)session;
    if (!source || !source->settle)
        refuse(conn, 404, "This server has nothing to approve.");
    else if (!body || id.len == 0 || hash.len == 0 || (!approves && !keeps))
        refuse(conn, 400, "id, newHash and decision (approve or keep) are needed.");
    else if ((words = source->settle(source->user, id, hash, keeps)))
        refuse(conn, 409, words);
    else
        tn_http_answer(conn, 200, SAFE_DATA, JSON_TYPE, SLICE_LIT("{}"));
    tn_arena_reset(&console->arena);
}

/* The definition is what the page was shown, which sends it back. */
static void post_lint(struct tn_console *console, struct tn_http_conn *conn,
                      const struct tn_access_session *session)
{
    struct tn_buf out;

    (void)session;
    tn_buf_init(&out, &console->arena, 4096, CONSOLE_TEXT_MAX);
    if (!looks)
        refuse(conn, 404, "This program has no linter: tenon lint looks at any server.");
    else if (!looks(&out, &console->arena, tn_http_request_of(conn)->body) || out.failed)
        refuse(conn, 400, "This is not the definition of a tool.");
    else
        tn_http_answer(conn, 200, SAFE_DATA, JSON_TYPE, tn_buf_slice(&out));
    tn_arena_reset(&console->arena);
}

/* ---- Paths ------------------------------------------------------------------------------------------------------------ */

#define CALLS "/console/calls/"
#define MCP   "/console/mcp"

static const struct console_path {
    const char         *path;
    enum tn_http_method method;
    bool                open; /* without a session */
    void (*answer)(struct tn_console *console, struct tn_http_conn *conn,
                   const struct tn_access_session *session);
} paths[] = {
    { "/console/session", HTTP_IS_POST, true, post_session },
    { "/console/status", HTTP_IS_GET, false, get_status },
    { "/console/tools", HTTP_IS_GET, false, get_tools },
    { "/console/series", HTTP_IS_GET, false, get_series },
    { "/console/issues", HTTP_IS_GET, false, get_issues },
    { "/console/events", HTTP_IS_GET, false, get_events },
    { "/console/upstreams", HTTP_IS_GET, false, get_upstreams },
    { "/console/approve", HTTP_IS_POST, false, post_approve },
    { "/console/lint", HTTP_IS_POST, false, post_lint },
    { MCP, HTTP_IS_POST, false, NULL },
};

static const struct console_path *path_of(struct tn_slice path)
{
    static const struct console_path call = { CALLS, HTTP_IS_GET, false, NULL };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (tn_slice_is(path, paths[i].path))
            return &paths[i];
    return path.len > sizeof CALLS - 1 && memcmp(path.at, CALLS, sizeof CALLS - 1) == 0 ? &call : NULL;
}

bool tn_console_has(struct tn_slice path)
{
    return tn_slice_is(path, "/console") || (path.len > 9 && memcmp(path.at, "/console/", 9) == 0);
}

/* ---- Who may have them -------------------------------------------------------------------------------------------------- */

/* The page's own origin is the Host that it was asked by: a browser sends both, and a page elsewhere cannot choose them. */
static bool is_own_origin(struct tn_http_conn *conn)
{
    const struct tn_http_value *origin = &tn_http_known(conn)[FIELD_ORIGIN];
    struct tn_slice             host = tn_http_request_of(conn)->host, value = origin->value;
    struct tn_http_value        site = tn_http_header(conn, SLICE_LIT("Sec-Fetch-Site"));
    size_t                      skip;

    if (site.count > 1 ||
        (site.count == 1 && !tn_slice_is(site.value, "same-origin") && !tn_slice_is(site.value, "none")))
        return false;
    if (origin->count == 0)
        return true;
    skip = value.len > 8 && memcmp(value.at, "https://", 8) == 0 ? 8 : 7;
    return origin->count == 1 && value.len > skip && (skip == 8 || memcmp(value.at, "http://", 7) == 0) &&
           tn_slice_fold_equal((struct tn_slice){ value.at + skip, value.len - skip }, host);
}

static const struct tn_access_session *session_of(struct tn_console *console, struct tn_http_conn *conn)
{
    struct tn_http_value cookies = tn_http_header(conn, SLICE_LIT("Cookie"));

    return cookies.count == 1 ? tn_access_find(&console->access, cookies.value, tn_console_now_ms(console))
                              : NULL;
}

static bool is_json(struct tn_http_conn *conn)
{
    const struct tn_http_value *type = &tn_http_known(conn)[FIELD_CONTENT_TYPE];

    return type->count == 1 && tn_slice_is(type->value, JSON_TYPE);
}

/* Before the body is read. True when it may be. */
static bool admits(struct tn_console *console, struct tn_http_conn *conn, const struct console_path *path)
{
    const struct tn_http_request   *request = tn_http_request_of(conn);
    const struct tn_access_session *session = path->open ? NULL : session_of(console, conn);
    struct tn_http_value            key     = tn_http_header(conn, SLICE_LIT("Tenon-Console-Key"));

    if (!is_own_origin(conn))
        refuse(conn, 403, "Only the console's own page may ask this.");
    else if (request->method != path->method)
        tn_http_answer(conn, 405, path->method == HTTP_IS_POST ? "Allow: POST\r\n" : "Allow: GET\r\n", NULL,
                       nothing);
    else if (!path->open && !session)
        refuse(conn, 401, "The console needs the link that the server's log has, or a token.");
    else if (path->method == HTTP_IS_POST && !is_json(conn))
        refuse(conn, 415, "The Content-Type is application/json.");
    else if (path->method == HTTP_IS_POST && !path->open &&
             (key.count != 1 || !tn_access_has_key(session, key.value)))
        refuse(conn, 403, "The header Tenon-Console-Key is not the one of this session.");
    else if (!tn_slice_is(request->path, MCP) && request->body_announced > BODY_MAX)
        refuse(conn, 413, "This is too long.");
    else
        return true;
    return false;
}

int tn_console_head(struct tn_console *console, struct tn_http_conn *conn)
{
    const struct tn_http_request *request = tn_http_request_of(conn);
    const struct console_path    *path    = path_of(request->path);

    if (file_of(request->path)) {
        if (request->method == HTTP_IS_GET || request->method == HTTP_IS_HEAD)
            return 0;
        tn_http_answer(conn, 405, "Allow: GET, HEAD\r\n", NULL, nothing);
        return -1;
    }
    if (!path) {
        tn_http_answer(conn, 404, SAFE_DATA, NULL, nothing);
        return -1;
    }
    if (!admits(console, conn, path))
        return -1;
    return tn_slice_is(request->path, MCP) ? tn_endpoint_head(console->endpoint, conn) : 0;
}

void tn_console_request(struct tn_console *console, struct tn_http_conn *conn)
{
    const struct tn_http_request *request = tn_http_request_of(conn);
    const struct tn_page_file    *file    = file_of(request->path);
    const struct console_path    *path    = path_of(request->path);

    if (file)
        answer_file(conn, file);
    else if (tn_slice_is(request->path, MCP))
        tn_endpoint_body(conn);
    else if (console->stopping)
        refuse(conn, 503, "The server is stopping.");
    else if (path && path->answer)
        path->answer(console, conn, path->open ? NULL : session_of(console, conn));
    else
        get_call(console, conn,
                 (struct tn_slice){ request->path.at + sizeof CALLS - 1,
                                    request->path.len - sizeof CALLS + 1 });
}

void tn_console_done(struct tn_console *console, struct tn_http_conn *conn)
{
    struct tn_slice path = tn_http_request_of(conn)->path;

    if (tn_slice_is(path, MCP))
        tn_endpoint_done(conn);
    else if (tn_slice_is(path, "/console/events"))
        tn_console_unfollow(console, conn);
}

/* ---- Beginning and end --------------------------------------------------------------------------------------------------- */

static void on_second(uv_timer_t *timer)
{
    struct tn_console    *console = timer->data;
    struct tn_serving    *serving = console->serving;
    struct tn_feed_gauges gauges  = { .in_flight = atomic_load(&serving->in_flight) };
    size_t                lost;

    if (serving->workers)
        tn_workers_counts(serving->workers, &gauges.busy, &gauges.queued, &lost);
    tn_feed_tick(console->feed, &gauges, tn_console_now_ms(console));
}

tenon_status tn_console_new(struct tn_console **out, struct tn_serving *serving, struct tn_loop *loop,
                            struct tn_feed *feed, const char **error)
{
    struct tn_console *console = tn_memory_new(&loop->memory, sizeof *console);

    *out   = NULL;
    *error = tenon_status_text(TENON_E_NOMEM);
    if (!console)
        return TENON_E_NOMEM;
    *console = (struct tn_console){ .serving = serving, .loop = loop, .feed = feed, .open = 3 };
    if (!tn_access_init(&console->access, serving->settings, error) ||
        tn_endpoint_new_inside(&console->endpoint, serving, loop, CONSOLE_CALLER) != TENON_OK) {
        tn_memory_free(&loop->memory, console, sizeof *console);
        return TENON_E_DECLARATION;
    }
    console->began_ms = tn_console_now_ms(console);
    tn_arena_init(&console->arena, &loop->memory, 2 * CONSOLE_TEXT_MAX);
    uv_timer_init(&loop->uv, &console->seconds);
    uv_timer_init(&loop->uv, &console->events);
    console->seconds.data = console->events.data = console;
    uv_timer_start(&console->seconds, on_second, SECOND_MS, SECOND_MS);
    *out = console;
    return TENON_OK;
}

void tn_console_listens(struct tn_console *console, unsigned port)
{
    console->port = port;
    tn_access_listens(&console->access, port);
}

void tn_console_invite(struct tn_console *console)
{
    struct tn_setting_address address = tn_settings_address(console->serving->settings->admin);
    bool                      ipv6    = strchr(address.host, ':') != NULL;
    const struct tn_log      *log     = &console->serving->server->log;
    char                      token[ACCESS_TEXT];

    if (!tn_settings_is_loopback(tn_slice_of(address.host))) {
        tn_log_line(log, LOG_INFO, "console at port %u, with a token of --console-token", console->port);
        return;
    }
    tn_access_once(&console->access, token);
    tn_log_line(log, LOG_INFO, "console at http://%s%s%s:%u/console#token=%s (works once)", ipv6 ? "[" : "",
                address.host, ipv6 ? "]" : "", console->port, token);
    tn_memory_scrub(token, sizeof token);
}

static void on_part_closed(struct tn_console *console)
{
    if (--console->open == 0 && console->closed)
        console->closed(console->closed_user);
}

static void on_timer_closed(uv_handle_t *handle)
{
    on_part_closed(handle->data);
}

static void on_endpoint_closed(void *user)
{
    on_part_closed(user);
}

void tn_console_stop(struct tn_console *console, void (*closed)(void *user), void *user)
{
    console->stopping    = true;
    console->closed      = closed;
    console->closed_user = user;
    tn_console_end_streams(console);
    uv_close((uv_handle_t *)&console->seconds, on_timer_closed);
    uv_close((uv_handle_t *)&console->events, on_timer_closed);
    tn_endpoint_stop(console->endpoint, on_endpoint_closed, console);
}

void tn_console_free(struct tn_console *console)
{
    tenon_allocator memory;

    if (!console)
        return;
    memory = console->loop->memory;
    tn_endpoint_free(console->endpoint);
    tn_arena_free(&console->arena);
    tn_memory_scrub(&console->access, sizeof console->access);
    tn_memory_free(&memory, console, sizeof *console);
}
