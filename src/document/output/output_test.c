/* output_test.c - the standard output formats: what they print, that they keep to the standard, and their bounds. */
#include <stdio.h>

#include "support/fault.h"
#include "support/schema_case.h"

static const struct { const char *schema, *instance; } cases[] = {
    { "true", "1" },
    { "false", "1" },
    { "{'type':'string','minLength':3}", "1" },
    { "{'title':'T'}", "1" },
    { "{'required':['a','b'],'properties':{'c':{'type':'null'},'d':false}}", "{'c':1,'d':2}" },
    { "{'required':['a'],'properties':{'a':{'title':'A','default':1}}}", "{'a':1}" },
    { "{'anyOf':[{'type':'string'},{'minimum':5},{'$ref':'#/$defs/n'}],'$defs':{'n':{'type':'null'}}}", "1" },
    { "{'anyOf':[{'type':'string'},{'title':'A','minimum':0},{'title':'B'}]}", "1" },
    { "{'oneOf':[{'required':['a']},{'properties':{'b':{'oneOf':[{'type':'null'},{'type':'string'}]}}}]}", "{'b':1}" },
    { "{'oneOf':[true,true]}", "1" },
    { "{'allOf':[{'minimum':5},{'multipleOf':2}],'not':{'type':'integer'}}", "1" },
    { "{'if':{'type':'integer','title':'I'},'then':{'minimum':2,'multipleOf':2},'else':{'title':'E'}}", "1" },
    { "{'if':{'type':'integer','title':'I'},'then':{'title':'T'},'else':{'title':'E'}}", "1" },
    { "{'items':{'$ref':'#/$defs/p'},'$defs':{'p':{'required':['x','y'],'additionalProperties':false}}}", "[{'z':1},{}]" },
    { "{'items':{'$ref':'#/$defs/p'},'$defs':{'p':{'title':'P','properties':{'x':{'format':'date'}}}}}", "[{'x':'a'},{}]" },
    { "{'prefixItems':[{'type':'null'}],'items':false,'contains':{'type':'object'},'uniqueItems':true}", "[1,2,2]" },
    { "{'prefixItems':[{'title':'P'}],'contains':{'type':'null','title':'N'},'unevaluatedItems':{'title':'U'}}", "[1,null,2]" },
    { "{'patternProperties':{'^ \\u00e4':{'type':'null'}},'propertyNames':{'maxLength':2}}", "{' \\u00e4bc':1}" },
    { "{'additionalProperties':false,'patternProperties':{'[\\\\\\\\\\\"]':{'title':'Q'}}}", "{'\\\\\\\\':1}" },
    { "{'dependentSchemas':{'a':{'required':['b','c']}},'dependentRequired':{'a':['d']},'unevaluatedProperties':false}", "{'a':1}" },
    { "{'$schema':'http://json-schema.org/draft-07/schema#','dependencies':{'a':{'required':['b']},'c':['d']}}", "{'a':1,'c':2}" },
    { "{'$id':'urn:s','$dynamicAnchor':'n','minProperties':1,'properties':{'in':{'$ref':'urn:t'}},'$defs':{'t':{'$id':'urn:t',"
      "'$dynamicAnchor':'n','items':{'$dynamicRef':'#n'}}}}", "{'in':[{},{}]}" },
    { "{'$ref':'#'}", "1" },
    { "{'$defs':{'t':{'anyOf':[{'type':'null'},{'items':{'$ref':'#/$defs/t'}}]}},'$ref':'#/$defs/t'}", "[[[[1]]],[[2]]]" },
    { "{}", "{" },
    { "{}", "[[]" },
};

