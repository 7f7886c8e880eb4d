/* instance_fuzz.c - any value by a schema with every keyword: judging ends, both ways of it agree, everything that can
 * be said of it is sound text. */
#include <stdlib.h>
#include <string.h>

#include <tenon/schema.h>
#include <yyjson.h>

#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void must_be_text(const char *text)
{
    must(text && utf8_valid(text, strlen(text)));
}

static void check_output(tenon_verdict *verdict, tenon_output form)
{
    size_t      len;
    const char *json = tenon_verdict_output(verdict, form, &len);
    yyjson_doc *doc  = json ? yyjson_read(json, len, 0) : NULL;

    must(doc != NULL);
    yyjson_doc_free(doc);
}

static void judge(const tenon_schema *schema, const char *json, size_t json_len)
{
    tenon_verdict *verdict = tenon_verdict_new(schema);
    bool           valid, flag;

    must(verdict != NULL);
    flag  = tenon_verdict_flag(verdict, json, json_len);
    valid = tenon_verdict_of(verdict, json, json_len);
    must(valid == flag && !tenon_verdict_failed(verdict));
    must(!valid || !tenon_schema_error(schema));
    must(tenon_schema_error(schema) || valid == (tenon_verdict_issue_count(verdict) == 0));
    must(tenon_verdict_issue_total(verdict) >= tenon_verdict_issue_count(verdict));
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        must_be_text(issue->text);
        must_be_text(issue->code);
        must_be_text(tenon_verdict_place(verdict, i));
    }
    check_output(verdict, TENON_OUTPUT_FLAG);
    check_output(verdict, TENON_OUTPUT_BASIC);
    tenon_verdict_free(verdict);
}

/* Every keyword, so that any value meets some. */
/* clang-format off */
static const char rich[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://example.org/rich\","
    "\"$dynamicAnchor\":\"node\",\"type\":[\"object\",\"array\",\"string\",\"number\",\"boolean\",\"null\"],"
    "\"minLength\":1,\"maxLength\":40,\"pattern\":\"^[^\\\\u0000]*$\",\"minimum\":-1e9,\"exclusiveMaximum\":1e300,"
    "\"multipleOf\":0.001,\"minItems\":0,\"maxItems\":30,\"uniqueItems\":true,"
    "\"properties\":{\"name\":{\"type\":\"string\",\"format\":\"hostname\"},\"at\":{\"format\":\"date-time\"},"
    "\"mail\":{\"format\":\"email\"},\"id\":{\"format\":\"uuid\"},\"uri\":{\"format\":\"uri\"},"
    "\"kind\":{\"enum\":[\"a\",\"b\",\"c\",1,2.5,null,[1,{\"x\":[]}],{\"y\":1,\"z\":2},\"d\",\"e\"]},"
    "\"one\":{\"const\":{\"a\":[1,2,3],\"b\":null}},\"list\":{\"prefixItems\":[{\"type\":\"integer\"},"
    "{\"$ref\":\"#/$defs/short\"}],\"items\":{\"$dynamicRef\":\"#node\"},\"contains\":{\"type\":\"integer\"},"
    "\"minContains\":1,\"maxContains\":3},\"tuple\":{\"prefixItems\":[true,{\"type\":\"string\"}],"
    "\"unevaluatedItems\":{\"type\":\"boolean\"}},\"child\":{\"$dynamicRef\":\"#node\"},"
    "\"closed\":{\"allOf\":[{\"properties\":{\"p\":{\"type\":\"integer\"}}},{\"patternProperties\":{\"^q\":true}}],"
    "\"unevaluatedProperties\":false},\"sum\":{\"oneOf\":[{\"type\":\"integer\",\"multipleOf\":3},"
    "{\"type\":\"integer\",\"multipleOf\":5},{\"$ref\":\"#/$defs/short\"}]},"
    "\"any\":{\"anyOf\":[{\"$ref\":\"#/$defs/short\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/short\"}},"
    "{\"type\":\"object\",\"required\":[\"k\"],\"properties\":{\"k\":{\"const\":\"x\"}}}]}},"
    "\"patternProperties\":{\"^x-\":{\"type\":\"string\"},\"(a+)+$\":{\"not\":{\"type\":\"null\"}}},"
    "\"additionalProperties\":{\"$dynamicRef\":\"#node\"},\"propertyNames\":{\"maxLength\":20},"
    "\"minProperties\":0,\"maxProperties\":25,\"dependentRequired\":{\"a\":[\"b\"]},"
    "\"dependentSchemas\":{\"c\":{\"required\":[\"d\"],\"properties\":{\"d\":{\"type\":\"integer\"}}}},"
    "\"if\":{\"properties\":{\"mode\":{\"const\":\"m\"}},\"required\":[\"mode\"]},"
    "\"then\":{\"required\":[\"name\"]},\"else\":{\"not\":{\"required\":[\"never\"]}},"
    "\"$defs\":{\"short\":{\"$anchor\":\"short\",\"type\":\"string\",\"maxLength\":5}}}";
/* clang-format on */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static tenon_schema *schema; /* compiled once, which takes longer than judging most values */

    if (!schema)
        schema = tenon_schema_new(rich, sizeof rich - 1, .format_assertion = true);
    must(schema != NULL && !tenon_schema_error(schema));
    judge(schema, (const char *)data, len);
    return 0;
}
