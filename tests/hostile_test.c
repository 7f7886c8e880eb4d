/* hostile_test.c - schemas and values that are made to do harm: each ends within limits, and says which.
 *
 * Nothing is timed. What would take for ever, or all memory, is stopped by the time that a test has.
 */
#include "support/hostile.h"
#include "support/schema_case.h"

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

/* Where a $dynamicRef leads is asked of every resource on the way to it. */
static void many_scopes(void **state)
{
    struct text schema = { 0 };

    (void)state;
    needs_speed();
    add(&schema, "{\"$id\":\"https://example.org/all\",\"$ref\":\"r0\",\"$defs\":{");
    for (unsigned i = 0; i < 300; i++)
        add(&schema, "\"r%u\":{\"$id\":\"r%u\",\"$ref\":\"r%u\"},", i, i, i + 1);
    add(&schema, "\"last\":{\"$id\":\"r300\",\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (unsigned i = 0; i < 20; i++)
        add(&schema, "\"d%u\":{\"allOf\":[{\"$ref\":\"#/$defs/d%u\"},{\"$ref\":\"#/$defs/d%u\"}]},", i, i + 1,
            i + 1);
    add(&schema, "\"d20\":{\"$dynamicRef\":\"#n\"},\"n\":{\"$dynamicAnchor\":\"n\"}}}}}");
    expect_by(&schema, "1", LIMIT, "cannot be validated");
    drop(&schema);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_ones),  cmocka_unit_test(exponential),     cmocka_unit_test(exponential_items),
        cmocka_unit_test(many_scopes), cmocka_unit_test(wide_times_wide), cmocka_unit_test(deep_constants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
