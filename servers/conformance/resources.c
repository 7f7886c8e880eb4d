/* resources.c - resources of fixed text and bytes, one that clients may watch, and a family of them. */
#include "conformance.h"

#include <string.h>

static tenon_outcome read_text(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_text(call, "This is the content of the static text resource.");
    return tenon_ok(call);
}

static tenon_outcome read_binary(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_blob(call, pixel_png, pixel_png_len);
    return tenon_ok(call);
}

static tenon_outcome read_watched(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_text(call, "Subscribe to this resource and call test_trigger_resource_update.");
    return tenon_ok(call);
}

/* Its variable is of digits, and so needs no quoting in JSON. */
static tenon_outcome read_item(tenon_call *call, const char *uri)
{
    const char *id = tenon_variable(call, "id");

    if (*id == '\0' || strspn(id, "0123456789") != strlen(id))
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no %s: an id consists of digits.", uri);

    const char *text = tenon_format(call,
                                    "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for ID: %s\"}", id,
                                    id);
    if (text)
        tenon_content_text(call, text);
    return tenon_ok(call);
}

static void complete_item(tenon_call *call, const char *name, const char *typed)
{
    static const char *const ids[] = { "1", "12", "123", "2", "23" };

    (void)name;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strncmp(ids[i], typed, strlen(typed)) == 0)
            tenon_suggest(call, ids[i]);
}

void add_resources(tenon_server *server)
{
    tenon_server_resource(server, "test://static-text", read_text, .name = "static-text",
                          .mime = "text/plain", .title = "Static text", .doc = "A text that never changes.",
                          .ttl_ms = 60000);
    tenon_server_resource(server, "test://static-binary", read_binary, .name = "static-binary",
                          .mime = "image/png", .doc = "One red pixel.", .len = pixel_png_len);
    tenon_server_resource(server, "test://watched-resource", read_watched, .name = "watched-resource",
                          .mime = "text/plain", .doc = "A resource to subscribe to.", .watched = true);
    tenon_server_template(server, "test://template/{id}/data", read_item, .name = "item",
                          .mime = "application/json", .doc = "An item by its id.", .complete = complete_item);
}
