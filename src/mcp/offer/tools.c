/* tools.c - tools/list and tools/call. */
#include "mcp/offer/tools.h"

#include <inttypes.h>
#include <string.h>

#include "answer/audit.h"
#include "answer/phrases.h"
#include "base/memory.h"
#include "json/pointer.h"
#include "mcp/ask/input.h"
#include "mcp/offer/tasks.h"
#include "mcp/phrases.h"
#include "mcp/wire.h"
#include "model/taken.h"
#include "model/words/words.h"

#define NOTHING       ((struct tn_slice){ NULL, 0 })
#define REPORT_CODES  16
#define ANSWER_AROUND ((size_t)512) /* bytes around the envelope, most of the time */
#define INSTEAD_MAX   ((size_t)8192)

void tn_method_tools_list(struct tn_exchange *x)
{
    tn_catalog_list(x, LIST_TOOLS, "tools");
}

/* ---- Before it runs ------------------------------------------------------------------------------------------ */

/* Every one of `needed` (separated by spaces) is among what the token has. */
static bool has_scopes(const struct tn_caller *caller, const char *needed)
{
    struct tn_slice rest = tn_slice_of(needed), want;

    while (tn_slice_split(&rest, ' ', &want)) {
        struct tn_slice have  = caller->scopes, one;
        bool            found = want.len == 0;

        while (!found && tn_slice_split(&have, ' ', &one))
            found = one.len == want.len && memcmp(one.at, want.at, want.len) == 0;
        if (!found)
            return false;
    }
    return true;
}

/* Is the header what the argument says? Integers are compared as numbers. */
static bool header_equals(struct tn_slice header, yyjson_val *argument)
{
    struct tn_slice text = tn_rpc_text(argument);
    char            number[32];
    int             len;

    if (text.at)
        return text.len == header.len && memcmp(text.at, header.at, text.len) == 0;
    if (yyjson_is_bool(argument))
        return tn_slice_is(header, yyjson_get_bool(argument) ? "true" : "false");
    if (yyjson_is_uint(argument))
        len = snprintf(number, sizeof number, "%" PRIu64, yyjson_get_uint(argument));
    else if (yyjson_is_sint(argument))
        len = snprintf(number, sizeof number, "%" PRId64, yyjson_get_sint(argument));
    else if (yyjson_is_real(argument))
        len = snprintf(number, sizeof number, "%.0f", yyjson_get_real(argument));
    else
        return true; /* of another type: the argument itself is refused, with words */
    if (header.len > 1 && header.at[0] == '+')
        header = (struct tn_slice){ header.at + 1, header.len - 1 };
    return len > 0 && (size_t)len < sizeof number && header.len == (size_t)len &&
           memcmp(header.at, number, header.len) == 0;
}

/* The argument that a JSON Pointer leads to, or NULL. */
static yyjson_val *argument_at(struct tn_exchange *x, struct tn_slice pointer)
{
    yyjson_val     *value = tn_rpc_get(x->params, "arguments");
    struct tn_slice token;
    bool            bad = false;

    while (value && tn_pointer_step(&x->arena, &pointer, &token, &bad))
        value = tn_pointer_child(value, token);
    return bad ? NULL : value;
}

static bool header_agrees(struct tn_exchange *x, const struct tn_http_facts *http,
                          const struct tn_tool_header *rule)
{
    yyjson_val *argument = argument_at(x, rule->pointer);
    char        name[128];
    int         len = snprintf(name, sizeof name, "Mcp-Param-%.*s", (int)rule->header.len, rule->header.at);
    struct tn_slice sent, value;
    bool            there = http->header(http->user, (struct tn_slice){ name, (size_t)len }, &sent);
    const char     *fault = NULL;

    if (!argument || yyjson_is_null(argument))
        fault = there ? SAY_PARAM_EXTRA : NULL;
    else if (!there)
        fault = SAY_PARAM_MISSING;
    else if (!tn_era_header_decode(sent, &x->arena, &value) || !header_equals(value, argument))
        fault = SAY_PARAM_DIFFERS;
    if (!fault)
        return true;
    tn_exchange_fail(x, RPC_HEADER_MISMATCH, NOTHING, fault, (int)rule->header.len, rule->header.at);
    return false;
}

bool tn_tools_headers_agree(struct tn_exchange *x, const struct tn_http_facts *http,
                            const struct tn_tool_header *rules, size_t count)
{
    yyjson_val *args = tn_rpc_get(x->params, "arguments");

    if (!http || !tn_exchange_is_modern(x) || (args && !yyjson_is_obj(args) && !yyjson_is_null(args)))
        return true;
    for (size_t i = 0; i < count; i++)
        if (!header_agrees(x, http, &rules[i]))
            return false;
    return true;
}

