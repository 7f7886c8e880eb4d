/* head.c - the head of one request: its bytes and where its fields are in one block, and what they must be. */
#define _GNU_SOURCE
#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "net/http/conn.h"

#define HEAD_BLOCK ((size_t)4096) /* of most heads; blocks of this size are kept and used again */
#define HEAD_ROOM  (HEAD_BLOCK - sizeof(struct tn_http_head))

static struct tn_head_field *fields_of(const struct tn_http_head *head)
{
    /* The room is a multiple of eight, and the block aligned for everything. */
    return (struct tn_head_field *)(void *)((char *)head->bytes + head->room -
                                            head->count * sizeof(struct tn_head_field));
}

int tn_head_begin(struct tn_http_conn *conn)
{
    struct tn_http_server *server = conn->server;
    struct tn_http_head   *head   = server->spare_heads;

    if (head) {
        server->spare_heads = head->next;
        server->spare_count--;
    } else {
        head = tn_memory_new(&server->loop->memory, HEAD_BLOCK);
    }
    if (!head)
        return 503;
    head->room   = HEAD_ROOM;
    head->len    = 0;
    head->count  = 0;
    head->end    = 0;
    head->target = (struct tn_head_span){ 0, 0 };
    conn->head   = head;
    return 0;
}

void tn_head_end(struct tn_http_conn *conn)
{
    struct tn_http_server *server = conn->server;
    struct tn_http_head   *head   = conn->head;

    conn->head = NULL;
    if (!head)
        return;
    tn_memory_scrub(head->bytes, head->len); /* it had a token, perhaps */
    if (head->room == HEAD_ROOM && server->spare_count < HTTP_SPARE_HEADS) {
        head->next          = server->spare_heads;
        server->spare_heads = head;
        server->spare_count++;
        return;
    }
    tn_account_give(conn->peer, HELD_INCOMING, head->room - HEAD_ROOM);
    tn_memory_free(&server->loop->memory, head, sizeof *head + head->room);
}

void tn_head_free_spares(struct tn_http_server *server)
{
    while (server->spare_heads) {
        struct tn_http_head *head = server->spare_heads;

        server->spare_heads = head->next;
        tn_memory_free(&server->loop->memory, head, HEAD_BLOCK);
    }
    server->spare_count = 0;
}

/* The parser gives no more than the limit of a head's bytes, so that doubling ends. Cold: it would weigh on the callbacks,
 * of which there are two for each field. */
__attribute__((cold)) static int grow(struct tn_http_conn *conn, size_t needed)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    struct tn_http_head   *old    = conn->head, *head;
    size_t                 fields = old->count * sizeof(struct tn_head_field), room = old->room;

    while (room < needed)
        room *= 2;
    /* A block of the usual size is part of what a connection costs. */
    if (!tn_account_take(conn->peer, HELD_INCOMING, room - old->room))
        return 503;
    head = tn_memory_new(memory, sizeof *head + room);
    if (!head) {
        tn_account_give(conn->peer, HELD_INCOMING, room - old->room);
        return 503;
    }
    *head      = *old;
    head->room = room;
    memcpy(head->bytes, old->bytes, old->len);
    if (fields)
        memcpy(fields_of(head), fields_of(old), fields);
    conn->head = head;
    tn_memory_scrub(old->bytes, old->len);
    tn_memory_free(memory, old, sizeof *old + old->room);
    return 0;
}

/* Room for `len` more bytes and for one more field, which there is at any time. */
static int head_make_room(struct tn_http_conn *conn, size_t len)
{
    size_t needed = conn->head->len + len + (conn->head->count + 1) * sizeof(struct tn_head_field);

    return needed <= conn->head->room ? 0 : grow(conn, needed);
}

int tn_head_keep(struct tn_http_conn *conn, size_t len)
{
    int status = head_make_room(conn, len);

    if (status)
        return status;
    memcpy(conn->head->bytes + conn->head->len, conn->piece, len);
    conn->head->len += len;
    return 0;
}

/* All of a span, or the rest of it: false for what does not follow on what there is. */
static bool head_add(struct tn_http_conn *conn, struct tn_head_span *span, const char *at, size_t len)
{
    size_t begin = conn->head->len + (size_t)(at - conn->piece);

    if (span->len == 0)
        span->at = (uint32_t)begin;
    if (span->at + span->len != begin)
        return false;
    span->len += (uint32_t)len;
    conn->head->end = begin + len;
    return true;
}

static int on_target(llhttp_t *parser, const char *at, size_t len)
{
    struct tn_http_conn *conn = parser->data;

    return tn_conn_fail(conn, head_add(conn, &conn->head->target, at, len) ? 0 : 400);
}

/* Fields behind a chunked body are of no use; how many there may be is bounded with the body. */
static bool is_trailer(const struct tn_http_conn *conn)
{
    return conn->phase != PHASE_HEAD;
}

