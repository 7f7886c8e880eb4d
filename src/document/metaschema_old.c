/* metaschema_old.c - the metaschemas of draft-07, draft-06 and draft-04, each one document. */
#include "document/metaschema_words.h"
#include "document/registry.h"

/* clang-format off */
#define SELF         "{\"$ref\":\"#\"}"
#define SELF_OR_BOOL "{\"anyOf\":[" TRUTH "," SELF "]}"
#define ITEMS        "{\"anyOf\":[" SELF "," SCHEMA_LIST(SELF) "]}"

/* The keywords that all three have, in the same form. */
#define EVERYWHERE \
    "\"$schema\":" TEXT ",\"title\":" TEXT ",\"description\":" TEXT ",\"maximum\":" NUMBER ",\"minimum\":" NUMBER \
    ",\"maxLength\":" SIZE ",\"minLength\":" SIZE ",\"pattern\":" REGEX ",\"items\":" ITEMS ",\"maxItems\":" SIZE \
    ",\"minItems\":" SIZE ",\"uniqueItems\":" TRUTH ",\"maxProperties\":" SIZE ",\"minProperties\":" SIZE \
    ",\"definitions\":" SCHEMA_MAP(SELF) ",\"properties\":" SCHEMA_MAP(SELF) ",\"patternProperties\":" SCHEMA_MAP(SELF) \
    ",\"type\":" TYPE ",\"format\":" TEXT ",\"allOf\":" SCHEMA_LIST(SELF) ",\"anyOf\":" SCHEMA_LIST(SELF) \
    ",\"oneOf\":" SCHEMA_LIST(SELF) ",\"not\":" SELF
#define SINCE_6 EVERYWHERE \
    ",\"$id\":" TEXT ",\"$ref\":" TEXT ",\"default\":true,\"examples\":" LIST \
    ",\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"exclusiveMaximum\":" NUMBER \
    ",\"exclusiveMinimum\":" NUMBER ",\"additionalItems\":" SELF ",\"contains\":" SELF ",\"required\":" NAMES \
    ",\"additionalProperties\":" SELF ",\"dependencies\":" DEPENDENCIES(SELF) ",\"propertyNames\":" SELF \
    ",\"const\":true,\"enum\":" LIST
#define DEFINITIONS "\"definitions\":{\"schemaArray\":" SCHEMA_LIST(SELF) "," SIZE_DEFS("definitions") "," TYPE_DEFS "}"
#define HEAD(name, id) \
    "{\"$schema\":\"http://json-schema.org/" name "/schema#\",\"" id "\":\"http://json-schema.org/" name "/schema#\","
#define SOME_NAMES "{\"type\":\"array\",\"items\":" TEXT ",\"minItems\":1,\"uniqueItems\":true}"

static const struct {
    const char *uri, *text;
} all[] = {
    { "http://json-schema.org/draft-07/schema",
      HEAD("draft-07", "$id") BOTH ",\"properties\":{" SINCE_6
      ",\"$comment\":" TEXT ",\"readOnly\":" TRUTH ",\"contentMediaType\":" TEXT ",\"contentEncoding\":" TEXT
      ",\"if\":" SELF ",\"then\":" SELF ",\"else\":" SELF "}," DEFINITIONS "}" },
    { "http://json-schema.org/draft-06/schema",
      HEAD("draft-06", "$id") BOTH ",\"properties\":{" SINCE_6 "}," DEFINITIONS "}" },
    { "http://json-schema.org/draft-04/schema",
      HEAD("draft-04", "id") "\"type\":\"object\",\"properties\":{" EVERYWHERE
      ",\"id\":" TEXT ",\"default\":{},\"multipleOf\":{\"type\":\"number\",\"minimum\":0,\"exclusiveMinimum\":true},"
      "\"exclusiveMaximum\":" TRUTH ",\"exclusiveMinimum\":" TRUTH ",\"additionalItems\":" SELF_OR_BOOL
      ",\"required\":" SOME_NAMES ",\"additionalProperties\":" SELF_OR_BOOL
      ",\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[" SELF "," SOME_NAMES "]}},"
      "\"enum\":{\"type\":\"array\",\"minItems\":1,\"uniqueItems\":true}},"
      "\"dependencies\":{\"exclusiveMaximum\":[\"maximum\"],\"exclusiveMinimum\":[\"minimum\"]},"
      "\"definitions\":{\"schemaArray\":" SCHEMA_LIST(SELF) ",\"positiveInteger\":" SIZE ",\"positiveIntegerDefault0\":"
      "{\"allOf\":[{\"$ref\":\"#/definitions/positiveInteger\"},{\"default\":0}]},"
      "\"simpleTypes\":{\"enum\":" TYPES "},\"stringArray\":" SOME_NAMES "}}" },
};
/* clang-format on */

const char *tn_metaschema_old_text(struct tn_slice uri)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (tn_slice_is(uri, all[i].uri))
            return all[i].text;
    return NULL;
}
