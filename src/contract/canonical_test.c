/* canonical_test.c - one form for each value, whatever it was written like. */
#include "contract/canonical.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contract/definition.h"
#include "contract/number_form.h"

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

static enum tn_canonical form_of(struct tn_slice text, const char **form)
{
    yyjson_val       *value;
    enum tn_canonical fault = tn_canonical_read(&arena, text, CANONICAL_DEPTH_MAX, &value);
    struct tn_buf     out;

    tn_buf_init(&out, &arena, 0, CANONICAL_BYTES_MAX);
    if (fault == CANONICAL_FINE)
        fault = tn_canonical_write(&out, &arena, value);
    *form = tn_buf_end(&out);
    return fault;
}

static void test_numbers(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "0", "0" },          { "-0", "0" },         { "-0.0", "0" },       { "0e999999999999999999999", "0" },
        { "0.000", "0" },      { "1", "1" },          { "1.10", "1.1" },     { "1.1", "1.1" },
        { "11e-1", "1.1" },    { "0.11E+1", "1.1" },  { "1.0", "1" },        { "100", "100" },
        { "1e2", "100" },      { "1000", "1e3" },     { "1e3", "1e3" },      { "1.0E+03", "1e3" },
        { "1e400", "1e400" },  { "10e399", "1e400" }, { "-1e400", "-1e400" },{ "0.1", "0.1" },
        { "0.01", "0.01" },    { "0.001", "1e-3" },   { "1e-2", "0.01" },    { "0.0012", "12e-4" },
        { "12345678901234567890", "12345678901234567890" }, { "12345678901234567891", "12345678901234567891" },
        { "1e-400", "1e-400" },{ "-12.50", "-12.5" }, { "10.01", "10.01" },  { "0.10", "0.1" },
        { "1200", "1200" },    { "12000", "12e3" },   { "9007199254740993", "9007199254740993" },
        { "9007199254740993.0", "9007199254740993" }, { "1e1000000000000000", "1e1000000000000000" },
        { "100.0e-2", "1" },   { "0.5e1", "5" },      { "505e-2", "5.05" },  { "1e+0", "1" },
    };
    const char *form;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(form_of(tn_slice_of(cases[i].text), &form), CANONICAL_FINE);
        assert_string_equal(form, cases[i].want);
    }
    assert_int_equal(form_of(SLICE_LIT("1e1000000000000001"), &form), CANONICAL_NUMBER);
    assert_int_equal(form_of(SLICE_LIT("[1e-99999999999999999999]"), &form), CANONICAL_NUMBER);
}

static void test_values(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { " { \"b\" : 1 , \"a\" : [ ] } ", "{\"a\":[],\"b\":1}" },
        { "{\"\\u0062\":1,\"a\":{}}", "{\"a\":{},\"b\":1}" },
        { "\"\\u0041\\/\\u000a\\u0008\\u001F\"", "\"A/\\n\\b\\u001f\"" },
        { "\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\"" },
        { "\"a\\ud83d b\\udc00\"", "\"a\\ud83d b\\udc00\"" },
        { "\"\\uD83D\"", "\"\\ud83d\"" },
        { "{\"\xEF\xBF\xBF\":1,\"\\ud800\\udc00\":2,\"Z\":3,\"aa\":4,\"a\":5}",
          "{\"Z\":3,\"a\":5,\"aa\":4,\"\xEF\xBF\xBF\":1,\"\xF0\x90\x80\x80\":2}" },
        { "[true,false,null,\"\\u007f\"]", "[true,false,null,\"\x7F\"]" },
        { "{\"\":{\"\":0}}", "{\"\":{\"\":0}}" },
        { "\"a\\u0000b\"", "\"a\\u0000b\"" },
    };
    const char *form;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(form_of(tn_slice_of(cases[i].text), &form), CANONICAL_FINE);
        assert_string_equal(form, cases[i].want);
    }
}

static void test_what_has_no_form(void **state)
{
    static const struct { const char *text; enum tn_canonical want; } cases[] = {
        { "{\"a\":1,\"a\":1}", CANONICAL_TWICE }, { "[{\"b\":{\"a\":1,\"c\":2,\"\\u0061\":1}}]", CANONICAL_TWICE },
        { "{\"a\":1", CANONICAL_SYNTAX },         { "", CANONICAL_SYNTAX },
        { "\"\xED\xA0\x80\"", CANONICAL_TEXT },   { "\"\xFF\"", CANONICAL_TEXT },
        { "{}{}", CANONICAL_SYNTAX },             { "01", CANONICAL_SYNTAX },
    };
    const char *form;
    char        deep[2 * CANONICAL_DEPTH_MAX + 3];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(form_of(tn_slice_of(cases[i].text), &form), cases[i].want);
    memset(deep, '[', CANONICAL_DEPTH_MAX);
    memset(deep + CANONICAL_DEPTH_MAX, ']', CANONICAL_DEPTH_MAX);
    assert_int_equal(form_of((struct tn_slice){ deep, 2 * CANONICAL_DEPTH_MAX }, &form), CANONICAL_FINE);
    memset(deep, '[', CANONICAL_DEPTH_MAX + 1);
    memset(deep + CANONICAL_DEPTH_MAX + 1, ']', CANONICAL_DEPTH_MAX + 1);
    assert_int_equal(form_of((struct tn_slice){ deep, 2 * CANONICAL_DEPTH_MAX + 2 }, &form),
                     CANONICAL_SYNTAX);
}

/* ---- Whatever it was written like ---------------------------------------------------------------------------- */

static unsigned seed;

