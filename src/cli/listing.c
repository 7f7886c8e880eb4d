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

/* ---- One of them -------------------------------------------------------------------------------------------- */

#define NAMES_MAX 1000

struct search {
    struct remote *remote;
    const char    *name;
    yyjson_val    *found;
    const char    *mistake; /* of its declaration, or NULL */
    const char   **names;   /* of the server's tools, for suggestions */
    size_t         name_count;
};

static bool look_for_tool(void *user, yyjson_val *tools, struct tn_slice text)
{
    struct search *search = user;
    yyjson_val    *tool;
    size_t         index, count;

    (void)text;
    yyjson_arr_foreach(tools, index, count, tool)
    {
        struct tn_slice name = value_text(tool, "name");

        if (tn_slice_is(name, search->name)) {
            search->mistake = listing_mistake(search->remote, tool);
            search->found   = tool;
            return false;
        }
        if (search->name_count < NAMES_MAX && name.len > 0 && name.len <= STR_NEAR_MAX) {
            search->names[search->name_count] = tn_arena_copy(&search->remote->arena, name.at, name.len);
            search->name_count += search->names[search->name_count] != NULL;
        }
    }
    return true;
}

yyjson_val *listing_find(struct remote *remote, const char *name)
{
    struct search search = { .remote = remote, .name = name };
    const char   *near;

    search.names = tn_arena_array(&remote->arena, NAMES_MAX, const char *);
    if (!search.names || !listing_visit(remote, look_for_tool, &search))
        return NULL;
    if (search.found && search.mistake)
        console_error(remote->console, "the tool '%s' cannot be called: %s", name, search.mistake);
    if (search.found)
        return search.mistake ? NULL : search.found;
    near = options_nearest(name, strlen(name), search.names, search.name_count);
    console_error(remote->console, "the server has no tool '%s'%s%s%s", name, near ? " (did you mean " : "",
                  near ? near : "", near ? "?)" : "");
    return NULL;
}
