/* http_head.c - the head of one request: its target and fields in one block, and what they must be. */
#define _GNU_SOURCE
#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "net/http_conn.h"

#define HEAD_BLOCK ((size_t)4096) /* of most heads; blocks of this size are kept and used again */
#define HEAD_ROOM  (HEAD_BLOCK - sizeof(struct http_head))

static struct head_field *fields_of(const struct http_head *head)
{
    /* The room is a multiple of eight, and the block aligned for everything. */
    return (struct head_field *)(void *)((char *)head->bytes + head->room -
                                         head->count * sizeof(struct head_field));
}

int head_begin(struct http_conn *conn)
{
    struct http_server *server = conn->server;
    struct http_head   *head   = server->spare_heads;

    if (head) {
        server->spare_heads = head->next;
        server->spare_count--;
    } else {
        head = memory_new(&server->loop->memory, HEAD_BLOCK);
    }
    if (!head)
        return 503;
    *head      = (struct http_head){ .room = HEAD_ROOM };
    conn->head = head;
    return 0;
}

void head_end(struct http_conn *conn)
{
    struct http_server *server = conn->server;
    struct http_head   *head   = conn->head;

    conn->head = NULL;
    if (!head)
        return;
    if (head->room == HEAD_ROOM && server->spare_count < HTTP_SPARE_HEADS) {
        head->next          = server->spare_heads;
        server->spare_heads = head;
        server->spare_count++;
        return;
    }
    memory_free(&server->loop->memory, head, sizeof *head + head->room);
}

void head_free_spares(struct http_server *server)
{
    while (server->spare_heads) {
        struct http_head *head = server->spare_heads;

        server->spare_heads = head->next;
        memory_free(&server->loop->memory, head, HEAD_BLOCK);
    }
    server->spare_count = 0;
}

/* Room for `len` more bytes and one more field. The parser gives no more than the limit of a head's bytes, so that
 * doubling ends. */
static int make_room(struct http_conn *conn, size_t len)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    struct http_head      *old    = conn->head, *head;
    size_t                 fields = old->count * sizeof(struct head_field);
    size_t                 needed = old->len + len + fields + sizeof(struct head_field), room = old->room;

    if (needed <= room)
        return 0;
    while (room < needed)
        room *= 2;
    head = memory_new(memory, sizeof *head + room);
    if (!head)
        return 503;
    *head      = *old;
    head->room = room;
    memcpy(head->bytes, old->bytes, old->len);
    if (fields)
        memcpy(fields_of(head), fields_of(old), fields);
    conn->head = head;
    memory_free(memory, old, sizeof *old + old->room);
    return 0;
}

static int add(struct http_conn *conn, const char *at, size_t len)
{
    int status = make_room(conn, len);

    if (status)
        return status;
    memcpy(conn->head->bytes + conn->head->len, at, len);
    conn->head->len += len;
    return 0;
}

int head_add_target(struct http_conn *conn, const char *at, size_t len)
{
    int status = add(conn, at, len);

    if (!status)
        conn->head->target_len += len;
    return status;
}

int head_add_name(struct http_conn *conn, const char *at, size_t len)
{
    int status = add(conn, at, len);

    if (status)
        return status;
    if (!conn->head->in_field) {
        if (conn->head->count >= conn->server->limits.headers)
            return 431;
        conn->head->count++;
        conn->head->in_field   = true;
        *fields_of(conn->head) = (struct head_field){ .at = (uint32_t)(conn->head->len - len) };
    }
    fields_of(conn->head)->name_len += (uint32_t)len;
    return 0;
}

int head_add_value(struct http_conn *conn, const char *at, size_t len)
{
    int status = add(conn, at, len);

    if (!status)
        fields_of(conn->head)->value_len += (uint32_t)len;
    return status;
}

void head_end_field(struct http_conn *conn)
{
    conn->head->in_field = false;
}

/* The newest field is the first of the table. */
static struct head_field field(const struct http_head *head, size_t index)
{
    return fields_of(head)[head->count - 1 - index];
}

static struct slice name_of(const struct http_head *head, struct head_field field)
{
    return (struct slice){ head->bytes + field.at, field.name_len };
}

static struct slice value_of(const struct http_head *head, struct head_field field)
{
    return slice_trim((struct slice){ head->bytes + field.at + field.name_len, field.value_len });
}

bool http_header(const struct http_conn *conn, struct slice name, struct slice *value, size_t *count)
{
    const struct http_head  *head   = conn->head;
    const struct head_field *fields = head ? fields_of(head) : NULL;
    size_t                   found  = 0;

    for (size_t i = head ? head->count : 0; i-- > 0;) { /* the newest is the first of the table */
        if (fields[i].name_len != name.len || !slice_fold_equal(name_of(head, fields[i]), name))
            continue;
        if (found++ == 0 && value)
            *value = value_of(head, fields[i]);
        if (!count)
            break;
    }
    if (!found && value)
        *value = (struct slice){ NULL, 0 };
    if (count)
        *count = found;
    return found > 0;
}

