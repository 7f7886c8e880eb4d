/* resources.c - declaring, listing and reading resources.
 *
 * A read function runs inside a call, as a tool does, so that it has an arena, can fail and can ask: the call is of an
 * internal tool that finds the function in the exchange's entry.
 */
#include "mcp/offer/resources.h"

#include <tenon/resource.h>

#include <string.h>

#include "answer/tool_read.h"
#include "base/sized.h"
#include "mcp/ask/input.h"
#include "mcp/offer/failure.h"
#include "mcp/offer/publish.h"
#include "mcp/phrases.h"
#include "text/uri.h"

#define ENTRY_MAX ((size_t)1 << 20)

/* ---- Declaring --------------------------------------------------------------------------------------------- */

/* NULL after a mistake, or without memory. */
static tenon_resource_options *read_options(tenon_server *server, const char *uri,
                                            const tenon_resource_options *given)
{
    tenon_resource_options *options = tn_arena_new(&server->arena, tenon_resource_options);
    bool                    known = true, sound = true;

    if (!options || !given)
        return options;
    known = tn_sized_read(options, sizeof *options, given, given->size);
    if (options->icon_count > 0)
        options->icons = tn_icons_read(&server->arena, options->icons, options->icon_count,
                                       options->icon_size, &sound);
    if (known && sound)
        return options->icon_count > 0 && !options->icons ? NULL : options;
    tn_core_mistake(server, SAY_UNKNOWN_OPTION, uri);
    return NULL;
}

static tenon_status resources_add(tenon_server *server, enum tn_list list, const char *uri,
                                  tenon_read_fn read, const tenon_resource_options *given)
{
    tenon_resource_options *options;
    struct tn_entry        *entry;

    if (!server)
        return TENON_E_NOMEM;
    if (!read)
        return tn_core_mistake(server, SAY_RESOURCE_READ, uri ? uri : "");
    options = read_options(server, uri, given);
    entry   = options ? tn_core_add_entry(server, list, uri) : NULL;
    if (!entry)
        return server->complaints.text ? TENON_E_DECLARATION : TENON_E_NOMEM;
    entry->resource = options;
    entry->read     = read;
    entry->complete = options->complete;
    return TENON_OK;
}

tenon_status tenon_server_resource_(tenon_server *server, const char *uri, tenon_read_fn read,
                                    const tenon_resource_options *options)
{
    if (server && (!uri || !tn_uri_is_absolute(tn_slice_of(uri))))
        return tn_core_mistake(server, SAY_RESOURCE_URI, uri ? uri : "");
    return resources_add(server, LIST_RESOURCES, uri, read, options);
}

tenon_status tenon_server_template_(tenon_server *server, const char *uri, tenon_read_fn read,
                                    const tenon_resource_options *options)
{
    const char *why = tn_uri_template_mistake(tn_slice_of(uri));

    if (server && why)
        return tn_core_mistake(server, SAY_TEMPLATE, uri ? uri : "", why);
    return resources_add(server, LIST_TEMPLATES, uri, read, options);
}

static void resources_member(struct tn_buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    tn_result_key(out, key);
    tn_json_string(out, text, strlen(text));
}

static struct tn_slice write_entry(tenon_server *server, const struct tn_entry *entry, bool is_template,
                                   bool old)
{
    const tenon_resource_options *options = entry->resource;
    struct tn_buf                 out;

    tn_buf_init(&out, &server->arena, 0, ENTRY_MAX);
    tn_buf_char(&out, '{');
    resources_member(&out, is_template ? "uriTemplate" : "uri", entry->name.at);
    resources_member(&out, "name", options->name ? options->name : entry->name.at);
    if (!old)
        resources_member(&out, "title", options->title);
    resources_member(&out, "description", options->doc);
    resources_member(&out, "mimeType", options->mime);
    if (!is_template && options->len > 0) {
        tn_result_key(&out, "size");
        tn_buf_uint(&out, options->len);
    }
    tn_publish_icons(&out, options->icons, options->icon_count);
    tn_buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return tn_buf_slice(&out);
}

tenon_status tn_publish_resource(tenon_server *server, struct tn_entry *entry, bool is_template)
{
    const tenon_resource_options *options = entry->resource;

    if (!tn_publish_icons_sound(server, entry->name.at, options->icons, options->icon_count))
        return TENON_E_DECLARATION;
    entry->text = write_entry(server, entry, is_template, false);
    entry->old  = write_entry(server, entry, is_template, true);
    return TENON_OK;
}

/* ---- Listing ----------------------------------------------------------------------------------------------- */

void tn_method_resources_list(struct tn_exchange *x)
{
    tn_catalog_list(x, LIST_RESOURCES, "resources");
}

