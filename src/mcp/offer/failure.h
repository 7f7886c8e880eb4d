/* failure.h - a prompt or a resource whose function failed: what of an envelope becomes an error of the protocol. */
#ifndef MCP_OFFER_FAILURE_H
#define MCP_OFFER_FAILURE_H

#include "mcp/exchange.h"

/* There is no such resource: by the code of the era, with the URI as its data. `message` NULL is the library's own. */
void tn_failure_no_resource(struct tn_exchange *x, struct tn_slice uri, const char *message);

/* Answers with an error answer of the exchange's call. Invalid arguments are invalid params, with every problem in the
 * message and the details as data; NOT_FOUND of a resource is that; anything else is internal, with its code as data.
 * `uri` is the resource's, with `at` NULL for none. */
void tn_failure_answer(struct tn_exchange *x, const tenon_answer *answer, struct tn_slice uri);

#endif
