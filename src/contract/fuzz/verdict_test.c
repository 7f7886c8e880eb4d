/* verdict_test.c - answers of servers of several makes, and what each is worth. */
#include "contract/fuzz/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "json/read.h"
#include "json/write.h"

/* clang-format off */
static const struct { const char *text, *name; bool named, reason; } mentions[] = {
    { "limit must be between 1 and 50, got 99", "limit", true, true },
    { "1 validation error for call[search]\nlimit\n  Input should be a valid integer, unable to parse string", "limit", true, true },
    { "MCP error -32602: Input validation error: [{\"expected\":\"string\",\"code\":\"invalid_type\",\"path\":[\"query\"]}]", "query", true, true },
    { "data/n must be integer", "n", true, true },
    { "expected a number", "a", false, true },
    { "Parameter a is required", "a", true, true },
    { "'a' is required", "a", true, true },
    { "a: required", "a", true, true },
    { "Limit is too large", "limit", true, true },
    { "the limits are too large", "limit", false, true },
    { "max_limit is too large", "limit", false, true },
    { "Invalid arguments", "limit", false, false },
    { "Invalid value for limit", "limit", true, false },
    { "KeyError: 'query'", "query", true, false },
    { "Error: something went wrong", "query", false, false },
    { "internal error", "x", false, false },
    { "path is required", "path", true, true },
    { "no such file or directory, open '/x'", "path", false, true },
    { "", "limit", false, false },
    { "gr\xC3\xB6\xC3\x9F" "e must be a number", "gr\xC3\xB6\xC3\x9F" "e", true, true },
};

static const char promise[] = "{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"number\"}},\"required\":[\"sum\"]}";

#define TEXT(words) "\"content\":[{\"type\":\"text\",\"text\":\"" words "\"}]"

static const struct { enum tn_expect expect; const char *result; bool promised, fails; enum tn_fuzz_verdict want; } answers[] = {
    { EXPECT_REFUSED, "{" TEXT("limit must be a number") ",\"isError\":true}", false, false, FUZZ_NAMED },
    { EXPECT_REFUSED, "{" TEXT("Bad request") ",\"isError\":true}", false, false, FUZZ_VAGUE },
    { EXPECT_REFUSED, "{" TEXT("bad limit") ",\"isError\":true}", false, false, FUZZ_VAGUE },
    { EXPECT_REFUSED, "{" TEXT("refused") ",\"structuredContent\":{\"limit\":\"must be a number\"},\"isError\":true}", false, false, FUZZ_NAMED },
    { EXPECT_REFUSED, "{" TEXT("3 hits") "}", false, false, FUZZ_ACCEPTED },
    { EXPECT_REFUSED, "{" TEXT("limit must be a number") ",\"isError\":false}", false, false, FUZZ_ACCEPTED },
    { EXPECT_REFUSED, "{" TEXT("Invalid limit 0, using 1\\n3 hits") "}", false, false, FUZZ_NAMED },
    { EXPECT_REFUSED, "{" TEXT("limit 0\\nusing the index") "}", false, false, FUZZ_ACCEPTED },
    { EXPECT_REFUSED, "{\"content\":[],\"isError\":true}", false, false, FUZZ_VAGUE },
    { EXPECT_EITHER,  "{" TEXT("3 hits") "}", false, false, FUZZ_FINE },
    { EXPECT_EITHER,  "{" TEXT("no such file") ",\"isError\":true}", false, true, FUZZ_FINE },
    { EXPECT_EITHER,  "{" TEXT("no such file") ",\"isError\":true}", false, false, FUZZ_VAGUE },
    { EXPECT_TAKEN,   "{" TEXT("no such file") ",\"isError\":true}", false, false, FUZZ_FINE },
    { EXPECT_TAKEN,   "{" TEXT("3") ",\"structuredContent\":{\"sum\":3}}", true, false, FUZZ_FINE },
    { EXPECT_TAKEN,   "{" TEXT("3") ",\"structuredContent\":{\"sum\":\"3\"}}", true, false, FUZZ_WRONG_RESULT },
    { EXPECT_TAKEN,   "{" TEXT("3") "}", true, false, FUZZ_WRONG_RESULT },
    { EXPECT_TAKEN,   "{}", false, false, FUZZ_WRONG_RESULT },
    { EXPECT_TAKEN,   "{\"resultType\":\"input_required\"}", true, false, FUZZ_FINE },
    { EXPECT_ALIVE,   "{" TEXT("what?") ",\"isError\":true}", false, false, FUZZ_FINE },
    { EXPECT_ALIVE,   "{" TEXT("3") ",\"structuredContent\":{}}", true, false, FUZZ_WRONG_RESULT },
};
/* clang-format on */

