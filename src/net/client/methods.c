/* methods.c - the requests that a program makes, by what they are for. */
#include <string.h>

#include "base/memory.h"
#include "json/write.h"
#include "net/client/client.h"

#define PARAMS_MAX ((size_t)64 << 20)

/* Params that are being written, in an arena of their own. */
struct params {
    struct tn_arena arena;
    struct tn_buf   out;
};

static void params_begin(struct params *params, const tenon_client *client)
{
    tn_arena_init(&params->arena, &client->memory, 0);
    tn_buf_init(&params->out, &params->arena, 256, PARAMS_MAX);
}

static void add_text(struct params *params, const char *before, const char *text)
{
    text = text ? text : "";
    tn_buf_text(&params->out, before);
    tn_json_string(&params->out, text, strlen(text));
}

/* Open requests of the program. */
static size_t count_own(const tenon_client *client)
{
    return client->open_count - (client->negotiation && client->negotiation->state == TENON_REQUEST_OPEN);
}

/* A request with these params, and the end of them. */
static tenon_request *params_send(struct params *params, tenon_client *client, enum tn_request_kind kind,
                                  const char *method, const char *what, const tenon_request_options *options)
{
    tenon_request *request = NULL;

    if (params->out.failed)
        tn_client_fail(client, "out of memory");
    else if (count_own(client) >= client->options.max_requests)
        tn_client_fail(client, "too many requests are open");
    else
        request = tn_request_new(client, kind, method, tn_buf_slice(&params->out), options);
    tn_arena_free(&params->arena);
    if (request && what && !(request->what = tn_arena_copy(&request->arena, what, strlen(what)))) {
        tn_client_fail(client, "out of memory");
        tn_request_forget(request);
        return NULL;
    }
    if (request)
        tn_request_start(request);
    return request;
}

tenon_request *tenon_client_request_(tenon_client *client, const char *method, const char *params,
                                     const tenon_request_options *options)
{
    struct params out;

    if (!client)
        return NULL;
    params_begin(&out, client);
    tn_buf_text(&out.out, params ? params : "{}");
    return params_send(&out, client, REQUEST_PLAIN, method, NULL, options);
}

static tenon_request *call_named(tenon_client *client, const char *method, const char *name,
                                 const char *arguments, const tenon_request_options *options)
{
    struct params out;
    tenon_status  status;

    if (!client)
        return NULL;
    arguments = arguments ? arguments : "{}";
    status    = tn_client_check_object(client, arguments, PARAMS_MAX); /* it may bring no members of ours */
    if (status != TENON_OK) {
        tn_client_fail(client, "%s",
                       status == TENON_E_NOMEM ? "out of memory" : "the arguments are no JSON object");
        return NULL;
    }
    params_begin(&out, client);
    add_text(&out, "{\"name\":", name);
    tn_buf_lit(&out.out, ",\"arguments\":");
    tn_buf_text(&out.out, arguments);
    tn_buf_char(&out.out, '}');
    return params_send(&out, client, REQUEST_PLAIN, method, NULL, options);
}

tenon_request *tenon_client_call_(tenon_client *client, const char *tool, const char *arguments,
                                  const tenon_request_options *options)
{
    return call_named(client, "tools/call", tool, arguments, options);
}

tenon_request *tenon_client_prompt_(tenon_client *client, const char *prompt, const char *arguments,
                                    const tenon_request_options *options)
{
    return call_named(client, "prompts/get", prompt, arguments, options);
}

tenon_request *tenon_client_read_(tenon_client *client, const char *uri, const tenon_request_options *options)
{
    struct params out;

    if (!client)
        return NULL;
    params_begin(&out, client);
    add_text(&out, "{\"uri\":", uri);
    tn_buf_char(&out.out, '}');
    return params_send(&out, client, REQUEST_PLAIN, "resources/read", NULL, options);
}

tenon_request *tenon_client_list_(tenon_client *client, const char *what,
                                  const tenon_request_options *options)
{
    static const struct {
        const char *what, *method, *member;
    } lists[] = { { "tools", "tools/list", "tools" },
                  { "prompts", "prompts/list", "prompts" },
                  { "resources", "resources/list", "resources" },
                  { "resources/templates", "resources/templates/list", "resourceTemplates" } };
    struct params out;

    for (size_t i = 0; client && i < sizeof lists / sizeof *lists; i++)
        if (strcmp(what, lists[i].what) == 0) {
            params_begin(&out, client);
            tn_buf_lit(&out.out, "{}");
            return params_send(&out, client, REQUEST_LIST, lists[i].method, lists[i].member, options);
        }
    if (client)
        tn_client_fail(client, "there is no list of %.100s", what);
    return NULL;
}

tenon_request *tenon_client_complete_(tenon_client *client, const char *of, const char *parameter,
                                      const char *typed, const tenon_request_options *options)
{
    struct params out;

    if (!client)
        return NULL;
    params_begin(&out, client);
    add_text(&out,
             strstr(of, "://") ? "{\"ref\":{\"type\":\"ref/resource\",\"uri\":"
                               : "{\"ref\":{\"type\":\"ref/prompt\",\"name\":",
             of);
    add_text(&out, "},\"argument\":{\"name\":", parameter);
    add_text(&out, ",\"value\":", typed);
    tn_buf_lit(&out.out, "}}");
    return params_send(&out, client, REQUEST_PLAIN, "completion/complete", NULL, options);
}

tenon_request *tenon_client_listen_(tenon_client *client, const char *uri,
                                    const tenon_request_options *options)
{
    struct params out;

    if (!client)
        return NULL;
    params_begin(&out, client);
    if (uri) {
        add_text(&out, "{\"notifications\":{\"resourceSubscriptions\":[", uri);
        tn_buf_lit(&out.out, "]}}");
    } else
        tn_buf_lit(&out.out, "{\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                             "\"resourcesListChanged\":true}}");
    return params_send(&out, client, REQUEST_LISTEN, "subscriptions/listen", uri, options);
}

tenon_status tenon_client_notify(tenon_client *client, const char *method, const char *params)
{
    struct params out;
    tenon_status  status = TENON_E_NOMEM;

    if (!client)
        return status;
    if (client->stage != STAGE_READY)
        return TENON_E_IO;
    status = params ? tn_client_check_object(client, params, PARAMS_MAX) : TENON_OK;
    if (status != TENON_OK)
        return status;
    status = TENON_E_NOMEM;
    params_begin(&out, client);
    add_text(&out, "{\"jsonrpc\":\"2.0\",\"method\":", method);
    if (params) {
        tn_buf_lit(&out.out, ",\"params\":");
        tn_json_line(&out.out, params, strlen(params));
    }
    tn_buf_char(&out.out, '}');
    if (!out.out.failed && tn_client_post(client, tn_buf_slice(&out.out)))
        status = TENON_OK;
    tn_arena_free(&out.arena);
    return status;
}
