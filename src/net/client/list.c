/* list.c - following a list to its end. */
#include <stdio.h>
#include <string.h>

#include "json/locate.h"
#include "json/read.h"
#include "json/write.h"
#include "net/client/client.h"

#define CURSOR_MAX ((size_t)64 << 10)

/* The bytes between the brackets of the entries of this page. */
static struct tn_slice entries_text(const tenon_request *request)
{
    struct tn_slice span;
    char            pointer[64];
    size_t          byte;

    snprintf(pointer, sizeof pointer, "/%s", request->what);
    if (!tn_json_locate(request->text, tn_slice_of(pointer), &byte))
        return (struct tn_slice){ "", 0 };
    span = tn_json_span(request->text, byte);
    return tn_slice_trim((struct tn_slice){ span.at + 1, span.len - 2 });
}

/* What the last page says of all, as each does: how long they hold, and for whom. */
static void add_caching(struct tn_buf *whole, yyjson_val *page)
{
    static const char *const names[] = { "ttlMs", "cacheScope" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        yyjson_val *value = yyjson_obj_get(page, names[i]);

        if (!yyjson_is_int(value) && !yyjson_equals_str(value, "public"))
            continue;
        tn_buf_addf(whole, ",\"%s\":", names[i]);
        tn_json_value(whole, value);
    }
}

/* The pages so far as one result, when the last one has come. */
static void end_list(tenon_request *request)
{
    size_t                      max    = CLIENT_LIST_BYTES(request->client->options.max_bytes);
    const struct tn_json_limits limits = { max + 100, CLIENT_DEPTH_MAX, CLIENT_NODES(max) };
    struct tn_json_text         text;
    struct tn_buf               whole;

    if (request->pages > 1) {
        tn_buf_init(&whole, &request->arena, request->items.len + 64, max + 100);
        tn_buf_addf(&whole, "{\"%s\":[", request->what);
        tn_buf_add(&whole, request->items.at, request->items.len);
        tn_buf_char(&whole, ']');
        add_caching(&whole, request->result);
        tn_buf_char(&whole, '}');
        text = tn_json_read(&request->arena, tn_buf_end(&whole) ? whole.at : "", whole.failed ? 0 : whole.len,
                            &limits);
        if (whole.failed || text.fault != JSON_FINE) {
            tn_request_end(request, TENON_REQUEST_LOST, "out of memory");
            return;
        }
        request->result = text.root;
        request->text   = tn_buf_slice(&whole);
    }
    tn_request_end(request, TENON_REQUEST_ANSWERED, NULL);
}

static void ask_next(tenon_request *request, yyjson_val *cursor)
{
    struct tn_buf extra;

    if (request->client->transport->forget)
        request->client->transport->forget(request->client->transport, request->id);
    tn_buf_init(&extra, &request->arena, 128, CURSOR_MAX);
    tn_buf_lit(&extra, "\"cursor\":");
    tn_json_value(&extra, cursor);
    request->extra = tn_buf_slice(&extra);
    if (extra.failed)
        tn_request_end(request, TENON_REQUEST_LOST, "the server's cursor is too long, or out of memory");
    else
        tn_request_send(request);
}

static bool keep_entries(tenon_request *request)
{
    struct tn_slice entries = entries_text(request);
    size_t          max     = CLIENT_LIST_BYTES(request->client->options.max_bytes);

    if (request->pages == 1)
        tn_buf_init(&request->items, &request->arena, 0, max);
    if (request->items.len > 0 && entries.len > 0)
        tn_buf_char(&request->items, ',');
    tn_buf_add(&request->items, entries.at, entries.len);
    if (!request->items.failed)
        return true;
    tn_request_end(request, TENON_REQUEST_LOST, "the list is too long");
    return false;
}

/* The program looks at the page. False when it has ended the list, or the request. */
static bool show_page(tenon_request *request)
{
    tenon_client *client = request->client;
    int64_t       id     = request->id;

    if (request->options.page(request->options.user, request))
        return tn_request_of(client, id) == request;
    if (tn_request_of(client, id) == request)
        tn_request_end(request, TENON_REQUEST_ANSWERED, NULL);
    return false;
}

/* A cursor that comes twice leads round in a circle: the list ends there. Without memory it goes on to its bound. */
static bool came_before(tenon_request *request, yyjson_val *cursor)
{
    struct tn_slice text = { yyjson_get_str(cursor), yyjson_get_len(cursor) };
    char           *copy;

    if (tn_table_find(&request->cursors, NULL, text))
        return true;
    copy = text.len <= CURSOR_MAX ? tn_arena_copy(&request->arena, text.at, text.len) : NULL;
    if (copy)
        tn_table_add(&request->cursors, &request->arena, NULL, (struct tn_slice){ copy, text.len }, request);
    return false;
}

void tn_list_page(tenon_request *request)
{
    yyjson_val *cursor = yyjson_obj_get(request->result, "nextCursor");
    size_t      most   = request->client->options.max_pages;

    if (!yyjson_is_arr(yyjson_obj_get(request->result, request->what))) {
        tn_request_end(request, TENON_REQUEST_LOST, "the server's list of %s is none", request->what);
        return;
    }
    request->pages++;
    if (yyjson_is_str(cursor) && came_before(request, cursor))
        cursor = NULL;
    if (request->options.page ? !show_page(request) : !keep_entries(request))
        return;
    if (!yyjson_is_str(cursor))
        request->options.page ? tn_request_end(request, TENON_REQUEST_ANSWERED, NULL) : end_list(request);
    else if (request->pages >= most)
        tn_request_end(request, TENON_REQUEST_LOST,
                       "the server's list of %s does not end: it has more than %zu pages", request->what,
                       most);
    else
        ask_next(request, cursor);
}
