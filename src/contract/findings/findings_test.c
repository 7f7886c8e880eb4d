/* findings_test.c - hostile texts in every form, bounds, and refused memory. */
#include "contract/findings/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <yyjson.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HOSTILE         "a\x1b[31m\r\n\t\x01\x7f\"\\<&>]]>\xff\xc3\xed\xa0\x80\xe2\x80\xae\xef\xbf\xbe\xef\xbf\xbf e"
#define MANY            (FINDINGS_MAX + 1)

static const struct tn_finding_rule rules[] = {
    { "first-rule", "The \"first\" rule.", LEVEL_ERROR },
    { "second-rule", "The second rule.", LEVEL_NOTE },
};

static struct tn_arena    arena;
static struct tn_findings found;
static struct tn_buf      out;

static void begin(const tenon_allocator *memory)
{
    tn_arena_init(&arena, memory, 0);
    tn_findings_init(&found, &arena, "lint", rules, COUNT_OF(rules));
    tn_buf_init(&out, &arena, 0, FINDINGS_OUT_MAX);
}

static int set_up(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);

    (void)state;
    begin(&memory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tn_arena_free(&arena);
    return 0;
}

static struct tn_finding hostile(void)
{
    struct tn_slice text = SLICE_LIT(HOSTILE);

    return (struct tn_finding){ .level   = LEVEL_ERROR,
                                .tool    = text,
                                .place   = text,
                                .subject = text,
                                .message = text,
                                .witness = SLICE_LIT("{\n\"a\":\"\\u0000\"}"),
                                .why     = text,
                                .repair  = text,
                                .repeat  = text,
                                .client  = text,
                                .line    = 3 };
}

static const char *write(enum tn_findings_form form)
{
    out.len = 0;
    tn_findings_write(&out, &found, form, false);
    assert_false(out.failed);
    return tn_buf_end(&out);
}

/* Characters that no form may have as they are. */
static void assert_tame(struct tn_slice text)
{
    bool is_json = text.at[0] == '{', is_xml = text.at[0] == '<';

    for (size_t i = 0; i < text.len;) {
        uint32_t code = 0;
        size_t   len  = tn_utf8_read(text.at + i, text.len - i, &code);

        assert_true(len > 0);
        assert_true(code >= 0x20 || code == '\n');
        assert_true(is_json || code != 0x7F);
        assert_true(!is_xml || (code != 0xFFFE && code != 0xFFFF));
        i += len;
    }
}

