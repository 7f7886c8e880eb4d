/* sse.h - the text of server-sent events. */
#ifndef NET_HTTP_SSE_H
#define NET_HTTP_SSE_H

#include "base/buf.h"

#define SSE_KEEPALIVE ": keepalive\n\n"

/* One event. `id` may be empty: it has none. Data of several lines becomes several fields, which a reader puts together
 * again; JSON of one line stays one field. */
void tn_sse_event(struct tn_buf *out, struct tn_slice id, struct tn_slice data);

/* An event without data that tells the id to come back with, if there is one, and how soon. */
void tn_sse_retry(struct tn_buf *out, struct tn_slice id, int retry_ms);

/* How many bytes tn_sse_event() adds, for data of one line. */
size_t tn_sse_event_len(struct tn_slice id, struct tn_slice data);

#endif
