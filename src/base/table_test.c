/* table_test.c - what was added is found, by name and by address, and nothing else. */
#include "base/table.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define MANY 3000

static void finds_what_was_added(void **state)
{
    static char           names[MANY][12];
    static int            things[MANY];
    const struct tn_slice none  = { NULL, 0 };
    struct tn_table       table = { 0 };
    struct tn_arena       arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    assert_null(tn_table_find(&table, NULL, SLICE_LIT("a")));
    for (size_t i = 0; i < MANY; i++) {
        const void     *in   = i % 2 ? &arena : NULL;
        struct tn_slice name = { names[i], (size_t)sprintf(names[i], "%zu", i / 2) };

        assert_null(tn_table_find(&table, in, name));
        assert_ptr_equal(tn_table_add(&table, &arena, in, name, &things[i]), &things[i]);
        assert_ptr_equal(tn_table_add(&table, &arena, in, name, &things[0]), &things[i]);
    }
    assert_int_equal(table.count, MANY);
    for (size_t i = 0; i < MANY; i++)
        assert_ptr_equal(tn_table_find(&table, i % 2 ? &arena : NULL, tn_slice_of(names[i])), &things[i]);
    assert_null(tn_table_find(&table, NULL, tn_slice_of("1500")));
    assert_null(tn_table_find(&table, &table, tn_slice_of("1")));
    assert_null(tn_table_find(&table, NULL, none));
    tn_arena_free(&arena);
}

static void finds_by_address_alone(void **state)
{
    static int            things[MANY];
    const struct tn_slice none  = { NULL, 0 };
    struct tn_table       table = { 0 };
    struct tn_arena       arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < MANY; i++)
        assert_non_null(tn_table_add(&table, &arena, &things[i], TABLE_NO_NAME, &things[i]));
    for (size_t i = 0; i < MANY; i++)
        assert_ptr_equal(tn_table_find(&table, &things[i], none), &things[i]);
    assert_null(tn_table_find(&table, &things[0], SLICE_LIT("a")));
    tn_arena_free(&arena);
}

/* What was there before is found. */
static void stays_as_it_is_without_memory(void **state)
{
    static int      things[200];
    struct tn_fault fault  = { .refuse_at = 3 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_table table  = { 0 };
    struct tn_arena arena;
    size_t          count = 0;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    while (count < 200 && tn_table_add(&table, &arena, &things[count], TABLE_NO_NAME, &things[count]))
        count++;
    assert_true(fault.refused && count > 0 && count < 200);
    assert_int_equal(table.count, count);
    assert_null(tn_table_find(&table, &things[count], TABLE_NO_NAME));
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(tn_table_find(&table, &things[i], TABLE_NO_NAME), &things[i]);
    tn_arena_free(&arena);
    assert_int_equal(fault.blocks, 0);
}

/* Room for all at once: nothing is asked for afterwards, and what was there stays. */
static void makes_room_at_once(void **state)
{
    static char     names[MANY][12];
    static int      things[MANY];
    struct tn_fault fault  = { 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_table table  = { 0 };
    struct tn_arena arena;
    size_t          before;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_non_null(tn_table_add(&table, &arena, NULL, SLICE_LIT("first"), &arena));
    assert_true(tn_table_room(&table, &arena, MANY));
    before = arena.used - (size_t)(arena.end - arena.next);
    for (size_t i = 0; i < MANY; i++) {
        struct tn_slice name = { names[i], (size_t)sprintf(names[i], "%zu", i) };

        assert_ptr_equal(tn_table_add(&table, &arena, NULL, name, &things[i]), &things[i]);
    }
    assert_int_equal(arena.used - (size_t)(arena.end - arena.next), before);
    assert_ptr_equal(tn_table_find(&table, NULL, SLICE_LIT("first")), &arena);
    assert_ptr_equal(tn_table_find(&table, NULL, SLICE_LIT("2999")), &things[2999]);
    assert_true(tn_table_room(&table, &arena, 0));
    assert_int_equal(arena.used - (size_t)(arena.end - arena.next), before);
    fault.refuse_at = fault.requests + 1;
    assert_false(tn_table_room(&table, &arena, (size_t)1 << 20));
    assert_ptr_equal(tn_table_find(&table, NULL, SLICE_LIT("2999")), &things[2999]);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added),
        cmocka_unit_test(finds_by_address_alone),
        cmocka_unit_test(makes_room_at_once),
        cmocka_unit_test(stays_as_it_is_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
