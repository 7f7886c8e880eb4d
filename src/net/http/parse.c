/* parse.c - bytes to requests: llhttp's callbacks, and the order in which a request's steps follow from them.
 *
 * llhttp is never lenient here. `head` is called within the parser, which only stops; `request` outside of it, so that
 * whatever an answer leads to finds the parser at rest.
 */
#define _GNU_SOURCE
#include <string.h>

#include "base/memory.h"
#include "net/http/conn.h"

#define BODY_FIRST     ((size_t)16 << 10) /* room that a body begins with, unless it is announced as less */
#define CHUNK_OVERHEAD 24 /* bytes that the framing of a chunk takes at most, for each byte of body */

static int on_begin(llhttp_t *parser)
{
    struct tn_http_conn *conn = parser->data;

    conn->phase    = PHASE_HEAD;
    conn->deadline = tn_conn_due(conn, conn->server->limits.head_ms);
    conn->has_body = conn->linger = false;
    tn_conn_begin_request(conn);
    conn->body_seen = 0;
    return tn_conn_fail(conn, tn_head_begin(conn));
}

static int ask_head(struct tn_http_conn *conn, bool expects)
{
    struct tn_http_server *server = conn->server;
    int                    refused;

    conn->phase      = PHASE_ADMIT;
    server->handling = conn;
    refused          = server->handler.head(server->handler.user, conn);
    if (refused && conn->phase == PHASE_ADMIT)
        tn_http_answer(conn, 500, NULL, NULL, (struct tn_slice){ "", 0 });
    server->handling = NULL;
    conn->done_due   = refused ? DONE_NOT_DUE : DONE_GONE;
    if (conn->phase == PHASE_CLOSED)
        return HPE_USER;
    if (conn->phase == PHASE_OVER)
        return conn->has_body ? HPE_USER : 0;
    conn->phase = PHASE_BODY;
    if (conn->request.body_announced > conn->server->limits.body_bytes) /* after `head` */
        return tn_conn_fail(conn, 413);
    if (expects && !tn_write_continue(conn))
        return HPE_USER;
    return 0;
}

static int on_head(llhttp_t *parser)
{
    struct tn_http_conn *conn = parser->data;
    bool                 expects;
    int                  status = tn_head_complete(conn, &expects);

    if (status)
        return tn_conn_fail(conn, status);
    conn->deadline  = tn_conn_due(conn, conn->server->limits.body_ms);
    conn->keep      = llhttp_should_keep_alive(parser) && !conn->server->stopping;
    conn->data      = NULL;
    parser->upgrade = 0; /* to what a client offers to change to is nothing we speak: an ordinary request */
    return ask_head(conn, expects);
}

/* Takes the bytes of a body out of the buffer that is read into next. `more` is how many will follow at once. */
static int own_body(struct tn_http_conn *conn, size_t more)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    struct tn_slice        had    = conn->request.body;
    size_t                 needed = had.len + more, room = conn->body_room ? conn->body_room : BODY_FIRST;
    char                  *body;

    if (conn->body && needed <= conn->body_room)
        return 0;
    if (conn->request.body_announced > 0 && conn->request.body_announced <= room)
        room = conn->request.body_announced;
    while (room < needed)
        room *= 2; /* not at once what was announced: only what really comes takes memory */
    if (!conn->body)
        conn->body_payer = conn->payer;
    if (!tn_account_take(conn->body_payer, HELD_INCOMING, room))
        return 503;
    body = tn_memory_new(memory, room);
    if (!body) {
        tn_account_give(conn->body_payer, HELD_INCOMING, room);
        return 503;
    }
    if (had.len)
        memcpy(body, had.at, had.len);
    if (conn->body) {
        tn_memory_scrub(conn->body, had.len);
        tn_memory_free(memory, conn->body, conn->body_room);
        tn_account_give(conn->body_payer, HELD_INCOMING, conn->body_room);
    }
    conn->body            = body;
    conn->body_room       = room;
    conn->request.body.at = body;
    return 0;
}

static int on_body(llhttp_t *parser, const char *at, size_t len)
{
    struct tn_http_conn *conn = parser->data;
    struct tn_slice     *body = &conn->request.body;
    int                  status;

    if (conn->phase == PHASE_OVER) /* refused by `head` */
        return 0;
    if (len > conn->server->limits.body_bytes - body->len)
        return tn_conn_fail(conn, 413);
    if (!conn->body && body->len == 0) {
        *body = (struct tn_slice){ at, len };
        return 0;
    }
    if (!conn->body && body->at + body->len == at) {
        body->len += len;
        return 0;
    }
    status = own_body(conn, len);
    if (status)
        return tn_conn_fail(conn, status);
    memcpy(conn->body + body->len, at, len);
    body->len += len;
    return 0;
}

