/* hostile_test.c - schemas and values that are made to do harm: each ends within limits, and says which.
 *
 * Nothing is timed. What would take for ever, or all memory, is stopped by the time that a test has.
 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/schema.h>

/* ---- Text of any length ------------------------------------------------------------------------------------- */

struct text {
    char  *at;
    size_t len, room;
};

static void add(struct text *text, const char *format, ...)
{
    va_list list, again;
    size_t  len;

    va_start(list, format);
    va_copy(again, list);
    len = (size_t)vsnprintf(NULL, 0, format, list);
    if (text->len + len + 1 > text->room) {
        text->room = (text->room + len + 64) * 2;
        text->at   = realloc(text->at, text->room);
        assert_non_null(text->at);
    }
    vsnprintf(text->at + text->len, len + 1, format, again);
    text->len += len;
    va_end(again);
    va_end(list);
}

static void add_times(struct text *text, const char *what, size_t times)
{
    for (size_t i = 0; i < times; i++)
        add(text, "%s", what);
}

static void drop(struct text *text)
{
    free(text->at);
    *text = (struct text){ 0 };
}

/* ---- Judging ------------------------------------------------------------------------------------------------ */

enum { VALID, INVALID, LIMIT, MISTAKE };

/* What comes of `value` by `schema`, both ways; everything that can be said is asked for. `words` is the first. */
static int outcome(const char *schema_text, size_t schema_len, const char *json, size_t len, char words[2048])
{
    tenon_schema  *schema = tenon_schema_new(schema_text, schema_len, .format_assertion = true);
    tenon_verdict *verdict;
    bool           valid;
    int            out;

    assert_non_null(schema);
    verdict = tenon_verdict_new(schema);
    assert_non_null(verdict);
    valid = tenon_verdict_judge(verdict, json, len);
    assert_false(tenon_verdict_failed(verdict));
    words[0] = '\0';
    out      = valid ? VALID : INVALID;
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        assert_non_null(issue);
        assert_non_null(issue->text);
        assert_true(issue->text[0]);
        assert_non_null(tenon_verdict_place(verdict, i));
        if (i == 0)
            snprintf(words, 2048, "%s", issue->text);
        if (strstr(issue->text, "cannot be validated") || strstr(issue->text, "too long to match") ||
            strstr(issue->text, "is too long, too deep"))
            out = LIMIT;
    }
    assert_non_null(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL));
    if (tenon_schema_error(schema)) {
        snprintf(words, 2048, "%s", tenon_schema_error(schema));
        out = MISTAKE;
    } else {
        assert_int_equal(valid, tenon_verdict_issue_count(verdict) == 0);
    }
    assert_int_equal(tenon_verdict_flag(verdict, json, len), valid);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    return out;
}

static bool is_expected(const char *schema, size_t schema_len, const char *json, size_t len, int want,
                        const char *says)
{
    static const char *const names[] = { "valid", "invalid", "a limit", "a mistake" };
    char                     words[2048];
    int                      got = outcome(schema, schema_len, json, len, words);

    if (got == want && (!says || strstr(words, says)))
        return true;
    print_error("%.200s\n  by %.200s\n  gives %s (%s), not %s (%s)\n", json, schema, names[got], words,
                names[want], says ? says : "");
    return false;
}

static void expect(const char *schema, size_t schema_len, const char *json, size_t len, int want,
                   const char *says)
{
    assert_true(is_expected(schema, schema_len, json, len, want, says));
}

static void expect_text(const struct text *schema, const struct text *json, int want, const char *says)
{
    expect(schema->at, schema->len, json->at, json->len, want, says);
}

static void expect_by(const struct text *schema, const char *json, int want, const char *says)
{
    expect(schema->at, schema->len, json, strlen(json), want, says);
}

static void expect_of(const char *schema, const struct text *json, int want, const char *says)
{
    expect(schema, strlen(schema), json->at, json->len, want, says);
}

/* Skips a test that spends whole budgets of steps: within valgrind that takes minutes, and finds nothing that the small
 * ones and the other builds do not. */
