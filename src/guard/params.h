/* params.h - the params of a request, as they came and as they go on. */
#ifndef GUARD_PARAMS_H
#define GUARD_PARAMS_H

#include "guard/relay.h"

#define PARAMS_MAX ((size_t)64 << 20)

/* As they came; or written anew, when their name is spelled with escapes. */
struct tn_slice tn_params_of(const struct tn_relay *relay);

/* The text of its `arguments`; empty when it has none. */
struct tn_slice tn_params_arguments(const struct tn_relay *relay);

/* As they go on: byte for byte, but for _meta, a name, and `arguments` when they were repaired. *meta is where _meta begins. */
void tn_params_write(struct tn_relay *relay, struct tn_buf *out, struct tn_slice params,
                     struct tn_slice arguments, size_t *meta);

#endif