static void texts_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mentions / sizeof *mentions; i++) {
        struct tn_slice text = tn_slice_of(mentions[i].text);

        if (tn_mention_name(text, tn_slice_of(mentions[i].name)) != mentions[i].named)
            fail_msg("'%s' names '%s'?", mentions[i].text, mentions[i].name);
        if (tn_mention_reason(text) != mentions[i].reason)
            fail_msg("'%s' has a reason?", mentions[i].text);
    }
}

static enum tn_fuzz_verdict judge(struct tn_arena *arena, const struct tn_answer *answer,
                                  enum tn_expect expect, const struct tn_judge *by)
{
    const struct tn_case one = { .kind       = CASE_FAULT,
                                 .expect     = expect,
                                 .what       = "a text",
                                 .names      = { SLICE_LIT("limit") },
                                 .name_count = 1 };
    struct tn_buf        why;

    tn_buf_init(&why, arena, 0, VERDICT_WHY_MAX);
    return tn_fuzz_judge(&one, answer, by, &why);
}

static void answers_are_judged(void **state)
{
    static const struct tn_json_limits limits = { 1 << 20, 64, 10000 };
    tenon_allocator                    memory = tn_memory_of(NULL);
    tenon_schema                      *schema = tenon_schema_new(promise, sizeof promise - 1);
    tenon_verdict                     *output = tenon_verdict_new(schema);
    struct tn_arena                    arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const char            *text   = answers[i].result;
        const struct tn_judge  by     = { answers[i].promised ? output : NULL, answers[i].fails };
        const struct tn_answer answer = { .state  = ANSWER_RESULT,
                                          .result = tn_json_read(&arena, text, strlen(text), &limits).root };

        if (judge(&arena, &answer, answers[i].expect, &by) != answers[i].want)
            fail_msg("row %zu, %s", i, text);
    }
    tn_arena_free(&arena);
    tenon_verdict_free(output);
    tenon_schema_free(schema);
}

static void what_is_no_result(void **state)
{
    /* clang-format off */
    static const struct { enum tn_answer_state state; enum tn_expect expect; enum tn_fuzz_verdict want; } rows[] = {
        { ANSWER_ERROR, EXPECT_REFUSED, FUZZ_PROTOCOL_ERROR }, { ANSWER_ERROR, EXPECT_TAKEN, FUZZ_PROTOCOL_ERROR },
        { ANSWER_ERROR, EXPECT_ALIVE, FUZZ_FINE },             { ANSWER_LATE, EXPECT_ALIVE, FUZZ_HANG },
        { ANSWER_PENDING, EXPECT_REFUSED, FUZZ_FINE },         { ANSWER_BROKEN, EXPECT_TAKEN, FUZZ_WRONG_RESULT },
        { ANSWER_GONE, EXPECT_REFUSED, FUZZ_CRASH },
    };
    /* clang-format on */
    const struct tn_judge by     = { NULL, false };
    tenon_allocator       memory = tn_memory_of(NULL);
    struct tn_arena       arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tn_answer answer = { .state = rows[i].state, .why = "" };

        assert_int_equal(judge(&arena, &answer, rows[i].expect, &by), rows[i].want);
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(answers_are_judged),
        cmocka_unit_test(what_is_no_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
