/* write.c - JSON bytes out. Text is copied in runs between what must be escaped, eight bytes at a time. */
#include "json/write.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/word.h"

#define NUMBER_ROOM   256 /* for yyjson's writer, which takes some forty bytes of it */
#define PIECE_MAX     ((size_t)512)
#define SHORT_MAX     ((size_t)64)
#define EXACT_INTEGER 9007199254740992. /* 2^53: up to here every integer is a double */

/* The high bit of each byte that is below 0x20, a quote or a backslash. */
static uint64_t specials(uint64_t word)
{
    return tn_word_zeros(word & EACH(0xE0)) | tn_word_zeros(word ^ EACH('"')) |
           tn_word_zeros(word ^ EACH('\\'));
}

static bool is_special(char c)
{
    return (unsigned char)c < 0x20 || c == '"' || c == '\\';
}

/* How many bytes can be copied as they are. */
static size_t plain_run(const char *at, size_t len)
{
    size_t run = 0;

    while (len - run >= WORD && !specials(tn_word_in_order(at + run)))
        run += WORD;
    while (run < len && !is_special(at[run]))
        run++;
    return run;
}

/* What stands after a backslash for a byte that must be escaped; 0 for one that is written as it is. */
static const char letters[256] = {
    ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'
};

static void escape_char(struct tn_buf *buf, char c)
{
    static const char hex[]  = "0123456789abcdef";
    char              letter = letters[(unsigned char)c];

    if (letter)
        tn_buf_add(buf, (const char[]){ '\\', letter }, 2);
    else
        tn_buf_add(buf, (const char[]){ '\\', 'u', '0', '0', hex[c >> 4 & 15], hex[c & 15] }, 6);
}

/* Writes a word's bytes to `to`; behind what it returns there may be more of them. NULL when one has no letter. */
static char *escape_word(char *to, const char *at)
{
    size_t done = 0;

    for (uint64_t marks = specials(tn_word_in_order(at)); marks; marks &= marks - 1) {
        size_t mark   = (size_t)__builtin_ctzll(marks) / 8;
        char   letter = letters[(unsigned char)at[mark]];

        if (!letter)
            return NULL;
        memcpy(to, at + done, WORD);
        to += mark - done;
        *to++ = '\\';
        *to++ = letter;
        done  = mark + 1;
    }
    memcpy(to, at + done, WORD);
    return to + WORD - done;
}

/* Text that needs escapes of two bytes at most: JSON within JSON, above all, where runs are too short to be worth a copy
 * of their own. False, with nothing written, for all other text, and where there is no room for the longest that it
 * can become. */
static bool escape_piece(struct tn_buf *buf, const char *at, size_t len)
{
    const char *end  = at + len;
    size_t      most = 2 * len + 2 * WORD;
    char       *to, *next;

    if (most > buf->max - buf->len || !(to = tn_buf_room(buf, most)))
        return false;
    next = to;
    for (; end - at >= (ptrdiff_t)(2 * WORD); at += WORD) /* a word is read from its last byte on, too */
        if (!(next = escape_word(next, at)))
            return false;
    for (; at < end; at++) {
        char letter = letters[(unsigned char)*at];

        if (letter)
            *next++ = '\\';
        else if ((unsigned char)*at < 0x20)
            return false;
        *next++ = letter ? letter : *at;
    }
    buf->len += (size_t)(next - to);
    return true;
}

static void escape_runs(struct tn_buf *buf, const char *at, size_t len)
{
    while (len > 0) {
        size_t run = plain_run(at, len);

        tn_buf_add(buf, at, run);
        if (run == len)
            return;
        escape_char(buf, at[run]);
        at += run + 1;
        len -= run + 1;
    }
}

static void escape_valid(struct tn_buf *buf, const char *at, size_t len)
{
    while (len > 0 && !buf->failed) {
        size_t piece = len < PIECE_MAX ? len : PIECE_MAX;

        if (!escape_piece(buf, at, piece))
            escape_runs(buf, at, piece);
        at += piece;
        len -= piece;
    }
}

static void escape_broken(struct tn_buf *buf, const char *at, size_t len)
{
    while (len > 0 && !buf->failed) {
        uint32_t code;
        size_t   n = tn_utf8_read(at, len, &code); /* 0 when the byte there begins no code point */

        if (n > 0)
            escape_valid(buf, at, n);
        else
            tn_buf_lit(buf, "\xEF\xBF\xBD");
        at += n ? n : 1;
        len -= n ? n : 1;
    }
}

/* Is it a short text of ASCII that is written as it is? Names and most values are. */
static bool is_short_and_plain(const char *at, size_t len)
{
    size_t i = 0;

    if (len > SHORT_MAX)
        return false;
    for (; len - i >= WORD; i += WORD)
        if ((tn_word_in_order(at + i) & EACH(0x80)) | specials(tn_word_in_order(at + i)))
            return false;
    while (i < len && (unsigned char)at[i] < 0x80 && !is_special(at[i]))
        i++;
    return i == len;
}

