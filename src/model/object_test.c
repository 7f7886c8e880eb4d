/* object_test.c - a table of names finds what was put in, and nothing else. */
#include "model/object.h"

#include <stdio.h>
#include <string.h>

#include "model/property.h"
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

/* Names that only differ in a number are common; they must not look like those that are built to collide. */
static void spreads_names_that_count(void **state)
{
    static const char *const forms[] = {
        "%03zu",      "a%03zu",     "abcd%03zu",      "abcde%03zu",       "f%03zu_x",
        "field%05zu", "%03zu_unit", "parameter%03zu", "x%03zuxxxxxxxxxx", "a_longer_name_%03zu"
    };

    (void)state;
    for (size_t form = 0; form < COUNT_OF(forms); form++) {
        uint8_t  taken[2048] = { 0 };
        unsigned longest     = 0;

        for (size_t i = 0; i < 1000; i++) {
            char     name[32];
            unsigned probes = 0;
            uint32_t at;

            snprintf(name, sizeof name, forms[form], i);
            for (at = tn_property_hash(name, strlen(name)) % COUNT_OF(taken); taken[at];
                 at = (at + 1) % COUNT_OF(taken))
                probes++;
            taken[at] = 1;
            longest   = probes > longest ? probes : longest;
        }
        if (longest > PROPERTY_PROBES_MAX / 4)
            fail_msg("%s: %u probes", forms[form], longest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_name_once),
        cmocka_unit_test(spreads_names_that_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
