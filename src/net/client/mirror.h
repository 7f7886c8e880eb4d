/* mirror.h - what HTTP's headers repeat of a call, so that those on the way need not read its body. */
#ifndef NET_CLIENT_MIRROR_H
#define NET_CLIENT_MIRROR_H

#include <yyjson.h>

#include "base/arena.h"
#include "net/client/transport.h"

/* A value as a header carries it: itself, or "=?base64?...?=" when it is more than plain ASCII, begins or ends with a
 * blank, or looks like that form. NULL when out of memory. */
const char *tn_mirror_value(struct tn_arena *arena, struct tn_slice value);

/* Mcp-Param-* for the arguments whose schema says "x-mcp-header": at most `room` of them. Names that are no token are
 * left out: they are the server's mistake, and it says so. */
size_t tn_mirror_params(struct tn_arena *arena, yyjson_val *schema, yyjson_val *arguments,
                        struct tn_header *to, size_t room);

#endif
