/* yaml_write.c - a tree as YAML: maps in lines, lists in brackets, texts with as few quotes as they need. */
#include <string.h>

#include "base/utf8.h"
#include "guard/config/yaml.h"
#include "json/read.h"
#include "json/write.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

/* Words that readers of YAML older than 1.2 take for truth values. */
static bool is_old_bool(struct tn_slice word)
{
    static const char *const words[] = { "y", "n", "yes", "no", "on", "off" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tn_slice_fold_equal(word, tn_slice_of(words[i])))
            return true;
    return false;
}

static bool is_plain(struct tn_slice text)
{
    if (text.len == 0 || tn_yaml_word(text) != YAML_WORD_TEXT || is_old_bool(text) ||
        strchr("-+.0123456789", text.at[0]))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '\0' || !strchr(PLAIN, text.at[i]))
            return false;
    return true;
}

size_t tn_yaml_unprintable(struct tn_slice text, uint32_t *code)
{
    size_t len;

    *code = 0;
    len   = tn_utf8_read(text.at, text.len, code);

    return *code == 0x7f || (*code >= 0x80 && *code < 0xa0) || *code == 0x2028 || *code == 0x2029 ||
                   *code == 0xfeff || *code == 0xfffe || *code == 0xffff
               ? len
               : 0;
}

/* In quotes it is written as JSON, whose strings are YAML's too, but for what YAML does not print. */
static void write_text(struct tn_buf *out, struct tn_slice text)
{
    size_t from = 0, len;

    if (is_plain(text)) {
        tn_buf_add(out, text.at, text.len);
        return;
    }
    tn_buf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        uint32_t code;

        len = tn_yaml_unprintable((struct tn_slice){ text.at + i, text.len - i }, &code);
        if (len == 0)
            continue;
        tn_json_escaped(out, text.at + from, i - from);
        tn_buf_addf(out, "\\u%04x", (unsigned)code);
        i += len - 1;
        from = i + 1;
    }
    tn_json_escaped(out, text.at + from, text.len - from);
    tn_buf_char(out, '"');
}

/* On one line. */
static void write_inline(struct tn_buf *out, yyjson_val *value)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(value);
    yyjson_val     *item;
    size_t          from;

    if (yyjson_is_str(value)) {
        write_text(out, tn_json_slice(value));
        return;
    }
    if (!yyjson_is_arr(value)) { /* JSON is YAML */
        tn_json_value(out, value);
        return;
    }
    tn_buf_char(out, '[');
    from = out->len;
    while ((item = yyjson_arr_iter_next(&items))) {
        if (out->len > from)
            tn_buf_lit(out, ", ");
        write_inline(out, item);
    }
    tn_buf_char(out, ']');
}

void tn_yaml_write(struct tn_buf *out, yyjson_val *value, size_t indent)
{
    yyjson_obj_iter names = yyjson_obj_iter_with(value);
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&names))) {
        yyjson_val *inner = yyjson_obj_iter_get_val(name);

        tn_buf_addf(out, "%*s", (int)indent, "");
        write_text(out, tn_json_slice(name));
        tn_buf_char(out, ':');
        if (yyjson_is_obj(inner) && yyjson_obj_size(inner) > 0) {
            tn_buf_char(out, '\n');
            tn_yaml_write(out, inner, indent + 2);
            continue;
        }
        tn_buf_char(out, ' ');
        write_inline(out, inner);
        tn_buf_char(out, '\n');
    }
}
