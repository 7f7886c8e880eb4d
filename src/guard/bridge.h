/* bridge.h - results between eras: the server's bytes, with what the client's revision needs put in or taken out. */
#ifndef GUARD_BRIDGE_H
#define GUARD_BRIDGE_H

#include "guard/relay.h"

/* Answers the relay with a result of the server's: `result` and its text. */
void tn_bridge_answer(struct tn_relay *relay, yyjson_val *result, struct tn_slice text);

/* Answers with an error of the server's. */
void tn_bridge_refuse(struct tn_relay *relay, yyjson_val *error, struct tn_slice text);

/* Answers a call in the server's place, and anything else with an error. */
void tn_bridge_instead(struct tn_relay *relay, const char *code, const char *message);

/* The same of one that the server may have done: a program must not repeat it unasked, unless its tool changes nothing. */
void tn_bridge_maybe_done(struct tn_relay *relay, const char *code, const char *message);

/* Gets the client of a call the guard's own answers as structuredContent, too? */
bool tn_bridge_has_structured(const struct tn_relay *relay);

/* Answers a call with an envelope of the library's; `text` is what its client reads of it. */
void tn_bridge_envelope(struct tn_relay *relay, struct tn_slice text, struct tn_slice envelope);

/* Answers initialize, server/discover and tools/list by what is known of the server. */
void tn_bridge_initialize(struct tn_relay *relay);
void tn_bridge_discover(struct tn_relay *relay);
void tn_bridge_tools(struct tn_relay *relay);

/* Answers that the client is asked for input: `members` are those of the result beside its type. */
void tn_bridge_ask(struct tn_relay *relay, struct tn_slice members);

/* A notification of the server's, to the client of this link. */
void tn_bridge_note(struct tn_link *link, struct tn_slice method, yyjson_val *params);

/* Writing a response: its beginning up to the id, with room for `first` bytes; its end, sent with this status and session. */
struct tn_buf tn_bridge_begin(struct tn_relay *relay, size_t first);
void          tn_bridge_end(struct tn_relay *relay, struct tn_buf *out, int status, struct tn_slice session);

/* Begins a member of an object or an item of an array that opened at `from`. */
void tn_bridge_comma(struct tn_buf *out, size_t from);

/* The member of _meta that says who the server is. */
void tn_bridge_identity(struct tn_buf *out, const struct tn_link *link);

/* Progress of one request. */
void tn_bridge_progress(struct tn_relay *relay, yyjson_val *params);

#endif
