/* metaschema.c - the metaschemas that documents may refer to, so that nothing need be fetched.
 *
 * They say what the specification says, in as few words as do: every keyword and the form of its value. Definitions have
 * the names that the specification gives them, because documents refer to those too.
 */
#include "schema/library.h"

#define BASE "https://json-schema.org/draft/2020-12/"
#define HEAD(path, anchor) \
    "{\"$schema\":\"" BASE "schema\",\"$id\":\"" BASE path "\",\"$dynamicAnchor\":\"meta\"," anchor
#define SCHEMA      "{\"$dynamicRef\":\"#meta\"}"
#define SCHEMA_LIST "{\"type\":\"array\",\"minItems\":1,\"items\":" SCHEMA "}"
#define SCHEMA_MAP  "{\"type\":\"object\",\"additionalProperties\":" SCHEMA "}"
#define SIZE        "{\"type\":\"integer\",\"minimum\":0}"
#define NAMES       "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true}"
#define TYPES       "[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]"
#define BOTH        "\"type\":[\"object\",\"boolean\"]"

/* Definitions, for a document to refer to. `defs` is the keyword that holds them. */
#define SIZE_DEFS(defs)                                                                                      \
    "\"nonNegativeInteger\":" SIZE                                                                           \
    ",\"nonNegativeIntegerDefault0\":{\"allOf\":[{\"$ref\":\"#/" defs "/nonNegativeInteger\"},{\"default\":0}]}"
#define TYPE_DEFS   "\"simpleTypes\":{\"enum\":" TYPES "},\"stringArray\":" NAMES
#define LIST_DEF    "\"schemaArray\":" SCHEMA_LIST
#define ANCHOR_TEXT "{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"}"
#define URI_DEFS                                                                                             \
    "\"uriString\":{\"type\":\"string\",\"format\":\"uri\"},"                                              \
    "\"uriReferenceString\":{\"type\":\"string\",\"format\":\"uri-reference\"}"

/* clang-format off */
static const char schema_2020[] =
    HEAD("schema", "") "\"$vocabulary\":{\"" BASE "vocab/core\":true,\"" BASE "vocab/applicator\":true,\"" BASE
                       "vocab/unevaluated\":true,\"" BASE "vocab/validation\":true,\"" BASE
                       "vocab/meta-data\":true,\"" BASE "vocab/format-annotation\":true,\"" BASE
                       "vocab/content\":true},"
                       "\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},"
                       "{\"$ref\":\"meta/unevaluated\"},{\"$ref\":\"meta/validation\"},"
                       "{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format-annotation\"},"
                       "{\"$ref\":\"meta/content\"}]," BOTH ",\"properties\":{\"definitions\":" SCHEMA_MAP
                       ",\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[" SCHEMA
                       "," NAMES "]}},\"$recursiveAnchor\":{\"type\":\"string\"},"
                       "\"$recursiveRef\":{\"type\":\"string\"}}}";

static const char core[] =
    HEAD("meta/core", "") BOTH ",\"properties\":{\"$id\":{\"type\":\"string\",\"pattern\":\"^[^#]*#?$\"},"
                               "\"$schema\":{\"type\":\"string\"},\"$ref\":{\"type\":\"string\"},"
                               "\"$anchor\":" ANCHOR_TEXT ","
                               "\"$dynamicRef\":{\"type\":\"string\"},"
                               "\"$dynamicAnchor\":" ANCHOR_TEXT ","
                               "\"$vocabulary\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"boolean\"}},"
                               "\"$comment\":{\"type\":\"string\"},\"$defs\":" SCHEMA_MAP "},"
                               "\"$defs\":{\"anchorString\":" ANCHOR_TEXT "," URI_DEFS "}}";

static const char applicator[] =
    HEAD("meta/applicator", "") BOTH ",\"properties\":{\"prefixItems\":" SCHEMA_LIST ",\"items\":" SCHEMA
                                     ",\"contains\":" SCHEMA ",\"additionalProperties\":" SCHEMA
                                     ",\"properties\":" SCHEMA_MAP ",\"patternProperties\":" SCHEMA_MAP
                                     ",\"dependentSchemas\":" SCHEMA_MAP ",\"propertyNames\":" SCHEMA ",\"if\":" SCHEMA
                                     ",\"then\":" SCHEMA ",\"else\":" SCHEMA ",\"allOf\":" SCHEMA_LIST
                                     ",\"anyOf\":" SCHEMA_LIST ",\"oneOf\":" SCHEMA_LIST ",\"not\":" SCHEMA "},"
                                     "\"$defs\":{" LIST_DEF "}}";

static const char unevaluated[] =
    HEAD("meta/unevaluated", "") BOTH ",\"properties\":{\"unevaluatedItems\":" SCHEMA
                                      ",\"unevaluatedProperties\":" SCHEMA "}}";