/* The characters of a name or address with a port; nothing that could end it, or that another server reads otherwise. */
static bool is_authority(struct slice host)
{
    for (size_t i = 0; i < host.len; i++)
        if (!ascii_is_letter(host.at[i]) && !ascii_is_digit(host.at[i]) &&
            (host.at[i] == '\0' || !strchr("-._~%!$&'()*+;=:[]", host.at[i])))
            return false;
    return true;
}

/* Of "http://host/path": moves `target` to the path, and gives the host. */
static bool cut_absolute(struct slice *target, struct slice *host)
{
    static const struct slice schemes[] = { { "http://", 7 }, { "https://", 8 } };

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        struct slice scheme = schemes[i];
        size_t       end    = scheme.len;

        if (target->len < scheme.len || !slice_fold_equal((struct slice){ target->at, scheme.len }, scheme))
            continue;
        while (end < target->len && target->at[end] != '/' && target->at[end] != '?')
            end++;
        *host   = (struct slice){ target->at + scheme.len, end - scheme.len };
        *target = (struct slice){ target->at + end, target->len - end };
        return host->len > 0 && is_authority(*host);
    }
    return false;
}

static bool read_target(struct http_request *request, struct slice target)
{
    const char *mark;

    if (target.len == 0 || memchr(target.at, '#', target.len))
        return false;
    if (slice_is(target, "*")) {
        request->path = target;
        return request->method == HTTP_IS_OPTIONS;
    }
    if (target.at[0] != '/' && !cut_absolute(&target, &request->host))
        return false;
    mark          = target.len ? memchr(target.at, '?', target.len) : NULL;
    request->path = mark ? (struct slice){ target.at, (size_t)(mark - target.at) } : target;
    if (mark)
        request->query = (struct slice){ mark + 1, target.len - request->path.len - 1 };
    if (request->path.len == 0)
        request->path = SLICE_LIT("/");
    return true;
}

static enum http_method method_of(const llhttp_t *parser)
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

/* The fields that say how the message itself is to be read. */
struct framing {
    struct slice host, coding, expect;
    size_t       hosts, codings, expects;
};

static struct framing read_framing(const struct http_head *head)
{
    struct framing framing = { .hosts = 0 };

    for (size_t i = 0; i < head->count; i++) {
        struct head_field one  = field(head, i);
        struct slice      name = name_of(head, one);

        if (one.name_len == 4 && slice_fold_equal(name, SLICE_LIT("host")) && framing.hosts++ == 0)
            framing.host = value_of(head, one);
        else if (one.name_len == 6 && slice_fold_equal(name, SLICE_LIT("expect")) && framing.expects++ == 0)
            framing.expect = value_of(head, one);
        else if (one.name_len == 17 && slice_fold_equal(name, SLICE_LIT("transfer-encoding")) &&
                 framing.codings++ == 0)
            framing.coding = value_of(head, one);
    }
    return framing;
}

int head_complete(struct http_conn *conn, bool *expects)
{
    struct http_request *request = &conn->request;
    llhttp_t            *parser  = &conn->parser;
    struct framing       framing = read_framing(conn->head);

    *request = (struct http_request){ .method = method_of(parser),
                                      .path   = { "", 0 },
                                      .query  = { "", 0 },
                                      .host   = { "", 0 },
                                      .body   = { "", 0 } };
    *expects = false;
    if (parser->http_major != 1 || parser->http_minor > 1)
        return 505;
    conn->old = parser->http_minor == 0;
    if (parser->method == HTTP_CONNECT)
        return 501;
    if (framing.hosts > 1 || (framing.hosts == 0 && !conn->old) || !is_authority(framing.host))
        return 400;
    request->host = framing.host;
    if (!read_target(request, (struct slice){ conn->head->bytes, conn->head->target_len }))
        return 400;
    if (framing.codings && conn->old)
        return 400;
    if (framing.codings > 1 || (framing.codings && !slice_fold_equal(framing.coding, SLICE_LIT("chunked"))))
        return 501;
    if (parser->flags & F_CONTENT_LENGTH)
        request->body_announced = parser->content_length < SIZE_MAX ? (size_t)parser->content_length
                                                                    : SIZE_MAX;
    conn->has_body = framing.codings > 0 || request->body_announced > 0;
    if (framing.expects && !conn->old) {
        if (framing.expects > 1 || !slice_fold_equal(framing.expect, SLICE_LIT("100-continue")))
            return 417;
        *expects = conn->has_body;
    }
    return 0;
}
