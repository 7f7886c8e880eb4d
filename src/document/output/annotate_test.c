/* annotate_test.c - what the schemas that apply to a valid value say about it, and where. */
#include <stdio.h>

#include "support/fault.h"
#include "support/schema_case.h"

/* "instance keyword value; " of each. */
static void collect(char *out, size_t size, const char *schema, const char *instance)
{
    struct schema_case one = schema_case_judged(schema, instance);
    size_t             len = 0, count = tenon_verdict_annotation_count(one.verdict);

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const tenon_annotation *said = tenon_verdict_annotation(one.verdict, i);

        len += (size_t)snprintf(out + len, size - len, "%s%s %s %s", i > 0 ? "; " : "",
                                said->instance_location, said->keyword_location, said->json);
    }
    assert_null(tenon_verdict_annotation(one.verdict, count));
    requote(out, '"', '\'');
    schema_case_close(&one);
}

static void collects_what_applies(void **state)
{
    static const struct { const char *schema, *instance, *want; } cases[] = {
        { "{}", "1", "" },
        { "true", "1", "" },
        { "{'title':'T','description':'D','default':[1],'examples':[2],'deprecated':true}", "1",
          " /title 'T';  /description 'D';  /default [1];  /examples [2];  /deprecated true" },
        { "{'readOnly':true,'writeOnly':false,'format':'date'}", "1",
          " /readOnly true;  /writeOnly false;  /format 'date'" },
        { "{'contentEncoding':'base64','contentMediaType':'application/json','contentSchema':{'title':'T'}}", "'e30='",
          " /contentEncoding 'base64';  /contentMediaType 'application/json';  /contentSchema {'title':'T'}" },
        { "{'title':'T','type':'null'}", "1", "" }, /* not valid: nothing is said */
        { "{'properties':{'a':{'title':'A'},'b':{'title':'B'}}}", "{'a':1,'c':2}",
          "/a /properties/a/title 'A';  /properties ['a']" },
        { "{'patternProperties':{'^x':{'title':'X'}},'additionalProperties':{'title':'O'}}", "{'x1':1,'y':2}",
          "/x1 /patternProperties/^x/title 'X'; /y /additionalProperties/title 'O';  /patternProperties ['x1'];  "
          "/additionalProperties ['y']" },
        { "{'prefixItems':[{'title':'P'}],'items':{'title':'I'},'contains':{'type':'string','title':'C'}}", "[1,'a']",
          "/0 /prefixItems/0/title 'P'; /1 /items/title 'I'; /1 /contains/title 'C';  /prefixItems 0;  /items true;  "
          "/contains [1]" },
        { "{'$ref':'#/$defs/n','$defs':{'n':{'title':'N'}}}", "1", " /$ref/title 'N'" },
        { "{'anyOf':[{'type':'null','title':'no'},{'title':'yes'}]}", "1", " /anyOf/1/title 'yes'" },
        { "{'oneOf':[{'type':'null','title':'no'},{'type':'integer','title':'yes'}]}", "1", " /oneOf/1/title 'yes'" },
        { "{'allOf':[{'title':'a'},{'title':'b'}]}", "1", " /allOf/0/title 'a';  /allOf/1/title 'b'" },
        { "{'not':{'type':'null','title':'no'}}", "1", "" },
        { "{'if':{'type':'integer','title':'i'},'then':{'title':'t'},'else':{'title':'e'}}", "1",
          " /if/title 'i';  /then/title 't'" },
        { "{'if':{'type':'integer','title':'i'},'then':{'title':'t'},'else':{'title':'e'}}", "'x'",
          " /else/title 'e'" },
        { "{'dependentSchemas':{'a':{'title':'D'}}}", "{'a':1}", " /dependentSchemas/a/title 'D'" },
        { "{'allOf':[{'properties':{'a':{}}}],'unevaluatedProperties':{'title':'U'}}", "{'a':1,'b':2}",
          " /allOf/0/properties ['a']; /b /unevaluatedProperties/title 'U';  /unevaluatedProperties ['b']" },
        { "{'anyOf':[{'prefixItems':[{}]}],'unevaluatedItems':{'title':'U'}}", "[1,2]",
          " /anyOf/0/prefixItems 0; /1 /unevaluatedItems/title 'U';  /unevaluatedItems true" },
        { "{'$id':'urn:s','$dynamicAnchor':'n','title':'S','$ref':'urn:t','$defs':{'t':{'$id':'urn:t','$dynamicAnchor':'n',"
          "'title':'T','properties':{'in':{'$dynamicRef':'#n'}}}}}",
          "{'in':{}}",
          " /title 'S';  /$ref/title 'T'; /in /$ref/properties/in/$dynamicRef/title 'S'; "
          "/in /$ref/properties/in/$dynamicRef/$ref/title 'T';  /$ref/properties ['in']" },
        { "{'$schema':'http://json-schema.org/draft-07/schema#','$ref':'#/definitions/n','title':'beside',"
          "'definitions':{'n':{'title':'N','deprecated':true}}}",
          "1", " /$ref/title 'N'" },
        { "{'$schema':'http://json-schema.org/draft-04/schema#','title':'T','examples':[1],'readOnly':true}", "1",
          " /title 'T'" },
        /* What a keyword applied to. Nothing is said of what it did not, and of values of another type. */
        { "{'properties':{'a':true},'items':true,'prefixItems':[true]}", "{'b':1}", "" },
        { "{'properties':{'a':true,'b':true},'patternProperties':{'^a':true,'b$':true},'additionalProperties':true}",
          "{'a':1,'ab':2,'c':3}", " /properties ['a'];  /patternProperties ['a','ab'];  /additionalProperties ['c']" },
        { "{'unevaluatedProperties':true}", "{'a/~':1,'\\u0041\\n':2}", " /unevaluatedProperties ['a/~','A\\n']" },
        { "{'prefixItems':[true,true,true]}", "[1,2]", " /prefixItems true" },
        { "{'prefixItems':[true,true]}", "[1,2,3]", " /prefixItems 1" },
        { "{'items':true}", "[]", "" },
        { "{'contains':{'type':'null'},'minContains':0}", "[1]", " /contains []" },
        { "{'contains':true,'minContains':0}", "[]", " /contains []" },
        { "{'contains':{'type':'null'}}", "[null,1,null]", " /contains [0,2]" },
        { "{'contains':{'type':'null'}}", "[null]", " /contains true" },
        { "{'$schema':'https://json-schema.org/draft/2019-09/schema','items':[true],'additionalItems':true,'contains':true}",
          "[1,2]", " /items 0;  /additionalItems true" },
        { "{'$schema':'http://json-schema.org/draft-07/schema#','items':[true],'properties':{'a':true}}", "[1]", "" },
        /* Keywords that are not known, where the draft says that they are annotations. */
        { "{'x-a':{'b':[1]},'unit':'m','$comment':'no','$defs':{},'type':'integer','id':1}", "1",
          " /x-a {'b':[1]};  /unit 'm';  /id 1" },
        { "{'$schema':'http://json-schema.org/draft-07/schema#','x-a':1}", "1", "" },
        /* Of texts only, and contentSchema only beside contentMediaType. */
        { "{'contentEncoding':'base64','contentMediaType':'application/json','contentSchema':true}", "1", "" },
        { "{'contentSchema':true}", "'a'", "" },
        { "{'$schema':'http://json-schema.org/draft-07/schema#','dependencies':{'a':{'title':'D'}}}", "{'a':1}",
          " /dependencies/a/title 'D'" },
    };
    char   out[4096];
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        collect(out, sizeof out, cases[i].schema, cases[i].instance);
        if (strcmp(out, cases[i].want) == 0)
            continue;
        print_error("%s\n  %s\n  wanted: %s\n     got: %s\n", cases[i].schema, cases[i].instance,
                    cases[i].want, out);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void writes_them_in_the_basic_format_when_asked(void **state)
{
    static const char text[]  = "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
                                "n\"}},\"$defs\":{\"n\":{\"title\":\"N\",\"default\":{\"b\":1}}}}";
    tenon_schema     *schema  = tenon_schema_new(text, strlen(text), .uri = "http://example.com/s");
    tenon_verdict    *verdict = tenon_verdict_new(schema);

    (void)state;
    assert_true(tenon_verdict_judge(verdict, "{\"a\":1}", 7));
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_FLAG, NULL), "{\"valid\":true}");
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL), "{\"valid\":true}");
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC_ANNOTATIONS, NULL),
                        "{\"valid\":true,\"annotations\":["
                        "{\"valid\":true,\"keywordLocation\":\"/properties/a/$ref/title\","
                        "\"absoluteKeywordLocation\":\"http://example.com/s#/$defs/n/title\","
                        "\"instanceLocation\":\"/a\",\"annotation\":\"N\"},"
                        "{\"valid\":true,\"keywordLocation\":\"/properties/a/$ref/default\","
                        "\"absoluteKeywordLocation\":\"http://example.com/s#/$defs/n/default\","
                        "\"instanceLocation\":\"/a\",\"annotation\":{\"b\":1}},"
                        "{\"valid\":true,\"keywordLocation\":\"/properties\","
                        "\"absoluteKeywordLocation\":\"http://example.com/s#/properties\","
                        "\"instanceLocation\":\"\",\"annotation\":[\"a\"]}]}");
    assert_true(tenon_verdict_judge(verdict, "{}", 2));
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC_ANNOTATIONS, NULL),
                        "{\"valid\":true}");
    assert_int_equal(tenon_verdict_annotation_count(verdict), 0);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

