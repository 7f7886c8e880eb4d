/* url.c - a client of a server at an address, whose transport is a module. */
#include <stdio.h>
#include <string.h>

#include "net/client/client.h"
#include "net/client/module.h"
#include "net/module.h"

/* NULL when it cannot be used, which `client` then says. */
static const struct tn_http_module *load_module(tenon_client *client)
{
    struct tn_module             found = tn_module_load(HTTP_MODULE_FILE, HTTP_MODULE_ENTRY);
    const struct tn_http_module *module;
    http_module_fn               function;

    if (!found.entry) {
        tn_client_fail(client, "addresses need " HTTP_MODULE_FILE ", which %s (%.200s)",
                       found.there ? "cannot be loaded" : "was not found",
                       found.handle ? "it is not Tenon's" : found.why);
        return NULL;
    }
    memcpy(&function, &found.entry, sizeof function); /* ISO C has no cast from data to functions */
    module = function();
    if (module->version == HTTP_MODULE_VERSION && strcmp(module->tenon, tenon_version()) == 0)
        return module;
    tn_client_fail(client,
                   HTTP_MODULE_FILE " is of Tenon %.50s, and this is %s; install those of one version",
                   module->tenon, tenon_version());
    return NULL;
}

tenon_client *tenon_client_url_(const char *url, const tenon_client_options *options)
{
    tenon_client                *client = tn_client_new(options);
    const struct tn_http_module *module;
    struct tn_transport_frame    frame;

    if (!client)
        return NULL;
    tn_client_frame(client, &frame);
    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
        tn_client_fail(client, "the address must begin with http:// or https://");
    module = client->error[0] ? NULL : load_module(client);
    if (module)
        return tn_client_attach(client, module->open(&frame, url, client->options.token));
    client->stage = STAGE_LOST;
    return client;
}