static yyjson_doc *read_json(const char *text)
{
    yyjson_doc *doc = yyjson_read(text, strlen(text), 0);

    assert_non_null(doc);
    return doc;
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

static void test_lines_stay_lines(void **state)
{
    struct tn_finding one   = hostile();
    size_t            lines = 0;

    (void)state;
    found.summary = SLICE_LIT("1\nerror");
    tn_findings_add(&found, &one);
    assert_tame(tn_slice_of(write(FINDINGS_TEXT)));
    for (size_t i = 0; i < out.len; i++)
        lines += out.at[i] == '\n';
    assert_int_equal(lines, 6); /* it, its witness, why, repair, repeat; and the summary */
    assert_non_null(strstr(out.at, "1\\nerror\n"));
    assert_null(strstr(out.at, "\xe2\x80\xae"));
}

static void test_what_is_found_reads_well(void **state)
{
    struct tn_finding one = { .level   = LEVEL_WARNING,
                              .tool    = SLICE_LIT("send"),
                              .place   = SLICE_LIT("/inputSchema/properties/to"),
                              .message = SLICE_LIT("has no type"),
                              .client  = SLICE_LIT("gemini"),
                              .repair  = SLICE_LIT("say its type") };

    (void)state;
    tn_findings_add(&found, &one);
    one = (struct tn_finding){ .level   = LEVEL_ERROR,
                               .class_  = "BREAKING",
                               .subject = SLICE_LIT("to"),
                               .message = SLICE_LIT("is required now") };
    tn_findings_add(&found, &one);
    tn_findings_sort(&found);
    assert_string_equal(write(FINDINGS_TEXT),
                        "BREAKING  server: to is required now\n"
                        "warning   send [gemini]: /inputSchema/properties/to has no type\n"
                        "          repair: say its type\n");
}

static void test_json_is_json(void **state)
{
    struct tn_finding one = hostile();
    yyjson_doc       *doc;
    yyjson_val       *first;

    (void)state;
    found.file   = "a\"b\x01";
    found.target = SLICE_LIT(HOSTILE);
    tn_findings_add(&found, &one);
    assert_tame(tn_slice_of(write(FINDINGS_JSON)));
    doc   = read_json(out.at);
    first = yyjson_arr_get_first(yyjson_obj_get(yyjson_doc_get_root(doc), "findings"));
    assert_string_equal(yyjson_get_str(yyjson_obj_get(first, "rule")), "first-rule");
    assert_true(yyjson_is_obj(yyjson_obj_get(first, "witness")));
    assert_true(yyjson_get_bool(yyjson_obj_get(yyjson_doc_get_root(doc), "failed")));
    yyjson_doc_free(doc);
}

static void test_sarif_names_the_program(void **state)
{
    struct tn_finding one = hostile();
    yyjson_doc       *doc;
    yyjson_val       *driver, *result;

    (void)state;
    found.file = "a folder/\"tools\".json";
    tn_findings_add(&found, &one);
    assert_tame(tn_slice_of(write(FINDINGS_SARIF)));
    doc    = read_json(out.at);
    driver = yyjson_ptr_get(yyjson_doc_get_root(doc), "/runs/0/tool/driver");
    assert_string_equal(yyjson_get_str(yyjson_obj_get(driver, "version")), tenon_version());
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(driver, "rules")), COUNT_OF(rules));
    result = yyjson_ptr_get(yyjson_doc_get_root(doc), "/runs/0/results/0");
    assert_string_equal(yyjson_get_str(
                            yyjson_ptr_get(result, "/locations/0/physicalLocation/artifactLocation/uri")),
                        "a%20folder/%22tools%22.json");
    assert_int_equal(
        yyjson_get_uint(yyjson_ptr_get(result, "/locations/0/physicalLocation/region/startLine")), 3);
    yyjson_doc_free(doc);
}

/* What dismisses a finding is what it is about, not its words. */
static void test_fingerprints_are_of_the_place(void **state)
{
    struct tn_finding one = { .tool = SLICE_LIT("a"), .place = SLICE_LIT("/b"), .message = SLICE_LIT("x") };
    const char       *texts[4];
    yyjson_doc       *doc;

    (void)state;
    tn_findings_add(&found, &one);
    one.message = SLICE_LIT("y");
    tn_findings_add(&found, &one);
    one.tool  = SLICE_LIT("a/");
    one.place = SLICE_LIT("b");
    tn_findings_add(&found, &one);
    one.rule = 1;
    tn_findings_add(&found, &one);
    doc = read_json(write(FINDINGS_SARIF));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char pointer[64];

        snprintf(pointer, sizeof pointer, "/runs/0/results/%zu/partialFingerprints/tenon~1v1", i);
        texts[i] = yyjson_get_str(yyjson_ptr_get(yyjson_doc_get_root(doc), pointer));
        assert_non_null(texts[i]);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[1], texts[2]);
    assert_string_not_equal(texts[2], texts[3]);
    yyjson_doc_free(doc);
}

static void test_junit_has_a_test_for_each(void **state)
{
    struct tn_finding one = hostile();

    (void)state;
    tn_findings_check(&found, SLICE_LIT("fine"));
    tn_findings_check(&found, one.tool);
    tn_findings_add(&found, &one);
    one.level = LEVEL_NOTE;
    tn_findings_add(&found, &one);
    assert_tame(tn_slice_of(write(FINDINGS_JUNIT)));
    assert_non_null(
        strstr(out.at, "<testsuites name=\"tenon lint\" tests=\"3\" failures=\"1\" errors=\"0\">"));
    assert_non_null(strstr(out.at, "<testcase classname=\"fine\" name=\"lint\"/>"));
    assert_non_null(
        strstr(out.at, "\\u{1B}[31m&#13;&#10;&#9;\\u{1}\\u{7F}&quot;\\&lt;&amp;&gt;]]&gt;\xEF\xBF\xBD"));
}

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

