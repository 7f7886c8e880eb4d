/* admission.c - judging arguments and results by the schemas of the server's tool, with the engine that tools in C have. */
#define _GNU_SOURCE
#include "guard/policy/admission.h"

#include <string.h>

#include "answer/call.h"
#include "answer/envelope.h"
#include "answer/report.h"
#include "answer/schema_tool.h"
#include "document/document.h"
#include "document/open.h"
#include "document/suggest.h"
#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/params.h"
#include "guard/phrases.h"
#include "guard/policy/added.h"
#include "guard/policy/clients.h"
#include "json/write.h"
#include "model/issue_view.h"

#define SAID_MAX     ((size_t)4096)
#define REFUSAL_MAX  ((size_t)256 << 10)
#define WHY_MAX      ((size_t)4096)
#define RESULT_SHOWN ((size_t)3) /* issues of a result */

static struct tn_judge plain_judge(tenon_call *call, const char *whole)
{
    return (struct tn_judge){ .arena   = &call->arena,
                              .matcher = &call->matcher,
                              .memory  = &call->box->memory,
                              .limits  = call->judge.limits,
                              .whole   = tn_slice_of(whole) };
}

/* ---- Beside the server's schema ---------------------------------------------------------------------------------- */

/* What was found beside it. */
struct beside {
    const struct tn_offered *tool;
    size_t                   len; /* of the arguments */
    size_t                   own; /* issues that are not the overlay's */
    bool                     denied;
};

static bool overlay_holds(tenon_call *call, const struct tn_offered *tool, yyjson_val *args, size_t len)
{
    struct tn_judge   judge   = plain_judge(call, "arguments");
    struct tn_verdict verdict = tn_document_verdict(tool->overlay, &judge, tn_verdict_steps_of(len));

    return tn_verdict_of(&verdict, tool->overlay->node, args) && !verdict.gave_up;
}

/* The server's schema may say the same as the overlay: once is enough. */
static void drop_repeated(struct tn_issues *issues, size_t from)
{
    size_t kept = from;

    if (issues->total != issues->count)
        return;
    for (size_t i = from; i < issues->count; i++) {
        size_t k = 0;

        while (k < from && (issues->at[k].code != issues->at[i].code ||
                            !tn_slice_same(issues->at[k].parameter, issues->at[i].parameter)))
            k++;
        if (k == from)
            issues->at[kept++] = issues->at[i];
    }
    issues->count = issues->total = kept;
}

static void report_overlay(tenon_call *call, const struct beside *beside, yyjson_val *args,
                           const struct tn_location *base)
{
    const tenon_schema *overlay = beside->tool->overlay;
    struct tn_issues   *issues  = &call->judge.issues;
    size_t              from    = issues->count;
    struct tn_verdict verdict = tn_document_verdict(overlay, &call->judge, tn_verdict_steps_of(beside->len));

    verdict.base = base;
    tn_verdict_report(&verdict, overlay->node, args);
    tn_verdict_places(&call->judge);
    drop_repeated(issues, from);
    verdict.all = false;
    for (size_t i = from; i < issues->count; i++)
        tn_suggest_add(&verdict, &issues->at[i]);
}

static void look_beside(tenon_call *call, yyjson_val *args, const struct tn_location *base)
{
    struct beside           *beside  = call->beside_user;
    const struct tn_offered *tool    = beside->tool;
    struct tn_verdict        verdict = tn_document_verdict(tool->tool.schema, &call->judge,
                                                           tn_verdict_steps_of(beside->len));

    verdict.base = base;
    tn_open_names(&verdict, tool->tool.schema->node, args, tool->open);
    beside->own = call->judge.issues.total;
    if (!tool->overlay || overlay_holds(call, tool, args, beside->len))
        return;
    beside->denied = true;
    if (!tool->rule->silent)
        report_overlay(call, beside, args, base);
}

/* ---- Arguments ------------------------------------------------------------------------------------------------------ */

/* Most calls are refused or pass without it. */
static struct tn_slice text_of(const struct tn_admission_case *one)
{
    return one->text.at || !one->relay ? one->text : tn_params_arguments(one->relay);
}

/* The repaired arguments as text. Of what came as an object every digit is kept: it is repaired once more, as text. */
static struct tn_slice write_repaired(const struct tn_admission_case *one)
{
    tenon_call                *call   = one->call;
    const tenon_schema        *schema = call->tool->schema;
    const struct tn_repair_how how    = tn_schema_tool_how(call);
    struct tn_judge            judge  = plain_judge(call, "arguments");
    struct tn_slice            text   = text_of(one);
    yyjson_val                *value  = one->arguments;
    struct tn_verdict          verdict;
    struct tn_buf              out;

