/* failure.h - a prompt or a resource whose function failed: how its ending becomes an error of the protocol. */
#ifndef MCP_OFFER_FAILURE_H
#define MCP_OFFER_FAILURE_H

#include "mcp/exchange.h"

/* There is no such resource: by the code of the era, with the URI as its data. An empty `message` is the library's own. */
void tn_failure_no_resource(struct tn_exchange *x, struct tn_slice uri, struct tn_slice message);

/* Answers with the error that the exchange's call ended with. Invalid arguments are invalid params, with every problem in the
 * message and the details as data; NOT_FOUND of a resource is that; anything else is internal, with its code as data.
 * `uri` is the resource's, with `at` NULL for none. */
void tn_failure_answer(struct tn_exchange *x, struct tn_slice uri);

#endif
