/* change_test.c - what changed, in words and in lines; and what screening finds. */
#include "contract/change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contract/review.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct tn_arena arena;

static int set_up(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tn_arena_free(&arena);
    return 0;
}

static yyjson_val *value_of(const char *text)
{
    yyjson_val *value;

    if (!text)
        return NULL;
    assert_int_equal(tn_canonical_read(&arena, tn_slice_of(text), CANONICAL_DEPTH_MAX, &value),
                     CANONICAL_FINE);
    return value;
}

#define IN(properties) "{\"inputSchema\":{\"properties\":{" properties "}}}"

static void test_kinds_of_changes(void **state)
{
    static const struct { const char *approved, *live, *want; } cases[] = {
        { "{\"description\":\"a\"}", "{\"description\":\"b\"}", "description" },
        { "{\"description\":\"a\"}", "{}", "description" },
        { "{}", "{\"title\":\"b\",\"description\":\"a\"}", "title, description" },
        { IN(""), IN("\"a\":{}"), "1 parameter added" },
        { IN(""), IN("\"a\":{},\"b\":{}"), "2 parameters added" },
        { IN("\"to\":{}"), IN(""), "parameter 'to' removed" },
        { IN("\"to\":{}"), IN("\"whom\":{}"), "1 parameter added, parameter 'to' removed" },
        { IN("\"n\":{\"default\":1,\"type\":\"integer\"}"), IN("\"n\":{\"type\":\"integer\",\"default\":2}"), "default of parameter 'n'" },
        { IN("\"n\":{\"description\":\"x\"}"), IN("\"n\":{}"), "description of parameter 'n'" },
        { IN("\"n\":{\"default\":1}"), IN("\"n\":{\"default\":2,\"type\":\"string\"}"), "parameter 'n' changed" },
        { IN("\"n\":1,\"m\":1"), IN("\"m\":2,\"n\":1.0"), "parameter 'm' changed" },
        { IN("\"a\":1,\"b\":1,\"c\":1,\"d\":1"), IN(""), "4 parameters removed" },
        { IN("\"a\":1,\"b\":1,\"c\":1,\"d\":1"), IN("\"a\":2,\"b\":2,\"c\":2,\"d\":2"), "4 parameters changed" },
        { IN("\"a\\u0007\\u202e\":1"), IN(""), "parameter 'a\\x07\\u{202E}' removed" },
        { "{\"inputSchema\":{\"required\":[\"a\"]}}", "{\"inputSchema\":{}}", "which parameters are required" },
        { "{\"inputSchema\":{\"type\":\"object\"}}", "{\"inputSchema\":{}}", "the schema of its arguments" },
        { "{\"inputSchema\":{}}", "{\"inputSchema\":true}", "the schema of its arguments" },
        { "{\"outputSchema\":{}}", "{}", "output" },
        { "{\"annotations\":{}}", "{\"annotations\":{\"readOnlyHint\":true}}", "hints" },
        { "{\"_meta\":{}}", "{\"_meta\":{\"a\":1}}", "_meta" },
        { "{\"arguments\":[]}", "{\"arguments\":[1]}", "arguments" },
        { "{}", "{\"OBEY\":1}", "1 other member" },
        { "{\"a\":1,\"b\":1}", "{\"a\":2,\"c\":1}", "3 other members" },
        { "{}", "{}", "everything" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf text;

        tn_buf_init(&text, &arena, 0, CHANGE_TEXT_MAX);
        tn_change_describe(&text, &arena, value_of(cases[i].approved), value_of(cases[i].live));
        assert_string_equal(tn_buf_end(&text), cases[i].want);
    }
}

static void add_line(void *user, char mark, struct tn_slice line)
{
    tn_buf_addf(user, "%c%.*s|", mark, (int)line.len, line.at);
}

static void test_lines(void **state)
{
    static const struct { const char *approved, *live, *want; } cases[] = {
        { "{\"a\":1}", "{\"a\":1.0}", " {|-  \"a\": 1|+  \"a\": 1.0| }|" },
        { "{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}", "" },
        { NULL, "{\"a\":1}", "+{|+  \"a\": 1|+}|" },
        { "{\"a\":1}", NULL, "-{|-  \"a\": 1|-}|" },
        { "{\"a\":\"x\\ny\\\\nz\"}", "{\"a\":\"x\\nw\"}", " {|   \"a\": \"x\\n|-y\\\\nz\"|+w\"| }|" },
        { "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1}", "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":2}",
          "@|   \"c\": 1,|   \"d\": 1,|   \"e\": 1,|-  \"f\": 1|+  \"f\": 2| }|" },
        { "{\"a\":1,\"b\":1,\"c\":1}", "{\"b\":1,\"c\":1,\"d\":1}",
          " {|-  \"a\": 1,|   \"b\": 1,|-  \"c\": 1|+  \"c\": 1,|+  \"d\": 1| }|" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf text;

        tn_buf_init(&text, &arena, 1, 10000);
        assert_true(
            tn_change_diff(&arena, value_of(cases[i].approved), value_of(cases[i].live), add_line, &text));
        assert_string_equal(tn_buf_end(&text), cases[i].want);
    }
}

static void test_screening(void **state)
{
    static const struct { const char *text, *place, *word; } cases[] = {
        { "{\"name\":\"a\",\"description\":\"plain \\n\\t text, \xE2\x9A\xA0\xEF\xB8\x8F \xE6\x97\xA5\"}", NULL, NULL },
        { "{\"name\":\"a\",\"description\":\"\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\"}", NULL, NULL },
        { "{\"name\":\"a\",\"description\":\"a\xE2\x80\x8D" "b\"}", "/description", "U+200D" },
        { "{\"name\":\"a\",\"description\":\"\xEF\xB8\x8F\"}", "/description", "U+FE0F" },
        { "{\"name\":\"a\",\"description\":\"\\ue000\"}", NULL, NULL },
        { "{\"name\":\"a\",\"description\":\"\\u202e\"}", "/description", "direction" },
        { "{\"name\":\"a\",\"description\":\"\\udb40\\udc41\"}", "/description", "tag character U+E0041" },
        { "{\"name\":\"a\",\"_meta\":{\"x~/y\":[\"\\u001b[0m\"]}}", "/_meta/x~0~1y/0", "escape sequence" },
        { "{\"name\":\"a\",\"inputSchema\":{\"properties\":{\"a\\u200b\":{}}}}", "/inputSchema/properties/a\xE2\x80\x8B", "U+200B" },
        { "{\"name\":\"a\",\"x\":\"<!--\"}", "/x", "comment" },
        { "{\"name\":\"a\",\"x\":\"<!-\"}", NULL, NULL },
        { "{\"name\":\"\xD1\x81\"}", "/name", "beyond ASCII" },
        { "{\"name\":\"a\",\"x\":{\"\xE7\x94\xA8id\":1}}", NULL, NULL },
        { "{\"name\":\"a\",\"x\":{\"p\xD0\xB0th\":1}}", "/x/p\xD0\xB0th", "mixes" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_definition made = tn_definition_read(&arena, KIND_TOOL, tn_slice_of(cases[i].text), NULL);
        struct tn_screening  findings;

        tn_screen_definition(&findings, &arena, &made);
        if ((findings.count == 0) != (cases[i].place == NULL))
            fail_msg("case %zu: %zu findings", i, findings.count);
        if (!cases[i].place)
            continue;
        assert_string_equal(findings.at[0].place, cases[i].place);
        if (!strstr(findings.at[0].what, cases[i].word))
            fail_msg("case %zu: %s", i, findings.at[0].what);
    }
}

static void test_findings_are_bounded(void **state)
{
    struct tn_screening  findings;
    struct tn_definition made;
    struct tn_buf        text;

    (void)state;
    tn_buf_init(&text, &arena, 0, 1000000);
    tn_buf_lit(&text, "{\"name\":\"a\",\"x\":[");
    for (int i = 0; i < 1000; i++)
        tn_buf_text(&text, i > 0 ? ",\"<!--\\u202e\"" : "\"<!--\"");
    tn_buf_lit(&text, "]}");
    made = tn_definition_read(&arena, KIND_TOOL, tn_buf_slice(&text), NULL);
    tn_screen_definition(&findings, &arena, &made);
    assert_int_equal(findings.count, SCREEN_FINDINGS_MAX);
}

static void test_saved_lists(void **state)
{
    static const struct { const char *text; size_t tools, prompts, faults; } cases[] = {
        { "[]", 0, 0, 0 },
        { "[{\"name\":\"a\"},{\"name\":\"b\"}]", 2, 0, 0 },
        { "{\"tools\":[{\"name\":\"a\"}],\"prompts\":[{\"name\":\"p\"}]}", 1, 1, 0 },
        { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"a\"}]}}", 1, 0, 0 },
        { "{\"tools\":[{\"name\":\"a\"},{\"name\":\"a\"},{},1,{\"name\":\"b\",\"x\":1,\"x\":2}]}", 5, 0, 4 },
    };
    static const char *const wrong[] = { "", "{", "{}", "{\"tools\":{}}", "{\"result\":{}}", "1" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_offer offer;
        const char     *why;
        size_t          faults = 0;

        assert_true(tn_offer_read(&offer, &arena, tn_slice_of(cases[i].text), NULL, &why));
        for (size_t j = 0; j < offer.kinds[KIND_TOOL].count; j++)
            faults += offer.kinds[KIND_TOOL].at[j].fault != CANONICAL_FINE;
        assert_int_equal(offer.kinds[KIND_TOOL].count, cases[i].tools);
        assert_int_equal(offer.kinds[KIND_PROMPT].count, cases[i].prompts);
        assert_int_equal(faults, cases[i].faults);
    }
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct tn_offer offer;
        const char     *why = NULL;

        assert_false(tn_offer_read(&offer, &arena, tn_slice_of(wrong[i]), NULL, &why));
        assert_non_null(why);
    }
}

/* It is JSON, and says where it goes too far. */
static void test_deep_lists(void **state)
{
    char            text[800];
    size_t          half = (sizeof text - 1) / 2;
    struct tn_offer offer;
    const char     *why = NULL;

    (void)state;
    memset(text, '[', half);
    memset(text + half, ']', half);
    assert_false(tn_offer_read(&offer, &arena, (struct tn_slice){ text, 2 * half }, NULL, &why));
    assert_string_equal(why, "the list is nested deeper than 120 levels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kinds_of_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_screening, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_findings_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_saved_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deep_lists, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
