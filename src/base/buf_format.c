/* buf_format.c - formatted text. Most formats have only %s and whole numbers: those are written here, in a sixth of the
 * instructions, which is 5.6 % of a whole call over HTTP; vsnprintf has all others. */
#define _POSIX_C_SOURCE 200809L
#include "base/buf.h"

#include <stdio.h>

#define LINE_ROOM ((size_t)128) /* for a formatted text: a line, mostly, which is then formatted once */

enum length { LENGTH_NONE, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE };

static enum length read_length(const char **format)
{
    const char *at = *format;

    if (at[0] == 'z')
        return *format += 1, LENGTH_SIZE;
    if (at[0] != 'l')
        return LENGTH_NONE;
    *format += at[1] == 'l' ? 2 : 1;
    return at[1] == 'l' ? LENGTH_LONG_LONG : LENGTH_LONG;
}

static void add_signed(struct tn_buf *buf, enum length length, va_list *args)
{
    switch (length) {
    case LENGTH_NONE: tn_buf_int(buf, va_arg(*args, int)); break;
    case LENGTH_LONG: tn_buf_int(buf, va_arg(*args, long)); break;
    case LENGTH_LONG_LONG: tn_buf_int(buf, va_arg(*args, long long)); break;
    case LENGTH_SIZE: tn_buf_int(buf, va_arg(*args, ptrdiff_t)); break;
    }
}

static void add_unsigned(struct tn_buf *buf, enum length length, va_list *args)
{
    switch (length) {
    case LENGTH_NONE: tn_buf_uint(buf, va_arg(*args, unsigned)); break;
    case LENGTH_LONG: tn_buf_uint(buf, va_arg(*args, unsigned long)); break;
    case LENGTH_LONG_LONG: tn_buf_uint(buf, va_arg(*args, unsigned long long)); break;
    case LENGTH_SIZE: tn_buf_uint(buf, va_arg(*args, size_t)); break;
    }
}

/* %s, or %.*s when `most` is not negative; false for NULL, of which the C library has its own idea. */
static bool add_string(struct tn_buf *buf, int most, va_list *args)
{
    const char *text = va_arg(*args, const char *);

    if (!text)
        return false;
    tn_buf_add(buf, text, most < 0 ? strlen(text) : strnlen(text, (size_t)most));
    return true;
}

/* One conversion, after its '%'; false if it is none of the simple ones. */
static bool add_simple(struct tn_buf *buf, const char **format, va_list *args)
{
    enum length length;

    if (strncmp(*format, ".*s", 3) == 0) {
        *format += 3;
        return add_string(buf, va_arg(*args, int), args);
    }
    length = read_length(format);
    switch (*(*format)++) {
    case 'd': return add_signed(buf, length, args), true;
    case 'u': return add_unsigned(buf, length, args), true;
    case 's': return length == LENGTH_NONE && add_string(buf, -1, args);
    case 'c': return length == LENGTH_NONE && (tn_buf_char(buf, (char)va_arg(*args, int)), true);
    case '%': return length == LENGTH_NONE && (tn_buf_char(buf, '%'), true);
    default: return false;
    }
}

/* All of it, if it is simple; what was written of another is taken back. */
static bool addv_simple(struct tn_buf *buf, const char *format, va_list *args)
{
    size_t begin  = buf->len;
    bool   simple = true;

    while (simple && *format) {
        size_t plain = strcspn(format, "%");

        tn_buf_add(buf, format, plain);
        format += plain;
        if (*format == '%') {
            format++;
            simple = add_simple(buf, &format, args);
        }
    }
    if (!simple || buf->failed)
        buf->len = begin;
    if (buf->failed)
        buf->room = begin; /* so that nothing more is added */
    return simple;
}

static void addv_other(struct tn_buf *buf, const char *format, va_list args)
{
    char   *to = tn_buf_room(buf, 0);
    va_list again;
    int     len;

    if (!to)
        return;
    va_copy(again, args);
    len = vsnprintf(to, buf->room - buf->len, format, args);
    if (len >= 0 && (size_t)len >= buf->room - buf->len && (to = tn_buf_grow_(buf, (size_t)len)) != NULL)
        vsnprintf(to, (size_t)len + 1, format, again);
    if (len < 0)
        tn_buf_fail_(buf);
    if (!buf->failed)
        buf->len += (size_t)len;
    va_end(again);
}

void tn_buf_addv(struct tn_buf *buf, const char *format, va_list args)
{
    size_t  left = buf->max - buf->len;
    va_list simple;

    tn_buf_room(buf, LINE_ROOM < left ? LINE_ROOM : left);
    va_copy(simple, args);
    if (!addv_simple(buf, format, &simple))
        addv_other(buf, format, args);
    va_end(simple);
}

void tn_buf_addf(struct tn_buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tn_buf_addv(buf, format, args);
    va_end(args);
}