static void needs_speed(void)
{
    if (!getenv("TENON_TEST_WRAPPED"))
        return;
    print_message("SKIPPED: whole budgets of steps take too long within another program.\n");
    skip();
}

/* ---- Small ones --------------------------------------------------------------------------------------------- */

static const struct {
    const char *schema, *json;
    int         want;
    const char *says;
} cases[] = {
    /* references in circles */
    { "{'$ref':'#'}", "1", LIMIT, "cannot be validated" },
    { "{'$ref':'#','type':'integer'}", "1", LIMIT, "cannot be validated" },
    { "{'not':{'$ref':'#'}}", "1", LIMIT, "cannot be validated" },
    { "{'anyOf':[{'$ref':'#'},true]}", "1", LIMIT, "cannot be validated" },
    { "{'anyOf':[true,{'$ref':'#'}]}", "1", VALID, NULL },
    { "{'if':{'$ref':'#'}}", "1", LIMIT, "cannot be validated" },
    { "{'not':{'not':{'$ref':'#'}}}", "1", LIMIT, "cannot be validated" },
    { "{'dependentSchemas':{'a':{'$ref':'#'}}}", "{'a':1}", LIMIT, "cannot be validated" },
    { "{'propertyNames':{'$ref':'#'}}", "{'a':{'b':1}}", VALID, NULL },
    { "{'contains':{'$ref':'#'}}", "[[[]]]", INVALID, NULL },
    { "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}}", "1", LIMIT,
      "cannot" },
    { "{'$defs':{'a':{'allOf':[{'$ref':'#/$defs/b'}]},'b':{'oneOf':[{'$ref':'#/$defs/a'}]}},'$ref':'#/$defs/"
      "a'}",
      "1", LIMIT, "cannot be validated" },
    { "{'$id':'https://example.org/a','$dynamicAnchor':'x','$dynamicRef':'#x'}", "1", LIMIT,
      "cannot be validated" },
    { "{'$id':'https://example.org/a','$dynamicAnchor':'x','not':{'$dynamicRef':'#x'}}", "1", LIMIT,
      "cannot" },
    { "{'$id':'https://example.org/a','$dynamicAnchor':'x','items':{'$dynamicRef':'#x'},'type':'array'}",
      "[[[[]]]]", VALID, NULL },
    { "{'unevaluatedProperties':{'$ref':'#'}}", "{'a':{'b':{}}}", VALID, NULL },
    { "{'$ref':'#','unevaluatedProperties':false}", "{'a':1}", LIMIT, "cannot be validated" },
    { "{'$ref':'#/properties/a','properties':{'a':{'$ref':'#'}}}", "{}", LIMIT, "cannot be validated" },

    /* patterns that take too long */
    { "{'pattern':'^(a+)+$'}", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'", LIMIT,
      "too long to match" },
    { "{'not':{'pattern':'^(a+)+$'}}", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'", LIMIT,
      "cannot be validated" },
    { "{'patternProperties':{'^(a|a)*$':true}}", "{'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!':1}",
      LIMIT, "cannot be validated" },
    { "{'if':{'pattern':'^(a|aa)+$'},'then':{'type':'null'}}",
      "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'", LIMIT,
      "cannot be validated" },
    { "{'pattern':'^(.*,){20}P'}", "'1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26'",
      INVALID, "must match" },
    { "{'pattern':'('}", "'a'", MISTAKE, "/pattern" },
    { "{'patternProperties':{'[':true}}", "{}", MISTAKE, "/patternProperties" },

    /* identifiers */
    { "{'$defs':{'a':{'$id':'https://example.org/x'},'b':{'$id':'https://example.org/x'}}}", "1", MISTAKE,
      "twice" },
    { "{'$id':'https://example.org/x','$defs':{'b':{'$id':'https://example.org/x'}}}", "1", MISTAKE,
      "twice" },
    { "{'$defs':{'a':{'$anchor':'x'},'b':{'$anchor':'x'}}}", "1", MISTAKE, "twice" },
    { "{'$defs':{'a':{'$anchor':'x'},'b':{'$dynamicAnchor':'x'}}}", "1", MISTAKE, "twice" },
    { "{'$id':'https://example.org/a','$ref':'b','$defs':{'b':{'$id':'b','$ref':'a'}}}", "1", LIMIT,
      "cannot" },
    { "{'$ref':'https://example.org/nowhere'}", "1", MISTAKE, "nothing is registered" },
    { "{'$ref':'#/$defs/nowhere'}", "1", MISTAKE, "leads nowhere" },
    { "{'$ref':'#nowhere'}", "1", MISTAKE, "leads nowhere" },
    { "{'$ref':'#/$defs/%'}", "1", MISTAKE, NULL },
    { "{'$ref':'#/$defs/%zz'}", "1", MISTAKE, NULL },
    { "{'$ref':'#/$defs/a~2b','$defs':{'a~2b':true}}", "1", MISTAKE, NULL },
    { "{'$ref':'#/$defs/a~','$defs':{'a~':true}}", "1", MISTAKE, NULL },
    { "{'$ref':'#/$defs/a~01b','$defs':{'a~1b':{'type':'null'}}}", "1", INVALID, "null" },
    { "{'$ref':'#/$defs/a~1b~0c','$defs':{'a/b~c':{'type':'null'}}}", "1", INVALID, "null" },
    { "{'$ref':'#/$defs/%61%7E1','$defs':{'a/':{'type':'null'}}}", "1", INVALID, "null" },
    { "{'$ref':'#/$defs//x','$defs':{'':{'x':{'type':'null'}}}}", "1", INVALID, "null" },
    { "{'$ref':'#/prefixItems/01','prefixItems':[true,true]}", "1", MISTAKE, NULL },
    { "{'$ref':'#/prefixItems/-1','prefixItems':[true,true]}", "1", MISTAKE, NULL },
    { "{'$ref':'#/prefixItems/99999999999999999999999','prefixItems':[true,true]}", "1", MISTAKE, NULL },
    { "{'$ref':'#/type','type':'string'}", "1", MISTAKE, "a schema is" },
    { "{'$ref':5}", "1", MISTAKE, "must be a string" },
    { "{'$ref':''}", "1", LIMIT, "cannot be validated" },
    { "{'$ref':'://'}", "1", MISTAKE, NULL },
    { "{'$schema':'https://example.org/unknown'}", "1", MISTAKE, "dialect" },
    { "{'$schema':'https://json-schema.org/draft/2020-12/schema','$id':''}", "1", VALID, NULL },

    /* numbers */
    { "{'multipleOf':1e-300}", "1e300", VALID, NULL },
    { "{'multipleOf':0.1}", "1e1000000000", VALID, NULL },
    { "{'multipleOf':7}", "1e999999999999999999999999", INVALID, NULL },
    { "{'maximum':1e999999999999999999}", "1e999999999999999998", VALID, NULL },
    { "{'minimum':-1e999999999999999999}", "-1e1000000000000000000000", INVALID, NULL },
    { "{'type':'integer'}", "1e999999999999", VALID, NULL },
    { "{'const':1e1000}", "10e999", VALID, NULL },
    { "{'multipleOf':0}", "1", MISTAKE, "greater than 0" },
    { "{'multipleOf':1e-1000000000000000000000}", "3", MISTAKE, "greater than 0" }, /* read as 0 */
    { "{'maxLength':1e30}", "'a'", VALID, NULL },
    { "{'minLength':99999999999999999999}", "'a'", INVALID, NULL },
    { "{'minItems':-1}", "[]", MISTAKE, "not negative" },
    { "{'maxItems':0.5}", "[]", MISTAKE, "not negative" },
    { "{'minContains':1e400,'contains':true}", "[1]", INVALID, NULL },

    /* schemas that are none */
    { "[]", "1", MISTAKE, "a schema is" },
    { "5", "1", MISTAKE, "a schema is" },
    { "{'properties':[]}", "1", MISTAKE, "#/properties" },
    { "{'allOf':[]}", "1", MISTAKE, "#/allOf" },
    { "{'allOf':{}}", "1", MISTAKE, "#/allOf" },
    { "{'items':[true]}", "1", MISTAKE, "prefixItems" },
    { "{'required':'a'}", "1", MISTAKE, "#/required" },
    { "{'required':[1]}", "1", MISTAKE, "#/required" },
    { "{'enum':1}", "1", MISTAKE, "#/enum" },
    { "{'type':'strnig'}", "1", MISTAKE, "must be one of" },
    { "{'type':[]}", "1", MISTAKE, NULL },
    { "{'$defs':{'a':5},'$ref':'#/$defs/a'}", "1", MISTAKE, "a schema is" },
    { "", "1", MISTAKE, "not JSON" },
    { "{", "1", MISTAKE, "not JSON" },

    /* names twice, empty and odd */
    { "{'type':'string','type':'integer'}", "1", MISTAKE, "#/type: stands twice" },
    { "{'patternProperties':{'a':true},'patternProperties':{'a':true,'b':true}}", "{}", MISTAKE,
      "stands twice" },
    { "{'properties':{'a':true},'properties':{'a':false}}", "{}", MISTAKE, "stands twice" },
    { "{'properties':{'a':true,'a':false}}", "{'a':1}", INVALID, NULL },
    { "{'required':['a','a'],'properties':{'a':true}}", "{'a':1,'a':2}", VALID, NULL },
    { "{'properties':{'':{'type':'null'}},'required':['']}", "{'':1}", INVALID, NULL },
    { "{'additionalProperties':false}", "{'\\u0000':1,'\\u202e':2}", INVALID, NULL },
};

