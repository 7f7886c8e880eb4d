/* envelope.h - the one form of every answer: status, error, messages, data, in this order, so that a client that cuts
 * long text keeps what matters. */
#ifndef ANSWER_ENVELOPE_H
#define ANSWER_ENVELOPE_H

#include "answer/call.h"

/* Bytes of an answer around its messages (which bring their brackets) and its data. */
#define ENVELOPE_LEN (sizeof "{\"status\":\"SUCCESS\",\"error\":null,\"messages\":,\"data\":}" - 1)

/* The answer that needs no memory. */
extern const tenon_answer tn_envelope_no_memory;

/* The share of an answer's budget that its messages may take. */
size_t tn_envelope_messages_max(const tenon_call *call);

/* The messages as a JSON array. When they take more than `most` bytes, the last ones are counted only. */
void tn_envelope_messages(struct tn_buf *out, const tenon_call *call, size_t most);

/* The report of the issues that a call ended with; NULL when memory is refused. */
struct tn_report *tn_envelope_report(tenon_call *call);

/* The details of a call's error, with braces. */
void tn_envelope_details(struct tn_buf *out, tenon_call *call);

/* Writes an error in the place of a call's own: its code, its text, and whether to call again. RETRY_NEVER; or 0 for some
 * time later; or in so many milliseconds. */
#define RETRY_NEVER (-1)
void tn_envelope_error(struct tn_buf *out, const char *code, const char *message, int64_t retry_ms);

/* Writes the answer of a call that has ended; `messages_most` as above. */
void tn_envelope_write(struct tn_buf *out, tenon_call *call, size_t messages_most);

/* The text of a result, an envelope as a rule, as a string within JSON: tn_json_string(), but for how successes begin, which is
 * known. */
void tn_envelope_quote(struct tn_buf *out, struct tn_slice text);

/* What a reader gets where programs get `whole`, the answer of a call, beside it. Issues of a refusal have more for programs than
 * for a reader: of those every sentence, and of each issue what no sentence says. Of other answers it is the whole. */
struct tn_slice tn_envelope_text(tenon_call *call, struct tn_arena *arena, struct tn_slice whole);

#endif