static int on_complete(llhttp_t *parser)
{
    (void)parser;
    return HPE_PAUSED;
}

void tn_parse_callbacks(llhttp_settings_t *settings)
{
    llhttp_settings_init(settings);
    tn_head_callbacks(settings);
    settings->on_message_begin    = on_begin;
    settings->on_headers_complete = on_head;
    settings->on_body             = on_body;
    settings->on_message_complete = on_complete;
}

static void run_request(struct tn_http_conn *conn)
{
    struct tn_http_server *server = conn->server;

    conn->head_seen = 0;
    if (conn->phase != PHASE_OVER) {
        conn->phase      = PHASE_RUNNING;
        conn->deadline   = 0;
        server->handling = conn;
        COUNT_ADD(server->counts.requests, 1);
        server->handler.request(server->handler.user, conn);
        server->handling = NULL;
    }
    tn_conn_release_body(conn);
    if (conn->phase == PHASE_OVER)
        tn_conn_over(conn);
}

/* What the parser itself refuses. An unknown method is distinguished from garbage by the character that was not expected, another
 * version from a bad end of its line by what was read of it. */
static int parse_status_of(const llhttp_t *parser, enum llhttp_errno error, const char *end)
{
    const char *at = llhttp_get_error_pos(parser);

    switch (error) {
    case HPE_PAUSED_H2_UPGRADE: return 505;
    case HPE_INVALID_VERSION: return parser->http_major == 1 && parser->http_minor <= 1 ? 400 : 505;
    case HPE_INVALID_METHOD: return at && at < end && *at >= 'A' && *at <= 'Z' ? 501 : 400;
    default: return 400;
    }
}

static void parse_refuse(struct tn_http_conn *conn, enum llhttp_errno error, const char *end)
{
    int status = conn->failed ? conn->failed : parse_status_of(&conn->parser, error, end);

    if (conn->phase == PHASE_CLOSED)
        return;
    if (conn->phase == PHASE_OVER) { /* refused by `head`: its body is not read */
        tn_conn_over(conn);
        return;
    }
    if (status != 503)
        COUNT_ADD(conn->server->counts.malformed, 1);
    tn_write_refusal(conn, status);
}

/* How much the parser may have at once: not more of a head than its limit, so that all bytes of it count. */
static size_t portion(const struct tn_http_conn *conn, size_t len)
{
    size_t left = conn->server->limits.head_bytes - conn->head_seen;

    return conn->phase <= PHASE_HEAD && len > left ? left : len;
}

/* All were used and the request is not complete: is there still hope? */
static int count_seen(struct tn_http_conn *conn, size_t len)
{
    const struct tn_http_limits *limits = &conn->server->limits;

    if (conn->phase <= PHASE_HEAD) {
        conn->head_seen += len;
        if (conn->head_seen >= limits->head_bytes)
            return 431;
        return conn->phase == PHASE_HEAD ? tn_head_keep(conn, len) : 0;
    }
    conn->body_seen += len;
    return conn->body_seen > 2 * limits->head_bytes + CHUNK_OVERHEAD * conn->request.body.len ? 400 : 0;
}

/* What there is of a request whose body is not complete leaves the buffer that is read into next. */
static void keep_body(struct tn_http_conn *conn)
{
    int status = 0;

    if (conn->phase == PHASE_BODY && !conn->body && conn->request.body.len > 0)
        status = own_body(conn, 0);
    if (status)
        tn_write_refusal(conn, status);
}

size_t tn_parse_bytes(struct tn_http_conn *conn, const char *at, size_t len)
{
    size_t            used  = 0;
    enum llhttp_errno error = HPE_OK;

    conn->failed = 0;
    while (used < len && error == HPE_OK) {
        size_t some = portion(conn, len - used);

        conn->piece = at + used;
        error       = llhttp_execute(&conn->parser, conn->piece, some);
        if (error == HPE_OK) {
            used += some;
            conn->failed = count_seen(conn, some);
            error        = conn->failed ? HPE_USER : HPE_OK;
        }
    }
    if (error == HPE_OK) {
        keep_body(conn);
        return used;
    }
    if (error != HPE_PAUSED) {
        parse_refuse(conn, error, at + len);
        return len;
    }
    used         = (size_t)(llhttp_get_error_pos(&conn->parser) - at);
    conn->linger = used < len;
    llhttp_resume(&conn->parser);
    run_request(conn);
    return used;
}