/* JSON with ' for ", so that it can be read. */
static char *quoted(const char *text)
{
    char *copy = strdup(text);

    assert_non_null(copy);
    for (char *at = copy; *at; at++)
        if (*at == '\'')
            *at = '"';
    return copy;
}

static void small_ones(void **state)
{
    bool fine = true;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *schema = quoted(cases[i].schema), *json = quoted(cases[i].json);

        fine &= is_expected(schema, strlen(schema), json, strlen(json), cases[i].want, cases[i].says);
        free(schema);
        free(json);
    }
    assert_true(fine);
}

/* ---- More ways than there is time for ------------------------------------------------------------------------ */

/* `levels` schemas that each apply the next one twice. */
static void add_doubling(struct text *schema, const char *keyword, unsigned levels, const char *last)
{
    add(schema, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (unsigned i = 0; i < levels; i++)
        add(schema, "\"d%u\":{\"%s\":[{\"$ref\":\"#/$defs/d%u\"},{\"$ref\":\"#/$defs/d%u\"}]},", i, keyword,
            i + 1, i + 1);
    add(schema, "\"d%u\":%s}}", levels, last);
}

static void exponential(void **state)
{
    static const struct {
        const char *keyword, *last;
        int         want;
    } ways[] = {
        { "allOf", "true", LIMIT },  { "anyOf", "false", LIMIT }, { "oneOf", "true", LIMIT },
        { "oneOf", "false", LIMIT }, { "anyOf", "true", VALID },  { "allOf", "false", INVALID },
    };

    (void)state;
    needs_speed();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct text schema = { 0 };

        add_doubling(&schema, ways[i].keyword, 30, ways[i].last);
        expect_by(&schema, "1", ways[i].want, NULL);
        drop(&schema);
    }
}

