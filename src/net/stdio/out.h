/* out.h - bytes that wait to be written: appended by one thread, or by several under a lock of theirs. */
#ifndef NET_STDIO_OUT_H
#define NET_STDIO_OUT_H

#include <tenon/base.h>

#include "base/str.h"

#define OUT_KEEP ((size_t)1 << 20) /* of the room that much output needed */

struct tn_out_bytes {
    tenon_allocator memory;
    char           *at;
    size_t          room, begin, end;
};

static inline size_t tn_out_len(const struct tn_out_bytes *out)
{
    return out->end - out->begin;
}

void tn_out_init(struct tn_out_bytes *out, const tenon_allocator *memory); /* allocates nothing yet */
void tn_out_free(struct tn_out_bytes *out);

/* The text as a line; false without memory, and nothing is added. */
bool tn_out_line(struct tn_out_bytes *out, struct tn_slice text);

/* All that is in `from`, which is empty then; false without memory, and nothing is moved. */
bool tn_out_move(struct tn_out_bytes *out, struct tn_out_bytes *from);

/* The first `len` bytes are written. */
void tn_out_taken(struct tn_out_bytes *out, size_t len);

#endif
