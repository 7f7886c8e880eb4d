/* buf.h - growing bytes in an arena, never past their stated maximum.
 *
 * Sticky: once something did not fit or was refused, `failed` is true and the rest is ignored; check it once.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"

struct buf {
    struct arena *arena;
    char         *at;
    size_t        len, room, max;
    bool          failed;
};

void buf_init(struct buf *buf, struct arena *arena, size_t first, size_t max);

/* Room for `len` more bytes at the end: where they go, or NULL. Does not change `len`. */
char *buf_grow_(struct buf *buf, size_t len);

static inline char *buf_room(struct buf *buf, size_t len)
{
    return len <= buf->room - buf->len ? buf->at + buf->len : buf_grow_(buf, len);
}

static inline void buf_add(struct buf *buf, const char *at, size_t len)
{
    char *to = buf_room(buf, len);

    if (to) {
        memcpy(to, at, len);
        buf->len += len;
    }
}

static inline void buf_char(struct buf *buf, char c)
{
    char *to = buf_room(buf, 1);

    if (to) {
        *to = c;
        buf->len++;
    }
}

/* A string literal, without its NUL. */
#define buf_lit(buf, text) buf_add((buf), "" text, sizeof(text) - 1)

void buf_text(struct buf *buf, const char *text);
void buf_addf(struct buf *buf, const char *format, ...) TENON_PRINTF(2, 3);
void buf_addv(struct buf *buf, const char *format, va_list args);
void buf_uint(struct buf *buf, uint64_t value);
void buf_int(struct buf *buf, int64_t value);

/* Ends the text with a NUL that is not counted and returns it; NULL if anything failed. */
char *buf_end(struct buf *buf);

#endif