/* The same, where the value goes deeper at each step. */
static void exponential_items(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    needs_speed();
    add(&schema, "{\"allOf\":[{\"items\":{\"$ref\":\"#\"}},{\"items\":{\"$ref\":\"#\"}}]}");
    add_times(&json, "[", 60);
    add_times(&json, "]", 60);
    expect_text(&schema, &json, LIMIT, "cannot be validated");
    drop(&schema);
    add(&schema, "{\"anyOf\":[{\"items\":{\"$ref\":\"#\"},\"minItems\":1},{\"items\":{\"$ref\":\"#\"},"
                 "\"minItems\":1}],\"type\":\"array\"}");
    expect_text(&schema, &json, LIMIT, "cannot be validated");
    drop(&schema);
    drop(&json);
}

/* Work that grows with the value is counted, however few the schemas are. */
static void wide_times_wide(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    needs_speed();
    add(&schema,
        "{\"$defs\":{\"a\":{\"additionalProperties\":{\"type\":\"integer\"},\"items\":{\"type\":\"integer\"},"
        "\"uniqueItems\":true}},\"allOf\":[");
    for (size_t i = 0; i < 20000; i++)
        add(&schema, "%s{\"$ref\":\"#/$defs/a\"}", i ? "," : "");
    add(&schema, "]}");
    add(&json, "[");
    for (size_t i = 0; i < 100000; i++)
        add(&json, "%s%zu", i ? "," : "", i);
    add(&json, "]");
    expect_text(&schema, &json, LIMIT, "cannot be validated");
    drop(&json);
    add(&json, "{");
    for (size_t i = 0; i < 100000; i++)
        add(&json, "%s\"m%zu\":%zu", i ? "," : "", i, i);
    add(&json, "}");
    expect_text(&schema, &json, LIMIT, "cannot be validated");
    drop(&schema);
    drop(&json);
}