    tn_buf_init(&out, one->arena, text.len + 64, RESULT_LEN_MAX);
    judge.destructive = call->tool->destructive;
    judge.strict      = call->tool->strict;
    verdict           = tn_document_verdict(schema, &judge, tn_verdict_steps_of(text.len));
    if (yyjson_is_obj(one->arguments) && tn_repair_text(&verdict, schema->node, &text, &value, &how))
        tn_json_line(&out, text.at, text.len);
    else
        tn_json_value(&out, (yyjson_val *)(uintptr_t)call->args);
    return out.failed ? (struct tn_slice){ NULL, 0 } : tn_buf_slice(&out);
}

/* What is sent is what the overlay must accept, however it came to be. */
static bool sent_holds(const struct tn_admission_case *one, struct tn_slice sent)
{
    struct tn_json_text read;

    if (!one->tool->overlay)
        return true;
    read = tn_json_read(&one->call->arena, sent.at, sent.len, &one->call->judge.limits);
    return read.root && overlay_holds(one->call, one->tool, read.root, sent.len);
}

/* What the judgement has to say, as an array of strings. */
static struct tn_slice write_said(const struct tn_admission_case *one)
{
    struct tn_buf out;

    if (one->call->judge.messages.count == 0)
        return (struct tn_slice){ NULL, 0 };
    tn_buf_init(&out, one->arena, 256, SAID_MAX * 2);
    tn_envelope_messages(&out, one->call, SAID_MAX);
    return out.failed ? (struct tn_slice){ NULL, 0 } : tn_buf_slice(&out);
}

/* Beside an envelope for programs its text is for reading; alone it has all of it. */
static void set_refusal(const struct tn_admission_case *one, struct tn_slice envelope,
                        struct tn_admission *admission)
{
    admission->admitted = false;
    admission->refusal  = envelope;
    admission->text     = one->structured ? tn_envelope_text(one->call, one->arena, envelope) : envelope;
}

/* The overlay alone refuses it: the same report under another code; or nothing but the code, where it keeps silent. */
static bool write_denied(const struct tn_admission_case *one, bool reports, struct tn_admission *admission)
{
    tenon_call   *call = one->call;
    struct tn_buf out;

    call->ending.kind    = reports ? ENDING_INVALID : ENDING_ERROR;
    call->ending.error   = tn_errors_find(&call->box->errors, TENON_CODE_DENIED);
    call->ending.message = reports ? SLICE_LIT(GUARD_DENIED_ARGUMENTS) : SLICE_LIT(GUARD_DENIED_SILENTLY);
    call->ending.issues  = call->judge.issues;
    call->ending.report  = NULL;
    call->ending.details = NULL;
    tn_details_put(&call->details, (struct tn_detail){ .key   = SLICE_LIT("reason"),
                                                       .json  = SLICE_LIT("\"" GUARD_REASON_POLICY "\""),
                                                       .plain = SLICE_LIT(GUARD_REASON_POLICY) });
    tn_buf_init(&out, one->arena, 1024, REFUSAL_MAX);
    tn_envelope_write(&out, call, tn_envelope_messages_max(call));
    if (out.failed)
        return false;
    set_refusal(one, tn_buf_slice(&out), admission);
    admission->denied = true;
    return true;
}

static bool admit(const struct tn_admission_case *one, struct tn_admission *admission)
{
    admission->said = write_said(one);
    if (!one->arguments || one->call->args == (const void *)one->arguments)
        return true;
    admission->arguments = write_repaired(one);
    if (admission->arguments.len == 0)
        return false;
    return sent_holds(one, admission->arguments) || write_denied(one, false, admission);
}

bool tn_admission_judge(const struct tn_admission_case *one, struct tn_admission *admission)
{
    tenon_call         *call   = one->call;
    struct beside       beside = { .tool = one->tool, .len = one->len };
    const tenon_answer *answer;
    const char         *refusal;

    *admission = (struct tn_admission){ .admitted = true };
    if (!one->tool->tool.schema)
        return true;
    call->judge.mirrored = one->mirrored;
    call->beside         = look_beside;
    call->beside_user    = &beside;
    answer            = tn_call_run_value(call, (struct tn_tool *)(uintptr_t)&one->tool->tool, one->arguments,
                                          one->bad_utf8, one->nodes);
    call->beside      = NULL;
    call->beside_user = NULL;

    admission->issues   = call->judge.issues.total;
    admission->repaired = call->judge.messages.count;
    if (beside.denied && beside.own == 0 && !call->arena.failed)
        return write_denied(one, !one->tool->rule->silent, admission);
    if (answer->code && strcmp(answer->code, CALL_CODE_ASK) == 0)
        return admit(one, admission);
    refusal = tn_arena_copy(one->arena, answer->json, answer->len);
    if (!refusal)
        return false;
    set_refusal(one, (struct tn_slice){ refusal, answer->len }, admission);
    return true;
}

