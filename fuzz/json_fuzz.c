/* json_fuzz.c - what is read keeps its limits; what is written from it reads back equal; echoes are short. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "json/echo.h"
#include "json/read.h"
#include "json/write.h"

#define OUT_MAX ((size_t)1 << 24)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool is_negative(yyjson_val *value)
{
    return yyjson_is_sint(value) && yyjson_get_sint(value) < 0;
}

static bool same_number(yyjson_val *a, yyjson_val *b)
{
    if (yyjson_is_raw(a) || yyjson_is_raw(b))
        return yyjson_get_type(a) == yyjson_get_type(b) && yyjson_get_len(a) == yyjson_get_len(b) &&
               memcmp(yyjson_get_raw(a), yyjson_get_raw(b), yyjson_get_len(a)) == 0;
    if (yyjson_is_int(a) && yyjson_is_int(b)) /* 3.0 is written as 3, and compared as a double */
        return yyjson_get_uint(a) == yyjson_get_uint(b) && is_negative(a) == is_negative(b);
    return yyjson_get_num(a) == yyjson_get_num(b);
}

/* Both documents hold their values in the order of the text, so that one pass compares them. */
static void must_be_same(const struct tn_json_text *a, const struct tn_json_text *b)
{
    must(a->nodes == b->nodes);
    for (size_t i = 0; i < a->nodes; i++) {
        yyjson_val *x = a->root + i, *y = b->root + i;

        if (yyjson_is_num(x) || yyjson_is_raw(x)) {
            must(same_number(x, y));
            continue;
        }
        must(yyjson_get_type(x) == yyjson_get_type(y));
        must(yyjson_is_bool(x) ? yyjson_get_bool(x) == yyjson_get_bool(y)
                               : yyjson_get_len(x) == yyjson_get_len(y));
        if (yyjson_is_str(x))
            must(memcmp(yyjson_get_str(x), yyjson_get_str(y), yyjson_get_len(x)) == 0);
    }
}

static void check_echo(struct tn_arena *arena, yyjson_val *value)
{
    struct tn_buf buf;

    tn_buf_init(&buf, arena, 0, OUT_MAX);
    tn_echo_value(&buf, value);
    must(!buf.failed && buf.len <= 10 * ECHO_MAX + 5 && tn_utf8_valid(buf.at, buf.len));
    for (size_t i = 0; i < buf.len; i++)
        must((unsigned char)buf.at[i] >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct tn_json_limits limits = { .bytes = 1 << 20,
                                                  .depth = JSON_WRITE_DEPTH_MAX,
                                                  .nodes = 1 << 16 };
    struct tn_arena                    arena;
    struct tn_json_text                read, again;
    struct tn_buf                      buf;

    tn_arena_init(&arena, NULL, 0);
    read = tn_json_read(&arena, (const char *)data, len, &limits);
    must((read.root != NULL) == (read.fault == JSON_FINE));
    must((read.what != NULL) == (read.fault == JSON_SYNTAX));
    must(read.at <= len && read.fault != JSON_NO_MEMORY && read.nodes <= limits.nodes);
    if (read.root) {
        tn_buf_init(&buf, &arena, 0, OUT_MAX);
        tn_json_value(&buf, read.root);
        must(!buf.failed && tn_utf8_valid(buf.at, buf.len));
        again = tn_json_read(&arena, buf.at, buf.len,
                             &(struct tn_json_limits){ SIZE_MAX, limits.depth, limits.nodes });
        must(again.fault == JSON_FINE && !again.bad_utf8);
        if (!read.bad_utf8)
            must_be_same(&read, &again);
        check_echo(&arena, read.root);
    }
    tn_arena_free(&arena);
    return 0;
}
