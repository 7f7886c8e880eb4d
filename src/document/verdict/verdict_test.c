/* verdict_test.c - what is said of values that a schema refuses: all of it, and of alternatives only the nearest. */
#include <stdio.h>

#include "support/schema_case.h"

/* All issues of an instance, "; " between them; "ok" when it is valid; the mistake of a schema that has one. */
static const char *judged(char *out, size_t size, const char *schema, const char *instance)
{
    struct schema_case one = schema_case_open(schema, instance, true);

    out[0] = '\0';
    if (tenon_schema_error(one.schema)) {
        strncat(out, tenon_schema_error(one.schema), size - 1);
    } else {
        if (tenon_verdict_judge(one.verdict, one.instance, strlen(one.instance)))
            strncat(out, "ok", size - 1);
        for (size_t i = 0; i < tenon_verdict_issue_count(one.verdict); i++) {
            strncat(out, i > 0 ? "; " : "", size - strlen(out) - 1);
            strncat(out, tenon_verdict_issue(one.verdict, i)->text, size - strlen(out) - 1);
        }
    }
    schema_case_close(&one);
    requote(out, '"', '\'');
    return out;
}

struct sentence {
    const char *schema, *instance, *want;
};

static void assert_sentences(const struct sentence *cases, size_t count)
{
    char   out[4096];
    size_t wrong = 0;

    for (size_t i = 0; i < count; i++) {
        judged(out, sizeof out, cases[i].schema, cases[i].instance);
        if (strcmp(out, cases[i].want) == 0)
            continue;
        print_error("%s\n  %s\n  wanted: %s\n     got: %s\n", cases[i].schema, cases[i].instance,
                    cases[i].want, out);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void says_what_each_keyword_wants(void **state)
{
    static const struct sentence cases[] = {
        { "{'type':'string'}", "5", "value must be a string, got 5" },
        { "{'type':['string','null']}", "5", "value must be a string or null, got 5" },
        { "{'type':['integer','array','object']}", "1.5",
          "value must be an integer, an array or an object, got 1.5" },
        { "{'type':'integer'}", "1.0", "ok" },
        { "{'minimum':1,'maximum':10}", "11", "value must be between 1 and 10, got 11" },
        { "{'minimum':1}", "0", "value must be at least 1, got 0" },
        { "{'exclusiveMinimum':0,'maximum':1}", "0", "value must be greater than 0 and at most 1, got 0" },
        { "{'exclusiveMaximum':5}", "5", "value must be less than 5, got 5" },
        { "{'maximum':18446744073709551615}", "18446744073709551616",
          "value must be at most 18446744073709551615, got 18446744073709551616" },
        { "{'minimum':1}", "-1e400", "value must be at least 1, got -1e400" },
        { "{'type':'number','minimum':1}", "-1e400", "value must be a number, got -1e400" },
        { "{'multipleOf':0.01}", "0.07", "ok" },
        { "{'multipleOf':0.01}", "0.075", "value must be a multiple of 0.01, got 0.075" },
        { "{'minLength':2}", "'a'", "value must be at least 2 characters" },
        { "{'maxLength':2}", "'abc'", "value must not exceed 2 characters" },
        { "{'pattern':'^a'}", "'b'", "value must match the pattern ^a, got 'b'" },
        { "{'format':'ipv4'}", "'1.2.3'", "value must be an IPv4 address, got '1.2.3'" },
        { "{'const':{'a':1}}", "{'a':2}", "value must be {'a':1}, got {'a':2}" },
        { "{'enum':['a','b']}", "'c'", "value must be one of: a, b. Got: c" },
        { "{'enum':[1,'a',null]}", "'c'", "value must be one of: 1, 'a', null. Got: 'c'" },
        { "{'minItems':2}", "[1]", "value must contain at least 2 items, got 1" },
        { "{'uniqueItems':true}", "[1,1.0]", "value contains duplicate values" },
        { "{'contains':{'type':'string'}}", "[1]", "value must contain at least 1 items that match, got 0" },
        { "{'contains':{},'maxContains':1}", "[1,2]",
          "value must not contain more than 1 items that match, got 2" },
        { "{'minProperties':1}", "{}", "value must contain at least 1 items, got 0" },
        { "{'required':['a']}", "{}", "a is required" },
        { "{'dependentRequired':{'a':['b']}}", "{'a':1}", "b is required when there is a" },
        { "{'properties':{'age':{}},'additionalProperties':false}", "{'agee':1}",
          "unknown property 'agee'; did you mean 'age'? Valid properties: age" },
        { "{'properties':{'page':{'type':'object'}},'additionalProperties':false}", "{'pageNumber':'1'}",
          "unknown property 'pageNumber'; did you mean 'page'? Valid properties: page" },
        { "{'properties':{'page':{'type':'object'}},'additionalProperties':false}", "{'pageNumber':1}",
          "unknown property 'pageNumber'. Valid properties: page" },
        { "{'properties':{'m':{'type':'object','additionalProperties':{'type':'string'}}}}", "{'m':7}",
          "m must be an object of strings, got a number" },
        { "{'properties':{'o':{'type':'object','properties':{'k':{'writeOnly':true}}}}}", "{'o':7}",
          "o must be an object, got a number" },
        { "{'properties':{'o':{'type':'object','properties':{'k':{}}}}}", "{'o':7}",
          "o must be an object, got 7" },
        { "{'propertyNames':{'maxLength':2}}", "{'abc':1}", "abc has a name that is not allowed" },
        { "{'properties':{'a':false}}", "{'a':1}", "a is not allowed" },
        { "{'not':{'type':'integer'}}", "1", "value has a form that is not allowed, got 1" },
        { "{'oneOf':[{'minimum':1},{'maximum':3}]}", "2",
          "value must match exactly one of the alternatives, and matches numbers 1 and 2" },
    };

    (void)state;
    assert_sentences(cases, sizeof cases / sizeof *cases);
}

static void finds_every_fault(void **state)
{
    static const struct sentence cases[] = {
        { "{'properties':{'a':{'type':'string'},'b':{'minimum':1}},'required':['c']}", "{'a':1,'b':0}",
          "a must be a string, got 1; b must be at least 1, got 0; c is required" },
        { "{'items':{'properties':{'n':{'type':'integer'}}}}", "[{'n':1},{'n':'x'}]",
          "/1/n must be an integer, got 'x'" },
        { "{'allOf':[{'minimum':5},{'multipleOf':2}]}", "3",
          "value must be at least 5, got 3; value must be a multiple of 2, got 3" },
        { "{'properties':{'a/b~c':{'properties':{'d':{'type':'null'}}}}}", "{'a/b~c':{'d':1}}",
          "/a~1b~0c/d must be null, got 1" },
    };

    (void)state;
    assert_sentences(cases, sizeof cases / sizeof *cases);
}

static void explains_the_alternative_that_fits_best(void **state)
{
    static const char shapes[] =
        "{'oneOf':[{'type':'object','properties':{'kind':{'const':'circle'},'r':{'type':'number'}},"
        "'required':['kind','r']},{'type':'object','properties':{'kind':{'const':'square'},'side':{'type':'"
        "number'}},"
        "'required':['kind','side']}]}";
    static const struct sentence cases[] = {
        { "{'anyOf':[{'type':'string'},{'type':'array'}]}", "5",
          "value must be a string or an array, got 5" },
        { "{'anyOf':[{'type':'string'},{'type':'integer','minimum':3}]}", "1",
          "value must be at least 3, got 1" },
        { shapes, "{'kind':'square','side':'x'}", "side must be a number, got 'x'" },
        { shapes, "{'kind':'circle'}", "r is required" },
        { shapes, "{'kind':'line'}", "kind must be one of: 'circle', 'square'. Got: 'line'" },
        { "{'if':{'required':['a']},'then':{'required':['b']},'else':{'required':['c']}}", "{'a':1}",
          "b is required" },
        { "{'$defs':{'n':{'type':'integer'}},'anyOf':[{'$ref':'#/$defs/n'}]}", "'x'",
          "value must be an integer, got 'x'" },
        { "{'$defs':{'t':{'anyOf':[{'type':'null'},{'properties':{'l':{'$ref':'#/$defs/"
          "t'},'v':{'type':'integer'}},"
          "'required':['v']}]}},'$ref':'#/$defs/t'}",
          "{'v':1,'l':{'v':1,'l':{'v':1,'l':{'v':1,'l':{'v':1,'l':{'v':1,'l':{'v':'x'}}}}}}}",
          "/l/l/l/l/l/l/v must be an integer, got 'x'" },
        { "{'$defs':{'t':{'anyOf':[{'properties':{'l':{'$ref':'#/$defs/t'}},'required':['a']},"
          "{'properties':{'l':{'$ref':'#/$defs/t'}},'required':['b']}]}},'$ref':'#/$defs/t'}",
          "{'a':1,'l':{'a':1,'l':{'a':1,'l':{'a':1,'l':{'a':1,'l':{'a':1,'l':{'a':1,'l':{'a':1,'l':{}}}}}}}}"
          "}",
          "/l/l/l/l/l/l/l/l/a is required" },
    };

    (void)state;
    assert_sentences(cases, sizeof cases / sizeof *cases);
}

/* What differs between drafts, a case each way. */
#define DRAFT_04 "'$schema':'http://json-schema.org/draft-04/schema#'"
#define DRAFT_06 "'$schema':'http://json-schema.org/draft-06/schema#'"
#define DRAFT_19 "'$schema':'https://json-schema.org/draft/2019-09/schema'"

static void reads_each_draft_by_its_own_rules(void **state)
{
    static const struct sentence cases[] = {
        { "{" DRAFT_04 ",'minimum':1,'exclusiveMinimum':true}", "1", "value must be greater than 1, got 1" },
        { "{" DRAFT_04 ",'minimum':1,'exclusiveMinimum':false}", "1", "ok" },
        { "{" DRAFT_04 ",'maximum':1,'exclusiveMaximum':true}", "1", "value must be less than 1, got 1" },
        { "{" DRAFT_04 ",'exclusiveMinimum':1}", "1", "schema: #/exclusiveMinimum: must be true or false" },
        { "{" DRAFT_06 ",'exclusiveMinimum':true}", "1", "schema: #/exclusiveMinimum: must be a number" },
        { "{" DRAFT_04 ",'const':1,'contains':{},'propertyNames':{'maxLength':1}}", "{'ab':[]}", "ok" },
        { "{" DRAFT_06 ",'const':1}", "2", "value must be 1, got 2" },
        { "{" DRAFT_06 ",'if':{},'then':false}", "1", "ok" },
        { "{" DRAFT_04
          ",'id':'urn:a','properties':{'a':{'$ref':'urn:b'}},'definitions':{'b':{'id':'urn:b','type':"
          "'null'}}}",
          "{'a':1}", "a must be null, got 1" },
        { "{" DRAFT_04 ",'$id':'urn:a','$ref':'#/definitions/b','definitions':{'b':{'type':'null'}}}", "1",
          "value must be null, got 1" },
        { "{" DRAFT_06 ",'$ref':'#/definitions/b','definitions':{'b':{'type':'null'}},'maximum':0}", "null",
          "ok" },
        { "{" DRAFT_19 ",'$ref':'#/$defs/b','$defs':{'b':{'minimum':0}},'maximum':0}", "1",
          "value must be at most 0, got 1" },
        { "{" DRAFT_19 ",'items':[{'type':'string'}],'additionalItems':false}", "[1,2]",
          "/0 must be a string, got 1; /1 is not allowed" },
        { "{" DRAFT_19 ",'prefixItems':[false]}", "[1]", "ok" },
        { "{" DRAFT_19 ",'contains':{'const':1},'unevaluatedItems':false}", "[1]", "/0 is not allowed" },
        { "{'contains':{'const':1},'unevaluatedItems':false}", "[1]", "ok" },
        { "{" DRAFT_19
          ",'$id':'urn:strict','$recursiveAnchor':true,'$ref':'urn:tree','unevaluatedProperties':false,"
          "'$defs':{'t':{'$id':'urn:tree','$recursiveAnchor':true,'properties':{'in':{'$recursiveRef':'#'}}}}"
          "}",
          "{'in':{'on':1}}", "unknown property '/in/on'. There are no properties" },
        { "{" DRAFT_19 ",'$recursiveRef':'#/a'}", "1", "schema: #/$recursiveRef: must be '#'" },
        { "{" DRAFT_19
          ",'$ref':'https://json-schema.org/draft/2019-09/meta/validation#/$defs/nonNegativeInteger'}",
          "-1", "value must be at least 0, got -1" },
        { "{'$ref':'https://json-schema.org/draft/2019-09/schema'}", "{'properties':{'a':{'minLength':-1}}}",
          "/properties/a/minLength must be at least 0, got -1" },
        { "{'$ref':'http://json-schema.org/draft-06/schema#'}", "{'required':[1]}",
          "/required/0 must be a string, got 1" },
        { "{'$ref':'http://json-schema.org/draft-04/schema#'}", "{'exclusiveMinimum':true}",
          "minimum is required when there is exclusiveMinimum" },
        { "{'$ref':'http://json-schema.org/draft-04/schema#/definitions/positiveInteger'}", "-1",
          "value must be at least 0, got -1" },
        { "{'$defs':{'a':{'$id':'urn:a'," DRAFT_06 ",'items':[{'type':'null'}]}},'items':{'$ref':'urn:a'}}",
          "[[1]]", "/0/0 must be null, got 1" },
        { "{" DRAFT_06
          ",'definitions':{'a':{'$id':'urn:a','$schema':'https://json-schema.org/draft/2020-12/schema',"
          "'prefixItems':[{'type':'null'}]}},'items':{'$ref':'urn:a'}}",
          "[[1]]", "/0/0 must be null, got 1" },
    };

    (void)state;
    assert_sentences(cases, sizeof cases / sizeof *cases);
}

/* The definitions of a metaschema have the names that the specification gives them. */
#define DRAFT_07   "http://json-schema.org/draft-07/schema#"
#define VALIDATION "https://json-schema.org/draft/2020-12/meta/validation#/$defs/"
#define META       "https://json-schema.org/draft/2020-12/meta/"

static void follows_references_into_metaschemas(void **state)
{
    static const struct sentence cases[] = {
        { "{'$ref':'" DRAFT_07 "/definitions/nonNegativeInteger'}", "-1",
          "value must be at least 0, got -1" },
        { "{'$ref':'" DRAFT_07 "/definitions/nonNegativeInteger'}", "0", "ok" },
        { "{'$ref':'" DRAFT_07 "/definitions/nonNegativeIntegerDefault0'}", "1.5",
          "value must be an integer, got 1.5" },
        { "{'$ref':'" DRAFT_07 "/definitions/simpleTypes'}", "'text'",
          "value must be one of: array, boolean, integer, null, number, object, string. Got: text" },
        { "{'properties':{'a':{'$ref':'" DRAFT_07 "/definitions/stringArray'}}}", "{'a':['b','b']}",
          "a contains duplicate values" },
        { "{'$ref':'" DRAFT_07 "/definitions/schemaArray'}", "[]",
          "value must contain at least 1 items, got 0" },
        { "{'$ref':'" DRAFT_07 "/definitions/schemaArray'}", "[{'type':1}]",
          "/0/type must be one of: array, boolean, integer, null, number, object, string. Got: 1" },
        { "{'$schema':'" DRAFT_07 "','$ref':'" DRAFT_07 "/definitions/nonNegativeInteger'}", "-1",
          "value must be at least 0, got -1" },
        { "{'$ref':'" DRAFT_07 "/properties/maxLength'}", "-1", "value must be at least 0, got -1" },
        { "{'$ref':'" DRAFT_07 "'}", "{'minLength':-1}", "minLength must be at least 0, got -1" },
        { "{'$ref':'http://json-schema.org/draft-07/schema'}", "{'minLength':2}", "ok" },
        { "{'$ref':'" VALIDATION "nonNegativeInteger'}", "-1", "value must be at least 0, got -1" },
        { "{'$ref':'" VALIDATION "nonNegativeIntegerDefault0'}", "-1", "value must be at least 0, got -1" },
        { "{'$ref':'" VALIDATION "simpleTypes'}", "'null'", "ok" },
        { "{'$ref':'" VALIDATION "stringArray'}", "[1]", "/0 must be a string, got 1" },
        { "{'$ref':'" META "applicator#/$defs/schemaArray'}", "[]",
          "value must contain at least 1 items, got 0" },
        { "{'$ref':'" META "core#/$defs/anchorString'}", "'a b'",
          "value must match the pattern ^[A-Za-z_][-A-Za-z0-9._]*$, got 'a b'" },
        { "{'$ref':'" META "core#/$defs/uriReferenceString'}", "'#a'", "ok" },
        { "{'$ref':'" META "core#/$defs/uriString'}", "'a'", "value must be an absolute URI, got 'a'" },
        { "{'$ref':'" META "validation'}", "{'minLength':-1}", "minLength must be at least 0, got -1" },
        { "{'$ref':'https://json-schema.org/draft/2020-12/schema'}", "{'items':{'minLength':-1}}",
          "/items/minLength must be at least 0, got -1" },
        { "{'$ref':'" DRAFT_07 "/definitions/none'}", "1",
          "schema: #/$ref: " DRAFT_07 "/definitions/none leads nowhere" },
    };

    (void)state;
    assert_sentences(cases, sizeof cases / sizeof *cases);
}

static void names_the_place_of_a_mistake(void **state)
{
    static const struct sentence cases[] = {
        { "{'properties':{'age':{'minimum':'1'}}}", "1",
          "schema: #/properties/age/minimum: must be a number" },
        { "{'type':'strin'}", "1",
          "schema: #/type: must be one of: null, boolean, integer, number, string, array, object" },
        { "{'items':[{}]}", "1",
          "schema: #/items: must be one schema: a list of schemas is called prefixItems" },
        { "{'$ref':'#/$defs/none'}", "1", "schema: #/$ref: #/$defs/none leads nowhere" },
        { "{'$ref':'http://example.com/x'}", "1",
          "schema: #/$ref: nothing is registered under http://example.com/x" },
        { "{'$schema':'http://json-schema.org/draft-03/schema#'}", "1",
          "schema: $schema names the dialect http://json-schema.org/draft-03/schema, which is not one "
          "of 2020-12, 2019-09, draft-07, draft-06 and draft-04, and not registered" },
        { "{'required':'a'}", "1", "schema: #/required: must be a list of names" },
        { "{'multipleOf':0}", "1", "schema: #/multipleOf: must be a number greater than 0" },
        { "{'a':", "1", "schema: not JSON: unexpected end at byte 5" },
        { "5", "1", "schema: #: a schema is an object, true or false" },
    };

    (void)state;
    assert_sentences(cases, sizeof cases / sizeof *cases);
}

static void writes_standard_output(void **state)
{
    static const char text[] =
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}},\"$defs\":{\"n\":{\"type\":\"null\"}}}";
    static const char good[] = "{\"a\":null}", bad[] = "{\"a\":1}";
    tenon_schema     *schema  = tenon_schema_new(text, strlen(text), .uri = "http://example.com/s");
    tenon_verdict    *verdict = tenon_verdict_new(schema);

    (void)state;
    assert_true(tenon_verdict_judge(verdict, good, strlen(good)));
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL), "{\"valid\":true}");
    assert_false(tenon_verdict_judge(verdict, bad, strlen(bad)));
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_FLAG, NULL), "{\"valid\":false}");
    assert_string_equal(
        tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL),
        "{\"valid\":false,\"errors\":[{\"valid\":false,\"keywordLocation\":\"/properties/a/$ref/type\","
        "\"absoluteKeywordLocation\":\"http://example.com/s#/$defs/n/type\","
        "\"instanceLocation\":\"/a\",\"error\":\"a must be null, got 1\"}]}");
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

