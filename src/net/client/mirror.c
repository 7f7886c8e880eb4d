/* mirror.c - the headers of a call. */
#include "net/client/mirror.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "json/read.h"
#include "json/write.h"

#define MARK      "=?base64?"
#define MARK_END  "?="
#define PREFIX    "Mcp-Param-"
#define NAME_MAX_ 100
#define DEPTH_MAX 16
#define VALUE_MAX ((size_t)64 << 10)

static bool is_plain(struct tn_slice value)
{
    if (value.len == 0 || value.at[0] == ' ' || value.at[value.len - 1] == ' ')
        return false;
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] < ' ' || value.at[i] > '~')
            return false;
    return value.len < sizeof MARK - 1 || memcmp(value.at, MARK, sizeof MARK - 1) != 0;
}

const char *tn_mirror_value(struct tn_arena *arena, struct tn_slice value)
{
    size_t        len = sodium_base64_encoded_len(value.len, sodium_base64_VARIANT_ORIGINAL);
    struct tn_buf out;
    char         *room;

    if (is_plain(value))
        return tn_arena_copy(arena, value.at, value.len);
    tn_buf_init(&out, arena, 0, len + sizeof MARK + sizeof MARK_END);
    tn_buf_lit(&out, MARK);
    room = tn_buf_room(&out, len);
    if (!room)
        return NULL;
    sodium_bin2base64(room, len, (const unsigned char *)value.at, value.len, sodium_base64_VARIANT_ORIGINAL);
    out.len += len - 1; /* without its NUL */
    tn_buf_lit(&out, MARK_END);
    return tn_buf_end(&out);
}

static bool is_token(struct tn_slice name)
{
    if (name.len == 0 || name.len > NAME_MAX_)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (!tn_ascii_is_letter(c) && !tn_ascii_is_digit(c) && !(c && strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return true;
}

/* Text, whole numbers and truth values have a header; all else has none. */
static const char *value_text(struct tn_arena *arena, yyjson_val *value)
{
    struct tn_buf out;

    if (yyjson_is_str(value))
        return yyjson_get_len(value) < VALUE_MAX
                   ? tn_mirror_value(arena, (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) })
                   : NULL;
    if (!yyjson_is_bool(value) && !yyjson_is_num(value) && !yyjson_is_raw(value))
        return NULL;
    tn_buf_init(&out, arena, 32, VALUE_MAX);
    tn_json_value(&out, value);
    return tn_buf_end(&out);
}

static size_t collect(struct tn_arena *arena, yyjson_val *schema, yyjson_val *arguments, struct tn_header *to,
                      size_t room, int depth)
{
    size_t          found = 0;
    yyjson_obj_iter each  = yyjson_obj_iter_with(yyjson_obj_get(schema, "properties"));
    yyjson_val     *key;

    if (depth > DEPTH_MAX || !yyjson_is_obj(arguments))
        return 0;
    while ((key = yyjson_obj_iter_next(&each))) {
        yyjson_val     *property = yyjson_obj_iter_get_val(key);
        yyjson_val     *value    = yyjson_obj_getn(arguments, yyjson_get_str(key), yyjson_get_len(key));
        yyjson_val     *mark     = yyjson_obj_get(property, "x-mcp-header");
        struct tn_slice name     = tn_json_slice(mark);
        struct tn_buf   header;

        if (found < room && value && yyjson_is_str(mark) && is_token(name)) {
            tn_buf_init(&header, arena, 64, NAME_MAX_ + sizeof PREFIX);
            tn_buf_lit(&header, PREFIX);
            tn_buf_add(&header, name.at, name.len);
            to[found].name  = tn_buf_end(&header);
            to[found].value = value_text(arena, value);
            found += to[found].name && to[found].value;
        }
        found += collect(arena, property, value, to + found, room - found, depth + 1);
    }
    return found;
}

size_t tn_mirror_params(struct tn_arena *arena, yyjson_val *schema, yyjson_val *arguments,
                        struct tn_header *to, size_t room)
{
    return collect(arena, schema, arguments, to, room, 0);
}
