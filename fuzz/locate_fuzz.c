/* locate_fuzz.c - a JSON Pointer, a line feed, a text: the place that is found must hold the value that it means. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json/locate.h"
#include "json/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

/* The value that a text begins with. */
static yyjson_val *read_front(struct tn_arena *arena, const char *at, size_t len)
{
    yyjson_doc *doc;
    yyjson_val *value = NULL;

    doc = yyjson_read(at, len, YYJSON_READ_STOP_WHEN_DONE | YYJSON_READ_BIGNUM_AS_RAW);
    if (doc) {
        size_t used = yyjson_doc_get_read_size(doc);

        yyjson_doc_free(doc);
        value = tn_json_read(arena, at, used, &(struct tn_json_limits){ SIZE_MAX, 1024, SIZE_MAX }).root;
    }
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct tn_json_limits limits = { (size_t)1 << 20, 1024, SIZE_MAX };
    const char                        *end    = len ? memchr(data, '\n', len) : NULL;
    tenon_allocator                    memory = tn_memory_of(NULL);
    struct tn_slice                    pointer, text;
    struct tn_arena                    arena;
    struct tn_json_text                read;
    size_t                             byte;
    bool                               found;

    if (!end)
        return 0;
    pointer = (struct tn_slice){ (const char *)data, (size_t)(end - (const char *)data) };
    text    = (struct tn_slice){ end + 1, len - pointer.len - 1 };
    found   = tn_json_locate(text, pointer, &byte);
    demand(byte <= text.len);
    demand(tn_json_position(text, byte).line >= 1);

    tn_arena_init(&arena, &memory, 0);
    read = tn_json_read(&arena, text.at, text.len, &limits);
    if (read.root && !read.bad_utf8) {
        yyjson_val *meant = yyjson_ptr_getn(read.root, pointer.at, pointer.len);
        yyjson_val *there = read_front(&arena, text.at + byte, text.len - byte);

        if (meant) {
            demand(found);
            demand(there && yyjson_equals(meant, there));
        }
        demand(there);
    }
    tn_arena_free(&arena);
    return 0;
}
