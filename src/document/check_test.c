/* check_test.c - the quick look sees as valid only what the schema itself does; and the quick pass over arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "document/document.h"
#include "document/quick.h"
#include "json/write.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const schemas[] = {
    "true",
    "false",
    "{}",
    "{\"type\":\"string\"}",
    "{\"type\":\"integer\"}",
    "{\"type\":\"number\"}",
    "{\"type\":[\"string\",\"null\"],\"maxLength\":3}",
    "{\"type\":\"boolean\"}",
    "{\"type\":\"null\"}",
    "{\"type\":\"array\"}",
    "{\"type\":\"object\"}",
    "{\"type\":[\"integer\",\"boolean\"]}",
    "{\"minLength\":1}",
    "{\"minLength\":2,\"maxLength\":4}",
    "{\"minLength\":18446744073709551615}",
    "{\"maxLength\":0}",
    "{\"pattern\":\"^a\"}",
    "{\"minimum\":0}",
    "{\"maximum\":9007199254740992}",
    "{\"maximum\":9007199254740993}",
    "{\"minimum\":-9007199254740993}",
    "{\"exclusiveMinimum\":0}",
    "{\"exclusiveMaximum\":1}",
    "{\"exclusiveMinimum\":0.1,\"maximum\":0.3}",
    "{\"minimum\":1e400}",
    "{\"maximum\":1e-400}",
    "{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}",
    "{\"type\":\"number\",\"minimum\":-1.5}",
    "{\"multipleOf\":2}",
    "{\"minimum\":1,\"exclusiveMinimum\":2}",
    "{\"enum\":[\"a\",\"abc\",\"\"]}",
    "{\"enum\":[\"a\",1,null]}",
    "{\"const\":\"abc\"}",
    "{\"const\":1}",
    "{\"const\":\"abc\",\"enum\":[\"a\"]}",
    "{\"enum\":[\"a\",\"abc\"],\"maxLength\":1}",
    "{\"enum\":[\"a\"],\"type\":\"integer\"}",
    "{\"enum\":[]}",
    "{\"enum\":[\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"a\"]}",
    "{\"items\":{\"type\":\"string\"}}",
    "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"maximum\":2},\"maxItems\":2}",
    "{\"items\":false}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,\"uniqueItems\":true}",
    "{\"items\":{\"enum\":[\"a\",\"b\"]},\"minItems\":1}",
    "{\"prefixItems\":[{\"type\":\"string\"}],\"items\":{\"type\":\"integer\"}}",
    "{\"items\":{\"type\":\"string\"},\"contains\":{\"const\":\"a\"}}",
    "{\"items\":{\"items\":{\"type\":\"integer\"}}}",
    "{\"items\":{\"type\":\"object\"}}",
    "{\"items\":{\"type\":\"string\"},\"maxLength\":1}",
    "{\"properties\":{\"x\":{\"type\":\"integer\"}},\"required\":[\"x\"]}",
    "{\"additionalProperties\":{\"type\":\"string\",\"maxLength\":2}}",
    "{\"$ref\":\"#/$defs/small\"}",
    "{\"$ref\":\"#/$defs/hop\"}",
    "{\"$ref\":\"#/$defs/small\",\"minimum\":2}",
    "{\"$ref\":\"#/$defs/loop\"}",
    "{\"not\":{\"type\":\"string\"}}",
    "{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}",
    "{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}",
    "{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"number\"},{\"type\":\"array\"}]}",
    "{\"oneOf\":[{\"type\":\"number\"},{\"type\":\"string\",\"maxLength\":1},{\"type\":[\"string\",\"null\"]}"
    "]}",
    "{\"oneOf\":[{\"type\":\"object\"},{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},{\"$ref\":\"#/"
    "$defs/hop\"}]}",
    "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"number\",\"minimum\":1},{\"type\":[\"array\",\"boolean\"]"
    "}]}",
    "{\"anyOf\":[{\"type\":\"string\"},{\"enum\":[\"a\"]}],\"oneOf\":[{\"type\":\"string\"},{\"maxLength\":1}"
    "]}",
    "{\"anyOf\":[{\"type\":\"string\"},{\"not\":{\"type\":\"string\"}}]}",
    "{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#/$defs/loop\"}]}",
    "{\"type\":\"string\",\"format\":\"date\"}",
    "{\"minProperties\":1}",
    "{\"type\":\"array\",\"maxItems\":1}",
    "{\"unevaluatedItems\":false}",
    "{\"minItems\":2,\"items\":{}}",
};

static const char *const values[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "1",
    "2",
    "3",
    "-1",
    "100",
    "101",
    "1.0",
    "3.0",
    "0.1",
    "0.2",
    "0.3",
    "0.30000000000000004",
    "-1.5",
    "-1.6",
    "1e2",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "-9007199254740992",
    "-9007199254740993",
    "-9007199254740994",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "1e300",
    "1e400",
    "-1e400",
    "1e-400",
    "4.9e-324",
    "0.99999999999999999999",
    "1.00000000000000000001",
    "\"\"",
    "\"a\"",
    "\"abc\"",
    "\"abcd\"",
    "\"abcde\"",
    "\"\\u00e9\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u0061\"",
    "\"a\\u0000\"",
    "\"8\"",
    "\"2025-01-15\"",
    "[]",
    "[1]",
    "[1,2]",
    "[1,2,3]",
    "[\"a\"]",
    "[\"a\",\"a\"]",
    "[\"a\",1]",
    "[\"a\",\"b\"]",
    "[1.0]",
    "[[1]]",
    "[[1],[\"a\"]]",
    "[{}]",
    "[{},1]",
    "[null]",
    "{}",
    "{\"x\":1}",
    "{\"x\":\"a\"}",
    "{\"y\":\"abc\"}",
    "{\"x\":1.0,\"y\":2}",
};

#define DEFS "\"$defs\":{\"small\":{\"type\":\"integer\",\"maximum\":2},\"hop\":{\"$ref\":\"#/$defs/small\"},\"loop\":{\"$ref\":\"#/$defs/loop\"}}"

/* The schema in each place that has a check; and inside an allOf, which has none. */
static const struct { const char *schema, *value; } places[] = {
    { "{" DEFS ",\"properties\":{\"a\":%s}}",                                      "{\"a\":%s}" },
    { "{" DEFS ",\"properties\":{\"a\":%s,\"b\":true},\"required\":[\"a\"]}",      "{\"b\":1,\"a\":%s}" },
    { "{" DEFS ",\"additionalProperties\":%s}",                                    "{\"any\":%s}" },
    { "{" DEFS ",\"items\":%s}",                                                   "[%s]" },
    { "{" DEFS ",\"properties\":{\"l\":{\"items\":%s}}}",                          "{\"l\":[%s]}" },
    { "{" DEFS ",\"properties\":{\"a\":{\"anyOf\":[%s,{\"const\":\"zz\"}]}}}",       "{\"a\":%s}" },
    { "{" DEFS ",\"properties\":{\"a\":{\"oneOf\":[false,%s]}}}",                    "{\"a\":%s}" },
    { "{" DEFS ",\"items\":{\"properties\":{\"a\":%s},\"required\":[\"a\"]}}",       "[{\"b\":1,\"a\":%s}]" },
    { "{" DEFS ",\"items\":{\"type\":\"array\",\"items\":{\"items\":%s}}}",          "[[[%s],[]],[]]" },
    { "{" DEFS ",\"properties\":{\"o\":{\"oneOf\":[{\"required\":[\"x\"]},{\"required\":[\"a\"],\"properties\":{\"a\":%s}}]}}}",
      "{\"o\":{\"a\":%s}}" },
};

