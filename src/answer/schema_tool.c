/* schema_tool.c - validating by a document: the arguments before the handler runs, its data before it is sent. */
#include "answer/schema_tool.h"

#include <string.h>

#include "answer/phrases.h"
#include "document/document.h"
#include "document/quick.h"
#include "document/repair/repair.h"
#include "document/suggest.h"
#include "json/echo.h"
#include "json/pointer.h"
#include "json/write.h"
#include "model/issue_view.h"
#include "model/taken.h"
#include "model/unique.h"
#include "model/words/words.h"

#define PATH_LEN_MAX ((size_t)4096)
#define VALUE_BYTES  ((size_t)8) /* that a value takes in the text of a call, about */

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
    if (depth > 1 || !name.at || (name.len > 0 && name.at[0] == '/') || tn_slice_is(name, PHRASE_WHOLE))
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

/* Whatever is wrong with the arguments as a whole, an example of the whole shows what to send. */
static void show_whole(tenon_call *call, struct tn_verdict *verdict)
{
    const struct tn_issues *issues = &call->judge.issues;

    for (size_t i = 0; i < issues->count; i++) {
        struct tn_issue *issue = &issues->at[i];

        if (!tn_slice_is(issue->parameter, PHRASE_WHOLE) || issue->example.len > 0)
            continue;
        issue->example = tn_suggest_example(verdict, call->tool->schema->node);
        if (call->tool->destructive && tn_slice_is(issue->example, "{}"))
            issue->example = (struct tn_slice){ "", 0 }; /* without any filter it would be the widest call */
    }
}

/* The arguments that came as a text, in one form or another. What holds none is returned as it is, to be refused. */
static yyjson_val *read_form(tenon_call *call, yyjson_val *sent)
{
    struct tn_judge    *judge = &call->judge;
    struct tn_json_text plain;

    if (judge->mirrored || call->tool->unrepaired)
        return sent;
    judge->read = tn_taken_whole(judge, tn_json_slice(sent), &plain);
    if (judge->read)
        return judge->read;
    tn_taken_unread(judge, NULL, NULL, tn_json_slice(sent), &plain);
    return plain.root;
}

/* What was sent, as a value; nothing and null mean no arguments. NULL when it cannot be read. */
static yyjson_val *read_sent(tenon_call *call, yyjson_val *sent)
{
    static yyjson_val none = { .tag = YYJSON_TYPE_OBJ, .uni.ofs = sizeof(yyjson_val) };

    if (!sent && !tn_slice_blank(call->json)) {
        struct tn_json_text read = tn_json_read(&call->arena, call->json.at, call->json.len,
                                                &call->judge.limits);

        tn_taken_unread(&call->judge, NULL, NULL, call->json, &read);
        call->judge.check_utf8 |= read.bad_utf8;
        sent = read.root;
        if (!sent)
            return NULL;
    }
    if (yyjson_is_str(sent))
        sent = read_form(call, sent);
    else if (!sent)
        sent = &none;
    return yyjson_is_null(sent) ? &none : sent;
}

/* What a look at the schema cannot find, and where nothing has an issue of its own for it. */
static void refuse_rest(tenon_call *call, struct tn_verdict *verdict, yyjson_val *sent, yyjson_val *args)
{
    const struct tn_issues *issues = &call->judge.issues;
    bool                    text   = false;

    for (size_t i = 0; i < issues->count; i++)
        text |= issues->at[i].code == ISSUE_TEXT || issues->at[i].code == ISSUE_UNKNOWN;
    if (verdict->careful)
        tn_verdict_twice(verdict, call->tool->schema->node, sent, args);
    if (call->judge.check_utf8 && !text)
        tn_location_refuse(&call->judge, NULL, ISSUE_TEXT, NULL, PHRASE_NOT_UTF8);
    if (issues->total == 0) /* and it was found in a text that could not be repaired */
        tn_location_refuse(&call->judge, NULL, ISSUE_KEY_TWICE, NULL, PHRASE_KEY_TWICE);
}

static void schema_tool_report(tenon_call *call, struct tn_verdict *verdict, yyjson_val *args)
{
    tn_verdict_report(verdict, call->tool->schema->node, args);
    tn_verdict_places(&call->judge);
    verdict->all = false;
}

