/* lists.c - reading what a server lists. */
#include "cli/inspect/lists.h"

#include "cli/value.h"

#define NO_METHOD (-32601)

/* clang-format off */
const struct offered_list offered_lists[OFFERED_LISTS] = {
    { "tools",               "tools",     "tools",             "tool",     "tools",              "name"        },
    { "resources",           "resources", "resources",         "resource", "resources",          "uri"         },
    { "resources/templates", "resources", "resourceTemplates", "template", "resource templates", "uriTemplate" },
    { "prompts",             "prompts",   "prompts",           "prompt",   "prompts",            "name"        },
};
/* clang-format on */

yyjson_val *offered_read(struct remote *remote, yyjson_val *about, size_t list, size_t *failed)
{
    yyjson_val    *capabilities = yyjson_obj_get(about, "capabilities");
    tenon_request *request;

    if (capabilities && !yyjson_obj_get(capabilities, offered_lists[list].capability))
        return NULL;
    request = tenon_client_list(remote->client, offered_lists[list].method);
    if (tenon_client_wait(request))
        return yyjson_obj_get(value_of(tenon_request_result(request)), offered_lists[list].member);
    if (yyjson_get_sint(yyjson_obj_get(value_of(tenon_request_error(request)), "code")) == NO_METHOD)
        return NULL;
    remote_complain(remote, request, offered_lists[list].nouns);
    ++*failed;
    return NULL;
}
