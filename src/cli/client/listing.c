/* listing.c - following tools/list to its end. */
#include "cli/client/listing.h"

#include "json/locate.h"
#include "json/write.h"
#include "rows/headers.h"

#define CURSOR_MAX ((size_t)64 << 10)

/* The members that ask for the page at a cursor; NULL when out of memory, or when it is too long. */
static const char *listing_members_of(struct client *client, yyjson_val *cursor)
{
    struct tn_buf out;

    if (!cursor)
        return "";
    tn_buf_init(&out, client->arena, 128, CURSOR_MAX);
    tn_buf_lit(&out, "\"cursor\":");
    tn_json_value(&out, cursor);
    return tn_buf_end(&out);
}

static struct tn_slice array_text(const struct reply *reply)
{
    size_t byte;

    return tn_json_locate(reply->text, SLICE_LIT("/tools"), &byte) ? json_span(reply->text, byte)
                                                                   : SLICE_LIT("[]");
}

const char *listing_mistake(struct client *client, yyjson_val *tool)
{
    struct tn_headers headers = { .arena = client->arena, .mistake.owner = "inputSchema" };

    if (client->era != ERA_MODERN || !client->transport->is_http)
        return NULL;
    if (tn_headers_of_document(&headers, yyjson_obj_get(tool, "inputSchema")))
        return NULL;
    return headers.mistake.text ? headers.mistake.text : "out of memory";
}

bool listing_visit(struct client *client, bool (*page)(void *user, yyjson_val *tools, struct tn_slice text),
                   void          *user)
{
    yyjson_val *cursor = NULL;

    for (int i = 0; i < LISTING_PAGES_MAX; i++) {
        struct demand demand = { .method = "tools/list", .members = listing_members_of(client, cursor) };
        struct reply  reply  = { .kind = REPLY_NONE };
        yyjson_val   *tools;

        if (demand.members)
            reply = client_request(client, &demand);
        if (reply.kind != REPLY_RESULT) {
            client_complain(client, &reply, "the server does not list its tools");
            return false;
        }
        tools = yyjson_obj_get(reply.value, "tools");
        if (!yyjson_is_arr(tools)) {
            console_error(client->console, "the server's list of tools is none");
            return false;
        }
        cursor = yyjson_obj_get(reply.value, "nextCursor");
        if (!page(user, tools, array_text(&reply)) || !yyjson_is_str(cursor))
            return true;
    }
    console_error(client->console, "the server's list of tools does not end: it has more than %d pages",
                  LISTING_PAGES_MAX);
    return false;
}
