/* buf.h - growing bytes in an arena, never past their stated maximum.
 *
 * Sticky: once something did not fit or was refused, `failed` is true and the rest is ignored; check it once.
 * What did not fit is left out whole. A byte is always kept free for the NUL of tn_buf_end().
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct tn_buf {
    struct tn_arena *arena;
    char            *at;        /* NULL before the first growth */
    size_t           len, room; /* len < room, or both are equal and the next byte goes through buf_grow_ */
    size_t           max;       /* of `len` */
    bool             failed;
};

/* An empty buffer of at most `max` bytes. `first` bytes are made room for at once; 0 takes nothing yet. */
void tn_buf_init(struct tn_buf *buf, struct tn_arena *arena, size_t first, size_t max);

char *tn_buf_grow_(struct tn_buf *buf, size_t len);
char *tn_buf_fail_(struct tn_buf *buf); /* NULL */

/* Room for `len` more bytes at the end: where they go, or NULL. Does not change `len`. */
static inline char *tn_buf_room(struct tn_buf *buf, size_t len)
{
    return len < buf->room - buf->len ? buf->at + buf->len : tn_buf_grow_(buf, len);
}

/* `at` may be NULL when `len` is 0; it must not point into the buffer. */
static inline void tn_buf_add(struct tn_buf *buf, const char *at, size_t len)
{
    char *to = tn_buf_room(buf, len);

    if (to && len) {
        memcpy(to, at, len);
        buf->len += len;
    }
}

static inline void tn_buf_char(struct tn_buf *buf, char c)
{
    char *to = tn_buf_room(buf, 1);

    if (to) {
        *to = c;
        buf->len++;
    }
}

/* A string literal, without its NUL. */
#define tn_buf_lit(buf, text) tn_buf_add((buf), "" text, sizeof(text) - 1)

void tn_buf_text(struct tn_buf *buf, const char *text);

/* Not for %f, %e and %g, whose decimal point is the locale's. */
void tn_buf_addf(struct tn_buf *buf, const char *format, ...) TENON_PRINTF(2, 3);
void tn_buf_addv(struct tn_buf *buf, const char *format, va_list args) TENON_PRINTF(2, 0);
void tn_buf_uint(struct tn_buf *buf, uint64_t value);
void tn_buf_int(struct tn_buf *buf, int64_t value);

/* Ends the text with a NUL that is not counted and returns it; NULL if anything failed. More may be added then. */
char *tn_buf_end(struct tn_buf *buf);

/* Ends the text as buf_end does, and gives the rest of its room back to the arena: for text that stays. */
char *tn_buf_keep(struct tn_buf *buf);

/* What was written, as long as nothing is added to it; empty if anything failed. */
static inline struct tn_slice tn_buf_slice(const struct tn_buf *buf)
{
    return buf->failed || !buf->at ? (struct tn_slice){ "", 0 } : (struct tn_slice){ buf->at, buf->len };
}

#endif
