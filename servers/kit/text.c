/* text.c - growing text for servers. */
#include "kit/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

/* Where `len` more bytes go, with a NUL behind them; NULL once anything failed. */
static char *make_room(struct text *text, size_t len)
{
    size_t room;
    char  *at;

    if (text->failed)
        return NULL;
    if (len > TEXT_MAX - text->len) {
        text->failed = true;
        return NULL;
    }
    if (text->room > text->len && len < text->room - text->len)
        return text->at + text->len;
    room = text->room ? text->room : FIRST_ROOM;
    while (room <= text->len + len)
        room *= 2;
    if (room > TEXT_MAX)
        room = TEXT_MAX + 1;
    at = realloc(text->at, room);
    if (!at) {
        text->failed = true;
        return NULL;
    }
    text->at   = at;
    text->room = room;
    return at + text->len;
}

void text_add(struct text *text, const char *at, size_t len)
{
    char *to = make_room(text, len);

    if (!to)
        return;
    if (len)
        memcpy(to, at, len);
    to[len] = '\0';
    text->len += len;
}

void text_put(struct text *text, const char *at)
{
    text_add(text, at, strlen(at));
}

void text_char(struct text *text, char c)
{
    text_add(text, &c, 1);
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;
    int     len;
    char   *to;

    va_start(args, format);
    len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0) {
        text->failed = true;
        return;
    }
    to = make_room(text, (size_t)len);
    if (!to)
        return;
    va_start(args, format);
    vsnprintf(to, (size_t)len + 1, format, args);
    va_end(args);
    text->len += (size_t)len;
}

/* The bytes of the UTF-8 character at `at`: 0 when it is none (too short, overlong, a surrogate, past U+10FFFF). */
static size_t measure_character(const unsigned char *at, size_t len)
{
    unsigned char first = at[0], low = 0x80, high = 0xBF;
    size_t        size = first < 0x80   ? 1
                         : first < 0xC2 ? 0
                         : first < 0xE0 ? 2
                         : first < 0xF0 ? 3
                         : first < 0xF5 ? 4
                                        : 0;

    if (size > len)
        return 0;
    if (first == 0xE0)
        low = 0xA0;
    if (first == 0xED)
        high = 0x9F;
    if (first == 0xF0)
        low = 0x90;
    if (first == 0xF4)
        high = 0x8F;
    for (size_t i = 1; i < size; i++) {
        if (at[i] < low || at[i] > high)
            return 0;
        low  = 0x80;
        high = 0xBF;
    }
    return size;
}

static void add_escaped(struct text *text, unsigned char c)
{
    static const char names[] = "\bb\ff\nn\rr\tt\"\"\\\\";

    for (const char *name = names; *name; name += 2) {
        if ((unsigned char)*name == c) {
            text_char(text, '\\');
            text_char(text, name[1]);
            return;
        }
    }
    text_addf(text, "\\u%04x", c);
}

void text_json(struct text *text, const char *at, size_t len)
{
    size_t begin = 0, i = 0;

    text_char(text, '"');
    while (i < len) {
        unsigned char c    = (unsigned char)at[i];
        size_t        size = measure_character((const unsigned char *)at + i, len - i);

        if (size && c >= 0x20 && c != '"' && c != '\\') {
            i += size;
            continue;
        }
        text_add(text, at + begin, i - begin);
        if (size)
            add_escaped(text, c);
        else
            text_put(text, "\xEF\xBF\xBD");
        begin = ++i;
    }
    text_add(text, at + begin, len - begin);
    text_char(text, '"');
}

const char *text_of(const struct text *text)
{
    return text->at ? text->at : "";
}

void text_clear(struct text *text)
{
    text->len    = 0;
    text->failed = false;
    if (text->at)
        text->at[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->at);
    *text = (struct text){ 0 };
}