static void deep_constants(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    needs_speed();
    add_times(&json, "[", 200);
    add(&json, "1");
    add_times(&json, "]", 200);
    add(&schema, "{\"const\":%s,\"enum\":[%s,%s]}", json.at, json.at, "2");
    expect_text(&schema, &json, VALID, NULL);
    drop(&schema);
    drop(&json);
    add(&json, "[");
    for (size_t i = 0; i < 100000; i++)
        add(&json, "%s{\"a\":%zu,\"b\":[]}", i ? "," : "", i);
    add(&json, "]");
    add(&schema, "{\"$defs\":{\"a\":{\"const\":%s}},\"allOf\":[", json.at);
    for (size_t i = 0; i < 5000; i++)
        add(&schema, "%s{\"$ref\":\"#/$defs/a\"}", i ? "," : "");
    add(&schema, "]}");
    expect_text(&schema, &json, LIMIT, "cannot be validated");
    drop(&schema);
    drop(&json);
}

/* ---- Large ones --------------------------------------------------------------------------------------------- */

static void deep_schemas(void **state)
{
    static const size_t depths[] = { 50, 100000 };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct text schema = { 0 };

        add_times(&schema, "{\"not\":", depths[i]);
        add(&schema, "false");
        add_times(&schema, "}", depths[i]);
        expect_by(&schema, "1", i == 0 ? INVALID : MISTAKE, i == 0 ? NULL : "too deep");
        drop(&schema);
    }
}

static void long_chain_of_references(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (size_t i = 0; i < 50000; i++)
        add(&schema, "\"d%zu\":{\"$ref\":\"#/$defs/d%zu\"},", i, i + 1);
    add(&schema, "\"d50000\":true}}");
    expect_by(&schema, "1", MISTAKE, "nests deeper");
    drop(&schema);
}

static void deep_values(void **state)
{
    struct text json = { 0 };

    (void)state;
    add_times(&json, "[", 100000);
    add_times(&json, "]", 100000);
    expect_of("{\"items\":{\"$ref\":\"#\"}}", &json, LIMIT, "too deep");
    drop(&json);
    add_times(&json, "{\"a\":", 200);
    add(&json, "1");
    add_times(&json, "}", 200);
    expect_of("{\"additionalProperties\":{\"$ref\":\"#\"}}", &json, VALID, NULL);
    expect_of("{\"additionalProperties\":{\"$ref\":\"#\"},\"type\":\"object\"}", &json, INVALID, "object");
    drop(&json);
}

static void long_enum(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"enum\":[");
    for (size_t i = 0; i < 200000; i++)
        add(&schema, "%s\"value-%zu\"", i ? "," : "", i);
    add(&schema, "]}");
    expect_by(&schema, "\"value-199999\"", VALID, NULL);
    expect_by(&schema, "\"value-200000\"", INVALID, NULL);
    drop(&schema);
}

