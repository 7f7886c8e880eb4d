/* listing.c - following tools/list to its end. */
#include "cli/listing.h"

#include <string.h>

#include "cli/value.h"
#include "json/locate.h"
#include "mcp/revision.h"
#include "rows/headers.h"

const char *listing_mistake(struct remote *remote, yyjson_val *tool)
{
    struct tn_headers headers = { .arena = &remote->arena, .mistake.owner = "inputSchema" };

    if (!remote->is_address || strcmp(tenon_client_revision(remote->client), MODERN_VERSION) != 0)
        return NULL;
    if (tn_headers_of_document(&headers, yyjson_obj_get(tool, "inputSchema")))
        return NULL;
    return headers.mistake.text ? headers.mistake.text : "out of memory";
}

struct visit {
    bool (*page)(void *user, yyjson_val *tools, struct tn_slice text);
    void *user;
};

static bool take_page(void *user, tenon_request *request)
{
    const struct visit *visit = user;
    tenon_str           whole = tenon_request_text(request);
    struct tn_slice     text  = { whole.at, whole.len };
    size_t              byte;

    text = tn_json_locate(text, SLICE_LIT("/tools"), &byte) ? tn_json_span(text, byte) : SLICE_LIT("[]");
    return visit->page(visit->user, yyjson_obj_get(value_of(tenon_request_result(request)), "tools"), text);
}

bool listing_visit(struct remote *remote, bool (*page)(void *user, yyjson_val *tools, struct tn_slice text),
                   void          *user)
{
    struct visit   visit = { page, user };
    tenon_request *list  = tenon_client_list(remote->client, "tools", .page = take_page, .user = &visit);

    if (tenon_client_wait(list))
        return true;
    remote_complain(remote, list, "the server does not list its tools");
    return false;
}
