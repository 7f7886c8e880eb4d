/* complaints_test.c - each once, a line each, and an end to them. */
#include "base/complaints.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"

static void keeps_each_once(void **state)
{
    tenon_allocator      memory = tn_memory_of(NULL);
    struct tn_complaints all    = { 0 };
    struct tn_arena      arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_true(tn_complaints_add(&all, &arena, "one two"));
    assert_true(tn_complaints_add(&all, &arena, "one"));
    assert_true(tn_complaints_add(&all, &arena, "two"));
    assert_string_equal(all.text, "one two\none\ntwo");
    for (int again = 0; again < 3; again++) {
        assert_true(tn_complaints_add(&all, &arena, "one"));
        assert_true(tn_complaints_add(&all, &arena, "one\ntwo")); /* several, as another text has them */
    }
    assert_string_equal(all.text, "one two\none\ntwo");
    tn_arena_free(&arena);
}

static void ends(void **state)
{
    tenon_allocator      memory = tn_memory_of(NULL);
    struct tn_complaints all    = { 0 };
    struct tn_arena      arena;
    char                 line[20];
    size_t               lines = 1;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "number %d", i);
        assert_true(tn_complaints_add(&all, &arena, line));
    }
    for (const char *at = all.text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, COMPLAINTS_MAX + 1);
    assert_string_equal(strrchr(all.text, '\n') + 1, COMPLAINTS_MORE);
    tn_arena_free(&arena);
}

static void does_without_memory(void **state)
{
    tenon_allocator      memory = tn_memory_of(NULL);
    struct tn_complaints all    = { 0 };
    struct tn_arena      arena;

    (void)state;
    tn_arena_init(&arena, &memory, 64);
    while (tn_complaints_add(&all, &arena, all.text ? "another" : "the first"))
        if (!tn_complaints_add(&all, &arena,
                               "a line that is longer than the memory that there is for all of them"))
            break;
    assert_non_null(all.text);
    assert_memory_equal(all.text, "the first", 9);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_each_once),
        cmocka_unit_test(ends),
        cmocka_unit_test(does_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
