/* prompts.c - declaring, listing and getting prompts.
 *
 * A prompt is compiled as a tool is. Clients send its arguments as text, and show people a form made of its rows.
 */
#include <string.h>

#include "mcp/ask/input.h"

#include "mcp/offer/failure.h"
#include "mcp/offer/publish.h"
#include "mcp/phrases.h"
#include "rows/keywords.h"
#include <tenon/resource.h>

#define ENTRY_MAX ((size_t)1 << 20)
#define NOTHING   ((struct slice){ NULL, 0 })

/* ---- Declaring --------------------------------------------------------------------------------------------- */

tenon_status tenon_server_add_prompt(tenon_server *server, const tenon_tool *prompt,
                                     tenon_complete_fn complete)
{
    const char   *name;
    struct entry *entry;

    if (!server || !prompt)
        return TENON_E_NOMEM;
    name = prompt->info.name ? prompt->info.name : prompt->handler;
    if (prompt->schema)
        return core_mistake(server, SAY_PROMPT_ROWS, name);
    if (prompt->info.scopes)
        return core_mistake(server, SAY_PROMPT_SCOPES, name);
    entry = core_add_entry(server, LIST_PROMPTS, name);
    if (!entry)
        return server->error ? TENON_E_DECLARATION : TENON_E_NOMEM;
    entry->tool     = prompt;
    entry->complete = complete;
    return TENON_OK;
}

static void member(struct buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    result_key(out, key);
    json_string(out, text, strlen(text));
}

/* The values that text may have, behind the row's own words. */
static void add_choices(struct buf *text, const struct choice *choice)
{
    bool any = false;

    for (size_t i = 0; i < choice->count; i++) {
        if (!choice->names[i].at)
            continue;
        buf_text(text, any ? ", " : " " SAY_ONE_OF);
        buf_add(text, choice->names[i].at, choice->names[i].len);
        any = true;
    }
    buf_char(text, '.');
}

/* Whatever a row is, its value comes as text. */
static void write_argument(struct buf *out, const struct param *param)
{
    unsigned   kind = param->node->kind;
    struct buf text;

    buf_init(&text, out->arena, 0, ENTRY_MAX);
    keywords_describe(&text, param,
                      kind_is_list(kind) || kind == TENON_KIND_OBJECT || kind == TENON_KIND_MAP ||
                          kind == TENON_KIND_JSON);
    if (kind == TENON_KIND_ENUM)
        add_choices(&text, param->node->choice);
    if (kind == TENON_KIND_BOOL)
        buf_lit(&text, " " SAY_ONE_OF "true, false.");
    buf_lit(out, "{\"name\":");
    json_string(out, param->name, param->len);
    buf_lit(out, ",\"description\":");
    json_string(out, text.at, text.len);
    buf_text(out, param->required ? ",\"required\":true}" : ",\"required\":false}");
    out->failed |= text.failed;
}

static struct slice write_entry(tenon_server *server, const struct entry *entry, bool old)
{
    const tenon_info    *info   = &entry->tool->info;
    const struct object *object = entry->compiled->input->object;
    struct buf           out;

    buf_init(&out, &server->arena, 0, ENTRY_MAX);
    buf_char(&out, '{');
    member(&out, "name", entry->name.at);
    if (!old)
        member(&out, "title", info->title);
    member(&out, "description", info->doc);
    buf_lit(&out, ",\"arguments\":[");
    for (size_t i = 0; i < object->count; i++) {
        if (i > 0)
            buf_char(&out, ',');
        write_argument(&out, &object->params[i]);
    }
    buf_char(&out, ']');
    publish_icons(&out, info->icons, info->icon_count);
    publish_meta(&out, info->meta);
    buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return buf_slice(&out);
}

/* Text is all that there is: nothing can be strict about it. */
static bool is_sound(tenon_server *server, const struct entry *entry)
{
    const struct object *object = entry->compiled->input->object;
    const tenon_info    *info   = &entry->tool->info;

    for (size_t i = 0; i < object->count; i++)
        if (object->params[i].node->strict && !kind_is_text(object->params[i].node->kind)) {
            core_mistake(server, SAY_PROMPT_STRICT, entry->name.at, object->params[i].name);
            return false;
        }
    return publish_icons_sound(server, entry->name.at, info->icons, info->icon_count) &&
           publish_meta_sound(server, entry->name.at, info->meta);
}

tenon_status publish_prompt(tenon_server *server, struct entry *entry)
{
    if (!is_sound(server, entry))
        return TENON_E_DECLARATION;
    entry->compiled->strict = false;
    entry->modern = entry->legacy = write_entry(server, entry, false);
    entry->old                    = write_entry(server, entry, true);
    return TENON_OK;
}

/* ---- Getting ----------------------------------------------------------------------------------------------- */

void method_prompts_list(struct exchange *x)
{
    catalog_list(x, LIST_PROMPTS, "prompts");
}

/* Sets the entry; false when it answered that the request cannot be right. */
static bool find(struct exchange *x)
{
    struct slice name = rpc_text(rpc_get(x->params, "name"));
    yyjson_val  *args = rpc_get(x->params, "arguments");

    if (!x->entry) /* else it is being waited for, and others may read it */
        x->entry = core_find(x->server, LIST_PROMPTS, name);
    if (!name.at)
        exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_NAME);
    else if (!x->entry)
        exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_PROMPT, exchange_echo(x, name));
    else if (args && !yyjson_is_obj(args) && !yyjson_is_null(args))
        exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_BAD_ARGUMENTS);
    else
        return true;
    return false;
}

static void write_messages(struct exchange *x)
{
    struct slice messages = blocks_slice(&x->call->blocks);
    struct buf   out      = result_begin(x);

    buf_room(&out, messages.len + 512);
    member(&out, "description", x->entry->tool->info.doc);
    result_key(&out, "messages");
    buf_char(&out, '[');
    buf_add(&out, messages.at, messages.len);
    buf_char(&out, ']');
    result_end(x, &out);
}

void method_prompts_get(struct exchange *x)
{
    const tenon_answer *answer;
    tenon_call         *call;

    if (!find(x) || !input_load(x))
        return;
    call = exchange_call(x, BOX_PROMPTS);
    if (!call)
        return;
    call->subject = (struct subject){ .kind = SUBJECT_PROMPT, .lacks = exchange_lacks(x) };
    x->questions  = NULL;
    answer = call_run_value(call, x->entry->compiled, rpc_get(x->params, "arguments"), x->bad_utf8, x->nodes);
    if (exchange_asked(x))
        return;
    if (answer->is_error)
        failure_answer(x, answer, NOTHING);
    else
        write_messages(x);
}
