/* issue_test.c - issues are all counted and the first are kept; messages are ordered, unique and bounded. */
#include "model/issue.h"

#include <stdio.h>
#include <string.h>

#include "base/fault.h"
#include "support/judged.h"

static void issues_are_counted(void **state)
{
    struct issues issues = { 0 };
    struct arena  arena;

    (void)state;
    arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < 3 * ISSUES_MAX; i++) {
        struct issue *issue = issues_add(&issues, &arena);

        assert_true((issue != NULL) == (i < ISSUES_MAX));
        if (issue) {
            assert_int_equal(issue->code, 0);
            assert_null(issue->node);
            issue->code = ISSUE_TYPE;
        }
    }
    assert_int_equal(issues.count, ISSUES_MAX);
    assert_int_equal(issues.total, 3 * ISSUES_MAX);
    arena_free(&arena);
}

static void messages_are_unique_and_ordered(void **state)
{
    struct messages messages = { 0 };
    struct arena    arena;
    char            text[20];

    (void)state;
    arena_init(&arena, NULL, 0);
    messages_add(&messages, &arena, "b", 1);
    messages_add(&messages, &arena, "a", 1);
    messages_add(&messages, &arena, "b", 1);
    messages_add(&messages, &arena, "", 0);
    assert_int_equal(messages.count, 2);
    assert_string_equal(messages.at[0].at, "b");
    assert_string_equal(messages.at[1].at, "a");
    for (int i = 0; i < 2 * MESSAGES_MAX; i++) {
        int len = snprintf(text, sizeof text, "m%d", i);

        messages_add(&messages, &arena, text, (size_t)len);
    }
    assert_int_equal(messages.count, MESSAGES_MAX);
    arena_free(&arena);
}

/* Without memory an issue is still counted, so that nothing passes unseen. */
static void counted_without_memory(void **state)
{
    struct fault    fault    = { .refuse_at = 1, .refuse_rest = true };
    tenon_allocator memory   = fault_allocator(&fault);
    struct issues   issues   = { 0 };
    struct messages messages = { 0 };
    struct arena    arena;

    (void)state;
    arena_init(&arena, &memory, 0);
    assert_null(issues_add(&issues, &arena));
    messages_add(&messages, &arena, "a", 1);
    assert_int_equal(issues.total, 1);
    assert_int_equal(issues.count, 0);
    assert_int_equal(messages.count, 0);
    assert_true(arena.failed);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issues_are_counted),
        cmocka_unit_test(messages_are_unique_and_ordered),
        cmocka_unit_test(counted_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