static void test_what_is_beyond_the_bound_is_counted(void **state)
{
    struct tn_finding one = { .level = LEVEL_ERROR, .tool = SLICE_LIT("t"), .message = SLICE_LIT("m") };

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        tn_findings_add(&found, &one);
    assert_int_equal(found.count, FINDINGS_MAX);
    assert_int_equal(found.dropped, MANY - FINDINGS_MAX);
    assert_int_equal(found.counts[LEVEL_ERROR], MANY);
    assert_non_null(strstr(write(FINDINGS_TEXT), "1 more findings are not shown\n"));
    assert_non_null(strstr(write(FINDINGS_JSON), "\"dropped\":1"));
    assert_non_null(strstr(write(FINDINGS_SARIF), "\"dropped\":1"));
    assert_non_null(strstr(write(FINDINGS_JUNIT), "1 more findings are not shown"));
}

static void test_long_texts_are_cut(void **state)
{
    struct tn_finding one = { .level = LEVEL_ERROR };
    struct tn_buf     text;

    (void)state;
    tn_buf_init(&text, &arena, 0, FINDINGS_TEXT_MAX * 2);
    tn_buf_char(&text, 'x');
    while (text.len < FINDINGS_TEXT_MAX + 10)
        tn_buf_lit(&text, "\xE2\x82\xAC");
    one.message = one.witness = tn_buf_slice(&text);
    tn_findings_add(&found, &one);
    assert_true(found.at[0].message.len <= FINDINGS_TEXT_MAX + 3);
    assert_memory_equal(found.at[0].message.at + found.at[0].message.len - 6, "\xE2\x82\xAC...", 6);
    assert_int_equal(found.at[0].witness.len, 0); /* half of a value is none */
    yyjson_doc_free(read_json(write(FINDINGS_JSON)));
}

static void test_failing_is_by_level(void **state)
{
    struct tn_finding one = { .level = LEVEL_WARNING };

    (void)state;
    tn_findings_add(&found, &one);
    assert_false(tn_findings_fail(&found));
    found.fails = LEVEL_WARNING;
    assert_true(tn_findings_fail(&found));
}

static void test_forms_have_names(void **state)
{
    enum tn_findings_form form = FINDINGS_TEXT;

    (void)state;
    assert_true(tn_findings_form_read("junit", &form));
    assert_int_equal(form, FINDINGS_JUNIT);
    assert_false(tn_findings_form_read("xml", &form));
    assert_false(tn_findings_form_read("", &form));
}

/* Whichever request for memory is refused, it is said, and nothing else happens. */
static void test_memory_that_is_refused_is_said(void **state)
{
    bool refused = true;

    (void)state;
    for (size_t at = 1; refused; at++) {
        struct tn_fault   fault  = { .refuse_at = at };
        tenon_allocator   memory = tn_fault_allocator(&fault);
        struct tn_finding one    = hostile();
        bool              failed;

        begin(&memory);
        for (size_t i = 0; i < 40; i++)
            tn_findings_add(&found, &one);
        tn_findings_check(&found, one.tool);
        tn_findings_sort(&found);
        for (enum tn_findings_form form = FINDINGS_TEXT; form <= FINDINGS_JUNIT; form++)
            tn_findings_write(&out, &found, form, true);
        failed  = out.failed || found.failed;
        refused = fault.refused;
        tn_arena_free(&arena);
        assert_int_equal(failed, refused);
        assert_int_equal(fault.blocks, 0);
        assert_true(at < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_stay_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_found_reads_well, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_json_is_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sarif_names_the_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fingerprints_are_of_the_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_junit_has_a_test_for_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_beyond_the_bound_is_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_texts_are_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failing_is_by_level, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forms_have_names, set_up, tear_down),
        cmocka_unit_test(test_memory_that_is_refused_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