void tn_method_templates_list(struct tn_exchange *x)
{
    tn_catalog_list(x, LIST_TEMPLATES, "resourceTemplates");
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

static tenon_outcome tn_read_entry(tenon_call *call)
{
    const struct tn_entry   *entry   = tn_exchange_of(call)->entry;
    const struct tn_subject *subject = &call->subject;

    if (subject->kind != SUBJECT_COMPLETION)
        return entry->read(call, subject->uri);
    entry->complete(call, subject->name, subject->typed);
    return tenon_ok(call);
}

TENON_TOOL0(tn_read_entry, TENON_INFO("Reads a resource, or suggests values."));

const tenon_tool *tn_resources_reader(void)
{
    return tn_read_entry_tool();
}

const tenon_answer *tn_resources_run(struct tn_exchange *x, const struct tn_subject *subject)
{
    tenon_call         *call = tn_exchange_call(x, BOX_READS);
    const tenon_answer *answer;

    if (!call)
        return NULL;
    call->subject = *subject;
    x->questions  = NULL;
    answer        = tn_call_run_value(call, x->server->boxes[BOX_READS]->tools[0], NULL, false, 0);
    call->subject = (struct tn_subject){ .kind = SUBJECT_RESOURCE }; /* the rest is the caller's */
    return tn_input_asked(x) ? NULL : answer;
}

struct tn_entry *tn_resources_find(struct tn_exchange *x, struct tn_slice uri,
                                   struct tn_variable variables[URI_VARIABLES_MAX], size_t *count)
{
    const struct tn_entries *templates = &x->server->lists[LIST_TEMPLATES];
    struct tn_entry         *entry     = tn_core_find(x->server, LIST_RESOURCES, uri);

    *count = 0;
    for (size_t i = 0; !entry && i < templates->count; i++) {
        struct tn_entry *one = &templates->at[i];

        if (!atomic_load_explicit(&one->hidden, memory_order_relaxed) &&
            tn_uri_template_match(one->name, uri, variables, count) &&
            tn_uri_template_decode(&x->arena, variables, *count))
            entry = one;
    }
    if (!entry)
        *count = 0;
    return entry;
}

/* Sets the entry; false when it answered that there is none. */
static bool resources_find(struct tn_exchange *x, struct tn_variable variables[URI_VARIABLES_MAX],
                           size_t *count)
{
    struct tn_slice uri = tn_rpc_text(tn_rpc_get(x->params, "uri"));

    if (!uri.at) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, (struct tn_slice){ NULL, 0 }, SAY_NO_URI);
        return false;
    }
    x->entry = tn_resources_find(x, uri, variables, count);
    if (x->arena.failed)
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, (struct tn_slice){ NULL, 0 }, SAY_NO_MEMORY);
    else if (!x->entry)
        tn_failure_no_resource(x, uri, (struct tn_slice){ NULL, 0 });
    return x->entry && !x->arena.failed;
}

/* Which template it is of is only known when it runs: one that waits is enough. */
bool tn_resources_needs_worker(struct tn_exchange *x)
{
    const struct tn_entries *templates = &x->server->lists[LIST_TEMPLATES];
    const struct tn_entry   *entry     = tn_core_find(x->server, LIST_RESOURCES,
                                                      tn_rpc_text(tn_rpc_get(x->params, "uri")));

    if (entry)
        return entry->resource->blocking;
    for (size_t i = 0; i < templates->count; i++)
        if (templates->at[i].resource->blocking)
            return true;
    return false;
}

static void write_contents(struct tn_exchange *x, struct tn_slice uri)
{
    const tenon_resource_options *options  = x->entry->resource;
    struct tn_slice               contents = tn_blocks_slice(&x->call->blocks);
    struct tn_buf                 out      = tn_result_begin(x);

    tn_buf_room(&out, contents.len + 512);
    tn_result_key(&out, "contents");
    tn_buf_char(&out, '[');
    tn_buf_add(&out, contents.at, contents.len);
    if (contents.len == 0) { /* there is such a resource, and it is empty */
        tn_buf_lit(&out, "{\"uri\":");
        tn_json_string(&out, uri.at, uri.len);
        resources_member(&out, "mimeType", options->mime);
        tn_buf_lit(&out, ",\"text\":\"\"}");
    }
    tn_buf_char(&out, ']');
    tn_result_cacheable(x, &out, options->ttl_ms, options->private_);
    tn_result_end(x, &out);
}

void tn_method_resources_read(struct tn_exchange *x)
{
    struct tn_slice     uri = tn_rpc_text(tn_rpc_get(x->params, "uri"));
    struct tn_variable  variables[URI_VARIABLES_MAX];
    struct tn_subject   subject = { .kind = SUBJECT_RESOURCE, .uri = uri.at, .variables = variables };
    const tenon_answer *answer;

    if (!resources_find(x, variables, &subject.variable_count) || !tn_input_load(x))
        return;
    subject.mime = x->entry->resource->mime;
    answer       = tn_resources_run(x, &subject);
    if (!answer)
        return;
    if (answer->is_error)
        tn_failure_answer(x, uri);
    else
        write_contents(x, uri);
}