static void locates_what_is_missing(void **state)
{
    static const char text[] = "{\"properties\":{\"a\":{\"required\":[\"b\"]}}}", bad[] = "{\"a\":{}}";
    tenon_schema     *schema  = tenon_schema_new(text, strlen(text));
    tenon_verdict    *verdict = tenon_verdict_new(schema);

    (void)state;
    assert_false(tenon_verdict_judge(verdict, bad, strlen(bad)));
    assert_string_equal(
        tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL),
        "{\"valid\":false,\"errors\":[{\"valid\":false,\"keywordLocation\":\"/properties/a/required\","
        "\"absoluteKeywordLocation\":\"#/properties/a/required\",\"instanceLocation\":\"/a\","
        "\"error\":\"/a/b is required\"}]}");
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

/* They are made when the first one asks, and are the same for all who do. */
static void names_places_whoever_asks_first(void **state)
{
    static const char text[] =
        "{\"properties\":{\"size\":{\"type\":\"integer\"},\"age\":{}},\"additionalProperties\":false}";
    static const char bad[]   = "{\"size\":\"x\",\"agee\":1}";
    tenon_schema     *schema  = tenon_schema_new(text, strlen(text));
    tenon_verdict    *verdict = tenon_verdict_new(schema);

    (void)state;
    for (int first = 0; first < 3; first++) {
        assert_false(tenon_verdict_judge(verdict, bad, strlen(bad)));
        assert_int_equal(tenon_verdict_issue_count(verdict), 2);
        if (first == 0)
            assert_string_equal(tenon_verdict_place(verdict, 1), "/agee");
        if (first == 1)
            assert_non_null(strstr(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL),
                                   "\"keywordLocation\":\"/additionalProperties\""));
        assert_string_equal(tenon_verdict_issue(verdict, 0)->parameter, "size");
        assert_string_equal(tenon_verdict_issue(verdict, 1)->text,
                            "unknown property 'agee'; did you mean 'age'? Valid properties: size, age");
        assert_string_equal(tenon_verdict_place(verdict, 0), "/size");
    }
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

