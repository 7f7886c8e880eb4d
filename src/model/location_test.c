/* location_test.c - names at the top, JSON Pointers below, and issues at what the caller can address. */
#include "model/location.h"

#include <string.h>

#include "support/judged.h"

static void paths(void **state)
{
    static const struct { const char *top, *key; size_t index; const char *path, *pointer; } cases[] = {
        { "limit", NULL, 0, "limit", "/limit" },
        { "a/b", NULL, 0, "a/b", "/a~1b" },
        { "list", NULL, 17, "/list/16", "/list/16" },
        { "map", "key", 0, "/map/key", "/map/key" },
        { "map", "a/b~c", 0, "/map/a~1b~0c", "/map/a~1b~0c" },
        { "map", "\n\xFF", 0, "/map/\\n\\xFF", "/map/\n\xFF" },
        { "map", "", 0, "/map/", "/map/" },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_location top   = { .name = tn_slice_of(cases[i].top) };
        struct tn_location below = { .up = &top, .name = { NULL, 0 }, .index = cases[i].index - 1 };
        bool               deep  = cases[i].key || cases[i].index > 0;
        struct tn_slice    path, pointer;

        if (cases[i].key)
            below.name = tn_slice_of(cases[i].key);
        path    = tn_location_path(&arena, deep ? &below : &top);
        pointer = tn_location_pointer(&arena, deep ? &below : &top);
        if (!tn_slice_is(path, cases[i].path) || !tn_slice_is(pointer, cases[i].pointer))
            fail_msg("%s: %.*s %.*s", cases[i].path, (int)path.len, path.at, (int)pointer.len, pointer.at);
    }
    assert_int_equal(tn_location_pointer(&arena, NULL).len, 0);
    tn_arena_free(&arena);
}

/* What came out of text can only be replaced whole: the issue is the text's, and its sentence goes deeper. */
static void addresses(void **state)
{
    static const struct { bool top_text, mid_text; const char *parameter; } cases[] = {
        { false, false, "/a/b/c" },
        { false, true, "/a/b" },
        { true, false, "a" },
        { true, true, "a" },
    };
    struct tn_node  nodes[3] = { { 0 } };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_judge    judge = { .arena = &arena };
        struct tn_location top   = {
              .node = &nodes[0], .name = SLICE_LIT("a"), .whole = cases[i].top_text, .required = true
        };
        struct tn_location mid = {
            .up = &top, .node = &nodes[1], .name = SLICE_LIT("b"), .whole = cases[i].mid_text
        };
        struct tn_location low   = { .up = &mid, .node = &nodes[2], .name = SLICE_LIT("c") };
        struct tn_issue   *issue = tn_location_report(&judge, &low, ISSUE_TYPE, NULL);

        assert_true(tn_slice_is(issue->parameter, cases[i].parameter));
        assert_true(tn_slice_is(issue->label, "/a/b/c"));
        assert_ptr_equal(issue->node, &nodes[2]);
        assert_ptr_equal(issue->addressed, &nodes[cases[i].top_text ? 0 : cases[i].mid_text ? 1 : 2]);
        assert_int_equal(issue->required, cases[i].top_text);
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(paths), cmocka_unit_test(addresses) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