static void many_properties(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    add(&schema, "{\"additionalProperties\":false,\"properties\":{");
    add(&json, "{");
    for (size_t i = 0; i < 100000; i++) {
        add(&schema, "%s\"name-%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
        add(&json, "%s\"name-%zu\":%zu", i ? "," : "", 99999 - i, i);
    }
    add(&schema, "},\"required\":[");
    for (size_t i = 0; i < 100000; i++)
        add(&schema, "%s\"name-%zu\"", i ? "," : "", i);
    add(&schema, "]}");
    add(&json, "}");
    expect_text(&schema, &json, VALID, NULL);
    expect_by(&schema, "{}", INVALID, "name-0");
    json.at[json.len - 1] = ',';
    add(&json, "\"nmae-7\":1}");
    expect_text(&schema, &json, INVALID, "nmae-7");
    drop(&schema);
    drop(&json);
}

static void too_many_schemas(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"allOf\":[");
    for (size_t i = 0; i < 250000; i++)
        add(&schema, "%s{\"type\":\"integer\"}", i ? "," : "");
    add(&schema, "]}");
    expect_by(&schema, "1", MISTAKE, "subschemas");
    drop(&schema);
}

/* Every reference looks for one of many names. */
static void many_references(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$defs\":{");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s\"d%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&schema, "},\"allOf\":[");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s{\"$ref\":\"#/$defs/d%zu\"}", i ? "," : "", 59999 - i);
    add(&schema, "]}");
    expect_by(&schema, "1", VALID, NULL);
    expect_by(&schema, "\"a\"", INVALID, NULL);
    drop(&schema);
}

static void many_anchors(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$defs\":{");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s\"d%zu\":{\"$anchor\":\"a%zu\"}", i ? "," : "", i, i);
    add(&schema, "},\"allOf\":[");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s{\"$ref\":\"#a%zu\"}", i ? "," : "", i);
    add(&schema, "]}");
    expect_by(&schema, "1", VALID, NULL);
    drop(&schema);
}

static void many_resources(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$id\":\"https://example.org/\",\"$defs\":{");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s\"d%zu\":{\"$id\":\"r%zu\",\"$dynamicAnchor\":\"x\"}", i ? "," : "", i, i);
    add(&schema, "},\"allOf\":[");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s{\"$dynamicRef\":\"r%zu#x\"}", i ? "," : "", i);
    add(&schema, "]}");
    expect_by(&schema, "1", VALID, NULL);
    drop(&schema);
}

/* A long name above many schemas must not be kept once for each of them. */
static void long_places(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"properties\":{\"");
    add_times(&schema, "n", 8000);
    add(&schema, "\":{\"properties\":{");
    for (size_t i = 0; i < 100000; i++)
        add(&schema, "%s\"p%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&schema, "}}}}");
    expect_by(&schema, "{}", VALID, NULL);
    drop(&schema);
}

static void patterns_times_members(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    add(&schema, "{\"patternProperties\":{");
    for (size_t i = 0; i < 500; i++)
        add(&schema, "%s\"^p%zu(a|b)*$\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&schema, "}}");
    add(&json, "{");
    for (size_t i = 0; i < 2000; i++)
        add(&json, "%s\"p%zuab\":%zu", i ? "," : "", i % 500, i);
    add(&json, "}");
    expect_text(&schema, &json, VALID, NULL);
    drop(&json);
    drop(&schema);
}

static void long_texts(void **state)
{
    struct text json = { 0 };

    (void)state;
    add(&json, "\"");
    add_times(&json, "0123456789abcdef", 65536);
    add(&json, "\"");
    expect_of("{\"minLength\":1048576,\"maxLength\":1048576,\"pattern\":\"^[0-9a-f]*$\"}", &json, VALID,
              NULL);
    expect_of("{\"maxLength\":1048575}", &json, INVALID, NULL);
    expect_of("{\"enum\":[\"a\"],\"const\":\"b\",\"not\":{\"minLength\":1}}", &json, INVALID, NULL);
    expect_of("{\"pattern\":\"(0|1)*x$\"}", &json, INVALID, "must match");
    expect_of("{\"pattern\":\"(?=[0-9a-f]*x)\"}", &json, LIMIT, "too long to match");
    for (size_t i = 0; i < 6; i++) {
        static const char *const formats[] = {
            "uri", "email", "hostname", "date-time", "ipv6", "json-pointer"
        };
        char schema[64];

        snprintf(schema, sizeof schema, "{\"format\":\"%s\"}", formats[i]);
        expect_of(schema, &json, INVALID, NULL);
    }
    drop(&json);
}

