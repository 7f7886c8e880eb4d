/* results.c - answers of the server: its bytes, with as little put in and taken out as the client's revision allows. */
#define _GNU_SOURCE
#include "guard/bridge.h"

#include <string.h>

#include "guard/answer/content.h"
#include "guard/answer/errors.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "guard/policy/admission.h"
#include "guard/question/state.h"
#include "guard/shown.h"
#include "json/member.h"
#include "json/read.h"
#include "json/write.h"
#include "model/unique.h"

#define NOTHING       ((struct tn_slice){ NULL, 0 })
#define META_MESSAGES "io.github.tenon/messages"
#define SAID_ONE_MAX  ((size_t)8192)

/* What becomes of a result on its way from one era to the other. */
struct crossing {
    struct tn_relay *relay;
    bool             adds;       /* what a modern client needs and a legacy server does not say */
    bool             removes;    /* what a legacy client does not know */
    bool             wraps;      /* a structured result stands inside an object */
    bool             drops;      /* it is left out */
    bool             complete;   /* it is the last of its request */
    unsigned         lacks;      /* content that the client's revision has no form for (answer/blocks.h) */
    struct tn_slice  structured; /* taken from a text block; or empty */
    struct tn_slice  refusal;    /* an envelope that goes before the server's content; or empty */
};

/* ---- What the guard itself has to say -------------------------------------------------------------------------- */

static enum tn_guard_messages messages_of(const struct tn_relay *relay)
{
    return relay->link->guard->policy.messages;
}

static bool says(const struct tn_relay *relay, enum tn_guard_messages most)
{
    return relay->said.len > 0 && messages_of(relay) <= most;
}

/* One more message. */
static void add_said(struct tn_relay *relay, const char *format, struct tn_slice value)
{
    struct tn_buf text, out;

    tn_buf_init(&text, &relay->x->arena, 256, SAID_ONE_MAX);
    tn_buf_addf(&text, format, (int)value.len, value.at);
    tn_buf_init(&out, &relay->x->arena, relay->said.len + text.len + 16, RESULT_LEN_MAX);
    if (relay->said.len > 0) {
        tn_buf_add(&out, relay->said.at, relay->said.len - 1);
        tn_buf_char(&out, ',');
    } else
        tn_buf_char(&out, '[');
    tn_json_string(&out, text.at, text.len);
    tn_buf_char(&out, ']');
    if (!text.failed && !out.failed)
        relay->said = tn_buf_slice(&out);
}

/* ---- Members ------------------------------------------------------------------------------------------------------ */

static bool is_modern_member(yyjson_val *name)
{
    return yyjson_equals_str(name, "resultType") || yyjson_equals_str(name, "ttlMs") ||
           yyjson_equals_str(name, "cacheScope");
}

static void write_result_meta(struct tn_buf *out, const struct crossing *crossing, yyjson_val *meta,
                              struct tn_slice text)
{
    const struct tn_relay *relay = crossing->relay;
    struct tn_members      all   = tn_members_of(text);
    yyjson_obj_iter        names = yyjson_obj_iter_with(meta);
    bool                   says_ = says(relay, MESSAGES_META);
    struct tn_member       one;
    size_t                 from;

    tn_buf_lit(out, "\"_meta\":{");
    from = out->len;
    while (meta && tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names);

        if ((crossing->adds || crossing->removes) && yyjson_equals_str(name, META_SERVER_INFO))
            continue;
        if (says_ && yyjson_equals_str(name, META_MESSAGES))
            continue;
        tn_member_add(out, from, &one);
    }
    if (crossing->adds) {
        tn_bridge_comma(out, from);
        tn_bridge_identity(out, relay->link);
    }
    if (says_) {
        tn_bridge_comma(out, from);
        tn_buf_lit(out, "\"" META_MESSAGES "\":");
        tn_buf_add(out, relay->said.at, relay->said.len);
    }
    tn_buf_char(out, '}');
}

/* The content: a refusal before it, in its own blocks those that the client does not know as text, the messages after it. */
static void write_content(struct tn_buf *out, const struct crossing *crossing, yyjson_val *content,
                          struct tn_slice text)
{
    size_t from;

