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
#define NOTHING   ((struct tn_slice){ NULL, 0 })

/* ---- Declaring --------------------------------------------------------------------------------------------- */

tenon_status tenon_server_add_prompt(tenon_server *server, const tenon_tool *prompt,
                                     tenon_complete_fn complete)
{
    const char      *name;
    struct tn_entry *entry;

    if (!server || !prompt)
        return TENON_E_NOMEM;
    prompt = tn_core_read_tool(server, prompt);
    if (!prompt)
        return server->arena.failed ? TENON_E_NOMEM : TENON_E_DECLARATION;
    name = prompt->info.name ? prompt->info.name : prompt->handler;
    if (prompt->schema)
        return tn_core_mistake(server, SAY_PROMPT_ROWS, name);
    if (prompt->info.scopes)
        return tn_core_mistake(server, SAY_PROMPT_SCOPES, name);
    entry = tn_core_add_entry(server, LIST_PROMPTS, name);
    if (!entry)
        return server->complaints.text ? TENON_E_DECLARATION : TENON_E_NOMEM;
    entry->tool     = prompt;
    entry->complete = complete;
    return TENON_OK;
}

static void prompts_member(struct tn_buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    tn_result_key(out, key);
    tn_json_string(out, text, strlen(text));
}

/* The values that text may have, behind the row's own words. */
static void prompts_add_choices(struct tn_buf *text, const struct tn_choice *choice)
{
    bool any = false;

    for (size_t i = 0; i < choice->count; i++) {
        if (!choice->names[i].at)
            continue;
        tn_buf_text(text, any ? ", " : " " SAY_ONE_OF);
        tn_buf_add(text, choice->names[i].at, choice->names[i].len);
        any = true;
    }
    tn_buf_char(text, '.');
}

/* Whatever a row is, its value comes as text. */
static void write_argument(struct tn_buf *out, const struct tn_param *param)
{
    unsigned      kind = param->node->kind;
    struct tn_buf text;

    tn_buf_init(&text, out->arena, 0, ENTRY_MAX);
    tn_keywords_describe(&text, param,
                         tn_kind_is_list(kind) || kind == TENON_KIND_OBJECT || kind == TENON_KIND_MAP ||
                             kind == TENON_KIND_JSON);
    if (kind == TENON_KIND_ENUM)
        prompts_add_choices(&text, param->node->choice);
    if (kind == TENON_KIND_BOOL)
        tn_buf_lit(&text, " " SAY_ONE_OF "true, false.");
    tn_buf_lit(out, "{\"name\":");
    tn_json_string(out, param->name, param->len);
    tn_buf_lit(out, ",\"description\":");
    tn_json_string(out, text.at, text.len);
    tn_buf_text(out, param->required ? ",\"required\":true}" : ",\"required\":false}");
    out->failed |= text.failed;
}

static struct tn_slice write_entry(tenon_server *server, const struct tn_entry *entry, bool old)
{
    const tenon_info       *info   = &entry->tool->info;
    const struct tn_object *object = entry->compiled->input->object;
    struct tn_buf           out;

    tn_buf_init(&out, &server->arena, 0, ENTRY_MAX);
    tn_buf_char(&out, '{');
    prompts_member(&out, "name", entry->name.at);
    if (!old)
        prompts_member(&out, "title", info->title);
    prompts_member(&out, "description", info->doc);
    tn_buf_lit(&out, ",\"arguments\":[");
    for (size_t i = 0; i < object->count; i++) {
        if (i > 0)
            tn_buf_char(&out, ',');
        write_argument(&out, &object->params[i]);
    }
    tn_buf_char(&out, ']');
    tn_publish_icons(&out, info->icons, info->icon_count);
    tn_publish_meta(&out, info->meta);
    tn_buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return tn_buf_slice(&out);
}

/* Text is all that there is: nothing can be strict about it. */
static bool is_sound(tenon_server *server, const struct tn_entry *entry)
{
    const tenon_info       *info = &entry->tool->info;
    const struct tn_object *object;

    if (tn_tool_ready(server->boxes[BOX_PROMPTS], entry->compiled) != TENON_OK) {
        tn_core_mistake(server, SAY_NO_MEMORY_NEW);
        return false;
    }
    object = entry->compiled->input->object;
    for (size_t i = 0; i < object->count; i++)
        if (object->params[i].node->strict && !tn_kind_is_text(object->params[i].node->kind)) {
            tn_core_mistake(server, SAY_PROMPT_STRICT, entry->name.at, object->params[i].name);
            return false;
        }
    return tn_publish_icons_sound(server, entry->name.at, info->icons, info->icon_count) &&
           tn_publish_meta_sound(server, entry->name.at, info->meta);
}

tenon_status tn_publish_prompt(tenon_server *server, struct tn_entry *entry)
{
    if (!is_sound(server, entry))
        return TENON_E_DECLARATION;
    entry->compiled->strict = false;
    entry->text             = write_entry(server, entry, false);
    entry->old              = write_entry(server, entry, true);
    return TENON_OK;
}

/* ---- Getting ----------------------------------------------------------------------------------------------- */

void tn_method_prompts_list(struct tn_exchange *x)
{
    tn_catalog_list(x, LIST_PROMPTS, "prompts");
}

/* Sets the entry; false when it answered that the request cannot be right. */
static bool prompts_find(struct tn_exchange *x)
{
    struct tn_slice name = tn_rpc_text(tn_rpc_get(x->params, "name"));
    yyjson_val     *args = tn_rpc_get(x->params, "arguments");

    if (!x->entry) /* else it is being waited for, and others may read it */
        x->entry = tn_core_find(x->server, LIST_PROMPTS, name);
    if (!name.at)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_NAME);
    else if (!x->entry)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_PROMPT, tn_exchange_echo(x, name));
    else if (args && !yyjson_is_obj(args) && !yyjson_is_null(args))
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_BAD_ARGUMENTS);
    else
        return true;
    return false;
}

bool tn_prompts_needs_worker(struct tn_exchange *x)
{
    x->entry = tn_core_find(x->server, LIST_PROMPTS, tn_rpc_text(tn_rpc_get(x->params, "name")));
    return x->entry && x->entry->tool->info.blocking;
}

static void write_messages(struct tn_exchange *x)
{
    struct tn_slice messages = tn_blocks_slice(&x->call->blocks);
    struct tn_buf   out      = tn_result_begin(x);

    tn_buf_room(&out, messages.len + 512);
    prompts_member(&out, "description", x->entry->tool->info.doc);
    tn_result_key(&out, "messages");
    tn_buf_char(&out, '[');
    tn_buf_add(&out, messages.at, messages.len);
    tn_buf_char(&out, ']');
    tn_result_end(x, &out);
}

void tn_method_prompts_get(struct tn_exchange *x)
{
    const tenon_answer *answer;
    tenon_call         *call;

    if (!prompts_find(x) || !tn_input_load(x))
        return;
    call = tn_exchange_call(x, BOX_PROMPTS);
    if (!call)
        return;
    call->subject = (struct tn_subject){ .kind = SUBJECT_PROMPT, .lacks = tn_exchange_lacks(x) };
    x->questions  = NULL;
    answer = tn_call_run_value(call, x->entry->compiled, tn_rpc_get(x->params, "arguments"), x->bad_utf8,
                               x->nodes);
    if (tn_input_asked(x))
        return;
    if (answer->is_error)
        tn_failure_answer(x, NOTHING);
    else
        write_messages(x);
}