/* Thirty thousand items, and a schema that says much of each. */
static void keeps_within_its_bounds(void **state)
{
    enum { ITEMS = 30000, SAID = 4000 };
    char          *text = malloc(SAID + 100), *items = malloc(ITEMS * 2 + 2);
    size_t         len = 0, out;
    tenon_schema  *schema;
    tenon_verdict *verdict;
    const char    *output;

    (void)state;
    len = (size_t)sprintf(text, "{\"items\":{\"title\":\"");
    memset(text + len, 'a', SAID);
    sprintf(text + len + SAID, "\"}}");
    for (size_t i = 0; i < ITEMS; i++)
        memcpy(items + i * 2, i == 0 ? "[1" : ",1", 2);
    items[ITEMS * 2] = ']';
    schema           = tenon_schema_new(text, strlen(text));
    verdict          = tenon_verdict_new(schema);
    assert_true(tenon_verdict_flag(verdict, items, ITEMS * 2 + 1));
    assert_int_equal(tenon_verdict_annotation_count(verdict), 10000);
    for (int i = 0; i < 2; i++) {
        output = tenon_verdict_output(
            verdict, i == 0 ? TENON_OUTPUT_BASIC_ANNOTATIONS : TENON_OUTPUT_DETAILED_ANNOTATIONS, &out);
        assert_non_null(output);
        assert_in_range(out, 900000, 1 << 20);
        assert_string_equal(output + out - 3, "}]}");
    }
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    free(text);
    free(items);
}

