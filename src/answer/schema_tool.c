/* schema_tool.c - validating by a document: the arguments before the handler runs, its data before it is sent. */
#include "answer/schema_tool.h"

#include <string.h>

#include "answer/phrases.h"
#include "base/utf8.h"
#include "document/document.h"
#include "document/quick.h"
#include "document/repair.h"
#include "document/suggest.h"
#include "json/echo.h"
#include "json/pointer.h"
#include "json/write.h"
#include "model/issue_view.h"
#include "model/words.h"
#include "rows/bind_form.h"
#include "rows/bind_list.h"

#define PATH_LEN_MAX ((size_t)4096)

const char *tn_schema_tool_mistake(const tenon_schema *schema)
{
    const char *text = tenon_schema_error(schema);

    if (text)
        return strncmp(text, "schema: ", 8) == 0 ? text + 8 : text;
    return schema->node->schema->types == TYPE_OBJECT ? NULL : PHRASE_NOT_OBJECT;
}

/* ---- Places ---------------------------------------------------------------------------------------------------- */

/* The way from `root` to `value`, which stands somewhere behind it: a name at the top, a JSON Pointer below. */
static struct tn_slice path_to(tenon_call *call, yyjson_val *root, const yyjson_val *value)
{
    struct tn_slice name  = { NULL, 0 };
    size_t          depth = 0;
    struct tn_buf   out;

    tn_buf_init(&out, &call->arena, 64, PATH_LEN_MAX);
    for (yyjson_val *at = root; at != value; depth++) {
        yyjson_val *child = unsafe_yyjson_get_first(at);
        bool        named = yyjson_is_obj(at);

        for (size_t index = 0;; index++) {
            yyjson_val *key  = child;
            yyjson_val *next = unsafe_yyjson_get_next(named ? child + 1 : child);

            if (value < next) {
                name = named ? (struct tn_slice){ yyjson_get_str(key), yyjson_get_len(key) }
                             : (struct tn_slice){ NULL, 0 };
                at   = named ? key + 1 : key;
                if (named)
                    tn_pointer_add(&out, name);
                else
                    tn_pointer_add_index(&out, index);
                if (value == key)
                    at = (yyjson_val *)(uintptr_t)value; /* a name stands for its member */
                break;
            }
            child = next;
        }
    }
    if (out.failed || depth == 0)
        return SLICE_LIT(PHRASE_WHOLE);
    if (depth > 1 || !name.at || (name.len > 0 && name.at[0] == '/'))
        return tn_buf_slice(&out);
    out.len = 0;
    tn_echo_text(&out, name.at, name.len);
    return out.failed ? SLICE_LIT(PHRASE_WHOLE) : tn_buf_slice(&out);
}

bool tn_schema_tool_locate(tenon_call *call, const void *view, struct tn_slice *path)
{
    yyjson_val       *root  = (yyjson_val *)(uintptr_t)call->args;
    const yyjson_val *value = view;

    if (!root || value < root || value >= unsafe_yyjson_get_next(root))
        return false;
    *path = path_to(call, root, value);
    return true;
}

/* ---- Arguments ------------------------------------------------------------------------------------------------- */

static void schema_tool_refuse(tenon_call *call, enum tn_issue_code code, struct tn_slice label,
                               const char *why, size_t at)
{
    struct tn_issue *issue = tn_issues_add(&call->judge.issues, &call->arena);

    if (!issue)
        return;
    issue->code      = code;
    issue->parameter = issue->label = label;
    issue->required                 = true;
    issue->why                      = why;
    issue->count                    = at;
}