/* Between two names there is always a colon at least: what follows on a name belongs to it, and begins a piece. */
static int on_name(llhttp_t *parser, const char *at, size_t len)
{
    struct tn_http_conn *conn = parser->data;
    struct tn_http_head *head = conn->head;

    if (is_trailer(conn) ||
        (at == conn->piece && head->count > 0 && head_add(conn, &fields_of(head)->name, at, len)))
        return 0;
    if (head->count >= conn->server->limits.headers)
        return tn_conn_fail(conn, 431);
    head->count++;
    *fields_of(head) = (struct tn_head_field){ .name = { 0, 0 } };
    head_add(conn, &fields_of(head)->name, at, len);
    return tn_conn_fail(conn, head_make_room(conn, 0));
}

static int on_value(llhttp_t *parser, const char *at, size_t len)
{
    struct tn_http_conn *conn = parser->data;

    if (is_trailer(conn))
        return 0;
    return tn_conn_fail(conn, head_add(conn, &fields_of(conn->head)->value, at, len) ? 0 : 400);
}

void tn_head_callbacks(llhttp_settings_t *settings)
{
    settings->on_url          = on_target;
    settings->on_header_field = on_name;
    settings->on_header_value = on_value;
}

static struct tn_slice head_text_of(const struct tn_http_head *head, struct tn_head_span span)
{
    return (struct tn_slice){ head->bytes + span.at, span.len };
}

static void count_value(struct tn_http_value *found, const struct tn_http_head *head,
                        struct tn_head_field field)
{
    if (found->count++ == 0)
        found->value = tn_slice_trim(head_text_of(head, field.value));
}

static enum tn_http_field known_field(struct tn_slice name)
{
    static const struct tn_slice names[] = {
        [FIELD_HOST]                 = { "Host", 4 },
        [FIELD_ACCEPT]               = { "Accept", 6 },
        [FIELD_EXPECT]               = { "Expect", 6 },
        [FIELD_ORIGIN]               = { "Origin", 6 },
        [FIELD_MCP_NAME]             = { "Mcp-Name", 8 },
        [FIELD_MCP_METHOD]           = { "Mcp-Method", 10 },
        [FIELD_CONTENT_TYPE]         = { "Content-Type", 12 },
        [FIELD_AUTHORIZATION]        = { "Authorization", 13 },
        [FIELD_LAST_EVENT_ID]        = { "Last-Event-ID", 13 },
        [FIELD_MCP_SESSION_ID]       = { "Mcp-Session-Id", 14 },
        [FIELD_TRANSFER_ENCODING]    = { "Transfer-Encoding", 17 },
        [FIELD_MCP_PROTOCOL_VERSION] = { "MCP-Protocol-Version", 20 },
        [FIELD_COUNT]                = { "", 0 },
    };
    static const unsigned char first_of_len[] = {
        [4]  = FIELD_HOST,
        [6]  = FIELD_ACCEPT,
        [8]  = FIELD_MCP_NAME,
        [10] = FIELD_MCP_METHOD,
        [12] = FIELD_CONTENT_TYPE,
        [13] = FIELD_AUTHORIZATION,
        [14] = FIELD_MCP_SESSION_ID,
        [17] = FIELD_TRANSFER_ENCODING,
        [20] = FIELD_MCP_PROTOCOL_VERSION,
    };
    unsigned field = name.len < sizeof first_of_len ? first_of_len[name.len] : FIELD_OTHER;

    for (; names[field].len == name.len; field++)
        if (tn_str_same(names[field].at, name.at, name.len) || tn_slice_fold_equal(names[field], name))
            return (enum tn_http_field)field;
    return FIELD_OTHER;
}

/* The newest field is the first of the table. */
static void find_known(struct tn_http_head *head)
{
    const struct tn_head_field *fields = fields_of(head);

    memset(head->known, 0, sizeof head->known);
    for (size_t i = head->count; i-- > 0;)
        count_value(&head->known[known_field(head_text_of(head, fields[i].name))], head, fields[i]);
}

const struct tn_http_value *tn_http_known(const struct tn_http_conn *conn)
{
    static const struct tn_http_value none[FIELD_COUNT];

    return conn->head ? conn->head->known : none;
}

struct tn_http_value tn_http_header(const struct tn_http_conn *conn, struct tn_slice name)
{
    const struct tn_http_head  *head   = conn->head;
    const struct tn_head_field *fields = head ? fields_of(head) : NULL;
    struct tn_http_value        found  = { .count = 0 };

    for (size_t i = head ? head->count : 0; i-- > 0;)
        if (tn_slice_fold_equal(head_text_of(head, fields[i].name), name))
            count_value(&found, head, fields[i]);
    return found;
}

bool tn_http_header_at(const struct tn_http_conn *conn, size_t index, struct tn_slice *name,
                       struct tn_slice *value)
{
    const struct tn_http_head *head = conn->head;

    if (!head || index >= head->count)
        return false;
    *name  = head_text_of(head, fields_of(head)[index].name);
    *value = head_text_of(head, fields_of(head)[index].value);
    return true;
}

