/* guard_member_fuzz.c - the members of a text as the guard copies them, against yyjson: the same names and values in the same
 * order where the text is JSON; spans within the text, and an end, where it is not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json/member.h"
#include "json/read.h"

#define TEXT_MAX  ((size_t)1 << 16)
#define DEPTH_MAX 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tn_json_limits limits = { TEXT_MAX, DEPTH_MAX, 100000 };

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_inside(struct tn_slice whole, struct tn_slice part)
{
    demand(part.at >= whole.at && part.at + part.len <= whole.at + whole.len);
}

static void demand_same(struct tn_arena *arena, struct tn_slice span, const yyjson_val *value)
{
    struct tn_json_text again = tn_json_read(arena, span.at, span.len, &limits);

    demand(again.fault == JSON_FINE && yyjson_equals(again.root, (yyjson_val *)(uintptr_t)value));
}

static void check(struct tn_arena *arena, struct tn_slice text, yyjson_val *value)
{
    struct tn_members all = tn_members_of(text), counted = tn_members_counted(text, yyjson_obj_size(value));
    struct tn_member  one, same;
    struct tn_slice   item;
    size_t            index, most;
    yyjson_val       *name, *member;

    yyjson_obj_foreach(value, index, most, name, member)
    {
        demand(tn_members_next(&all, &one) && tn_members_next(&counted, &same));
        demand(one.value.at == same.value.at && one.value.len == same.value.len);
        demand_same(arena, (struct tn_slice){ one.name.at - 1, one.name.len + 2 }, name);
        demand_same(arena, one.value, member);
        check(arena, one.value, member);
    }
    yyjson_arr_foreach(value, index, most, member)
    {
        demand(tn_items_next(&all, &item));
        demand_same(arena, item, member);
        check(arena, item, member);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tenon_allocator     memory = tn_memory_of(NULL);
    struct tn_slice     text   = { (const char *)data, size };
    struct tn_members   all    = tn_members_of(text);
    struct tn_member    one;
    struct tn_slice     item;
    struct tn_arena     arena;
    struct tn_json_text read;

    if (size == 0 || size > TEXT_MAX)
        return 0;
    while (tn_members_next(&all, &one)) {
        demand_inside(text, one.name);
        demand_inside(text, one.value);
    }
    for (all = tn_members_of(text); tn_items_next(&all, &item);)
        demand_inside(text, item);
    for (all = tn_members_counted(text, 1 + data[0] % 4u); tn_members_next(&all, &one);)
        demand_inside(text, one.value);
    tn_arena_init(&arena, &memory, 0);
    read = tn_json_read(&arena, text.at, text.len, &limits);
    if (read.fault == JSON_FINE)
        check(&arena, text, read.root);
    tn_arena_free(&arena);
    return 0;
}
