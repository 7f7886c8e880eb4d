/* lines.c - one buffer: read into at its end, lines taken from its beginning. */
#include "net/stdio/lines.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

#define LINE_END_MAX ((size_t)2) /* CR LF */

bool tn_lines_init(struct tn_lines *lines, const tenon_allocator *memory, size_t max)
{
    *lines    = (struct tn_lines){ .memory = tn_memory_of(memory), .room = LINES_ROOM, .max = max };
    lines->at = tn_memory_new(&lines->memory, lines->room);
    return lines->at != NULL;
}

void tn_lines_free(struct tn_lines *lines)
{
    if (lines->at)
        tn_memory_scrub(lines->at, lines->dirty);
    tn_memory_free(&lines->memory, lines->at, lines->room);
    *lines = (struct tn_lines){ 0 };
}

/* What a very long line needed is given back. */
static void shrink(struct tn_lines *lines)
{
    char *at = lines->memory.resize(lines->memory.user, lines->at, lines->room, LINES_KEEP);

    if (at) {
        lines->at   = at;
        lines->room = LINES_KEEP;
    }
}

/* More room for the line that fills all of it. False when there must not be, or is not, more. */
static bool lines_grow(struct tn_lines *lines)
{
    size_t most = lines->max < SIZE_MAX / 2 ? lines->max + LINE_END_MAX : SIZE_MAX / 2;
    size_t room = lines->room < most / 2 ? lines->room * 2 : most;
    char  *at;

    if (room <= lines->room)
        return false;
    at = tn_memory_move(&lines->memory, lines->at, lines->room, lines->end, room);
    if (!at)
        return false;
    lines->at   = at;
    lines->room = room;
    return true;
}

/* What was read may have been a secret. */
static void forget_all(struct tn_lines *lines)
{
    tn_memory_scrub(lines->at, lines->dirty);
    lines->dirty = 0;
    lines->begin = lines->end = lines->seen = 0;
}

/* Of a line that was skipped from its beginning on only that is kept. */
static void begin_skipping(struct tn_lines *lines)
{
    if (!lines->skipping) {
        lines->head_len = lines->end < LINES_HEAD ? lines->end : LINES_HEAD;
        memcpy(lines->head, lines->at, lines->head_len);
    }
    lines->skipping = true;
    forget_all(lines);
}

char *tn_lines_room(struct tn_lines *lines, size_t *len)
{
    if (lines->begin == lines->end) {
        forget_all(lines);
        if (lines->room > LINES_KEEP)
            shrink(lines);
    } else if (lines->begin > 0 && lines->room - lines->end < LINES_ROOM / 2) {
        memmove(lines->at, lines->at + lines->begin, lines->end - lines->begin);
        lines->end -= lines->begin;
        lines->begin = 0;
    }
    if (lines->end == lines->room && !lines_grow(lines)) {
        assert(lines->begin == 0);
        begin_skipping(lines);
    }
    *len = lines->room - lines->end;
    return lines->at + lines->end;
}

void tn_lines_added(struct tn_lines *lines, size_t len)
{
    assert(len <= lines->room - lines->end);
    lines->end += len;
    if (lines->end > lines->dirty)
        lines->dirty = lines->end;
}

/* The line of `len` bytes before its LF, if it may be that long. */
static enum tn_line_next line_of(struct tn_lines *lines, const char *at, size_t len, struct tn_slice *line)
{
    if (lines->skipping) {
        lines->skipping = false;
        *line           = (struct tn_slice){ lines->head, lines->head_len };
        return LINE_TOO_LONG;
    }
    if (len > 0 && at[len - 1] == '\r')
        len--;
    *line = (struct tn_slice){ at, len };
    if (len <= lines->max)
        return LINE_READ;
    if (len > LINES_HEAD)
        line->len = LINES_HEAD;
    return LINE_TOO_LONG;
}

static enum tn_line_next next_line(struct tn_lines *lines, struct tn_slice *line)
{
    const char *at  = lines->at + lines->begin;
    const char *end = memchr(at + lines->seen, '\n', lines->end - lines->begin - lines->seen);

    if (!end) {
        lines->seen = lines->end - lines->begin;
        if (lines->skipping)
            forget_all(lines);
        return LINE_NONE;
    }
    lines->begin += (size_t)(end - at) + 1;
    lines->seen = 0;
    return line_of(lines, at, (size_t)(end - at), line);
}

/* The beginning of a line that was too long, once it was handed out. */
static void forget_head(struct tn_lines *lines)
{
    if (lines->skipping || lines->head_len == 0)
        return;
    tn_memory_scrub(lines->head, lines->head_len);
    lines->head_len = 0;
}

enum tn_line_next tn_lines_next(struct tn_lines *lines, struct tn_slice *line)
{
    forget_head(lines);
    return next_line(lines, line);
}

enum tn_line_next tn_lines_last(struct tn_lines *lines, struct tn_slice *line)
{
    const char *at  = lines->at + lines->begin;
    size_t      len = lines->end - lines->begin;

    if (len == 0 && !lines->skipping)
        return LINE_NONE;
    lines->begin = lines->end; /* the line stays where it is until the next room, or the end */
    lines->seen  = 0;
    return line_of(lines, at, len, line);
}
