/* echo.c - a caller's value in our sentence.
 *
 * Besides control characters, everything is escaped that would not be seen, or would change how the text around it
 * is seen: line and paragraph separators, joiners and marks of direction, and the invisible tags, fillers and variation
 * selectors in which instructions to a model can hide.
 */
#include "json/echo.h"

#include "base/utf8.h"
#include "json/write.h"

#define NUMBER_ROOM 40
#define NAME_ROOM   ((size_t)4096) /* more than an echo ever takes */

struct echo {
    struct tn_buf *buf;
    size_t         left; /* code points that may still be written */
    bool           cut;  /* there were more */
};

/* May one more code point be written? */
static bool echo_step(struct echo *echo)
{
    if (echo->left == 0) {
        echo->cut = true;
        return false;
    }
    echo->left--;
    return true;
}

/* The length of the code point at `at` and its number; 0 when the byte there begins none. */
static size_t echo_decode(const unsigned char *at, size_t len, uint32_t *code)
{
    static const unsigned char lead_bits[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    size_t                     n           = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;

    if (n > len || !tn_utf8_valid((const char *)at, n))
        return 0;
    *code = at[0] & lead_bits[n];
    for (size_t i = 1; i < n; i++)
        *code = *code << 6 | (at[i] & 0x3F);
    return n;
}

static bool is_unseen(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        { 0x00, 0x1F },       { 0x7F, 0x9F },       { 0xAD, 0xAD },     { 0x034F, 0x034F },
        { 0x061C, 0x061C },   { 0x115F, 0x1160 },   { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
        { 0x200B, 0x200F },   { 0x2028, 0x202E },   { 0x2060, 0x206F }, { 0x3164, 0x3164 },
        { 0xFE00, 0xFE0F },   { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 }, { 0xFFF9, 0xFFFB },
        { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static void write_unseen(struct tn_buf *buf, uint32_t code)
{
    if (code == '\n')
        tn_buf_lit(buf, "\\n");
    else if (code == '\r')
        tn_buf_lit(buf, "\\r");
    else if (code == '\t')
        tn_buf_lit(buf, "\\t");
    else if (code < 0x80)
        tn_buf_addf(buf, "\\x%02X", (unsigned)code);
    else
        tn_buf_addf(buf, "\\u{%X}", (unsigned)code);
}

/* How many bytes from `at` on are printable ASCII, which is written as it is: nearly all there is. `quoted` text stands in
 * double quotes, so that those inside it, and backslashes, are escaped too. */
static size_t plain_len(const char *at, size_t len, bool quoted)
{
    size_t i = 0;

    while (i < len && at[i] >= ' ' && at[i] <= '~' && !(quoted && (at[i] == '"' || at[i] == '\\')))
        i++;
    return i;
}

static void echo_bytes(struct echo *echo, const char *at, size_t len, bool quoted)
{
    while (len > 0) {
        size_t   n    = plain_len(at, len < echo->left ? len : echo->left, quoted);
        uint32_t code = 0;

        tn_buf_add(echo->buf, at, n);
        echo->left -= n;
        at += n;
        len -= n;
        if (len == 0 || !echo_step(echo))
            return;
        n = echo_decode((const unsigned char *)at, len, &code);
        if (n == 0)
            tn_buf_addf(echo->buf, "\\x%02X", (unsigned)(unsigned char)*at);
        else if (is_unseen(code))
            write_unseen(echo->buf, code);
        else if (quoted && (code == '"' || code == '\\'))
            tn_buf_add(echo->buf, (const char[]){ '\\', (char)code }, 2);
        else
            tn_buf_add(echo->buf, at, n);
        at += n ? n : 1;
        len -= n ? n : 1;
    }
}

static void echo_literal(struct echo *echo, const char *text)
{
    echo_bytes(echo, text, strlen(text), false);
}

static void echo_string(struct echo *echo, yyjson_val *string)
{
    echo_literal(echo, "\"");
    echo_bytes(echo, unsafe_yyjson_get_str(string), unsafe_yyjson_get_len(string), true);
    echo_literal(echo, "\"");
}

/* Null, a boolean or a number. */
static void echo_scalar(struct echo *echo, yyjson_val *value)
{
    char          room[NUMBER_ROOM];
    struct tn_buf buf = { .at   = room,
                          .room = sizeof room,
                          .max  = sizeof room - 1 }; /* full, it fails: no arena */

    if (yyjson_is_raw(value)) {
        echo_bytes(echo, unsafe_yyjson_get_raw(value), unsafe_yyjson_get_len(value), false);
        return;
    }
    tn_json_value(&buf, value);
    echo_bytes(echo, buf.at, buf.len, false);
}

static void echo_any(struct echo *echo, yyjson_val *value);

static void echo_array(struct echo *echo, yyjson_val *array)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *item;

    echo_literal(echo, "[");
    for (bool first = true; !echo->cut && (item = yyjson_arr_iter_next(&items)); first = false) {
        if (!first)
            echo_literal(echo, ",");
        echo_any(echo, item);
    }
    echo_literal(echo, "]");
}

static void echo_object(struct echo *echo, yyjson_val *object)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val     *key;

    echo_literal(echo, "{");
    for (bool first = true; !echo->cut && (key = yyjson_obj_iter_next(&members)); first = false) {
        if (!first)
            echo_literal(echo, ",");
        echo_string(echo, key);
        echo_literal(echo, ":");
        echo_any(echo, yyjson_obj_iter_get_val(key));
    }
    echo_literal(echo, "}");
}

/* Every level writes at least its bracket, so that the cut bounds the depth too. */
static void echo_any(struct echo *echo, yyjson_val *value)
{
    if (echo->cut)
        return;
    if (yyjson_is_arr(value))
        echo_array(echo, value);
    else if (yyjson_is_obj(value))
        echo_object(echo, value);
    else if (yyjson_is_str(value))
        echo_string(echo, value);
    else
        echo_scalar(echo, value);
}

void tn_echo_text(struct tn_buf *buf, const char *at, size_t len)
{
    struct echo echo = { .buf = buf, .left = ECHO_MAX };

    echo_bytes(&echo, at, len, false);
    if (echo.cut)
        tn_buf_lit(buf, "...");
}

void tn_echo_whole(struct tn_buf *buf, const char *at, size_t len)
{
    struct echo echo = { .buf = buf, .left = SIZE_MAX };

    echo_bytes(&echo, at, len, false);
}

struct tn_slice tn_echo_name(struct tn_arena *arena, struct tn_slice name)
{
    struct tn_buf out;

    if (name.len <= ECHO_MAX && plain_len(name.at, name.len, false) == name.len)
        return name;
    tn_buf_init(&out, arena, 64, NAME_ROOM);
    tn_echo_text(&out, name.at, name.len);
    return tn_buf_slice(&out);
}

/* The quotes of a lone string do not count: it is cut where its text would be. */
void tn_echo_value(struct tn_buf *buf, yyjson_val *value)
{
    struct echo echo   = { .buf = buf, .left = ECHO_MAX };
    bool        string = yyjson_is_str(value);

    if (yyjson_is_num(value) || yyjson_is_bool(value) || yyjson_is_null(value)) {
        tn_json_value(buf, value); /* which is plain and short */
        return;
    }
    if (string) {
        tn_buf_char(buf, '"');
        echo_bytes(&echo, unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value), true);
    } else {
        echo_any(&echo, value);
    }
    if (echo.cut)
        tn_buf_lit(buf, "...");
    if (string)
        tn_buf_char(buf, '"');
}

const char *tn_echo_type(yyjson_val *value)
{
    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_NULL: return "null";
    case YYJSON_TYPE_BOOL: return "a boolean";
    case YYJSON_TYPE_RAW:
    case YYJSON_TYPE_NUM: return "a number";
    case YYJSON_TYPE_STR: return "a string";
    case YYJSON_TYPE_ARR: return "an array";
    case YYJSON_TYPE_OBJ: return "an object";
    default: return "nothing";
    }
}
