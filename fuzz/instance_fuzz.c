/* instance_fuzz.c - any value by a schema with every keyword: judging ends, both ways of it agree, everything that can
 * be said of it is sound text. */
#include <stdlib.h>
#include <string.h>

#include <tenon/schema.h>

#include "judging.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

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

/* What older drafts have and 2020-12 does not. */
static const char recursive[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://example.org/outer\","
    "\"$recursiveAnchor\":true,\"$ref\":\"inner\",\"unevaluatedProperties\":{\"type\":[\"string\",\"integer\"]},"
    "\"$defs\":{\"inner\":{\"$id\":\"inner\",\"$recursiveAnchor\":true,\"properties\":{\"child\":{\"$recursiveRef\":\"#\"},"
    "\"list\":{\"items\":[{\"type\":\"integer\"},{\"$recursiveRef\":\"#\"}],\"additionalItems\":{\"minLength\":2},"
    "\"contains\":{\"type\":\"integer\"},\"unevaluatedItems\":false}},\"additionalItems\":false,"
    "\"items\":[{\"$recursiveRef\":\"#\"}]},\"old\":{\"$schema\":\"http://json-schema.org/draft-06/schema#\","
    "\"$id\":\"old\",\"items\":[{\"const\":1}]}},\"if\":{\"required\":[\"kind\"]},\"then\":{\"$ref\":\"old\"}}";
static const char oldest[] =
    "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"id\":\"urn:oldest\",\"minimum\":0,\"exclusiveMinimum\":true,"
    "\"maximum\":1e6,\"exclusiveMaximum\":false,\"items\":[{\"id\":\"#text\",\"type\":\"string\"}],"
    "\"additionalItems\":{\"$ref\":\"urn:oldest\"},\"dependencies\":{\"a\":[\"b\"],\"c\":{\"required\":[\"d\"]}},"
    "\"properties\":{\"name\":{\"$ref\":\"#text\",\"minLength\":99},\"child\":{\"$ref\":\"#\"}},"
    "\"additionalProperties\":{\"$ref\":\"http://json-schema.org/draft-04/schema#\"}}";
/* clang-format on */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const texts[] = { rich, recursive, oldest };
    static tenon_schema
        *schemas[sizeof texts / sizeof *texts]; /* compiled once: that takes longer than judging */

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!schemas[i])
            schemas[i] = tenon_schema_new(texts[i], strlen(texts[i]), .format_assertion = true);
        must(schemas[i] != NULL && !tenon_schema_error(schemas[i]));
        judge(schemas[i], (const char *)data, len);
    }
    return 0;
}