bool tn_tools_check(struct tn_exchange *x, const struct tn_http_facts *http)
{
    struct tn_slice name = tn_rpc_text(tn_rpc_get(x->params, "name"));
    const char     *scopes;

    if (!name.at)
        return tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_NAME), false;
    x->entry = tn_core_find(x->server, LIST_TOOLS, name);
    if (!x->entry)
        return tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_TOOL, tn_exchange_echo(x, name)),
               false;
    if (!tn_tools_headers_agree(x, http, x->entry->compiled->headers, x->entry->compiled->header_count))
        return false;
    scopes = x->entry->tool->info.scopes;
    if (scopes && x->caller.scoped && !has_scopes(&x->caller, scopes)) {
        tn_exchange_fail_scoped(x, 403, RPC_INVALID_REQUEST, NOTHING, SAY_NO_SCOPES, scopes);
        return false;
    }
    return true;
}

bool tn_tools_needs_worker(struct tn_exchange *x)
{
    return x->entry->tool->info.blocking;
}

/* ---- Its answer ---------------------------------------------------------------------------------------------- */

/* What a result of tools/call says: the text that clients show, other content, and the envelope. */
struct tool_result {
    struct tn_slice text, blocks, envelope;
    bool            is_error;
};

static void write_result(const struct tn_exchange *x, struct tn_buf *out, const struct tool_result *result)
{
    tn_result_open(x, out, "complete");
    tn_result_key(out, "content");
    tn_buf_lit(out, "[{\"type\":\"text\",\"text\":");
    tn_envelope_quote(out, result->text);
    tn_buf_char(out, '}');
    if (result->blocks.len > 0) {
        tn_buf_char(out, ',');
        tn_buf_add(out, result->blocks.at, result->blocks.len);
    }
    tn_buf_char(out, ']');
    if (tn_exchange_has_structured(x) && result->envelope.len > 0) {
        tn_buf_lit(out, ",\"structuredContent\":");
        tn_buf_add(out, result->envelope.at, result->envelope.len);
    }
    if (result->is_error)
        tn_buf_lit(out, ",\"isError\":true");
}

/* The text that clients show. Where programs get the answer beside it, that of a refusal is for reading. */
static struct tn_slice text_of(struct tn_exchange *x, const tenon_answer *answer)
{
    const struct tn_buf *spoken = &x->call->text;
    struct tn_slice      whole  = { answer->json, answer->len };

    if (x->entry->tool->info.plain && !answer->is_error && spoken->arena && !spoken->failed)
        return tn_buf_slice(spoken);
    return tn_exchange_has_structured(x) ? tn_envelope_text(x->call, &x->arena, whole) : whole;
}

static void write_answer(struct tn_exchange *x, const tenon_answer *answer)
{
    struct tool_result result = { .text     = text_of(x, answer),
                                  .blocks   = tn_blocks_slice(&x->call->blocks),
                                  .envelope = { answer->json, answer->len },
                                  .is_error = answer->is_error };
    struct tn_buf      out;

    tn_buf_init(&out, &x->arena, answer->len * 2 + answer->len / 4 + result.blocks.len + ANSWER_AROUND,
                RESULT_LEN_MAX);
    write_result(x, &out, &result);
    tn_result_end(x, &out);
}

/* ---- Reports ------------------------------------------------------------------------------------------------- */

/* Inline handlers carry no deadline, but it is noticed when one would have missed it. */
static bool took_too_long(const struct tn_exchange *x, int64_t took_us)
{
    int64_t deadline_ms = x->server->deadline_ms;

    if (x->deferred || x->task || deadline_ms <= 0 || took_us / 1000 <= deadline_ms)
        return false;
    tn_log_line(&x->server->log, LOG_WARN, SAY_LOG_OVERRUN, x->entry->name.at, (long long)(took_us / 1000));
    return true;
}

static void tools_report(struct tn_exchange *x, const char *code, size_t bytes_out, bool runs)
{
    const struct tn_observer *observer = &x->server->observer;
    const tenon_call         *call     = x->call;
    const char               *codes[REPORT_CODES];
    struct tn_call_report     said;
    int64_t                   took_us;

    if (!observer->called)
        return;
    /* Once a call, as what was sent. After this thread's own answer, which took the lock, the state does not change. */
    if (!runs && x->state == EXCHANGE_REPLACED)
        return;
    took_us = tn_clock_now_us() - x->started_us;
    said    = (struct tn_call_report){
           .tool       = x->entry->name.at,
           .code       = code,
           .started_ms = x->started_ms,
           .took_us    = took_us,
           .bytes_in   = x->bytes_in,
           .bytes_out  = bytes_out,
           .caller     = x->caller.name,
           .trace      = x->trace,
           .overrun    = runs ? strcmp(code, TENON_CODE_TIMEOUT) == 0 : took_too_long(x, took_us),
    };
    if (call && !runs) { /* a handler that still runs may be changing these */
        said.waited_us = call->waited_us;
        said.coerced   = call->judge.coerced;
        said.reformed  = call->judge.reformed;
        said.clamped   = call->judge.clamped;
        said.forms     = call->judge.taken ? call->judge.taken->counts : NULL;
        said.issues    = call->judge.issues.total;
        for (size_t i = 0; i < call->judge.issues.count && i < REPORT_CODES; i++)
            codes[said.issue_code_count++] = tn_words_code(&call->judge.issues.at[i]);
        said.issue_codes = codes;
        said.found = tn_observe_issues(observer, &x->call->arena, &call->judge.issues, &said.found_count);
        if (observer->arguments)
            said.arguments = tn_audit_arguments(x->call);
        said.wire = tn_wire_report(x, said.arguments);
    }
    observer->called(observer->user, &said);
}