/* Is the output what tests/output.schema.json says of the form? */
static void assert_standard(const char *form, const char *output, const char *about)
{
    static char    text[20000];
    char           ref[200];
    FILE          *file    = fopen("tests/output.schema.json", "rb");
    tenon_schemas *schemas = tenon_schemas_new();
    tenon_schema  *schema;
    tenon_verdict *verdict;

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(tenon_schemas_add(schemas, "https://tenon.example/output", text, strlen(text)),
                     TENON_OK);
    snprintf(ref, sizeof ref, "{\"$ref\":\"https://tenon.example/output#/$defs/%s\"}", form);
    schema = tenon_schema_new(ref, strlen(ref), .schemas = schemas, .format_assertion = true);
    assert_null(tenon_schema_error(schema));
    verdict = tenon_verdict_new(schema);
    if (!tenon_verdict_judge(verdict, output, strlen(output)))
        fail_msg("%s\n%s\n%s: %s", about, output, form, tenon_verdict_issue(verdict, 0)->text);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    tenon_schemas_free(schemas);
}

static void keeps_to_the_standard(void **state)
{
    static const struct { tenon_output form; const char *name; } forms[] = {
        { TENON_OUTPUT_FLAG, "flag" },
        { TENON_OUTPUT_BASIC, "basic" },
        { TENON_OUTPUT_DETAILED, "detailed" },
        { TENON_OUTPUT_BASIC_ANNOTATIONS, "basic" },
        { TENON_OUTPUT_DETAILED_ANNOTATIONS, "detailed" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct schema_case one = schema_case_judged(cases[i].schema, cases[i].instance);

        for (size_t k = 0; k < COUNT_OF(forms); k++) {
            size_t      len;
            const char *output = tenon_verdict_output(one.verdict, forms[k].form, &len);

            assert_non_null(output);
            assert_int_equal(strlen(output), len);
            assert_standard(forms[k].name, output, cases[i].schema);
        }
        schema_case_close(&one);
    }
}

/* Backticks stand for double quotes in `want`, since sentences have single ones. */
static void says(const char *schema, const char *instance, tenon_output form, const char *want)
{
    struct schema_case one = schema_case_judged(schema, instance);
    char               got[4096];

    assert_true(strlen(tenon_verdict_output(one.verdict, form, NULL)) < sizeof got);
    strcpy(got, tenon_verdict_output(one.verdict, form, NULL));
    requote(got, '"', '`');
    assert_string_equal(got, want);
    schema_case_close(&one);
}

/* clang-format off */
#define ROOT(valid) "{`valid`:" valid ",`keywordLocation`:``,`instanceLocation`:``"
#define UNIT(valid, keyword, at, instance) \
    "{`valid`:" valid ",`keywordLocation`:`" keyword "`,`absoluteKeywordLocation`:`" at "`,`instanceLocation`:`" instance "`"
#define POLYGON \
    "{'$id':'https://example.com/polygon','$defs':{'point':{'properties':{'x':{'type':'number'},'y':{'type':'number'}}," \
    "'additionalProperties':false,'required':['x','y']}},'items':{'$ref':'#/$defs/point'},'minItems':3}"
#define AT(rest) "https://example.com/polygon#" rest
#define ERROR(text) ",`error`:`" text "`}"

/* Which of two bounds on one side is broken. */
static void names_the_bound(void **state)
{
    static const struct { const char *instance, *keyword; } bounds[] = {
        { "{'n':3}",  "/properties/n/minimum" },
        { "{'n':5}",  "/properties/n/exclusiveMinimum" },
        { "{'n':8}",  "/properties/n/exclusiveMaximum" },
        { "{'n':9}",  "/properties/n/maximum" },
        { "{'up':0}", "/properties/up/exclusiveMinimum" },
        { "{'up':9}", "/properties/up/maximum" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        struct schema_case one = schema_case_judged("{'properties':{'n':{'minimum':4,'exclusiveMinimum':5,'maximum':8,"
                                                    "'exclusiveMaximum':8},'up':{'exclusiveMinimum':0,'maximum':5}}}",
                                                    bounds[i].instance);
        const char        *output = tenon_verdict_output(one.verdict, TENON_OUTPUT_BASIC, NULL);
        char               keyword[80];

        snprintf(keyword, sizeof keyword, "\"keywordLocation\":\"%s\"", bounds[i].keyword);
        assert_non_null(strstr(output, keyword));
        schema_case_close(&one);
    }
}

static void writes_a_condensed_tree(void **state)
{
    (void)state;
    /* The example of the standard, with the words and the order of this library. */
    says(POLYGON, "[{'x':2.5,'y':1.3},{'x':1,'z':6.7}]", TENON_OUTPUT_DETAILED,
         ROOT("false") ",`errors`:["
             UNIT("false", "/minItems", AT("/minItems"), "") ERROR("value must contain at least 3 items, got 2") ","
             UNIT("false", "/items/$ref", AT("/$defs/point"), "/1") ",`errors`:["
                 UNIT("false", "/items/$ref/required", AT("/$defs/point/required"), "/1") ERROR("/1/y is required") ","
                 UNIT("false", "/items/$ref/additionalProperties", AT("/$defs/point/additionalProperties"), "/1/z")
                 ERROR("unknown property '/1/z'. Valid properties: x, y")
         "]}]}");
    /* The keyword that applies schemas is a node, and every alternative is below it. */
    says("{'properties':{'s':{'anyOf':[{'type':'string'},{'type':'array','minItems':1}]}}}", "{'s':5}", TENON_OUTPUT_DETAILED,
         ROOT("false") ",`errors`:[" UNIT("false", "/properties/s/anyOf", "#/properties/s/anyOf", "/s") ",`errors`:["
             UNIT("false", "/properties/s/anyOf/0/type", "#/properties/s/anyOf/0/type", "/s") ERROR("s must be a string, got 5") ","
             UNIT("false", "/properties/s/anyOf/1/type", "#/properties/s/anyOf/1/type", "/s") ERROR("s must be an array, got 5")
         "]}]}");
    /* One error: no node stands between it and the root, which stays. */
    says("{'properties':{'a':{'allOf':[{'$ref':'#/$defs/n'}]}},'$defs':{'n':{'type':'null'}}}", "{'a':1}", TENON_OUTPUT_DETAILED,
         ROOT("false") ",`errors`:[" UNIT("false", "/properties/a/allOf/0/$ref/type", "#/$defs/n/type", "/a")
         ERROR("a must be null, got 1") "]}");
    /* A keyword that says what it applied to, and has annotations below it. */
    says("{'properties':{'a':{'title':'A'},'b':{'title':'B'}}}", "{'a':1,'b':2}", TENON_OUTPUT_DETAILED_ANNOTATIONS,
         ROOT("true") ",`annotations`:[" UNIT("true", "/properties", "#/properties", "") ",`annotation`:[`a`,`b`],`annotations`:["
             UNIT("true", "/properties/a/title", "#/properties/a/title", "/a") ",`annotation`:`A`},"
             UNIT("true", "/properties/b/title", "#/properties/b/title", "/b") ",`annotation`:`B`}]}]}");
    says("{'title':'T'}", "1", TENON_OUTPUT_DETAILED, ROOT("true") "}");
    says("{'title':'T','type':'null'}", "1", TENON_OUTPUT_DETAILED_ANNOTATIONS,
         ROOT("false") ",`errors`:[" UNIT("false", "/type", "#/type", "") ERROR("value must be null, got 1") "]}");
}
/* clang-format on */

static void names_the_place_of_a_keyword(void **state)
{
    static const struct { const char *schema, *instance, *keyword, *absolute; } places[] = {
        /* Alternatives that are told together stand at the keyword that has them. */
        { "{'properties':{'s':{'anyOf':[{'type':'string'},{'type':'null'}]}}}", "{'s':5}", "/properties/s/anyOf",
          "#/properties/s/anyOf" },
        { "{'oneOf':[{'properties':{'k':{'const':'a'}}},{'properties':{'k':{'const':'b'}}}]}", "{'k':'c'}", "/oneOf", "#/oneOf" },
        { "{'$schema':'http://json-schema.org/draft-07/schema#','dependencies':{'a':['b']}}", "{'a':1}", "/dependencies",
          "#/dependencies" },
        { "{'dependentRequired':{'a':['b']}}", "{'a':1}", "/dependentRequired", "#/dependentRequired" },
        /* Not by the name of an anchor, and of the resource that it stands in. */
        { "{'$ref':'urn:b#x','$defs':{'b':{'$id':'urn:b','$defs':{'c':{'$anchor':'x','type':'null'}}}}}", "1", "/$ref/type",
          "urn:b#/$defs/c/type" },
        { "{'$id':'urn:a','$dynamicRef':'#x','$defs':{'c':{'$dynamicAnchor':'x','type':'null'}}}", "1", "/$dynamicRef/type",
          "urn:a#/$defs/c/type" },
        /* A fragment of a URI is encoded, a JSON Pointer is not. */
        { "{'patternProperties':{'^\\u00e4 [a]':false}}", "{'\\u00e4 a':1}", "/patternProperties/^\xC3\xA4 [a]",
          "#/patternProperties/%5E%C3%A4%20%5Ba%5D" },
        { "{'properties':{'a/~%':{'type':'null'}}}", "{'a/~%':1}", "/properties/a~1~0%/type", "#/properties/a~1~0%25/type" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct schema_case one = schema_case_judged(places[i].schema, places[i].instance);
        char               want[500];

        snprintf(want, sizeof want, "\"keywordLocation\":\"%s\",\"absoluteKeywordLocation\":\"%s\",",
                 places[i].keyword, places[i].absolute);
        if (!strstr(tenon_verdict_output(one.verdict, TENON_OUTPUT_BASIC, NULL), want))
            fail_msg("%s\n%s", want, tenon_verdict_output(one.verdict, TENON_OUTPUT_BASIC, NULL));
        schema_case_close(&one);
    }
}

/* Alternatives in alternatives, 60 deep with 8 each: to report all of them would never end. */
static void is_bounded(void **state)
{
    enum { DEPTH = 60 };
    static const char text[] =
        "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"anyOf\":[{\"$ref\":\"#/$defs/i\"},{\"$ref\":\"#/$defs/"
        "i\"},"
        "{\"$ref\":\"#/$defs/i\"},{\"$ref\":\"#/$defs/i\"},{\"$ref\":\"#/$defs/i\"},{\"$ref\":\"#/$defs/i\"},"
        "{\"$ref\":\"#/$defs/i\"},{\"type\":\"null\"}]},\"i\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/"
        "$defs/t\"}}}}";
    tenon_schema  *schema               = tenon_schema_new(text, strlen(text));
    tenon_verdict *verdict              = tenon_verdict_new(schema);
    char           value[DEPTH * 2 + 2] = "";
    const char    *output;
    size_t         len;

    (void)state;
    memset(value, '[', DEPTH);
    value[DEPTH] = '1';
    memset(value + DEPTH + 1, ']', DEPTH);
    assert_false(tenon_verdict_judge(verdict, value, DEPTH * 2 + 1));
    output = tenon_verdict_output(verdict, TENON_OUTPUT_DETAILED, &len);
    assert_non_null(output);
    assert_in_range(len, 100, 1 << 20);
    assert_standard("detailed", output, "alternatives in alternatives");
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

static void survives_refused_memory(void **state)
{
    static const char text[] = "{\"anyOf\":[{\"type\":\"null\"},{\"items\":{\"type\":\"null\"}}]}";
    bool              done   = false;

    (void)state;
    for (size_t fail = 1; !done; fail++) {
        struct tn_fault fault   = { 0 };
        tenon_allocator memory  = tn_fault_allocator(&fault);
        tenon_schema   *schema  = tenon_schema_new(text, strlen(text), .memory = &memory);
        tenon_verdict  *verdict = tenon_verdict_new(schema);

        fault.refuse_at = fault.requests + fail;
        tenon_verdict_judge(verdict, "[1,2]", 5);
        done = tenon_verdict_output(verdict, TENON_OUTPUT_DETAILED, NULL) && !tenon_verdict_failed(verdict);
        tenon_verdict_free(verdict);
        tenon_schema_free(schema);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_to_the_standard),
        cmocka_unit_test(names_the_bound),
        cmocka_unit_test(writes_a_condensed_tree),
        cmocka_unit_test(names_the_place_of_a_keyword),
        cmocka_unit_test(is_bounded),
        cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