/* Forty names of a hundred letters stand in it: more than anybody reads. */
static void cuts_a_sentence_that_is_too_long(void **state)
{
    static char    text[8192] = "{\"enum\":[";
    size_t         len        = strlen(text);
    tenon_schema  *schema;
    tenon_verdict *verdict;

    (void)state;
    for (int i = 0; i < 40; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s\"", i > 0 ? "," : "");
        memset(text + len, 'a' + i % 26, 100);
        len += 100;
        text[len++] = '"';
    }
    snprintf(text + len, sizeof text - len, "]}");
    schema  = tenon_schema_new(text, strlen(text));
    verdict = tenon_verdict_new(schema);
    assert_false(tenon_verdict_judge(verdict, "\"x\"", 3));
    assert_int_equal(strlen(tenon_verdict_issue(verdict, 0)->text), 2000);
    assert_non_null(strstr(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL), "aaaa"));
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_each_keyword_wants),
        cmocka_unit_test(finds_every_fault),
        cmocka_unit_test(explains_the_alternative_that_fits_best),
        cmocka_unit_test(reads_each_draft_by_its_own_rules),
        cmocka_unit_test(follows_references_into_metaschemas),
        cmocka_unit_test(names_the_place_of_a_mistake),
        cmocka_unit_test(writes_standard_output),
        cmocka_unit_test(locates_what_is_missing),
        cmocka_unit_test(names_places_whoever_asks_first),
        cmocka_unit_test(cuts_a_sentence_that_is_too_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