/* ---- Calling ------------------------------------------------------------------------------------------------- */

/* Becomes a task, or must not: true when the request was answered so. */
static bool became_task(struct tn_exchange *x)
{
    tenon_task task = x->entry->tool->info.task;

    if (task == TENON_TASK_NEVER || x->task || !tn_exchange_is_modern(x))
        return false;
    if (x->abilities & ABILITY_TASKS) {
        if (task == TENON_TASK_LATER)
            return false;
        tn_task_begin(x);
        return true;
    }
    if (task == TENON_TASK_ALLOWED)
        return false;
    tn_input_needs(x, ABILITY_TASKS, SAY_TASKS_NEEDED);
    return true;
}

/* Were headers compared with arguments, as they were sent? Then a proxy has seen them there, and they are not looked for
 * anywhere else. */
static bool is_mirrored(const struct tn_exchange *x)
{
    return x->on_http && tn_exchange_is_modern(x) && x->entry->compiled->header_count > 0;
}

void tn_method_tools_call(struct tn_exchange *x)
{
    const tenon_answer *answer;
    tenon_call         *call;

    if (became_task(x) || !tn_input_load(x))
        return;
    call = tn_exchange_call(x, BOX_TOOLS);
    if (!call)
        return;
    call->subject        = (struct tn_subject){ .kind = SUBJECT_TOOL, .lacks = tn_exchange_lacks(x) };
    x->questions         = NULL;
    call->judge.mirrored = is_mirrored(x);
    answer = tn_call_run_value(call, x->entry->compiled, tn_rpc_get(x->params, "arguments"), x->bad_utf8,
                               x->nodes);
    if (tn_input_asked(x))
        return;
    if (x->task && answer->code && strcmp(answer->code, TENON_CODE_INTERNAL_ERROR) == 0)
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, "%s", PHRASE_INTERNAL);
    else
        write_answer(x, answer);
    tools_report(x, answer->code, answer->len, false);
}

/* ---- In the place of an answer ------------------------------------------------------------------------------- */

/* Writes with memory of its own: the handler may be running, in the exchange's. */
static struct tn_buf write_instead(struct tn_exchange *x, struct tn_arena *arena, const char *code,
                                   const char *message, int64_t retry_ms)
{
    struct tool_result result = { .is_error = true };
    struct tn_buf      out, envelope;

    tn_buf_init(&out, arena, 1024, INSTEAD_MAX + x->id.len + x->server->identity.len);
    if (!(x->method->flags & METHOD_IS_TOOL)) {
        tn_result_error(&out, x->id, RPC_INTERNAL_ERROR, NOTHING, tn_slice_of(message));
        return out;
    }
    tn_buf_init(&envelope, arena, 512, INSTEAD_MAX);
    tn_envelope_error(&envelope, code, message, retry_ms);
    result.text = tn_buf_slice(&envelope);
    if (!x->server
             ->source) /* whose tools publish what their own results are, and clients hold errors to that */
        result.envelope = result.text;
    write_result(x, &out, &result);
    tn_result_close(x, &out);
    out.failed |= envelope.failed;
    return out;
}

bool tn_tools_answer_instead(struct tn_exchange *x, const char *code, const char *message, int64_t retry_ms)
{
    struct tn_arena arena;
    struct tn_buf   out;
    bool            sent = false;

    tn_arena_init(&arena, &x->server->memory, 0);
    out = write_instead(x, &arena, code, message, retry_ms);
    if (out.failed) /* it must be answered all the same */
        tn_exchange_fail_bare(x);
    else
        sent = tn_exchange_answer_instead(
            x, &(struct tn_out){ .kind = OUT_FINAL, .status = 200, .json = { out.at, out.len } });
    if (sent && x->method->flags & METHOD_IS_TOOL && x->entry)
        tools_report(x, code, out.len, true);
    tn_arena_free(&arena);
    return sent;
}
