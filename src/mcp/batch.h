/* batch.h - several messages in one array, as revision 2025-03-26 allows. */
#ifndef MCP_BATCH_H
#define MCP_BATCH_H

#include "mcp/exchange.h"

#define BATCH_MAX 100

/* `x` has read the array; its messages become exchanges of their own, whose responses go back as one array. Handlers
 * that wait run on workers, where there are some. */
enum tn_received tn_batch_receive(struct tn_exchange *x, const struct tn_message_in *in, yyjson_val *array,
                                  struct tn_exchange **exchange);

/* receive.c's: an exchange for one message, and the message itself. */
struct tn_exchange *tn_receive_begin(tenon_server *server, const struct tn_message_in *in);
enum tn_received    tn_receive_value(struct tn_exchange *x, const struct tn_message_in *in, yyjson_val *root,
                                     struct tn_exchange **exchange);

#endif
