/* call.c - running a tool: validate the arguments, run the handler, write the answer.
 *
 * All memory of a run is in the call's arena, which keeps its size from run to run. A refused allocation is recorded by
 * the arena and checked once, at the end.
 */
#include "answer/call.h"

#include <limits.h>
#include <string.h>

#include "answer/budget.h"
#include "answer/cursor.h"
#include "answer/envelope.h"
#include "answer/lookup.h"
#include "answer/phrases.h"
#include "answer/schema_tool.h"
#include "base/clock.h"
#include "base/memory.h"
#include "rows/bind.h"

#define ANSWER_LEN_MAX  (DATA_LEN_MAX + ((size_t)1 << 20))
#define LIMIT_ROOM      ((size_t)256) /* for the sentence that content is too long */
#define ANSWER_LEN_LESS ((size_t)512) /* what an answer takes beside its data, most of the time */

/* Calls begin to count at different numbers, so that the outcome of one is not taken for another's. */
static int first_serial(const tenon_call *call)
{
    return (int)(((uintptr_t)call >> 4) * 2654435761u % (INT_MAX / 2));
}

tenon_call *tenon_call_new(tenon_toolbox *box)
{
    tenon_call *call = box ? tn_memory_new(&box->memory, sizeof *call) : NULL;

    if (!call)
        return NULL;
    *call = (tenon_call){ .box = box, .serial = first_serial(call) };
    atomic_init(&call->cancelled, false);
    tn_arena_init(&call->arena, &box->memory, CALL_MEMORY_MAX);
    call->judge = (struct tn_judge){
        .arena    = &call->arena,
        .matcher  = &call->matcher,
        .memory   = &box->memory,
        .limits   = { box->options.max_bytes, box->options.max_depth, box->options.max_nodes },
        .portable = box->options.portable,
    };
    return call;
}

void tenon_call_free(tenon_call *call)
{
    if (!call)
        return;
    tn_matcher_free(call->matcher);
    tn_arena_free(&call->arena);
    tn_memory_free(&call->box->memory, call, sizeof *call);
}

/* What is left of it would point into memory that is gone. */
void tn_call_rest(tenon_call *call, size_t keep)
{
    call->args    = NULL;
    call->json    = (struct tn_slice){ "", 0 };
    call->sent    = NULL;
    call->subject = (struct tn_subject){ .kind = SUBJECT_TOOL };
    call->text    = (struct tn_buf){ 0 };
    call->ending  = (struct tn_ending){ .kind = ENDING_NONE };
    call->answer  = (tenon_answer){ .json = "" };
    tn_blocks_clear(&call->blocks);
    tn_judge_clear(&call->judge);
    tn_arena_rest(&call->arena, keep);
}

static void call_begin(tenon_call *call, const struct tn_tool *tool, const char *json, size_t len)
{
    if (call->host) /* it runs again, with answers of its client */
        tn_arena_rest(&call->arena, CALL_MEMORY_MAX);
    else
        tn_arena_reset(&call->arena);
    if (!call->host) /* a host may have been told before the run began */
        atomic_store_explicit(&call->cancelled, false, memory_order_relaxed);
    call->tool             = tool;
    call->args             = NULL;
    call->json             = (struct tn_slice){ json ? json : "", json ? len : 0 };
    call->sent             = NULL;
    call->position         = (struct tn_slice){ "", 0 };
    call->query_known      = false;
    call->text             = (struct tn_buf){ 0 };
    call->dropped_messages = 0;
    call->has_own_message  = false;
    call->began_us         = 0;
    call->waited_us        = 0;
    call->lookup_error     = NULL;
    call->ending           = (struct tn_ending){ .kind = ENDING_NONE };
    call->details.count = call->details.len = 0;
    call->details.lost                      = false;
    call->judge.tool                        = tool->view.name;
    call->judge.unknown                     = tool->unknown;
    call->judge.strict                      = tool->strict;
    call->judge.destructive                 = tool->destructive;
    tn_blocks_clear(&call->blocks);
    tn_judge_clear(&call->judge);
}

/* The handler must end through tenon_ok(), tenon_fail() or their kin. */
static void run_handler(tenon_call *call)
{
    tenon_outcome outcome;

    if (tenon_is_cancelled(call)) {
        tenon_cancelled(call);
        return;
    }
    if (call->tool->declared->info.blocking) /* for others it would cost more than it tells */
        call->began_us = tn_clock_now_us();
    outcome = call->tool->declared->run(call, call->args);
    if (!tn_call_choose(call, outcome))
        tenon_internal(call, PHRASE_LOG_OUTCOME);
}

static const tenon_answer *answer_no_memory(tenon_call *call)
{
    tn_log_line(&call->box->log, LOG_ERROR, PHRASE_LOG_NO_MEMORY, call->tool->view.name);
    call->details.count = call->details.len = 0;
    call->ending                            = (struct tn_ending){ .kind  = ENDING_ERROR,
                                                                  .error = tn_errors_find(&call->box->errors, TENON_CODE_INTERNAL_ERROR),
                                                                  .message = SLICE_LIT(PHRASE_OUT_OF_MEMORY) };
    call->answer                            = tn_envelope_no_memory;
    return &call->answer;
}

