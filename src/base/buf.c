/* buf.c - growing bytes in an arena: twice the room each time, in place while nothing else was allocated. */
#include "base/buf.h"

#define ROOM_MIN   ((size_t)16)
#define LEN_MAX    (SIZE_MAX / 4) /* so that no sum or doubling of lengths overflows */
#define DIGITS_MAX 20             /* of 2^64 - 1, and of -2^63 with its sign */

static const char two_digits[] = "00010203040506070809101112131415161718192021222324"
                                 "25262728293031323334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374"
                                 "75767778798081828384858687888990919293949596979899";

char *tn_buf_fail_(struct tn_buf *buf)
{
    buf->failed = true;
    buf->room   = buf->len; /* so that buf_room comes here again */
    return NULL;
}

/* Writes the digits of `value` so that they end before `end`; where they begin. */
static char *digits_before(char *end, uint64_t value)
{
    while (value >= 100) {
        memcpy(end -= 2, two_digits + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10)
        return memcpy(end - 2, two_digits + value * 2, 2);
    *--end = (char)('0' + value);
    return end;
}

void tn_buf_init(struct tn_buf *buf, struct tn_arena *arena, size_t first, size_t max)
{
    *buf = (struct tn_buf){ .arena = arena, .max = max < LEN_MAX ? max : LEN_MAX };
    if (first > 0)
        tn_buf_grow_(buf, first < buf->max ? first : buf->max);
}

char *tn_buf_grow_(struct tn_buf *buf, size_t len)
{
    size_t room;
    char  *at;

    if (buf->failed || len > buf->max - buf->len)
        return tn_buf_fail_(buf);
    room = buf->room * 2;
    if (room < ROOM_MIN)
        room = ROOM_MIN;
    if (room < buf->len + len + 1)
        room = buf->len + len + 1;
    if (room > buf->max + 1)
        room = buf->max + 1;

    at = buf->at ? tn_arena_resize(buf->arena, buf->at, buf->room, room) : tn_arena_take(buf->arena, room, 1);
    if (!at)
        return tn_buf_fail_(buf);
    buf->at   = at;
    buf->room = room;
    return at + buf->len;
}

void tn_buf_text(struct tn_buf *buf, const char *text)
{
    tn_buf_add(buf, text, strlen(text));
}

void tn_buf_uint(struct tn_buf *buf, uint64_t value)
{
    char  digits[DIGITS_MAX];
    char *end = digits + sizeof digits;
    char *at  = digits_before(end, value);

    tn_buf_add(buf, at, (size_t)(end - at));
}

void tn_buf_int(struct tn_buf *buf, int64_t value)
{
    char  digits[DIGITS_MAX];
    char *end = digits + sizeof digits;
    char *at  = digits_before(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);

    if (value < 0)
        *--at = '-';
    tn_buf_add(buf, at, (size_t)(end - at));
}

char *tn_buf_end(struct tn_buf *buf)
{
    char *end = tn_buf_room(buf, 0);

    if (!end)
        return NULL;
    *end = '\0';
    return buf->at;
}

char *tn_buf_keep(struct tn_buf *buf)
{
    char *text = tn_buf_end(buf);

    if (text) {
        tn_arena_resize(buf->arena, text, buf->room, buf->len + 1);
        buf->room = buf->len + 1;
    }
    return text;
}
