/* resources.c - declaring, listing and reading resources.
 *
 * A read function runs inside a call, as a tool does, so that it has an arena, can fail and can ask: the call is of an
 * internal tool that finds the function in the exchange's entry.
 */
#include "mcp/offer/resources.h"

#include <tenon/resource.h>

#include <string.h>

#include "mcp/ask/input.h"
#include "mcp/offer/failure.h"
#include "mcp/offer/publish.h"
#include "mcp/phrases.h"
#include "text/uri.h"

#define ENTRY_MAX ((size_t)1 << 20)

/* ---- Declaring --------------------------------------------------------------------------------------------- */

/* Options of a caller that was compiled with fewer of them. */
static tenon_resource_options *copy_options(tenon_server *server, const tenon_resource_options *given)
{
    tenon_resource_options *options = arena_new(&server->arena, tenon_resource_options);

    if (options && given)
        memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
    return options;
}

static tenon_status add(tenon_server *server, enum list list, const char *uri, tenon_read_fn read,
                        const tenon_resource_options *given)
{
    tenon_resource_options *options;
    struct entry           *entry;

    if (!server)
        return TENON_E_NOMEM;
    if (!read)
        return core_mistake(server, SAY_RESOURCE_READ, uri ? uri : "");
    options = copy_options(server, given);
    entry   = options ? core_add_entry(server, list, uri) : NULL;
    if (!entry)
        return server->error ? TENON_E_DECLARATION : TENON_E_NOMEM;
    entry->resource = options;
    entry->read     = read;
    entry->complete = options->complete;
    return TENON_OK;
}

tenon_status tenon_server_resource_(tenon_server *server, const char *uri, tenon_read_fn read,
                                    const tenon_resource_options *options)
{
    if (server && (!uri || !uri_is_absolute(slice_of(uri))))
        return core_mistake(server, SAY_RESOURCE_URI, uri ? uri : "");
    return add(server, LIST_RESOURCES, uri, read, options);
}

tenon_status tenon_server_template_(tenon_server *server, const char *uri, tenon_read_fn read,
                                    const tenon_resource_options *options)
{
    const char *why = uri_template_mistake(slice_of(uri));

    if (server && why)
        return core_mistake(server, SAY_TEMPLATE, uri ? uri : "", why);
    return add(server, LIST_TEMPLATES, uri, read, options);
}

static void member(struct buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    result_key(out, key);
    json_string(out, text, strlen(text));
}

static struct slice write_entry(tenon_server *server, const struct entry *entry, bool is_template, bool old)
{
    const tenon_resource_options *options = entry->resource;
    struct buf                    out;

    buf_init(&out, &server->arena, 0, ENTRY_MAX);
    buf_char(&out, '{');
    member(&out, is_template ? "uriTemplate" : "uri", entry->name.at);
    member(&out, "name", options->name ? options->name : entry->name.at);
    if (!old)
        member(&out, "title", options->title);
    member(&out, "description", options->doc);
    member(&out, "mimeType", options->mime);
    if (!is_template && options->len > 0) {
        result_key(&out, "size");
        buf_uint(&out, options->len);
    }
    publish_icons(&out, options->icons, options->icon_count);
    buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return buf_slice(&out);
}

tenon_status publish_resource(tenon_server *server, struct entry *entry, bool is_template)
{
    const tenon_resource_options *options = entry->resource;

    if (!publish_icons_sound(server, entry->name.at, options->icons, options->icon_count))
        return TENON_E_DECLARATION;
    entry->modern = entry->legacy = write_entry(server, entry, is_template, false);
    entry->old                    = write_entry(server, entry, is_template, true);
    return TENON_OK;
}

/* ---- Listing ----------------------------------------------------------------------------------------------- */

void method_resources_list(struct exchange *x)
{
    catalog_list(x, LIST_RESOURCES, "resources");
}

