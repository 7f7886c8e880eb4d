/* text.h - growing text for servers: sticky, bounded, checked once. */
#ifndef KIT_TEXT_H
#define KIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <tenon/base.h>

#define TEXT_MAX ((size_t)256 << 20)

struct text {
    char  *at; /* NULL before the first byte; else followed by a NUL */
    size_t len, room;
    bool   failed; /* something did not fit: the rest is ignored */
};

void text_add(struct text *text, const char *at, size_t len);
void text_put(struct text *text, const char *at);
void text_char(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) TENON_PRINTF(2, 3);

/* "" when there is nothing. */
const char *text_of(const struct text *text);
void        text_clear(struct text *text);
void        text_free(struct text *text);

#endif
