/* object_test.c - a table of names finds what was put in, and nothing else. */
#include "model/object.h"

#include <stdio.h>
#include <string.h>

#include "support/judged.h"

static void finds_every_name_once(void **state)
{
    static char     names[500][12];
    struct tn_arena arena;

    (void)state;
    for (size_t count = 0; count <= COUNT_OF(names); count = count * 2 + 1) {
        struct tn_object object = { 0 };

        tn_arena_init(&arena, NULL, 0);
        assert_true(tn_object_index_init(&object, &arena, count));
        for (size_t i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "name%zu", i);
            assert_true(tn_object_index_add(&object, names[i], strlen(names[i]), (uint32_t)i));
            assert_false(tn_object_index_add(&object, names[i], strlen(names[i]), (uint32_t)i + 1));
        }
        for (size_t i = 0; i < count; i++)
            assert_int_equal(tn_object_find(&object, names[i], strlen(names[i])), i);
        assert_int_equal(tn_object_find(&object, "name", 4), PARAM_NONE);
        assert_int_equal(tn_object_find(&object, "", 0), PARAM_NONE);
        assert_int_equal(tn_object_find(&object, "NAME0", 5), PARAM_NONE);
        tn_arena_free(&arena);
    }
    assert_int_equal(tn_object_find(&(struct tn_object){ 0 }, "x", 1), PARAM_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(finds_every_name_once) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
