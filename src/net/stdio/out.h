/* out.h - bytes that wait to be written: appended by one thread, or by several behind a lock of theirs. */
#ifndef NET_STDIO_OUT_H
#define NET_STDIO_OUT_H

#include <tenon/base.h>

#include "base/str.h"

#define OUT_KEEP ((size_t)1 << 20) /* of the room that much output needed */

struct out_bytes {
    tenon_allocator memory;
    char           *at;
    size_t          room, begin, end;
};

static inline size_t out_len(const struct out_bytes *out)
{
    return out->end - out->begin;
}

void out_init(struct out_bytes *out, const tenon_allocator *memory); /* allocates nothing yet */
void out_free(struct out_bytes *out);

/* The text as a line; false without memory, and nothing is added. */
bool out_line(struct out_bytes *out, struct slice text);

/* All that is in `from`, which is empty then; false without memory, and nothing is moved. */
bool out_move(struct out_bytes *out, struct out_bytes *from);

/* The first `len` bytes are written. */
void out_taken(struct out_bytes *out, size_t len);

#endif
