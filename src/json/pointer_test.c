/* pointer_test.c - JSON Pointers, written, followed, and told from what is not one. */
#include "json/pointer.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void judges(void **state)
{
    static const struct {
        bool (*asked)(struct tn_slice);
        const char *text;
        bool        want;
    } cases[] = {
        { tn_pointer_well_formed, "", true },
        { tn_pointer_well_formed, "/", true },
        { tn_pointer_well_formed, "//", true },
        { tn_pointer_well_formed, "/a", true },
        { tn_pointer_well_formed, "/a/0", true },
        { tn_pointer_well_formed, "/a~0b~1c", true },
        { tn_pointer_well_formed, "/ ", true },
        { tn_pointer_well_formed, "/\xc3\xa4", true },
        { tn_pointer_well_formed, "/a\"b\\c", true },
        { tn_pointer_well_formed, "/~01", true },
        { tn_pointer_well_formed, "/-", true },
        { tn_pointer_well_formed, "a", false },
        { tn_pointer_well_formed, "#", false },
        { tn_pointer_well_formed, "#/a", false },
        { tn_pointer_well_formed, "/~", false },
        { tn_pointer_well_formed, "/~2", false },
        { tn_pointer_well_formed, "/a~", false },
        { tn_pointer_well_formed, "/a/~/b", false },
        { tn_pointer_well_formed, "~0", false },
        { tn_pointer_well_formed, " /a", false },
        { tn_pointer_relative_well_formed, "0", true },
        { tn_pointer_relative_well_formed, "1", true },
        { tn_pointer_relative_well_formed, "10", true },
        { tn_pointer_relative_well_formed, "120/a/b", true },
        { tn_pointer_relative_well_formed, "0#", true },
        { tn_pointer_relative_well_formed, "12#", true },
        { tn_pointer_relative_well_formed, "0/", true },
        { tn_pointer_relative_well_formed, "0//", true },
        { tn_pointer_relative_well_formed, "0/~0~1", true },
        { tn_pointer_relative_well_formed, "", false },
        { tn_pointer_relative_well_formed, "/", false },
        { tn_pointer_relative_well_formed, "/a", false },
        { tn_pointer_relative_well_formed, "#", false },
        { tn_pointer_relative_well_formed, "01", false },
        { tn_pointer_relative_well_formed, "00", false },
        { tn_pointer_relative_well_formed, "01#", false },
        { tn_pointer_relative_well_formed, "-1", false },
        { tn_pointer_relative_well_formed, "+1", false },
        { tn_pointer_relative_well_formed, "1a", false },
        { tn_pointer_relative_well_formed, "0##", false },
        { tn_pointer_relative_well_formed, "0#/a", false },
        { tn_pointer_relative_well_formed, "0/~2", false },
        { tn_pointer_relative_well_formed, "0/a~", false },
        { tn_pointer_relative_well_formed, "1\n", false },
        { tn_pointer_relative_well_formed, " 1", false },
        { tn_pointer_relative_well_formed, "\xd9\xa1/a", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
}

static void writes(void **state)
{
    static const struct {
        const char *name, *want;
    } cases[] = {
        { "a", "/a" },      { "", "/" },      { "a/b", "/a~1b" },
        { "m~n", "/m~0n" }, { "~1", "/~01" }, { "//~~", "/~1~1~0~0" },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice rest, token;
        struct tn_buf   out;
        bool            bad;

        tn_buf_init(&out, &arena, 0, 100);
        tn_pointer_add(&out, tn_slice_of(cases[i].name));
        tn_pointer_add_index(&out, 10);
        assert_non_null(tn_buf_end(&out));
        rest = (struct tn_slice){ out.at, out.len };
        assert_memory_equal(out.at, cases[i].want, strlen(cases[i].want));
        assert_string_equal(out.at + strlen(cases[i].want), "/10");
        assert_true(tn_pointer_step(&arena, &rest, &token, &bad));
        assert_true(tn_slice_is(token, cases[i].name));
    }
    tn_arena_free(&arena);
}

/* RFC 6901, section 5, and what is malformed or not there. */
static void follows_pointers(void **state)
{
    static const char document[] =
        "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,"
        "\" \":7,\"m~n\":8,\"~1\":9,\"o\":{\"\":{\"p\":10}}}";
    static const struct {
        const char *pointer, *want;
        bool        bad;
    } cases[] = {
        { "/foo/0", "\"bar\"", false },
        { "/foo/1", "\"baz\"", false },
        { "/", "0", false },
        { "/a~1b", "1", false },
        { "/c%d", "2", false },
        { "/e^f", "3", false },
        { "/g|h", "4", false },
        { "/i\\j", "5", false },
        { "/k\"l", "6", false },
        { "/ ", "7", false },
        { "/m~0n", "8", false },
        { "/~01", "9", false },
        { "/o//p", "10", false },
        { "/foo/2", NULL, false },
        { "/foo/00", NULL, false },
        { "/foo/01", NULL, false },
        { "/foo/-", NULL, false },
        { "/foo/-1", NULL, false },
        { "/foo/", NULL, false },
        { "/foo/1e0", NULL, false },
        { "/foo/99999999999999999999999", NULL, false },
        { "/o/q", NULL, false },
        { "/a~1b/0", NULL, false },
        { "/m~n", NULL, true },
        { "/m~", NULL, true },
        { "foo", NULL, true },
    };
    const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = 10, .nodes = 100 };
    struct tn_arena             arena;
    yyjson_val                 *root;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    root = tn_json_read(&arena, document, sizeof document - 1, &limits).root;
    assert_non_null(root);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice rest = tn_slice_of(cases[i].pointer), token;
        yyjson_val     *at   = root;
        bool            bad  = true;
        char           *text;

        while (tn_pointer_step(&arena, &rest, &token, &bad))
            at = tn_pointer_child(at, token);
        if (bad != cases[i].bad)
            fail_msg("%s is judged wrongly", cases[i].pointer);
        if (bad)
            continue;
        text = at ? yyjson_val_write(at, 0, NULL) : NULL;
        if (cases[i].want ? !text || strcmp(text, cases[i].want) != 0 : text != NULL)
            fail_msg("%s leads to %s", cases[i].pointer, text ? text : "nothing");
        free(text);
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
        cmocka_unit_test(writes),
        cmocka_unit_test(follows_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