/* Why a text is not JSON within the limits; nothing when it is. */
static void schema_tool_refuse_text(tenon_call *call, struct tn_slice text, const struct tn_json_text *read)
{
    struct tn_slice whole = SLICE_LIT(PHRASE_WHOLE);

    switch (read->fault) {
    case JSON_FINE: break;
    case JSON_SYNTAX:
        schema_tool_refuse(call, ISSUE_JSON, whole, tn_words_malformed(text, read), read->at);
        break;
    case JSON_TOO_LONG: schema_tool_refuse(call, ISSUE_LIMIT, whole, PHRASE_TOO_LONG, 0); break;
    case JSON_TOO_DEEP: schema_tool_refuse(call, ISSUE_LIMIT, whole, PHRASE_TOO_DEEP, 0); break;
    case JSON_TOO_MANY: schema_tool_refuse(call, ISSUE_LIMIT, whole, PHRASE_TOO_MANY, 0); break;
    case JSON_NO_MEMORY: break;
    }
}

static yyjson_val *read_text(tenon_call *call, struct tn_slice text)
{
    struct tn_json_text read = tn_json_read(&call->arena, text.at, text.len, &call->judge.limits);

    schema_tool_refuse_text(call, text, &read);
    if (!read.bad_utf8)
        return read.root;
    schema_tool_refuse(call, ISSUE_TEXT, SLICE_LIT(PHRASE_WHOLE), PHRASE_NOT_UTF8, 0);
    return NULL;
}

static bool is_utf8(yyjson_val *root)
{
    yyjson_val *end = unsafe_yyjson_get_next(root);

    for (yyjson_val *at = root; at < end; at++)
        if (yyjson_is_str(at) && !tn_utf8_valid(yyjson_get_str(at), yyjson_get_len(at)))
            return false;
    return true;
}

/* Whatever is wrong with the arguments as a whole, an example of the whole shows what to send. */
static void show_whole(tenon_call *call, size_t len)
{
    const tenon_schema     *schema  = call->tool->schema;
    const struct tn_issues *issues  = &call->judge.issues;
    struct tn_verdict       verdict = tn_document_verdict(schema, &call->judge, SLICE_LIT(PHRASE_WHOLE),
                                                          tn_verdict_steps_of(len));

    for (size_t i = 0; i < issues->count; i++) {
        struct tn_issue *issue = &issues->at[i];

        if (!tn_slice_is(issue->parameter, PHRASE_WHOLE) || issue->example.len > 0)
            continue;
        issue->example = tn_suggest_example(&verdict, schema->node);
        if (call->tool->destructive && tn_slice_is(issue->example, "{}"))
            issue->example = (struct tn_slice){ "", 0 }; /* without any filter it would be the widest call */
    }
}

/* Repairs work on text: what they change is said by its place there. */
static bool take_value(tenon_call *call, yyjson_val *args)
{
    struct tn_buf text;

    if (call->judge.check_utf8 && !is_utf8(args)) {
        schema_tool_refuse(call, ISSUE_TEXT, SLICE_LIT(PHRASE_WHOLE), PHRASE_NOT_UTF8, 0);
        show_whole(call, 0);
        return false;
    }
    call->judge.check_utf8 = false;
    tn_buf_init(&text, &call->arena, 0, SIZE_MAX);
    tn_json_value(&text, args);
    call->json = tn_buf_slice(&text);
    return !call->arena.failed;
}

/* No key twice, at any depth: the values stand behind each other, so one pass sees every object. */
static bool keys_once(tenon_call *call, yyjson_val *root)
{
    yyjson_val *end = unsafe_yyjson_get_next(root);

    for (yyjson_val *at = root; at < end; at++) {
        yyjson_val *key = yyjson_is_obj(at) ? tn_bind_repeated_key(&call->judge, at) : NULL;

        if (!key)
            continue;
        schema_tool_refuse(call, ISSUE_KEY_TWICE, path_to(call, root, key), NULL, 0);
        return false;
    }
    return !call->arena.failed;
}