static unsigned roll(unsigned below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static void write_space(struct tn_buf *out)
{
    static const char *const spaces[] = { "", "", " ", "\n", "\t \r" };

    tn_buf_text(out, spaces[roll(COUNT_OF(spaces))]);
}

/* A string of ASCII in any of its spellings. */
static void write_text(struct tn_buf *out, const char *text)
{
    tn_buf_char(out, '"');
    for (; *text; text++)
        if (roll(3) == 0)
            tn_buf_addf(out, roll(2) ? "\\u%04x" : "\\u%04X", (unsigned)*text);
        else if (*text == '/' && roll(2))
            tn_buf_lit(out, "\\/");
        else
            tn_buf_char(out, *text);
    tn_buf_char(out, '"');
}

static void write_number(struct tn_buf *out)
{
    static const char *const same[] = { "1234.5",   "12345e-1",   "1.2345E3",
                                        "1234.500", "0.12345e+4", "1234500E-3" };

    tn_buf_text(out, same[roll(COUNT_OF(same))]);
}

/* The same value each time: its members in any order, its spaces, escapes and numbers in any form. */
static void write_any(struct tn_buf *out, unsigned depth)
{
    static const char *const names[] = { "a", "b/c", "description", "type", "z_" };
    unsigned                 first = roll(COUNT_OF(names)), step = 1 + roll(COUNT_OF(names) - 1);

    tn_buf_char(out, '{');
    for (unsigned i = 0, at = first; i < COUNT_OF(names); i++, at = (at + step) % COUNT_OF(names)) {
        write_space(out);
        write_text(out, names[at]);
        write_space(out);
        tn_buf_char(out, ':');
        write_space(out);
        if (at == 1)
            write_number(out);
        else if (at == 3 && depth > 0)
            write_any(out, depth - 1);
        else
            write_text(out, names[(at * 2) % COUNT_OF(names)]);
        write_space(out);
        tn_buf_text(out, i + 1 < COUNT_OF(names) ? "," : "}");
    }
}

static void test_spelling_never_changes_it(void **state)
{
    static char first[10000];
    const char *form;

    (void)state;
    for (seed = 1; seed < 3000;) {
        unsigned      next = seed + 1;
        struct tn_buf out;

        tn_arena_reset(&arena);
        tn_buf_init(&out, &arena, 0, 100000);
        write_any(&out, 4);
        assert_int_equal(form_of(tn_buf_slice(&out), &form), CANONICAL_FINE);
        if (!first[0])
            snprintf(first, sizeof first, "%s", form);
        assert_string_equal(form, first);
        assert_int_equal(form_of(tn_slice_of(form), &form), CANONICAL_FINE); /* and it is its own form */
        assert_string_equal(form, first);
        seed = next;
    }
}

static void test_layout_reads_back(void **state)
{
    static const char want[] =
        "{\n  \"b\": {\n    \"x\": [1.10, \"two\"],\n    \"y\": [\n      {}\n    ]\n  },\n  \"a\": []\n}";
    yyjson_val   *value;
    struct tn_buf out;

    (void)state;
    assert_int_equal(tn_canonical_read(&arena,
                                       SLICE_LIT("{\"b\":{\"x\":[1.10,\"two\"],\"y\":[{}]},\"a\":[]}"),
                                       CANONICAL_DEPTH_MAX, &value),
                     CANONICAL_FINE);
    tn_buf_init(&out, &arena, 0, 10000);
    tn_canonical_lay_out(&out, &arena, value, 0, false);
    assert_string_equal(tn_buf_end(&out), want);
}

/* ---- Definitions ------------------------------------------------------------------------------------------------ */

static const char *hash_of(const char *text, const tenon_strs *unpinned)
{
    struct tn_definition made = tn_definition_read(&arena, KIND_TOOL, tn_slice_of(text), unpinned);

    assert_int_equal(made.fault, CANONICAL_FINE);
    return tn_arena_copy(&arena, made.hash, HASH_LEN);
}

static void test_what_a_hash_covers(void **state)
{
    static const char *const names[] = { "com.example/build" };
    const tenon_strs         some    = { 1, names };
    const char              *plain   = hash_of("{\"name\":\"a\"}", NULL);

    (void)state;
    assert_string_equal(plain, "d9d719b27480b55cd4918020e7473e716ed3569c8adafe926cf9b10b4f8ef064");
    assert_string_equal(plain, hash_of("{\"name\":\"a\",\"_meta\":{\"progressToken\":1}}", NULL));
    assert_string_equal(
        plain, hash_of("{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{}},\"name\":\"a\"}", NULL));
    assert_string_not_equal(plain, hash_of("{\"name\":\"a\",\"_meta\":{\"ui\":{\"resourceUri\":\"ui://a\"}}}",
                                           NULL));
    assert_string_not_equal(plain, hash_of("{\"name\":\"a\",\"_meta\":{\"com.example/build\":1}}", NULL));
    assert_string_equal(plain, hash_of("{\"name\":\"a\",\"_meta\":{\"com.example/build\":1}}", &some));
    assert_string_not_equal(
        plain, hash_of("{\"name\":\"a\",\"inputSchema\":{\"_meta\":{\"progressToken\":1}}}", NULL));
    assert_int_equal(
        tn_definition_read(&arena, KIND_TOOL, SLICE_LIT("{\"name\":\"a\",\"name\":\"b\"}"), NULL).fault,
        CANONICAL_TWICE);
    assert_int_equal(tn_definition_read(&arena, KIND_TOOL, SLICE_LIT("[]"), NULL).fault, CANONICAL_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_has_no_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spelling_never_changes_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_layout_reads_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_a_hash_covers, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
