/* clean.c - untrusted text made safe to show. */
#include "docs/markdown/clean.h"

#include <string.h>

#include "docs/search/extract.h"

#define ESCAPE_MAX 4096 /* bytes of one escape's text: more is no escape */

/* ---- UTF-8 -------------------------------------------------------------------------------------------------- */

uint32_t clean_point(const char **at, const char *end)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char  *c       = (const unsigned char *)*at;
    size_t   len   = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
    uint32_t point = len == 1 ? *c : *c & (0xffu >> (len + 1));

    if (len == 0 || (size_t)(end - *at) < len) {
        ++*at;
        return POINT_NONE;
    }
    for (size_t i = 1; i < len; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            ++*at;
            return POINT_NONE;
        }
        point = point << 6 | (c[i] & 0x3fu);
    }
    if (point < least[len] || (point >= 0xd800 && point < 0xe000) || point > 0x10ffff) {
        ++*at;
        return POINT_NONE;
    }
    *at += len;
    return point;
}

bool clean_is_utf8(const char *at, size_t len)
{
    for (const char *end = at + len; at < end;)
        if (clean_point(&at, end) == POINT_NONE)
            return false;
    return true;
}

/* ---- What is left out --------------------------------------------------------------------------------------- */

static bool is_left_out(uint32_t point)
{
    static const struct { uint32_t first, last; } ranges[] = {
        { 0x0000, 0x0008 }, { 0x000b, 0x001f }, { 0x007f, 0x009f }, { 0x00ad, 0x00ad },   { 0x034f, 0x034f },
        { 0x061c, 0x061c }, { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },   { 0x200b, 0x200f },
        { 0x202a, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfdd0, 0xfdef },   { 0xfe00, 0xfe0f },
        { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
        { 0xe0000, 0xe0fff },
    };

    if (point < 0x7f)
        return point < 0x20 && point != '\t' && point != '\n';
    if (point == POINT_NONE || (point & 0xfffe) == 0xfffe)
        return true;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && ranges[i].first <= point; i++)
        if (point <= ranges[i].last)
            return true;
    return false;
}

/* Joiners and variation selectors have their places; `before` is the last character that was kept. */
static bool belongs(uint32_t point, uint32_t before, const char *next, const char *end)
{
    if (point == 0xfe0e || point == 0xfe0f)
        return before >= 0xa9 && before != 0xfe0e && before != 0xfe0f && before != 0x200c && before != 0x200d;
    if ((point != 0x200c && point != 0x200d) || before < 0x600 || before == 0x200c || before == 0x200d ||
        next == end)
        return false;
    point = clean_point(&next, end);
    return point >= 0x600 && !is_left_out(point);
}

/* ---- Escapes of terminals ----------------------------------------------------------------------------------- */

/* The end of a text such as a title: BEL, ESC \ or U+009C; `at` itself when there is none. */
static const char *skip_string(const char *at, const char *end)
{
    const char *stop = end - at > ESCAPE_MAX ? at + ESCAPE_MAX : end;

    for (const char *next = at; next < stop && *next != '\n'; next++) {
        if (*next == '\a')
            return next + 1;
        if (next + 1 < stop &&
            ((next[0] == '\x1b' && next[1] == '\\') || (next[0] == '\xc2' && next[1] == '\x9c')))
            return next + 2;
    }
    return at;
}

/* Parameters and the final byte of a control sequence. */
static const char *skip_sequence(const char *at, const char *end)
{
    const char *stop = end - at > ESCAPE_MAX ? at + ESCAPE_MAX : end;
    const char *next = at;

    while (next < stop && *next >= 0x20 && *next < 0x40)
        next++;
    return next < stop && *next >= 0x40 && *next < 0x7f ? next + 1 : at;
}

/* Behind the escape that `point` began. What does not end is no escape: then only its beginning is left out, so that
 * nothing can be hidden behind it. */
static const char *skip_escape(uint32_t point, const char *at, const char *end)
{
    if (point == 0x9b)
        return skip_sequence(at, end);
    if (point == 0x90 || point == 0x98 || (point >= 0x9d && point <= 0x9f))
        return skip_string(at, end);
    if (point != 0x1b || at == end)
        return at;
    if (*at == '[')
        return skip_sequence(at + 1, end);
    if (strchr("]PX^_", *at) && *at)
        return skip_string(at + 1, end);
    while (at < end && *at >= 0x20 && *at < 0x30)
        at++;
    return at < end && *at >= 0x30 && *at < 0x7f ? at + 1 : at;
}

/* ---- All of it ---------------------------------------------------------------------------------------------- */

size_t clean_text(char *out, const char *text, size_t len, size_t most)
{
    const char *at = text, *end = text + len;
    uint32_t    before  = 0;
    size_t      written = 0;

    for (size_t count = 0; at < end && count < most;) {
        const char *begin = at;
        uint32_t    point = clean_point(&at, end);

        if (point == '\r' || point == 0x2028 || point == 0x2029) {
            if (point == '\r' && at < end && *at == '\n')
                continue;
            out[written++] = '\n';
            before         = '\n';
            count++;
            continue;
        }
        if (is_left_out(point) && !belongs(point, before, at, end)) {
            at = skip_escape(point, at, end);
            continue;
        }
        memcpy(out + written, begin, (size_t)(at - begin));
        written += (size_t)(at - begin);
        before = point;
        count++;
    }
    out[written] = '\0';
    return written;
}

const char *extract_clean(tenon_call *call, const char *text, size_t len, size_t most)
{
    size_t room = most < len / 4 ? most * 4 : len; /* no character has more bytes */
    char  *out  = tenon_alloc(call, room + 1);

    if (out)
        clean_text(out, text, len, most);
    return out;
}