/* The arguments that came as a text, in one form or another. What holds none is returned as it is, to be refused. */
static yyjson_val *read_form(tenon_call *call, yyjson_val *sent, struct tn_slice *text)
{
    struct tn_judge    *judge = &call->judge;
    struct tn_json_text plain;

    if (judge->mirrored)
        return sent;
    judge->read = tn_bind_form_whole(judge, tn_json_slice(sent), &plain, text);
    if (judge->read && judge->check_utf8) {
        schema_tool_refuse(call, ISSUE_TEXT, SLICE_LIT(PHRASE_WHOLE), PHRASE_NOT_UTF8, 0);
        judge->read = NULL;
        return NULL;
    }
    if (judge->read)
        return judge->read;
    schema_tool_refuse_text(call, tn_json_slice(sent), &plain);
    return plain.root;
}

/* What was sent, as a value and as its text; nothing and null mean no arguments. */
static yyjson_val *read_sent(tenon_call *call, yyjson_val *sent, struct tn_slice *text)
{
    if (yyjson_is_str(sent))
        sent = read_form(call, sent, text);
    if (yyjson_is_null(sent)) {
        *text = SLICE_LIT("{}");
        sent  = read_text(call, *text);
    }
    return sent && keys_once(call, sent) ? sent : NULL;
}

static const tenon_json *repair_args(tenon_call *call, struct tn_verdict *verdict, yyjson_val *sent,
                                     struct tn_slice text)
{
    const struct tn_tool      *tool = call->tool;
    const struct tn_repair_how how  = { tool->schema->reading.defaults, tool->strict, tool->destructive };
    yyjson_val                *args;

    verdict->allowed = tn_verdict_steps_of(text.len);
    args             = tn_repair_value(verdict, tool->schema->node, text, sent, &how, &text);
    if (args || call->arena.failed)
        return call->arena.failed ? NULL : (const tenon_json *)args;
    tn_verdict_report(verdict, tool->schema->node, sent);
    tn_verdict_places(&call->judge, verdict->root, false);
    verdict->all = false;
    for (size_t i = 0; i < call->judge.issues.count; i++)
        tn_suggest_add(verdict, &call->judge.issues.at[i]);
    return NULL;
}

const tenon_json *tn_schema_tool_args(tenon_call *call, yyjson_val *sent)
{
    const tenon_schema *schema  = call->tool->schema;
    struct tn_verdict   verdict = tn_document_verdict(schema, &call->judge, SLICE_LIT(PHRASE_WHOLE),
                                                      VERDICT_STEPS_MIN);
    struct tn_slice     text;
    yyjson_val         *args;

    if (!sent) {
        text = tn_slice_blank(call->json) ? SLICE_LIT("{}") : call->json;
        sent = read_text(call, text);
    }
    args = sent && !call->judge.check_utf8 ? tn_quick_value(&verdict, schema->node, sent) : NULL;
    if (args)
        return (const tenon_json *)args;
    if (sent == call->sent && sent) {
        if (!take_value(call, sent))
            return NULL;
        text = call->json;
        sent = read_text(call, text);
    }
    sent = read_sent(call, sent, &text);
    if (sent)
        return repair_args(call, &verdict, sent, text);
    show_whole(call, text.len);
    return NULL;
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

bool tn_schema_tool_result(tenon_call *call, yyjson_val *data, size_t len, tenon_outcome *failure)
{
    const tenon_schema *schema  = call->tool->result_schema;
    struct tn_judge     judge   = { .arena   = &call->arena,
                                    .matcher = &call->matcher,
                                    .memory  = &call->box->memory,
                                    .limits  = call->judge.limits };
    struct tn_verdict   verdict = tn_document_verdict(schema, &judge, SLICE_LIT("data"),
                                                      tn_verdict_steps_of(len));

    if (tn_verdict_of(&verdict, schema->node, data))
        return true;
    tn_verdict_report(&verdict, schema->node, data);
    tn_verdict_places(&judge, verdict.root, false);
    *failure = tenon_internal(call, PHRASE_LOG_RESULT,
                              judge.issues.count > 0 ? tn_issue_sentence(&call->arena, &judge.issues.at[0])
                                                     : "");
    return false;
}
