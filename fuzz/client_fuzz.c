/* client_fuzz.c - what a hostile server may send to `tenon tools` and `tenon call`: events in pieces, and in each of them
 * a result that is shown, a schema whose parameters are described and typed, and the span of every member.
 *
 * The first byte says how many bytes come at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/arguments.h"
#include "cli/each.h"
#include "cli/param.h"
#include "cli/show.h"
#include "http/sse_reader.h"
#include "json/locate.h"
#include "json/read.h"
#include "net/client/mirror.h"

#define EVENT_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tn_json_limits limits = { EVENT_MAX, 100, 100000 };

static FILE *nowhere(void)
{
    static FILE *file;

    if (!file && !(file = fopen("/dev/null", "w")))
        abort();
    return file;
}

/* The text between a value's first byte and its end is that value. */
static void check_spans(struct tn_arena *arena, struct tn_slice text, yyjson_val *root)
{
    yyjson_val *key, *value;

    EACH_MEMBER(root, at, key, value)
    {
        struct tn_slice     name = { yyjson_get_str(key), yyjson_get_len(key) }, span;
        struct tn_buf       pointer;
        size_t              byte;
        struct tn_json_text again;

        if (yyjson_obj_getn(root, name.at, name.len) != value || memchr(name.at, '~', name.len) ||
            memchr(name.at, '/', name.len))
            continue;
        tn_buf_init(&pointer, arena, name.len + 2, name.len + 2);
        tn_buf_char(&pointer, '/');
        tn_buf_add(&pointer, name.at, name.len);
        if (!tn_json_locate(text, tn_buf_slice(&pointer), &byte))
            abort();
        span  = tn_json_span(text, byte);
        again = tn_json_read(arena, span.at, span.len, &limits);
        if (again.fault != JSON_FINE || !yyjson_equals(again.root, value))
            abort();
    }
}

static void take_schema(struct tn_arena *arena, yyjson_val *schema)
{
    static const char *const words[] = { "a=1", "b=[]", "c:=null" };
    struct tn_header         headers[8];
    struct tn_buf            out;
    char                     why[ARGUMENTS_WHY_MAX];
    yyjson_val              *key, *param;

    EACH_MEMBER(yyjson_obj_get(schema, "properties"), at, key, param)
    {
        tn_buf_init(&out, arena, 64, EVENT_MAX);
        param_type(&out, arena, schema, param);
    }
    if (!arguments_build(arena, schema, words, 3, why))
        abort();
    for (size_t i = tn_mirror_params(arena, schema, schema, headers, 8); i > 0; i--)
        if (strpbrk(headers[i - 1].name, "\r\n: ") || strpbrk(headers[i - 1].value, "\r\n"))
            abort();
}

static void take_event(struct tn_arena *arena, struct tn_slice event)
{
    struct console      console = { .out = nowhere(), .err = nowhere() };
    struct tn_json_text text    = tn_json_read(arena, event.at, event.len, &limits);

    if (text.fault != JSON_FINE || text.bad_utf8)
        return;
    show_json(nowhere(), arena, text.root);
    if (!yyjson_is_obj(text.root))
        return;
    show_result(&console, arena, text.root);
    take_schema(arena, text.root);
    check_spans(arena, event, text.root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    struct sse_reader sse;
    size_t            cut = size > 0 ? (size_t)data[0] + 1 : 1;

    tn_arena_init(&arena, &memory, (size_t)256 << 20);
    sse_reader_init(&sse, &arena, EVENT_MAX);
    for (size_t at = 1; at < size; at += cut) {
        struct tn_slice piece = { (const char *)data + at, size - at < cut ? size - at : cut };

        while (sse_reader_next(&sse, &piece))
            take_event(&arena, tn_buf_slice(&sse.data));
    }
    tn_arena_free(&arena);
    return 0;
}