static bool is_valid(const char *place, const char *schema, const char *form, const char *value)
{
    char           text[2048], json[512];
    tenon_schema  *compiled;
    tenon_verdict *verdict;
    bool           valid;

    snprintf(text, sizeof text, place, schema);
    snprintf(json, sizeof json, form, value);
    compiled = tenon_schema_new(text, strlen(text), .uri = NULL);
    assert_non_null(compiled);
    if (tenon_schema_error(compiled))
        fail_msg("%s", tenon_schema_error(compiled));
    verdict = tenon_verdict_new(compiled);
    valid   = tenon_verdict_flag(verdict, json, strlen(json));
    tenon_verdict_free(verdict);
    tenon_schema_free(compiled);
    return valid;
}

static void sees_what_the_schema_does(void **state)
{
    char wrapped[1024];

    (void)state;
    for (size_t place = 0; place < COUNT_OF(places); place++)
        for (size_t i = 0; i < COUNT_OF(schemas); i++)
            for (size_t k = 0; k < COUNT_OF(values); k++) {
                bool quick, slow;

                snprintf(wrapped, sizeof wrapped, "{\"allOf\":[%s]}", schemas[i]);
                quick = is_valid(places[place].schema, schemas[i], places[place].value, values[k]);
                slow  = is_valid(places[place].schema, wrapped, places[place].value, values[k]);
                if (quick != slow)
                    fail_msg("%s in %s: %s is %s", schemas[i], places[place].schema, values[k],
                             quick ? "taken, and not valid" : "refused, and valid");
            }
}

