/* sse_reader.h - server-sent events, read piece by piece. */
#ifndef HTTP_SSE_READER_H
#define HTTP_SSE_READER_H

#include "base/buf.h"

#define SSE_ID_MAX ((size_t)1024)

struct sse_reader {
    struct tn_buf data;       /* lines of the event that is being read */
    struct tn_buf line;       /* a line whose end has not come */
    struct tn_buf id;         /* the last event's */
    size_t        id_changes; /* how often it became another */
    int  retry_ms; /* what the server asks a client to wait before it comes back; -1 when it did not say */
    bool after_cr; /* a line feed that comes next belongs to the line before */
    bool has_data, complete;
};

void sse_reader_init(struct sse_reader *sse, struct tn_arena *arena, size_t max);

/* Reads from the front of `bytes`, which moves behind what was read. True when an event with data is complete, which is
 * in `data` until the next call; false when all bytes are used up, or `data.failed` or `line.failed` says that an event
 * is too long. */
bool sse_reader_next(struct sse_reader *sse, struct tn_slice *bytes);

#endif