void tn_json_escaped(struct tn_buf *buf, const char *at, size_t len)
{
    if (is_short_and_plain(at, len)) {
        tn_buf_add(buf, at, len);
        return;
    }
    if (tn_utf8_valid(at, len))
        escape_valid(buf, at, len);
    else
        escape_broken(buf, at, len);
}

void tn_json_string(struct tn_buf *buf, const char *at, size_t len)
{
    tn_buf_char(buf, '"');
    tn_json_escaped(buf, at, len);
    tn_buf_char(buf, '"');
}

static size_t copy_text(char out[JSON_NUMBER_ROOM], const char *text, size_t len)
{
    assert(len <= JSON_NUMBER_ROOM);
    memcpy(out, text, len);
    return len;
}

static size_t write_integer(char out[JSON_NUMBER_ROOM], int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char     text[JSON_NUMBER_ROOM];
    size_t   at = sizeof text;

    do
        text[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0)
        text[--at] = '-';
    return copy_text(out, text + at, sizeof text - at);
}

/* yyjson writes larger whole numbers as 9007199254740994.0. The fraction stays: these digits are the fewest that
 * give back the double, not its exact value, so that as an integer they would be another number. */
size_t tn_json_number_text(double value, char out[JSON_NUMBER_ROOM])
{
    yyjson_val number = { 0 };
    yyjson_alc memory;
    size_t     len = 0;
    char       room[NUMBER_ROOM], *text;

    if (!isfinite(value))
        return copy_text(out, "null", 4);
    if (fabs(value) <= EXACT_INTEGER && trunc(value) == value)
        return write_integer(out, (int64_t)value);
    unsafe_yyjson_set_real(&number, value);
    yyjson_alc_pool_init(&memory, room, sizeof room);
    text = yyjson_val_write_opts(&number, YYJSON_WRITE_NOFLAG, &memory, &len, NULL);
    assert(text); /* the room is enough for every double */
    return text ? copy_text(out, text, len) : 0;
}

void tn_json_number(struct tn_buf *buf, double value)
{
    char text[JSON_NUMBER_ROOM];

    tn_buf_add(buf, text, tn_json_number_text(value, text));
}

static void write_write_value(struct tn_buf *buf, yyjson_val *value, unsigned depth);

static void write_array(struct tn_buf *buf, yyjson_val *array, unsigned depth)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *item;

    tn_buf_char(buf, '[');
    for (bool first = true; !buf->failed && (item = yyjson_arr_iter_next(&items)); first = false) {
        if (!first)
            tn_buf_char(buf, ',');
        write_write_value(buf, item, depth + 1);
    }
    tn_buf_char(buf, ']');
}

static void write_object(struct tn_buf *buf, yyjson_val *object, unsigned depth)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val     *key;

    tn_buf_char(buf, '{');
    for (bool first = true; !buf->failed && (key = yyjson_obj_iter_next(&members)); first = false) {
        if (!first)
            tn_buf_char(buf, ',');
        tn_json_string(buf, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key));
        tn_buf_char(buf, ':');
        write_write_value(buf, yyjson_obj_iter_get_val(key), depth + 1);
    }
    tn_buf_char(buf, '}');
}

static void write_number(struct tn_buf *buf, yyjson_val *number)
{
    if (yyjson_is_real(number))
        tn_json_number(buf, unsafe_yyjson_get_real(number));
    else if (yyjson_is_sint(number))
        tn_buf_int(buf, unsafe_yyjson_get_sint(number));
    else
        tn_buf_uint(buf, unsafe_yyjson_get_uint(number));
}

static void write_write_value(struct tn_buf *buf, yyjson_val *value, unsigned depth)
{
    yyjson_type type = yyjson_get_type(value);

    if (type == YYJSON_TYPE_STR || type == YYJSON_TYPE_RAW) {
        if (type == YYJSON_TYPE_STR)
            tn_json_string(buf, unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value));
        else
            tn_buf_add(buf, unsafe_yyjson_get_raw(value), unsafe_yyjson_get_len(value));
    } else if (type == YYJSON_TYPE_NUM) {
        write_number(buf, value);
    } else if (type == YYJSON_TYPE_BOOL) {
        tn_buf_text(buf, unsafe_yyjson_get_bool(value) ? "true" : "false");
    } else if (type == YYJSON_TYPE_ARR && depth < JSON_WRITE_DEPTH_MAX) {
        write_array(buf, value, depth);
    } else if (type == YYJSON_TYPE_OBJ && depth < JSON_WRITE_DEPTH_MAX) {
        write_object(buf, value, depth);
    } else {
        tn_buf_lit(buf, "null");
    }
}

void tn_json_value(struct tn_buf *buf, yyjson_val *value)
{
    write_write_value(buf, value, 0);
}

void tn_json_line(struct tn_buf *buf, const char *at, size_t len)
{
    size_t begin = buf->len;

    tn_buf_add(buf, at, len);
    if (buf->failed || len == 0 || (!memchr(at, '\n', len) && !memchr(at, '\r', len)))
        return;
    for (size_t i = begin; i < buf->len; i++)
        if (buf->at[i] == '\n' || buf->at[i] == '\r')
            buf->at[i] = ' ';
}