/* Names and patterns that are longer than any sentence. */
static void long_sentences(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    add(&schema, "{\"pattern\":\"^x");
    add_times(&schema, "\\u00e9", 1300);
    add(&schema, "\",\"additionalProperties\":{\"type\":\"null\"},\"required\":[\"");
    add_times(&schema, "n", 5000);
    add(&schema, "\"]}");
    expect_by(&schema, "\"a\"", INVALID, "must match the pattern");
    expect_by(&schema, "{}", INVALID, "nnn");
    add(&json, "{\"");
    add_times(&json, "\\u00e9", 5000);
    add(&json, "\":{\"b\":1}}");
    expect_text(&schema, &json, INVALID, NULL);
    drop(&schema);
    drop(&json);
}

/* ---- Equality ----------------------------------------------------------------------------------------------- */

static void many_items(void **state)
{
    (void)state;
    needs_speed();
    for (unsigned form = 0; form < 5; form++) {
        struct text json = { 0 };

        add(&json, "[");
        for (size_t i = 0; i < 200000; i++) {
            add(&json, "%s", i ? "," : "");
            switch (form) {
            case 0: add(&json, "%zu", i); break;
            case 1: add(&json, "\"item-%zu\"", i); break;
            case 2: add(&json, "{\"a\":%zu,\"b\":[1,2]}", i); break;
            case 3: add(&json, "[[%zu]]", i); break;
            default: add(&json, "%zu.5", i); break;
            }
        }
        add(&json, "]");
        expect_of("{\"uniqueItems\":true}", &json, VALID, NULL);
        json.at[json.len - 1] = ',';
        add(&json, "null,null]");
        expect_of("{\"uniqueItems\":true}", &json, INVALID, NULL);
        drop(&json);
    }
}

/* The hash of a text takes words of eight bytes: (h ^ w) * K, then a shift. For each first word there is a second that
 * leads to the same hash: what is wanted after the second step, undone. */
#define MULTIPLIER UINT64_C(0x9E3779B97F4A7C15)

static uint64_t mix(uint64_t hash, uint64_t word, unsigned shift)
{
    hash = (hash ^ word) * MULTIPLIER;
    return hash ^ hash >> shift;
}

/* 16 bytes of ASCII whose first 8 are `first`, or false when the second 8 would not be ASCII. */
static bool colliding(uint64_t start, uint64_t first, uint64_t wanted, unsigned shift, char out[17])
{
    uint64_t second = mix(start, first, shift) ^ wanted;

    memcpy(out, &first, 8);
    memcpy(out + 8, &second, 8);
    out[16] = '\0';
    for (size_t i = 8; i < 16; i++)
        if (out[i] < ' ' || out[i] > '~' || out[i] == '"' || out[i] == '\\')
            return false;
    return true;
}

/* Finds texts of one hash by chance: the second word must be ASCII, which one in a few thousand is. */
static size_t add_colliding(struct text *json, uint64_t start, unsigned shift, size_t count, const char *form)
{
    uint64_t wanted = mix(start, UINT64_C(0x6161616161616161), shift) ^ UINT64_C(0x6262626262626262);
    size_t   found  = 0;

    for (uint64_t i = 0; found < count && i < UINT64_C(400000000); i++) {
        uint64_t first = 0;
        char     text[17];

        for (unsigned k = 0; k < 8; k++)
            first |= (UINT64_C(0x41) + (i >> 5 * k & 31) % 26 + (i >> 5 * k & 31) / 26 * 32) << 8 * k;
        if (!colliding(start, first, wanted, shift, text))
            continue;
        add(json, "%s\"%s\"%s", found ? "," : "", text, form);
        found++;
    }
    return found;
}

