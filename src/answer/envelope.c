/* envelope.c - writing answers. Everything in them is there already; this puts it in order. */
#include "answer/envelope.h"

#include <string.h>

#include "answer/phrases.h"
#include "answer/report.h"
#include "json/write.h"

#define NOTE_ROOM ((size_t)64) /* for the sentence that says how many messages are not shown */

/* How a success begins, up to its messages, with `QUOTE` for each quote: as it is, and as a text within JSON has it. */
#define SUCCESS(QUOTE)                                                                                       \
    "{" QUOTE "status" QUOTE ":" QUOTE "SUCCESS" QUOTE "," QUOTE "error" QUOTE ":null," QUOTE "messages" QUOTE ":"

/* The pieces of an error, in their order: its code, text, details, and the messages stand between them. */
#define ERROR_CODE     "{\"status\":\"ERROR\",\"error\":{\"code\":\""
#define ERROR_MESSAGE  "\",\"message\":"
#define ERROR_DETAILS  ",\"details\":"
#define ERROR_MESSAGES "},\"messages\":"
#define ERROR_END      ",\"data\":null}"

#define NO_MEMORY_JSON                                                                                       \
    ERROR_CODE TENON_CODE_INTERNAL_ERROR ERROR_MESSAGE "\"" PHRASE_OUT_OF_MEMORY "\"" ERROR_DETAILS           \
                                                       "{}" ERROR_MESSAGES "[]" ERROR_END

const tenon_answer tn_envelope_no_memory = { NO_MEMORY_JSON, sizeof NO_MEMORY_JSON - 1, true,
                                             TENON_CODE_INTERNAL_ERROR };

size_t tn_envelope_messages_max(const tenon_call *call)
{
    return call->tool->budget / 2;
}

static void write_note(struct tn_buf *out, bool first, size_t count)
{
    if (!first)
        tn_buf_char(out, ',');
    tn_buf_char(out, '"');
    tn_phrase_more_messages(out, count);
    tn_buf_char(out, '"');
}

/* Whether a message fits is known once it is written: `safe` is where the array ended when a note still fitted. */
void tn_envelope_messages(struct tn_buf *out, const tenon_call *call, size_t most)
{
    const struct tn_messages *messages = &call->judge.messages;
    size_t                    start = out->len, safe = start + 1, shown = 0;

    tn_buf_char(out, '[');
    for (size_t i = 0; i < messages->count && !out->failed; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, messages->at[i].at, messages->at[i].len);
        if (out->len - start + 1 > most) {
            out->len = safe;
            write_note(out, shown == 0, messages->count - shown + call->dropped_messages);
            tn_buf_char(out, ']');
            return;
        }
        if (most - (out->len - start + 1) >= NOTE_ROOM) {
            safe  = out->len;
            shown = i + 1;
        }
    }
    if (call->dropped_messages > 0) {
        out->len = safe;
        write_note(out, shown == 0, messages->count - shown + call->dropped_messages);
    }
    tn_buf_char(out, ']');
}

struct tn_report *tn_envelope_report(tenon_call *call)
{
    struct tn_ending *ending = &call->ending;

    if (!ending->report)
        ending->report = tn_report_new(&call->arena, &ending->issues, call->tool->guarded);
    return ending->report;
}

static void write_details(struct tn_buf *out, tenon_call *call, bool brief)
{
    const struct tn_ending  *ending  = &call->ending;
    const struct tn_details *details = ending->details ? ending->details : &call->details;
    bool                     any     = false;

    tn_buf_char(out, '{');
    if (ending->kind == ENDING_INVALID) {
        const struct tn_report *report = tn_envelope_report(call);

        if (!report)
            out->failed = true;
        else if (brief)
            tn_report_write_brief(out, report);
        else
            tn_report_write(out, report);
        any = true;
    } else if (ending->reference[0]) {
        tn_buf_lit(out, "\"reference\":");
        tn_json_string(out, ending->reference, REFERENCE_LEN);
        any = true;
    }
    /* What a handler said before something went wrong inside may be internal, too. */
    if (!ending->reference[0] && details->count > 0) {
        if (any)
            tn_buf_char(out, ',');
        tn_details_write(out, details);
        any = true;
    }
    if (ending->error->retryable)
        tn_buf_text(out, any ? ",\"retryable\":true" : "\"retryable\":true");
    tn_buf_char(out, '}');
}

void tn_envelope_details(struct tn_buf *out, tenon_call *call)
{
    write_details(out, call, false);
}

/* An error up to its details. */
static void open_error(struct tn_buf *out, const char *code, struct tn_slice message)
{
    tn_buf_lit(out, ERROR_CODE);
    tn_buf_text(out, code); /* capital letters, digits and '_' */
    tn_buf_lit(out, ERROR_MESSAGE);
    tn_json_string(out, message.at, message.len);
    tn_buf_lit(out, ERROR_DETAILS);
}

void tn_envelope_error(struct tn_buf *out, const char *code, const char *message, int64_t retry_ms)
{
    open_error(out, code, tn_slice_of(message));
    tn_buf_text(out, retry_ms == RETRY_NEVER ? "{" : "{\"retryable\":true");
    if (retry_ms > 0) {
        tn_buf_lit(out, ",\"retryAfterMs\":");
        tn_buf_int(out, retry_ms);
    }
    tn_buf_lit(out, "}" ERROR_MESSAGES "[]" ERROR_END);
}

static void write_error(struct tn_buf *out, tenon_call *call, size_t messages_most, bool brief)
{
    open_error(out, call->ending.error->code, call->ending.message);
    write_details(out, call, brief);
    tn_buf_lit(out, ERROR_MESSAGES);
    tn_envelope_messages(out, call, messages_most);
    tn_buf_lit(out, ERROR_END);
}

void tn_envelope_write(struct tn_buf *out, tenon_call *call, size_t messages_most)
{
    const struct tn_ending *ending = &call->ending;

    if (ending->kind == ENDING_DATA) {
        tn_buf_lit(out, SUCCESS("\""));
        tn_envelope_messages(out, call, messages_most);
        tn_buf_lit(out, ",\"data\":");
        tn_buf_add(out, ending->data.at, ending->data.len);
        tn_buf_char(out, '}');
        return;
    }
    write_error(out, call, messages_most, false);
}

void tn_envelope_quote(struct tn_buf *out, struct tn_slice text)
{
    const struct tn_slice success = SLICE_LIT(SUCCESS("\""));

    if (text.len < success.len || memcmp(text.at, success.at, success.len) != 0) {
        tn_json_string(out, text.at, text.len);
        return;
    }
    tn_buf_lit(out, "\"" SUCCESS("\\\""));
    tn_json_escaped(out, text.at + success.len, text.len - success.len);
    tn_buf_char(out, '"');
}

struct tn_slice tn_envelope_text(tenon_call *call, struct tn_arena *arena, struct tn_slice whole)
{
    struct tn_buf brief;

    if (call->ending.kind != ENDING_INVALID || !call->ending.report)
        return whole;
    tn_buf_init(&brief, arena, whole.len, whole.len);
    write_error(&brief, call, tn_envelope_messages_max(call), true);
    return brief.failed ? whole : tn_buf_slice(&brief);
}
