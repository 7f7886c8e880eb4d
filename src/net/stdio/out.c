/* out.c - a buffer that is filled at its end and emptied from its beginning. */
#include "net/stdio/out.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

#define OUT_FIRST ((size_t)16 << 10)

void tn_out_init(struct tn_out_bytes *out, const tenon_allocator *memory)
{
    *out = (struct tn_out_bytes){ .memory = tn_memory_of(memory) };
}

void tn_out_free(struct tn_out_bytes *out)
{
    tn_memory_free(&out->memory, out->at, out->room);
    out->at   = NULL;
    out->room = out->begin = out->end = 0;
}

/* Room for `len` more bytes. What is left moves to the front when at least as much is free there: each byte moves at
 * most once for each that was written. */
static char *room_for(struct tn_out_bytes *out, size_t len)
{
    size_t room = out->room ? out->room : OUT_FIRST;
    char  *at;

    if (len > SIZE_MAX / 4)
        return NULL;
    if (len <= out->room - out->end)
        return out->at + out->end;
    if (out->begin >= tn_out_len(out) && len <= out->room - tn_out_len(out)) {
        size_t before = out->end;

        memmove(out->at, out->at + out->begin, tn_out_len(out));
        out->end -= out->begin;
        out->begin = 0;
        tn_memory_scrub(out->at + out->end, before - out->end);
        return out->at + out->end;
    }
    while (room - out->end < len)
        room *= 2;
    at = tn_memory_move(&out->memory, out->at, out->room, out->end, room);
    if (!at)
        return NULL;
    out->at   = at;
    out->room = room;
    return at + out->end;
}

bool tn_out_line(struct tn_out_bytes *out, struct tn_slice text)
{
    char *to = room_for(out, text.len + 1);

    if (!to)
        return false;
    memcpy(to, text.at, text.len);
    to[text.len] = '\n';
    out->end += text.len + 1;
    return true;
}

bool tn_out_move(struct tn_out_bytes *out, struct tn_out_bytes *from)
{
    char *to;

    if (tn_out_len(from) == 0)
        return true;
    if (tn_out_len(out) == 0) { /* as good as a copy */
        struct tn_out_bytes swapped = *out;

        *out  = *from;
        *from = swapped;
        return true;
    }
    to = room_for(out, tn_out_len(from));
    if (!to)
        return false;
    memcpy(to, from->at + from->begin, tn_out_len(from));
    out->end += tn_out_len(from);
    tn_out_taken(from, tn_out_len(from));
    return true;
}

void tn_out_taken(struct tn_out_bytes *out, size_t len)
{
    assert(len <= tn_out_len(out));
    if (len > 0)
        tn_memory_scrub(out->at + out->begin,
                        len); /* an answer may repeat what only its caller should know */
    out->begin += len;
    if (out->begin < out->end)
        return;
    out->begin = out->end = 0;
    if (out->room > OUT_KEEP)
        tn_out_free(out);
}
