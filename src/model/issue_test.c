/* issue_test.c - issues are all counted and the first are kept; messages are ordered, unique and bounded. */
#include "model/issue.h"

#include <stdio.h>
#include <string.h>

#include "support/fault.h"
#include "support/judged.h"

static void issues_are_counted(void **state)
{
    struct tn_issues issues = { 0 };
    struct tn_arena  arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < 3 * ISSUES_MAX; i++) {
        struct tn_issue *issue = tn_issues_add(&issues, &arena);

        assert_true((issue != NULL) == (i < ISSUES_MAX));
        if (issue) {
            assert_int_equal(issue->code, 0);
            assert_null(issue->node);
            issue->code = ISSUE_TYPE;
        }
    }
    assert_int_equal(issues.count, ISSUES_MAX);
    assert_int_equal(issues.total, 3 * ISSUES_MAX);
    tn_arena_free(&arena);
}

static void messages_are_unique_and_ordered(void **state)
{
    struct tn_messages messages = { 0 };
    struct tn_arena    arena;
    char               text[20];

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_messages_add(&messages, &arena, "b", 1);
    tn_messages_add(&messages, &arena, "a", 1);
    tn_messages_add(&messages, &arena, "b", 1);
    tn_messages_add(&messages, &arena, "", 0);
    assert_int_equal(messages.count, 2);
    assert_string_equal(messages.at[0].at, "b");
    assert_string_equal(messages.at[1].at, "a");
    for (int i = 0; i < 2 * MESSAGES_MAX; i++) {
        int len = snprintf(text, sizeof text, "m%d", i);

        tn_messages_add(&messages, &arena, text, (size_t)len);
    }
    assert_int_equal(messages.count, MESSAGES_MAX);
    tn_arena_free(&arena);
}

/* Without memory an issue is still counted, so that nothing passes unseen. */
static void counted_without_memory(void **state)
{
    struct tn_fault    fault    = { .refuse_at = 1, .refuse_rest = true };
    tenon_allocator    memory   = tn_fault_allocator(&fault);
    struct tn_issues   issues   = { 0 };
    struct tn_messages messages = { 0 };
    struct tn_arena    arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_null(tn_issues_add(&issues, &arena));
    tn_messages_add(&messages, &arena, "a", 1);
    assert_int_equal(issues.total, 1);
    assert_int_equal(issues.count, 0);
    assert_int_equal(messages.count, 0);
    assert_true(arena.failed);
    tn_arena_free(&arena);
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
