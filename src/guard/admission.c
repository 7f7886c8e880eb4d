/* admission.c - judging arguments by the schema of the server's tool, with the engine that tools in C have. */
#define _GNU_SOURCE
#include "guard/admission.h"

#include <string.h>

#include "answer/call.h"
#include "answer/envelope.h"
#include "document/document.h"
#include "document/repair.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "json/write.h"
#include "model/issue_view.h"

#define SAID_MAX ((size_t)4096)

static struct tn_judge plain_judge(tenon_call *call, const char *whole)
{
    return (struct tn_judge){ .arena   = &call->arena,
                              .matcher = &call->matcher,
                              .memory  = &call->box->memory,
                              .limits  = call->judge.limits,
                              .whole   = tn_slice_of(whole) };
}

/* The repaired arguments as text. Of what came as an object every digit is kept: it is repaired once more, as text. */
static struct tn_slice write_repaired(struct tn_exchange *x, tenon_call *call, yyjson_val *sent,
                                      struct tn_slice text)
{
    const struct tn_repair_how how    = { .keep_null = call->tool->destructive,
                                          .presence  = true,
                                          .wrapped   = true };
    const tenon_schema        *schema = call->tool->schema;
    struct tn_judge            judge  = plain_judge(call, "arguments");
    struct tn_verdict          verdict;
    yyjson_val                *value = sent;
    struct tn_buf              out;

    tn_buf_init(&out, &x->arena, text.len + 64, RESULT_LEN_MAX);
    judge.destructive = call->tool->destructive;
    verdict           = tn_document_verdict(schema, &judge, tn_verdict_steps_of(text.len));
    if (yyjson_is_obj(sent) && tn_repair_text(&verdict, schema->node, &text, &value, &how))
        tn_json_line(&out, text.at, text.len);
    else
        tn_json_value(&out, (yyjson_val *)(uintptr_t)call->args);
    return out.failed ? (struct tn_slice){ NULL, 0 } : tn_buf_slice(&out);
}

/* What the judgement has to say, as an array of strings. */
static struct tn_slice write_said(struct tn_exchange *x, const tenon_call *call)
{
    struct tn_buf out;

    if (call->judge.messages.count == 0)
        return (struct tn_slice){ NULL, 0 };
    tn_buf_init(&out, &x->arena, 256, SAID_MAX * 2);
    tn_envelope_messages(&out, call, SAID_MAX);
    return out.failed ? (struct tn_slice){ NULL, 0 } : tn_buf_slice(&out);
}

bool tn_admission_judge(struct tn_relay *relay, yyjson_val *arguments, struct tn_slice text,
                        struct tn_admission *admission)
{
    struct tn_exchange      *x    = relay->x;
    tenon_call              *call = relay->link->guard->call;
    const struct tn_offered *tool = relay->tool;
    const tenon_answer      *answer;

    *admission = (struct tn_admission){ .admitted = true };
    if (!tool->tool.schema)
        return true;
    call->host           = x;
    call->judge.mirrored = x->on_http && tn_exchange_is_modern(x) && tool->tool.header_count > 0;
    answer = tn_call_run_value(call, (struct tn_tool *)(uintptr_t)&tool->tool, arguments, x->bad_utf8,
                               x->nodes);
    if (answer->code && strcmp(answer->code, CALL_CODE_ASK) == 0) {
        admission->said = write_said(x, call);
        if (arguments && call->args != (const void *)arguments) {
            admission->arguments = write_repaired(x, call, arguments, text);
            return admission->arguments.len > 0;
        }
        return true;
    }
    admission->admitted = false;
    admission->refusal  = (struct tn_slice){ tn_arena_copy(&x->arena, answer->json, answer->len),
                                             answer->len };
    return admission->refusal.at != NULL;
}

bool tn_admission_result(struct tn_relay *relay, yyjson_val *content, struct tn_slice text,
                         struct tn_slice *why)
{
    tenon_call         *call   = relay->link->guard->call;
    const tenon_schema *schema = relay->tool->output;
    struct tn_judge     judge;
    struct tn_verdict   verdict;
    const char         *sentence;

    tn_arena_rest(&call->arena, CALL_MEMORY_MAX);
    judge   = plain_judge(call, "structuredContent");
    verdict = tn_document_verdict(schema, &judge, tn_verdict_steps_of(text.len));
    if (tn_verdict_of(&verdict, schema->node, content))
        return true;
    tn_verdict_report(&verdict, schema->node, content);
    tn_verdict_places(&judge, false);
    sentence = judge.issues.count > 0 ? tn_issue_sentence(&call->arena, &judge.issues.at[0]) : "";
    *why = (struct tn_slice){ tn_arena_copy(&relay->x->arena, sentence, strlen(sentence)), strlen(sentence) };
    return false;
}
