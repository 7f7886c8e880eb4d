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
