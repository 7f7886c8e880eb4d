/* wire.h - a call as it was on the wire, for people who look at it in the console: only where the observer asks for it.
 *
 * Copies, because a message lives shorter than its exchange; each of bounded length. What may be a credential never leaves here:
 * see tn_wire_report().
 */
#ifndef MCP_WIRE_H
#define MCP_WIRE_H

#include "mcp/observe.h"

struct tn_exchange;
struct tn_message_in;
struct tn_out;
struct tn_wire;

/* Its exchange frees it. NULL when it is not asked for, or without memory. */
struct tn_wire *tn_wire_new(const struct tn_exchange *x, const struct tn_message_in *in);
void            tn_wire_free(struct tn_wire *wire);

/* The last message. NULL does nothing. */
void tn_wire_answer(struct tn_wire *wire, const struct tn_out *out);

/* What a report says of it; `arguments` are those of the report, which have no secrets. NULL when there is nothing. */
const struct tn_call_wire *tn_wire_report(const struct tn_exchange *x, struct tn_slice arguments);

#endif