static void colliding_items(void **state)
{
    struct text json = { 0 }, schema = { 0 };
    uint64_t    start = mix(5, 16, 29); /* as same.c begins a text of 16 bytes */

    (void)state;
    needs_speed();
    add(&json, "[");
    add_colliding(&json, start, 29, 20000, "");
    add(&json, "]");
    expect_of("{\"uniqueItems\":true}", &json, VALID, NULL);
    add(&schema, "{\"enum\":%s}", json.at);
    outcome(schema.at, schema.len, "\"a\"", 3, (char[2048]){ 0 });
    drop(&schema);
    drop(&json);
}

static void colliding_names(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"properties\":{");
    add_colliding(&schema, 16, 32, 20000, ":true"); /* as property.h begins a name of 16 bytes */
    add(&schema, "}}");
    outcome(schema.at, schema.len, "{}", 2, (char[2048]){ 0 });
    drop(&schema);
}

/* {"k0":form,"k1":form,...} */
static void add_members(struct text *text, char letter, size_t count, const char *form)
{
    add(text, "{");
    for (size_t i = 0; i < count; i++)
        add(text, "%s\"%c%zu\":%s", i ? "," : "", letter, i, form);
    add(text, "}");
}

/* Everything that a schema names is looked for in a value that has as much. */
static void names_times_members(void **state)
{
    static const struct { const char *begin, *form; char letter; const char *value; int want; bool mended; } tables[] = {
        { "{\"dependentSchemas\":",  "{\"required\":[\"z\"]}",             'j', "1",      LIMIT,   false },
        { "{\"dependentRequired\":", "[\"z\"]",                            'k', "1",      INVALID, false },
        { "{\"patternProperties\":", "{}",                                 'j', "1",      LIMIT,   false },
        { "{\"properties\":",        "{\"type\":\"integer\",\"default\":1}", 'j', "1",      VALID,   true  },
        { "{\"properties\":",        "{\"type\":\"integer\",\"default\":1}", 'k', "\"1\"",  INVALID, true  },
        { "{\"properties\":",        "{\"type\":\"integer\"}",             'k', "null",   INVALID, true  },
    };

    (void)state;
    needs_speed();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct text    schema = { 0 }, json = { 0 };
        tenon_schema  *compiled;
        tenon_verdict *verdict;
        size_t         len = 0;

        add(&schema, "%s", tables[i].begin);
        add_members(&schema, 'k', 15000, tables[i].form);
        add(&schema, "}");
        add_members(&json, tables[i].letter, 15000, tables[i].value);
        expect_text(&schema, &json, tables[i].want, NULL);
        compiled = tenon_schema_new(schema.at, schema.len);
        verdict  = tenon_verdict_new(compiled);
        assert_non_null(verdict);
        tenon_verdict_repair(verdict, json.at, json.len, &len);
        assert_int_equal(len > 0, tables[i].mended);
        tenon_verdict_free(verdict);
        tenon_schema_free(compiled);
        drop(&schema);
        drop(&json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_times_members),
        cmocka_unit_test(small_ones),
        cmocka_unit_test(exponential),
        cmocka_unit_test(exponential_items),
        cmocka_unit_test(wide_times_wide),
        cmocka_unit_test(deep_constants),
        cmocka_unit_test(deep_schemas),
        cmocka_unit_test(long_chain_of_references),
        cmocka_unit_test(deep_values),
        cmocka_unit_test(long_enum),
        cmocka_unit_test(many_properties),
        cmocka_unit_test(too_many_schemas),
        cmocka_unit_test(many_references),
        cmocka_unit_test(many_anchors),
        cmocka_unit_test(many_resources),
        cmocka_unit_test(long_places),
        cmocka_unit_test(patterns_times_members),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(long_sentences),
        cmocka_unit_test(many_items),
        cmocka_unit_test(colliding_items),
        cmocka_unit_test(colliding_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