/* Beside letters and digits, what a name or address with a port may have. */
static const bool in_authority[256] = {
    ['.'] = true, [':'] = true, ['-'] = true, ['_'] = true,  ['~'] = true, ['%'] = true,
    ['!'] = true, ['$'] = true, ['&'] = true, ['\''] = true, ['('] = true, [')'] = true,
    ['*'] = true, ['+'] = true, [';'] = true, ['='] = true,  ['['] = true, [']'] = true,
};

/* Nothing that could end it, or that another server reads otherwise. */
static bool is_authority(struct tn_slice host)
{
    for (size_t i = 0; i < host.len; i++)
        if (!tn_ascii_is_digit(host.at[i]) && !tn_ascii_is_letter(host.at[i]) &&
            !in_authority[(unsigned char)host.at[i]])
            return false;
    return true;
}

/* Of "http://host/path": moves `target` to the path, and gives the host. */
static bool cut_absolute(struct tn_slice *target, struct tn_slice *host)
{
    static const struct tn_slice schemes[] = { { "http://", 7 }, { "https://", 8 } };

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        struct tn_slice scheme = schemes[i];
        size_t          end    = scheme.len;

        if (target->len < scheme.len ||
            !tn_slice_fold_equal((struct tn_slice){ target->at, scheme.len }, scheme))
            continue;
        while (end < target->len && target->at[end] != '/' && target->at[end] != '?')
            end++;
        *host   = (struct tn_slice){ target->at + scheme.len, end - scheme.len };
        *target = (struct tn_slice){ target->at + end, target->len - end };
        return host->len > 0 && is_authority(*host);
    }
    return false;
}

static bool read_target(struct tn_http_request *request, struct tn_slice target)
{
    const char *mark;

    if (target.len == 0 || memchr(target.at, '#', target.len))
        return false;
    if (tn_slice_is(target, "*")) {
        request->path = target;
        return request->method == HTTP_IS_OPTIONS;
    }
    if (target.at[0] != '/' && !cut_absolute(&target, &request->host))
        return false;
    mark          = target.len ? memchr(target.at, '?', target.len) : NULL;
    request->path = mark ? (struct tn_slice){ target.at, (size_t)(mark - target.at) } : target;
    if (mark)
        request->query = (struct tn_slice){ mark + 1, target.len - request->path.len - 1 };
    if (request->path.len == 0)
        request->path = SLICE_LIT("/");
    return true;
}

static enum tn_http_method method_of(const llhttp_t *parser)
{
    switch (parser->method) {
    case HTTP_GET: return HTTP_IS_GET;
    case HTTP_POST: return HTTP_IS_POST;
    case HTTP_DELETE: return HTTP_IS_DELETE;
    case HTTP_HEAD: return HTTP_IS_HEAD;
    case HTTP_OPTIONS: return HTTP_IS_OPTIONS;
    default: return HTTP_OTHER;
    }
}

/* How the message itself is to be read. */
static int read_framing(struct tn_http_conn *conn, bool *expects)
{
    struct tn_http_request     *request = &conn->request;
    const llhttp_t             *parser  = &conn->parser;
    const struct tn_http_value *coding  = &conn->head->known[FIELD_TRANSFER_ENCODING];
    const struct tn_http_value *expect  = &conn->head->known[FIELD_EXPECT];

    if (coding->count && conn->old)
        return 400;
    if (coding->count > 1 || (coding->count && !tn_slice_fold_equal(coding->value, SLICE_LIT("chunked"))))
        return 501;
    if (parser->flags & F_CONTENT_LENGTH)
        request->body_announced = parser->content_length < SIZE_MAX ? (size_t)parser->content_length
                                                                    : SIZE_MAX;
    conn->has_body = coding->count > 0 || request->body_announced > 0;
    if (!expect->count || conn->old)
        return 0;
    if (expect->count > 1 || !tn_slice_fold_equal(expect->value, SLICE_LIT("100-continue")))
        return 417;
    *expects = conn->has_body;
    return 0;
}

int tn_head_complete(struct tn_http_conn *conn, bool *expects)
{
    struct tn_http_request *request = &conn->request;
    const llhttp_t         *parser  = &conn->parser;
    int status = conn->head->end > conn->head->len ? tn_head_keep(conn, conn->head->end - conn->head->len)
                                                   : 0;
    const struct tn_http_value *host;

    *request = (struct tn_http_request){ .method = method_of(parser),
                                         .path   = { "", 0 },
                                         .query  = { "", 0 },
                                         .host   = { "", 0 },
                                         .body   = { "", 0 } };
    *expects = false;
    if (status)
        return status;
    if (parser->http_major != 1 || parser->http_minor > 1)
        return 505;
    conn->old = parser->http_minor == 0;
    if (parser->method == HTTP_CONNECT)
        return 501;
    find_known(conn->head);
    host = &conn->head->known[FIELD_HOST];
    if (host->count > 1 || (host->count == 0 && !conn->old) || !is_authority(host->value))
        return 400;
    request->host = host->value;
    if (!read_target(request, head_text_of(conn->head, conn->head->target)))
        return 400;
    return read_framing(conn, expects);
}