void method_templates_list(struct exchange *x)
{
    catalog_list(x, LIST_TEMPLATES, "resourceTemplates");
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

static tenon_outcome read_entry(tenon_call *call)
{
    const struct entry   *entry   = exchange_of(call)->entry;
    const struct subject *subject = &call->subject;

    if (subject->kind != SUBJECT_COMPLETION)
        return entry->read(call, subject->uri);
    entry->complete(call, subject->name, subject->typed);
    return tenon_ok(call);
}

TENON_TOOL0(read_entry, TENON_INFO("Reads a resource, or suggests values."));

const tenon_tool *resources_reader(void)
{
    return read_entry_tool();
}

const tenon_answer *resources_run(struct exchange *x, const struct subject *subject)
{
    tenon_call         *call = exchange_call(x, BOX_READS);
    const tenon_answer *answer;

    if (!call)
        return NULL;
    call->subject = *subject;
    x->questions  = NULL;
    answer        = call_run_value(call, x->server->boxes[BOX_READS]->tools[0], NULL, false, 0);
    call->subject = (struct subject){ .kind = SUBJECT_RESOURCE }; /* the rest is the caller's */
    return exchange_asked(x) ? NULL : answer;
}

struct entry *resources_find(struct exchange *x, struct slice uri,
                             struct variable variables[URI_VARIABLES_MAX], size_t *count)
{
    const struct entries *templates = &x->server->lists[LIST_TEMPLATES];
    struct entry         *entry     = core_find(x->server, LIST_RESOURCES, uri);

    *count = 0;
    for (size_t i = 0; !entry && i < templates->count; i++) {
        struct entry *one = &templates->at[i];

        if (!atomic_load_explicit(&one->hidden, memory_order_relaxed) &&
            uri_template_match(one->name, uri, variables, count) &&
            uri_template_decode(&x->arena, variables, *count))
            entry = one;
    }
    if (!entry)
        *count = 0;
    return entry;
}

/* Sets the entry; false when it answered that there is none. */
static bool find(struct exchange *x, struct variable variables[URI_VARIABLES_MAX], size_t *count)
{
    struct slice uri = rpc_text(rpc_get(x->params, "uri"));

    if (!uri.at) {
        exchange_fail(x, RPC_INVALID_PARAMS, (struct slice){ NULL, 0 }, SAY_NO_URI);
        return false;
    }
    x->entry = resources_find(x, uri, variables, count);
    if (x->arena.failed)
        exchange_fail(x, RPC_INTERNAL_ERROR, (struct slice){ NULL, 0 }, SAY_NO_MEMORY);
    else if (!x->entry)
        failure_no_resource(x, uri, NULL);
    return x->entry && !x->arena.failed;
}

static void write_contents(struct exchange *x, struct slice uri)
{
    const tenon_resource_options *options  = x->entry->resource;
    struct slice                  contents = blocks_slice(&x->call->blocks);
    struct buf                    out      = result_begin(x);

    buf_room(&out, contents.len + 512);
    result_key(&out, "contents");
    buf_char(&out, '[');
    buf_add(&out, contents.at, contents.len);
    if (contents.len == 0) { /* there is such a resource, and it is empty */
        buf_lit(&out, "{\"uri\":");
        json_string(&out, uri.at, uri.len);
        member(&out, "mimeType", options->mime);
        buf_lit(&out, ",\"text\":\"\"}");
    }
    buf_char(&out, ']');
    result_cacheable(x, &out, options->ttl_ms, options->private_);
    result_end(x, &out);
}

void method_resources_read(struct exchange *x)
{
    struct slice        uri = rpc_text(rpc_get(x->params, "uri"));
    struct variable     variables[URI_VARIABLES_MAX];
    struct subject      subject = { .kind = SUBJECT_RESOURCE, .uri = uri.at, .variables = variables };
    const tenon_answer *answer;

    if (!find(x, variables, &subject.variable_count) || !input_load(x))
        return;
    subject.mime = x->entry->resource->mime;
    answer       = resources_run(x, &subject);
    if (!answer)
        return;
    if (answer->is_error)
        failure_answer(x, answer, uri);
    else
        write_contents(x, uri);
}
