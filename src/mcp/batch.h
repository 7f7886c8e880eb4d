/* batch.h - several messages in one array, as revision 2025-03-26 allows. */
#ifndef MCP_BATCH_H
#define MCP_BATCH_H

#include "mcp/exchange.h"

#define BATCH_MAX 100

/* `x` has read the array; its messages become exchanges of their own, whose responses go back as one array. Handlers
 * that wait run on workers, where there are some. */
enum heed batch_receive(struct exchange *x, const struct message_in *in, yyjson_val *array,
                        struct exchange **exchange);

/* receive.c's: an exchange for one message, and the message itself. */
struct exchange *receive_begin(tenon_server *server, const struct message_in *in);
enum heed        receive_value(struct exchange *x, const struct message_in *in, yyjson_val *root,
                               struct exchange **exchange);

#endif