/* Content that did not fit is no success. */
static void check_blocks(tenon_call *call)
{
    struct tn_buf text;

    if (call->ending.kind != ENDING_DATA || !tn_blocks_failed(&call->blocks))
        return;
    tn_buf_init(&text, &call->arena, 0, LIMIT_ROOM);
    tn_phrase_too_long(&text, BLOCKS_LEN_MAX);
    tn_call_fail(call, TENON_CODE_LIMIT_EXCEEDED, &text);
}

static void add_message(tenon_call *call, struct tn_slice said)
{
    struct tn_buf text;

    tn_buf_init(&text, &call->arena, said.len, said.len);
    tn_buf_add(&text, said.at, said.len);
    tn_call_message(call, &text);
}

/* The messages that belong to how the call ended. */
static void add_last_messages(tenon_call *call)
{
    const struct tn_ending  *ending  = &call->ending;
    const struct tn_details *details = ending->details ? ending->details : &call->details;

    if (ending->kind == ENDING_INVALID)
        tn_messages_drop_defaults(&call->judge.messages);
    if (ending->note.len > 0 && !(ending->filler && call->has_own_message))
        add_message(call, ending->note);
    if (details->lost && ending->kind != ENDING_DATA)
        add_message(call, SLICE_LIT(PHRASE_DETAILS_LOST));
}

static const tenon_answer *finish_asking(tenon_call *call)
{
    if (call->arena.failed) /* what is to be asked may be incomplete */
        return answer_no_memory(call);
    call->answer = (tenon_answer){ .json = "", .code = CALL_CODE_ASK };
    return &call->answer;
}

static const tenon_answer *call_finish(tenon_call *call)
{
    struct tn_buf out;
    size_t        most;

    if (call->ending.kind == ENDING_ASK && call->host)
        return finish_asking(call);
    if (call->ending.kind == ENDING_ASK)
        tenon_fail(call, TENON_CODE_UNAVAILABLE, "%s", PHRASE_CANNOT_ASK);
    check_blocks(call);
    add_last_messages(call);
    most = tn_budget_apply(call);
    tn_buf_init(&out, &call->arena, call->ending.data.len + ANSWER_LEN_LESS, ANSWER_LEN_MAX);
    tn_envelope_write(&out, call, most);
    if (!tn_buf_end(&out) || call->arena.failed)
        return answer_no_memory(call);
    call->answer = (tenon_answer){
        .json     = out.at,
        .len      = out.len,
        .is_error = call->ending.kind != ENDING_DATA,
        .code     = call->ending.kind != ENDING_DATA ? call->ending.error->code : NULL,
    };
    return &call->answer;
}

static const tenon_answer *call_run(tenon_call *call)
{
    if (call->judge.read)
        call->sent = call->judge.read;
    if (call->tool->looks && !call->arena.failed && !call->judge.broken && !tn_lookups_run(call))
        return call_finish(call);
    if (call->args)
        tn_cursor_check(call);
    else
        tn_cursor_advise(call);
    if (call->arena.failed)
        return answer_no_memory(call);
    if (call->judge.broken)
        tenon_internal(call, "%s", call->judge.broken);
    else if (!call->args || call->judge.issues.total > 0)
        tenon_invalid(call);
    else
        run_handler(call);
    return call_finish(call);
}

/* A tool that cannot be compiled now, although it was when it was added. */
static const tenon_answer *answer_unprepared(tenon_call *call, tenon_status status)
{
    if (status == TENON_E_NOMEM)
        return answer_no_memory(call);
    tenon_internal(call, PHRASE_LOG_UNPREPARED);
    return call_finish(call);
}

const tenon_answer *tenon_call_run(tenon_call *call, const char *name, const char *json, size_t len)
{
    struct tn_tool *tool = tn_toolbox_lookup(call->box, name);
    tenon_status    status;

    if (!tool)
        return NULL;
    status = tn_tool_ready(call->box, tool);
    call_begin(call, tool, json, len);
    if (status != TENON_OK)
        return answer_unprepared(call, status);
    call->args = tool->schema
                     ? tn_schema_tool_args(call, NULL)
                     : tn_bind_text(&call->judge, tool->input->object, call->json.at, call->json.len);
    return call_run(call);
}

const tenon_answer *tn_call_run_value(tenon_call *call, struct tn_tool *tool, yyjson_val *args, bool bad_utf8,
                                      size_t nodes)
{
    tenon_status status = tn_tool_ready(call->box, tool);

    call_begin(call, tool, NULL, 0);
    if (status != TENON_OK)
        return answer_unprepared(call, status);
    call->sent             = args;
    call->judge.nodes      = nodes;
    call->judge.check_utf8 = bad_utf8;
    call->args             = tool->schema ? tn_schema_tool_args(call, args)
                                          : tn_bind_args(&call->judge, tool->input->object, args);
    return call_run(call);
}

tenon_outcome tn_call_ask(tenon_call *call)
{
    return tn_call_end(call, (struct tn_ending){ .kind = ENDING_ASK });
}

size_t tenon_call_reformed(const tenon_call *call)
{
    return call->judge.reformed;
}

size_t tenon_call_coerced(const tenon_call *call)
{
    return call->judge.coerced;
}