    tn_buf_lit(out, "\"content\":[");
    from = out->len;
    if (crossing->refusal.len > 0)
        tn_content_add_text(out, from, crossing->refusal);
    tn_content_add_all(out, from, content, text, crossing->lacks);
    if (says(crossing->relay, MESSAGES_BLOCK))
        tn_content_add_said(out, from, crossing->relay->said);
    tn_buf_char(out, ']');
}

static void write_structured(struct tn_buf *out, const struct crossing *crossing, struct tn_slice value)
{
    tn_buf_text(out,
                crossing->wraps ? "\"structuredContent\":{\"" SHOWN_RESULT "\":" : "\"structuredContent\":");
    tn_json_line(out, value.at, value.len);
    if (crossing->wraps)
        tn_buf_char(out, '}');
}

static bool is_cacheable(const struct tn_relay *relay)
{
    static const char *const methods[] = { "resources/list", "resources/templates/list", "resources/read",
                                           "prompts/list" };

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (tn_slice_is(relay->method, methods[i]))
            return true;
    return false;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------ */

/* Must the content be written anew? */
static bool edits_content(const struct crossing *crossing)
{
    const struct tn_relay *relay = crossing->relay;

    return relay->tool && crossing->complete &&
           (crossing->lacks || crossing->refusal.len > 0 || says(relay, MESSAGES_BLOCK));
}

/* One member of the server's: true when it was written here, or left out. */
static bool write_member(struct tn_buf *out, size_t from, const struct crossing *crossing, yyjson_val *name,
                         const struct tn_member *one)
{
    yyjson_val *value = yyjson_obj_iter_get_val(name);

    if ((crossing->removes || crossing->adds) && is_modern_member(name))
        return true;
    if (yyjson_equals_str(name, "structuredContent") && crossing->drops)
        return true;
    if (yyjson_equals_str(name, "isError") && crossing->refusal.len > 0)
        return true;
    if (yyjson_equals_str(name, "structuredContent") && crossing->wraps) {
        tn_bridge_comma(out, from);
        write_structured(out, crossing, one->value);
        return true;
    }
    if (yyjson_equals_str(name, "messages") && crossing->lacks && !crossing->relay->tool &&
        yyjson_is_arr(value)) {
        tn_bridge_comma(out, from);
        tn_content_prompt(out, value, one->value, crossing->lacks);
        return true;
    }
    return false;
}

static void write_crossed(struct tn_buf *out, const struct crossing *crossing, yyjson_val *result,
                          struct tn_slice text)
{
    struct tn_members all   = tn_members_counted(text, yyjson_obj_size(result));
    yyjson_obj_iter   names = yyjson_obj_iter_with(result);
    bool              edits = edits_content(crossing), meta = false, content = false;
    struct tn_member  one;
    yyjson_val       *name;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    if (crossing->adds)
        tn_buf_lit(out, "\"resultType\":\"complete\"");
    while (tn_members_next(&all, &one) && (name = yyjson_obj_iter_next(&names))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name);

        if (write_member(out, from, crossing, name, &one))
            continue;
        if (yyjson_equals_str(name, "_meta") && yyjson_is_obj(value)) {
            tn_bridge_comma(out, from);
            write_result_meta(out, crossing, value, one.value);
            meta = true;
        } else if (edits && yyjson_equals_str(name, "content")) {
            tn_bridge_comma(out, from);
            write_content(out, crossing, value, one.value);
            content = true;
        } else
            tn_member_add(out, from, &one);
    }
    if (edits && !content && (crossing->refusal.len > 0 || says(crossing->relay, MESSAGES_BLOCK))) {
        tn_bridge_comma(out, from);
        write_content(out, crossing, NULL, SLICE_LIT("[]"));
    }
    if (crossing->structured.len > 0) {
        tn_bridge_comma(out, from);
        write_structured(out, crossing, crossing->structured);
    }
    if (crossing->refusal.len > 0)
        tn_buf_lit(out, ",\"isError\":true");
    if (crossing->adds && is_cacheable(crossing->relay))
        tn_buf_lit(out, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
    if (!meta && (crossing->adds || says(crossing->relay, MESSAGES_META))) {
        tn_bridge_comma(out, from);
        write_result_meta(out, crossing, NULL, NOTHING);
    }
    tn_buf_char(out, '}');
}

/* ---- Is it what the tool publishes? ----------------------------------------------------------------------------------- */

/* The JSON of the first text block, where there is no structured result: put there when it fits. */
static bool take_text(struct crossing *crossing, yyjson_val *content)
{
    struct tn_relay            *relay  = crossing->relay;
    yyjson_val                 *block  = yyjson_arr_get_first(content);
    struct tn_slice             text   = tn_rpc_text(yyjson_obj_get(block, "text"));
    const struct tn_json_limits limits = { RESULT_LEN_MAX, CLIENT_DEPTH_MAX, CLIENT_NODES(text.len) };
    struct tn_json_text         read;
    struct tn_slice             why, details;

    if (!text.at || !yyjson_equals_str(yyjson_obj_get(block, "type"), "text"))
        return false;
    read = tn_json_read(&relay->x->arena, text.at, text.len, &limits);
    if (!read.root || read.bad_utf8 || !tn_admission_result(relay, read.root, text.len, &why, &details))
        return false;
    crossing->structured = tn_slice_trim(text);
    add_said(relay, "%.*s", SLICE_LIT(GUARD_RESULT_PUT));
    return true;
}

static void refuse_result(struct crossing *crossing, const char *format, struct tn_slice why,
                          struct tn_slice details)
{
    struct tn_relay *relay = crossing->relay;
    struct tn_buf    text, out;

    tn_buf_init(&text, &relay->x->arena, 512, SAID_ONE_MAX);
    tn_buf_addf(&text, format, (int)why.len, why.at ? why.at : "");
    tn_buf_init(&out, &relay->x->arena, 1024, RESULT_LEN_MAX);
    tn_errors_envelope(&out, &(struct tn_failure){ .code     = GUARD_CODE_UPSTREAM_INVALID,
                                                   .message  = tn_buf_slice(&text),
                                                   .retry_ms = RETRY_NEVER,
                                                   .details  = details,
                                                   .said     = relay->said });
    relay->said       = NOTHING; /* the envelope has them */
    crossing->refusal = tn_buf_slice(&out);
    crossing->drops   = true;
}

/* Results that are errors, and those that ask for more, are never judged. */
static void check_result(struct crossing *crossing, yyjson_val *result, struct tn_slice text)
{
    struct tn_relay      *relay   = crossing->relay;
    yyjson_val           *value   = yyjson_obj_get(result, "structuredContent");
    enum tn_guard_results results = relay->link->guard->policy.results;
    struct tn_slice       why, details;

    if (!relay->tool || !relay->tool->output || !crossing->complete || results == RESULTS_OFF ||
        yyjson_is_true(yyjson_obj_get(result, "isError")))
        return;
    if (!value) {
        if (results == RESULTS_WARN)
            add_said(relay, "%.*s", SLICE_LIT(GUARD_RESULT_ABSENT));
        else if (!take_text(crossing, yyjson_obj_get(result, "content")))
            refuse_result(crossing, "%.*s", SLICE_LIT(GUARD_RESULT_MISSING), NOTHING);
        return;
    }
    if (tn_admission_result(relay, value, text.len, &why, &details))
        return;
    if (results == RESULTS_WARN)
        add_said(relay, GUARD_RESULT_UNFIT, why);
    else
        refuse_result(crossing, GUARD_RESULT_INVALID, why, details);
}

/* ---- Answering ---------------------------------------------------------------------------------------------------------- */

/* A structured result of a modern server may be any value; legacy clients need an object, as the tool's schema says there. */
static bool needs_wrapping(const struct crossing *crossing, yyjson_val *result)
{
    const struct tn_offered *tool  = crossing->relay->tool;
    yyjson_val              *value = yyjson_obj_get(result, "structuredContent");

    return tool && crossing->removes && (tool->wraps || (value && !yyjson_is_obj(value)));
}

static struct crossing crossing_of(struct tn_relay *relay, yyjson_val *result)
{
    bool            from_modern = tn_link_is_modern(relay->link), to_modern = tn_exchange_is_modern(relay->x);
    yyjson_val     *type     = yyjson_obj_get(result, "resultType");
    struct crossing crossing = { .relay    = relay,
                                 .adds     = to_modern && !from_modern,
                                 .removes  = from_modern && !to_modern,
                                 .complete = !type || yyjson_equals_str(type, "complete"),
                                 .lacks    = tn_exchange_lacks(relay->x) };

    if (crossing.lacks && !tn_content_lacks(relay->tool ? yyjson_obj_get(result, "content")
                                                        : yyjson_obj_get(result, "messages"),
                                            crossing.lacks))
        crossing.lacks = 0;
    crossing.wraps = needs_wrapping(&crossing, result);
    return crossing;
}

static bool is_plain(const struct crossing *crossing)
{
    return !crossing->adds && !crossing->removes && !crossing->lacks && !crossing->drops &&
           crossing->structured.len == 0 && !says(crossing->relay, MESSAGES_META);
}

/* One that asks for input, or is of a task: nothing is added to it, because it is not what the call came to. */
static void answer_state(struct tn_relay *relay, yyjson_val *result, struct tn_slice text)
{
    struct tn_buf out;

    if (!tn_state_result(relay, result, &text))
        return;
    out = tn_bridge_begin(relay, text.len + 64);
    tn_buf_lit(&out, ",\"result\":");
    tn_buf_add(&out, text.at, text.len);
    tn_bridge_end(relay, &out, 200, NOTHING);
}

/* Has it a member twice? What is looked at is the first, and most clients read the last: it may ask what was not looked at. */
static bool has_twice(struct tn_relay *relay, yyjson_val *result)
{
    return tn_unique_key(&relay->x->arena, result) || relay->x->arena.failed;
}

void tn_bridge_answer(struct tn_relay *relay, yyjson_val *result, struct tn_slice text)
{
    struct crossing crossing = crossing_of(relay, result);
    yyjson_val     *content  = yyjson_obj_get(result, "content");
    struct tn_buf   out;

    if (has_twice(relay, result)) {
        tn_bridge_instead(relay, GUARD_CODE_UPSTREAM_INVALID, GUARD_NOT_A_RESULT);
        return;
    }
    if (tn_link_is_modern(relay->link) && tn_exchange_is_modern(relay->x) &&
        tn_state_concerns(relay, result)) {
        answer_state(relay, result, text);
        return;
    }
    check_result(&crossing, result, text);
    if ((content && !yyjson_is_arr(content) && edits_content(&crossing)) ||
        (crossing.removes && !crossing.complete)) {
        tn_bridge_instead(relay, GUARD_CODE_UPSTREAM_INVALID, GUARD_NOT_A_RESULT);
        return;
    }
    if (crossing.refusal.len > 0)
        tn_report_code(relay, GUARD_CODE_UPSTREAM_INVALID);
    else
        tn_report_outcome(relay, yyjson_is_true(yyjson_obj_get(result, "isError")) ? OUTCOME_TOOL_ERROR
                                                                                   : OUTCOME_OK);
    out = tn_bridge_begin(relay, text.len + relay->said.len * 2 + crossing.refusal.len * 2 + 256);
    tn_buf_lit(&out, ",\"result\":");
    if (is_plain(&crossing))
        tn_json_line(&out, text.at, text.len);
    else
        write_crossed(&out, &crossing, result, text);
    tn_bridge_end(relay, &out, 200, NOTHING);
}

void tn_bridge_ask(struct tn_relay *relay, struct tn_slice members)
{
    struct tn_buf out = tn_bridge_begin(relay, members.len + 256);

    tn_buf_lit(&out, ",\"result\":{\"resultType\":\"input_required\",");
    tn_buf_add(&out, members.at, members.len);
    tn_buf_lit(&out, ",\"_meta\":{");
    tn_bridge_identity(&out, relay->link);
    tn_buf_lit(&out, "}}");
    tn_bridge_end(relay, &out, 200, NOTHING);
}