/* ---- Arguments --------------------------------------------------------------------------------------------- */

#define TOOL                                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"string\",\"minLength\":1},"                                    \
    "\"n\":{\"type\":\"integer\",\"minimum\":1,\"default\":10},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"   \
    "\"default\":[\"x\",\"y\"]},\"w\":{\"enum\":[\"lo\",\"hi\"],\"default\":\"lo\"},\"p\":{\"pattern\":\"^a\"}},"               \
    "\"required\":[\"q\"],\"additionalProperties\":false}"
#define DEEP                                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"o\":{\"type\":\"object\",\"properties\":{\"i\":{\"type\":\"integer\","           \
    "\"default\":1}}},\"s\":{\"type\":\"string\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}"
#define FREE "{\"type\":\"object\",\"properties\":{\"o\":{\"type\":\"object\"},\"l\":{\"type\":\"array\"}}}"
#define ODD                                                                                                             \
    "{\"type\":\"object\",\"properties\":{\"bad\":{\"type\":\"integer\",\"default\":\"x\"},\"ref\":{\"$ref\":\"#/$defs/d\"},"  \
    "\"s\":{}},\"$defs\":{\"d\":{\"default\":5}}}"

static void takes_arguments_as_they_mostly_come(void **state)
{
    static const struct { const char *schema, *args, *want; } cases[] = {
        { TOOL, "{\"q\":\"a\",\"n\":1,\"l\":[],\"w\":\"hi\"}", "{\"q\":\"a\",\"n\":1,\"l\":[],\"w\":\"hi\"}" },
        { TOOL, "{\"w\":\"hi\",\"p\":\"ab\",\"l\":[\"z\"],\"n\":2,\"q\":\"a\"}", "{\"w\":\"hi\",\"p\":\"ab\",\"l\":[\"z\"],\"n\":2,\"q\":\"a\"}" },
        { TOOL, "{\"q\":\"a\"}", "{\"q\":\"a\",\"n\":10,\"l\":[\"x\",\"y\"],\"w\":\"lo\"}" },
        { TOOL, "{\"w\":\"hi\",\"q\":\"a\"}", "{\"w\":\"hi\",\"q\":\"a\",\"n\":10,\"l\":[\"x\",\"y\"]}" },
        { TOOL, "{}", NULL },
        { TOOL, "[]", NULL },
        { TOOL, "{\"q\":\"\"}", NULL },
        { TOOL, "{\"q\":\"a\",\"q\":\"b\"}", NULL },
        { TOOL, "{\"q\":\"a\",\"z\":1}", NULL },
        { TOOL, "{\"q\":\"a\",\"n\":\"1\"}", NULL },
        { TOOL, "{\"q\":\"a\",\"p\":\"b\"}", NULL },
        { DEEP, "{\"s\":\"a\",\"l\":[1,2]}", "{\"s\":\"a\",\"l\":[1,2]}" },
        { DEEP, "{\"o\":{\"i\":1}}", NULL }, /* there may be something to fill in */
        { DEEP, "{\"o\":{}}", NULL },
        { FREE, "{\"o\":{\"a\":{\"b\":1,\"c\":[{\"d\":1}]}},\"l\":[{\"a\":1,\"b\":2}]}", "{\"o\":{\"a\":{\"b\":1,\"c\":[{\"d\":1}]}},\"l\":[{\"a\":1,\"b\":2}]}" },
        { FREE, "{\"o\":{\"a\":{\"b\":1,\"b\":2}}}", NULL },
        { FREE, "{\"l\":[[{\"b\":1,\"c\":2,\"b\":2}]]}", NULL },
        { FREE, "{\"l\":[{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0}]}", NULL },
        { FREE, "{\"other\":1}", NULL },
        { ODD, "{\"s\":1}", NULL }, /* a default that is not valid, and one that is elsewhere */
        { ODD, "{\"s\":1,\"bad\":1,\"ref\":2}", "{\"s\":1,\"bad\":1,\"ref\":2}" },
        { "{\"type\":\"object\",\"minProperties\":1,\"properties\":{\"s\":{}}}", "{\"s\":1}", NULL },
        { "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":1},\"properties\":{\"s\":{}}}", "{\"s\":1}", NULL },
        { "{\"type\":\"object\",\"anyOf\":[{\"required\":[\"t\"]}],\"properties\":{\"s\":{}}}", "{\"s\":1}", NULL },
        { "{\"type\":\"object\",\"dependentRequired\":{\"s\":[\"t\"]},\"properties\":{\"s\":{}}}", "{\"s\":1}", NULL },
        { "{\"type\":\"object\",\"required\":[\"s\"]}", "{\"s\":{\"a\":1,\"a\":2}}", NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_arena arena;
        struct matcher *matcher = NULL;
        struct tn_judge judge   = { .arena = &arena, .matcher = &matcher, .limits = { 1 << 20, 64, 10000 } };
        tenon_schema   *schema  = tenon_schema_new(cases[i].schema, strlen(cases[i].schema), .uri = NULL);
        struct tn_json_text read;
        struct tn_verdict   verdict;
        struct tn_buf       out;
        yyjson_val         *taken;

        assert_null(tenon_schema_error(schema));
        tn_arena_init(&arena, NULL, 0);
        judge.memory = &schema->shape.memory;
        read         = tn_json_read(&arena, cases[i].args, strlen(cases[i].args), &judge.limits);
        verdict      = tn_document_verdict(schema, &judge, VERDICT_STEPS_MIN);
        taken        = tn_quick_value(&verdict, schema->node, read.root);
        if (!taken != !cases[i].want)
            fail_msg("%s: %s is %s", cases[i].schema, cases[i].args, taken ? "taken" : "not taken");
        if (taken) {
            tenon_verdict *whole = tenon_verdict_new(schema);

            tn_buf_init(&out, &arena, 64, 4096);
            tn_json_value(&out, taken);
            assert_string_equal(tn_buf_end(&out), cases[i].want);
            assert_string_equal(tenon_verdict_repair(whole, cases[i].args, strlen(cases[i].args), NULL),
                                cases[i].want);
            read = tn_json_read(&arena, cases[i].want, strlen(cases[i].want), &judge.limits);
            assert_int_equal(unsafe_yyjson_get_next(taken) - taken, read.nodes);
            tenon_verdict_free(whole);
        }
        tn_matcher_free(matcher);
        tn_arena_free(&arena);
        tenon_schema_free(schema);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_what_the_schema_does),
        cmocka_unit_test(takes_arguments_as_they_mostly_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