static void add_hints(tenon_call *call, struct tn_verdict *verdict)
{
    for (size_t i = 0; i < call->judge.issues.count; i++)
        tn_suggest_add(verdict, &call->judge.issues.at[i]);
    show_whole(call, verdict);
}

static size_t bytes_of(const tenon_call *call, yyjson_val *sent)
{
    return call->json.len > 0 ? call->json.len : (size_t)(unsafe_yyjson_get_next(sent) - sent) * VALUE_BYTES;
}

struct tn_repair_how tn_schema_tool_how(const tenon_call *call)
{
    const struct tn_tool *tool = call->tool;

    return (struct tn_repair_how){ .defaults  = tool->schema->reading.defaults && !tool->unfilled,
                                   .choices   = tool->schema->reading.choices,
                                   .strict    = tool->strict || call->judge.mirrored,
                                   .keep_null = tool->destructive,
                                   .presence  = true,
                                   .wrapped   = true,
                                   .tells     = tool->tells_nothing };
}

/* What else the host has to say of the arguments, in the same answer as what the schema says of them. */
static void look_beside(tenon_call *call, const struct tn_verdict *verdict, yyjson_val *args)
{
    if (call->beside && !call->arena.failed)
        call->beside(call, args, verdict->base);
}

/* Repaired as far as that goes, unless the tool takes nothing but what its schema takes. */
static bool repair_args(tenon_call *call, struct tn_verdict *verdict, yyjson_val **args)
{
    const struct tn_repair_how how  = tn_schema_tool_how(call);
    const struct tn_node      *node = call->tool->schema->node;

    if (!call->tool->unrepaired)
        return tn_repair_value(verdict, node, bytes_of(call, *args), args, &how);
    if (!verdict->careful && tn_verdict_of(verdict, node, *args))
        return true;
    verdict->presence = true;
    return false;
}

const tenon_json *tn_schema_tool_args(tenon_call *call, yyjson_val *sent)
{
    const struct tn_tool *tool    = call->tool;
    struct tn_verdict     verdict = tn_document_verdict(tool->schema, &call->judge, VERDICT_STEPS_MIN);
    yyjson_val           *args;

    verdict.unfilled = tool->unfilled;
    sent             = read_sent(call, sent);
    args = sent && !call->judge.check_utf8 ? tn_quick_value(&verdict, tool->schema->node, sent) : NULL;
    if (args) {
        look_beside(call, &verdict, args);
        return (const tenon_json *)args;
    }
    if (!sent) {
        show_whole(call, &verdict);
        return NULL;
    }
    args            = sent;
    verdict.allowed = tn_verdict_steps_of(bytes_of(call, sent));
    verdict.careful = call->judge.check_utf8 ||
                      (yyjson_is_ctn(sent) && tn_unique_key_within(&call->arena, sent));
    if (repair_args(call, &verdict, &args) || call->arena.failed) {
        look_beside(call, &verdict, args);
        return call->arena.failed ? NULL : (const tenon_json *)args;
    }
    schema_tool_report(call, &verdict, args);
    refuse_rest(call, &verdict, sent, args);
    add_hints(call, &verdict);
    look_beside(call, &verdict, args);
    return NULL;
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

bool tn_schema_tool_result(tenon_call *call, yyjson_val *data, size_t len, tenon_outcome *failure)
{
    const tenon_schema *schema  = call->tool->result_schema;
    struct tn_judge     judge   = { .arena   = &call->arena,
                                    .matcher = &call->matcher,
                                    .memory  = &call->box->memory,
                                    .limits  = call->judge.limits,
                                    .whole   = SLICE_LIT("data") };
    struct tn_verdict   verdict = tn_document_verdict(schema, &judge, tn_verdict_steps_of(len));

    if (tn_verdict_of(&verdict, schema->node, data))
        return true;
    tn_verdict_report(&verdict, schema->node, data);
    tn_verdict_places(&judge);
    *failure = tenon_internal(call, PHRASE_LOG_RESULT,
                              judge.issues.count > 0 ? tn_issue_sentence(&call->arena, &judge.issues.at[0])
                                                     : "");
    return false;
}