/* A value that is judged at once, because the first alternative holds; but to collect, both are gone through, and those in
 * them, which would never end. Only the innermost of them says anything. */
static void ends_by_its_steps(void **state)
{
    enum { DEPTH = 60 };
    static const char text[] =
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$ref\":\"#/$defs/"
        "t\",\"$defs\":{\"t\":{\"properties\":{\"l\":{\"anyOf\":["
        "{\"$ref\":\"#/$defs/t\"},{\"$ref\":\"#/$defs/t\"}]},\"m\":{\"title\":\"M\"}}}}}";
    char           value[DEPTH * 8 + 16] = "";
    tenon_schema  *schema                = tenon_schema_new(text, strlen(text));
    tenon_verdict *verdict               = tenon_verdict_new(schema);

    (void)state;
    for (int i = 0; i < DEPTH; i++)
        strcat(value, "{\"l\":");
    strcat(value, "1");
    for (int i = 0; i < DEPTH; i++)
        strcat(value, "}");
    assert_true(tenon_verdict_flag(verdict, value, strlen(value)));
    assert_int_equal(tenon_verdict_annotation_count(verdict), 0);
    assert_string_equal(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL), "{\"valid\":true}");
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

static void survives_refused_memory(void **state)
{
    static const char text[] = "{\"title\":\"T\",\"items\":{\"title\":\"I\"}}";
    bool              done   = false;

    (void)state;
    for (size_t fail = 1; !done; fail++) {
        struct tn_fault fault   = { 0 };
        tenon_allocator memory  = tn_fault_allocator(&fault);
        tenon_schema   *schema  = tenon_schema_new(text, strlen(text), .memory = &memory);
        tenon_verdict  *verdict = tenon_verdict_new(schema);

        fault.refuse_at = fault.requests + fail;
        if (tenon_verdict_flag(verdict, "[1,2]", 5)) {
            size_t count = tenon_verdict_annotation_count(verdict);

            assert_true(count == 4 || (count == 0 && tenon_verdict_failed(verdict)));
            done = tenon_verdict_output(verdict, TENON_OUTPUT_DETAILED_ANNOTATIONS, NULL) &&
                   !tenon_verdict_failed(verdict);
        }
        tenon_verdict_free(verdict);
        tenon_schema_free(schema);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collects_what_applies),
        cmocka_unit_test(writes_them_in_the_basic_format_when_asked),
        cmocka_unit_test(keeps_within_its_bounds),
        cmocka_unit_test(ends_by_its_steps),
        cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