static const char validation[] = HEAD("meta/validation", "") BOTH
    ",\"properties\":{\"type\":{\"anyOf\":[{\"enum\":" TYPES "},{\"type\":\"array\",\"items\":{\"enum\":" TYPES
    "},\"minItems\":1,\"uniqueItems\":true}]},\"const\":true,\"enum\":{\"type\":\"array\"},"
    "\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":{\"type\":\"number\"},"
    "\"exclusiveMaximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"number\"},"
    "\"exclusiveMinimum\":{\"type\":\"number\"},\"maxLength\":" SIZE ",\"minLength\":" SIZE
    ",\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},\"maxItems\":" SIZE ",\"minItems\":" SIZE
    ",\"uniqueItems\":{\"type\":\"boolean\"},\"maxContains\":" SIZE ",\"minContains\":" SIZE
    ",\"maxProperties\":" SIZE ",\"minProperties\":" SIZE ",\"required\":" NAMES
    ",\"dependentRequired\":{\"type\":\"object\",\"additionalProperties\":" NAMES "}},"
    "\"$defs\":{" SIZE_DEFS("$defs") "," TYPE_DEFS "}}";

static const char meta_data[] =
    HEAD("meta/meta-data", "") BOTH ",\"properties\":{\"title\":{\"type\":\"string\"},"
                                    "\"description\":{\"type\":\"string\"},\"default\":true,"
                                    "\"deprecated\":{\"type\":\"boolean\"},\"readOnly\":{\"type\":\"boolean\"},"
                                    "\"writeOnly\":{\"type\":\"boolean\"},\"examples\":{\"type\":\"array\"}}}";

static const char format_annotation[] =
    HEAD("meta/format-annotation", "") BOTH ",\"properties\":{\"format\":{\"type\":\"string\"}}}";

static const char format_assertion[] =
    HEAD("meta/format-assertion", "") BOTH ",\"properties\":{\"format\":{\"type\":\"string\"}}}";

static const char content[] =
    HEAD("meta/content", "") BOTH ",\"properties\":{\"contentEncoding\":{\"type\":\"string\"},"
                                  "\"contentMediaType\":{\"type\":\"string\"},\"contentSchema\":" SCHEMA "}}";

#define OLD_SCHEMA "{\"$ref\":\"#\"}"
#define OLD_LIST   "{\"type\":\"array\",\"minItems\":1,\"items\":" OLD_SCHEMA "}"
#define OLD_MAP    "{\"type\":\"object\",\"additionalProperties\":" OLD_SCHEMA "}"
#define TEXT       "{\"type\":\"string\"}"
#define NUMBER     "{\"type\":\"number\"}"

static const char draft_07[] =
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$id\":\"http://json-schema.org/draft-07/schema#\"," BOTH
    ",\"properties\":{\"$id\":" TEXT ",\"$schema\":" TEXT ",\"$ref\":" TEXT ",\"$comment\":" TEXT ",\"title\":" TEXT
    ",\"description\":" TEXT ",\"default\":true,\"readOnly\":{\"type\":\"boolean\"},"
    "\"examples\":{\"type\":\"array\"},\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
    "\"maximum\":" NUMBER ",\"exclusiveMaximum\":" NUMBER ",\"minimum\":" NUMBER ",\"exclusiveMinimum\":" NUMBER
    ",\"maxLength\":" SIZE ",\"minLength\":" SIZE ",\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},"
    "\"additionalItems\":" OLD_SCHEMA ",\"items\":{\"anyOf\":[" OLD_SCHEMA "," OLD_LIST "]},\"maxItems\":" SIZE
    ",\"minItems\":" SIZE ",\"uniqueItems\":{\"type\":\"boolean\"},\"contains\":" OLD_SCHEMA
    ",\"maxProperties\":" SIZE ",\"minProperties\":" SIZE ",\"required\":" NAMES
    ",\"additionalProperties\":" OLD_SCHEMA ",\"definitions\":" OLD_MAP ",\"properties\":" OLD_MAP
    ",\"patternProperties\":" OLD_MAP ",\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":["
    OLD_SCHEMA "," NAMES "]}},\"propertyNames\":" OLD_SCHEMA ",\"const\":true,\"enum\":{\"type\":\"array\"},"
    "\"type\":{\"anyOf\":[{\"enum\":" TYPES "},{\"type\":\"array\",\"items\":{\"enum\":" TYPES
    "},\"minItems\":1,\"uniqueItems\":true}]},\"format\":" TEXT ",\"contentMediaType\":" TEXT
    ",\"contentEncoding\":" TEXT ",\"if\":" OLD_SCHEMA ",\"then\":" OLD_SCHEMA ",\"else\":" OLD_SCHEMA
    ",\"allOf\":" OLD_LIST ",\"anyOf\":" OLD_LIST ",\"oneOf\":" OLD_LIST ",\"not\":" OLD_SCHEMA "},"
    "\"definitions\":{\"schemaArray\":" OLD_LIST "," SIZE_DEFS("definitions") "," TYPE_DEFS "}}";
/* clang-format on */

const char *metaschema_text(struct slice uri)
{
    static const struct {
        const char *uri, *text;
    } all[] = {
        { BASE "schema", schema_2020 },
        { BASE "meta/core", core },
        { BASE "meta/applicator", applicator },
        { BASE "meta/unevaluated", unevaluated },
        { BASE "meta/validation", validation },
        { BASE "meta/meta-data", meta_data },
        { BASE "meta/format-annotation", format_annotation },
        { BASE "meta/format-assertion", format_assertion },
        { BASE "meta/content", content },
        { "http://json-schema.org/draft-07/schema", draft_07 },
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (slice_is(uri, all[i].uri))
            return all[i].text;
    return NULL;
}