/* What was left out before stands before what else there is to say. */
static bool add_dropped(struct tn_arena *arena, const struct tn_admission_case *one, struct tn_slice said,
                        struct tn_admission *admission)
{
    struct tn_buf out;

    if (admission->admitted && admission->arguments.len == 0)
        admission->arguments = one->text;
    if (admission->said.len == 0) {
        admission->said = said;
        return true;
    }
    tn_buf_init(&out, arena, said.len + admission->said.len, SAID_MAX * 4);
    tn_buf_add(&out, said.at, said.len - 1);
    tn_buf_char(&out, ',');
    tn_buf_add(&out, admission->said.at + 1, admission->said.len - 1);
    admission->said = tn_buf_slice(&out);
    return !out.failed;
}

bool tn_admission_of(struct tn_relay *relay, yyjson_val *arguments, struct tn_slice text,
                     struct tn_admission *admission)
{
    struct tn_exchange      *x       = relay->x;
    struct tn_slice          said    = { NULL, 0 };
    size_t                   dropped = 0;
    bool                     turned  = false;
    struct tn_admission_case one     = {
            .call       = relay->link->guard->call,
            .tool       = relay->tool,
            .arena      = &x->arena,
            .arguments  = arguments,
            .text       = text,
            .relay      = relay,
            .len        = text.at ? text.len : relay->message.len,
            .bad_utf8   = x->bad_utf8,
            .mirrored   = x->on_http && tn_exchange_is_modern(x) && relay->tool->tool.header_count > 0,
            .structured = tn_bridge_has_structured(relay),
            .nodes      = x->nodes,
    };

    if (relay->tool->plan && yyjson_is_obj(arguments)) {
        one.text = text_of(&one);
        turned   = tn_clients_turn_back(&x->arena, relay->tool, &one.arguments, &one.text);
        one.len  = one.text.len;
    }
    if (relay->link->guard->policy.repairs != REPAIRS_OFF && tn_added_are_in(relay->tool, one.arguments)) {
        one.text = text_of(&one);
        dropped  = tn_added_drop(&x->arena, relay->tool, &one.arguments, &one.text, &said);
    }
    one.call->host = x;
    if (!tn_admission_judge(&one, admission))
        return false;
    admission->repaired += dropped;
    if (turned && admission->admitted && admission->arguments.len == 0)
        admission->arguments = one.text;
    return dropped == 0 || add_dropped(&x->arena, &one, said, admission);
}

/* ---- Results -------------------------------------------------------------------------------------------------------- */

/* The first issues of a result, as sentences and as an envelope has them. */
static void explain(struct tn_relay *relay, tenon_call *call, const struct tn_issues *issues,
                    struct tn_slice *why, struct tn_slice *details)
{
    struct tn_issues        first = *issues;
    const struct tn_report *report;
    struct tn_buf           text, all;

    if (first.count > RESULT_SHOWN)
        first.count = RESULT_SHOWN;
    tn_buf_init(&text, &relay->x->arena, 256, WHY_MAX);
    for (size_t i = 0; i < first.count; i++)
        tn_buf_addf(&text, "%s%s", i > 0 ? "; " : "", tn_issue_sentence(&call->arena, &first.at[i]));
    tn_buf_init(&all, &relay->x->arena, 1024, REFUSAL_MAX);
    report = tn_report_new(&relay->x->arena, &first, false);
    if (report)
        tn_report_write(&all, report);
    *why     = text.failed || call->arena.failed ? SLICE_LIT(GUARD_RESULT_NO_ROOM) : tn_buf_slice(&text);
    *details = !report || all.failed ? (struct tn_slice){ "", 0 } : tn_buf_slice(&all);
}

bool tn_admission_result(struct tn_relay *relay, yyjson_val *content, size_t len, struct tn_slice *why,
                         struct tn_slice *details)
{
    tenon_call         *call   = relay->link->guard->call;
    const tenon_schema *schema = relay->tool->output;
    struct tn_judge     judge;
    struct tn_verdict   verdict;

    tn_arena_rest(&call->arena, CALL_MEMORY_MAX);
    judge   = plain_judge(call, "structuredContent");
    verdict = tn_document_verdict(schema, &judge, tn_verdict_steps_of(len));
    if (tn_verdict_of(&verdict, schema->node, content))
        return true;
    tn_verdict_report(&verdict, schema->node, content);
    tn_verdict_places(&judge);
    explain(relay, call, &judge.issues, why, details);
    return false;
}
