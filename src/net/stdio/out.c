/* out.c - a buffer that is filled at its end and emptied from its beginning. */
#include "net/stdio/out.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

#define OUT_FIRST ((size_t)16 << 10)

void out_init(struct out_bytes *out, const tenon_allocator *memory)
{
    *out = (struct out_bytes){ .memory = memory_of(memory) };
}

void out_free(struct out_bytes *out)
{
    memory_free(&out->memory, out->at, out->room);
    out->at   = NULL;
    out->room = out->begin = out->end = 0;
}

/* Room for `len` more bytes. What is left moves to the front when at least as much is free there: each byte moves at
 * most once for each that was written. */
static char *room_for(struct out_bytes *out, size_t len)
{
    size_t room = out->room ? out->room : OUT_FIRST;
    char  *at;

    if (len > SIZE_MAX / 4)
        return NULL;
    if (len <= out->room - out->end)
        return out->at + out->end;
    if (out->begin >= out_len(out) && len <= out->room - out_len(out)) {
        size_t before = out->end;

        memmove(out->at, out->at + out->begin, out_len(out));
        out->end -= out->begin;
        out->begin = 0;
        memory_scrub(out->at + out->end, before - out->end);
        return out->at + out->end;
    }
    while (room - out->end < len)
        room *= 2;
    at = memory_move(&out->memory, out->at, out->room, out->end, room);
    if (!at)
        return NULL;
    out->at   = at;
    out->room = room;
    return at + out->end;
}

bool out_line(struct out_bytes *out, struct slice text)
{
    char *to = room_for(out, text.len + 1);

    if (!to)
        return false;
    memcpy(to, text.at, text.len);
    to[text.len] = '\n';
    out->end += text.len + 1;
    return true;
}

bool out_move(struct out_bytes *out, struct out_bytes *from)
{
    char *to;

    if (out_len(from) == 0)
        return true;
    if (out_len(out) == 0) { /* as good as a copy */
        struct out_bytes swapped = *out;

        *out  = *from;
        *from = swapped;
        return true;
    }
    to = room_for(out, out_len(from));
    if (!to)
        return false;
    memcpy(to, from->at + from->begin, out_len(from));
    out->end += out_len(from);
    out_taken(from, out_len(from));
    return true;
}

void out_taken(struct out_bytes *out, size_t len)
{
    assert(len <= out_len(out));
    if (len > 0)
        memory_scrub(out->at + out->begin, len); /* an answer may repeat what only its caller should know */
    out->begin += len;
    if (out->begin < out->end)
        return;
    out->begin = out->end = 0;
    if (out->room > OUT_KEEP)
        out_free(out);
}
