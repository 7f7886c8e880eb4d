/* metaschema.c - the metaschemas that documents may refer to, so that nothing need be fetched.
 *
 * They state what the specification states, as briefly as possible: every keyword and the form of its value.
 * Definitions have the names that the specification gives them, because documents refer to those too. Those of 2020-12
 * and 2019-09, which consist of vocabularies, are here; metaschema_old.c has the older ones.
 */
#include "document/metaschema_words.h"
#include "document/registry.h"

/* clang-format off */
#define BASE_2020 "https://json-schema.org/draft/2020-12/"
#define BASE_2019 "https://json-schema.org/draft/2019-09/"
#define HEAD_2020(path) "{\"$schema\":\"" BASE_2020 "schema\",\"$id\":\"" BASE_2020 path "\",\"$dynamicAnchor\":\"meta\","
#define HEAD_2019(path) "{\"$schema\":\"" BASE_2019 "schema\",\"$id\":\"" BASE_2019 path "\",\"$recursiveAnchor\":true,"
#define SELF_2020 "{\"$dynamicRef\":\"#meta\"}"
#define SELF_2019 "{\"$recursiveRef\":\"#\"}"
#define ANCHOR    "{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"}"

/* The vocabularies, as far as the two are the same. */
#define CORE(schema, more) BOTH \
    ",\"properties\":{\"$id\":{\"type\":\"string\",\"pattern\":\"^[^#]*#?$\"},\"$schema\":" TEXT ",\"$ref\":" TEXT \
    ",\"$anchor\":" ANCHOR "," more ",\"$vocabulary\":{\"type\":\"object\",\"additionalProperties\":" TRUTH "}," \
    "\"$comment\":" TEXT ",\"$defs\":" SCHEMA_MAP(schema) "}"
#define APPLICATOR(schema, more) BOTH \
    ",\"properties\":{" more ",\"contains\":" schema ",\"additionalProperties\":" schema ",\"properties\":" \
    SCHEMA_MAP(schema) ",\"patternProperties\":" SCHEMA_MAP(schema) ",\"dependentSchemas\":" SCHEMA_MAP(schema) \
    ",\"propertyNames\":" schema ",\"if\":" schema ",\"then\":" schema ",\"else\":" schema ",\"allOf\":" \
    SCHEMA_LIST(schema) ",\"anyOf\":" SCHEMA_LIST(schema) ",\"oneOf\":" SCHEMA_LIST(schema) ",\"not\":" schema "}," \
    "\"$defs\":{\"schemaArray\":" SCHEMA_LIST(schema) "}}"
#define UNEVALUATED(schema) "\"unevaluatedItems\":" schema ",\"unevaluatedProperties\":" schema
#define VALIDATION BOTH \
    ",\"properties\":{\"type\":" TYPE ",\"const\":true,\"enum\":" LIST ",\"multipleOf\":" \
    "{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":" NUMBER ",\"exclusiveMaximum\":" NUMBER \
    ",\"minimum\":" NUMBER ",\"exclusiveMinimum\":" NUMBER ",\"maxLength\":" SIZE ",\"minLength\":" SIZE \
    ",\"pattern\":" REGEX ",\"maxItems\":" SIZE ",\"minItems\":" SIZE ",\"uniqueItems\":" TRUTH ",\"maxContains\":" SIZE \
    ",\"minContains\":" SIZE ",\"maxProperties\":" SIZE ",\"minProperties\":" SIZE ",\"required\":" NAMES \
    ",\"dependentRequired\":" SCHEMA_MAP(NAMES) "},\"$defs\":{" SIZE_DEFS("$defs") "," TYPE_DEFS "}}"
#define META_DATA BOTH \
    ",\"properties\":{\"title\":" TEXT ",\"description\":" TEXT ",\"default\":true,\"deprecated\":" TRUTH \
    ",\"readOnly\":" TRUTH ",\"writeOnly\":" TRUTH ",\"examples\":" LIST "}}"
#define FORMAT BOTH ",\"properties\":{\"format\":" TEXT "}}"
#define CONTENT(schema) BOTH \
    ",\"properties\":{\"contentEncoding\":" TEXT ",\"contentMediaType\":" TEXT ",\"contentSchema\":" schema "}}"
/* What stands beside the vocabularies: keywords of older drafts. */
#define OLDER(schema) \
    "\"definitions\":" SCHEMA_MAP(schema) ",\"dependencies\":" DEPENDENCIES(schema)

static const struct {
    const char *uri, *text;
} all[] = {
    { BASE_2020 "schema",
      HEAD_2020("schema")
      "\"$vocabulary\":{\"" BASE_2020 "vocab/core\":true,\"" BASE_2020 "vocab/applicator\":true,\"" BASE_2020
      "vocab/unevaluated\":true,\"" BASE_2020 "vocab/validation\":true,\"" BASE_2020 "vocab/meta-data\":true,\""
      BASE_2020 "vocab/format-annotation\":true,\"" BASE_2020 "vocab/content\":true},"
      "\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref\":\"meta/unevaluated\"},"
      "{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format-annotation\"},"
      "{\"$ref\":\"meta/content\"}]," BOTH ",\"properties\":{" OLDER(SELF_2020)
      ",\"$recursiveAnchor\":" TEXT ",\"$recursiveRef\":" TEXT "}}" },
    { BASE_2020 "meta/core",
      HEAD_2020("meta/core") CORE(SELF_2020, "\"$dynamicRef\":" TEXT ",\"$dynamicAnchor\":" ANCHOR)
      ",\"$defs\":{\"anchorString\":" ANCHOR ",\"uriString\":{\"type\":\"string\",\"format\":\"uri\"},"
      "\"uriReferenceString\":{\"type\":\"string\",\"format\":\"uri-reference\"}}}" },
    { BASE_2020 "meta/applicator",
      HEAD_2020("meta/applicator")
      APPLICATOR(SELF_2020, "\"prefixItems\":" SCHEMA_LIST(SELF_2020) ",\"items\":" SELF_2020) },
    { BASE_2020 "meta/unevaluated",
      HEAD_2020("meta/unevaluated") BOTH ",\"properties\":{" UNEVALUATED(SELF_2020) "}}" },
    { BASE_2020 "meta/validation", HEAD_2020("meta/validation") VALIDATION },
    { BASE_2020 "meta/meta-data", HEAD_2020("meta/meta-data") META_DATA },
    { BASE_2020 "meta/format-annotation", HEAD_2020("meta/format-annotation") FORMAT },
    { BASE_2020 "meta/format-assertion", HEAD_2020("meta/format-assertion") FORMAT },
    { BASE_2020 "meta/content", HEAD_2020("meta/content") CONTENT(SELF_2020) },

    { BASE_2019 "schema",
      HEAD_2019("schema")
      "\"$vocabulary\":{\"" BASE_2019 "vocab/core\":true,\"" BASE_2019 "vocab/applicator\":true,\"" BASE_2019
      "vocab/validation\":true,\"" BASE_2019 "vocab/meta-data\":true,\"" BASE_2019 "vocab/format\":false,\""
      BASE_2019 "vocab/content\":true},"
      "\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref\":\"meta/validation\"},"
      "{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format\"},{\"$ref\":\"meta/content\"}]," BOTH
      ",\"properties\":{" OLDER(SELF_2019) "}}" },
    { BASE_2019 "meta/core",
      HEAD_2019("meta/core") CORE(SELF_2019, "\"$recursiveRef\":" TEXT ",\"$recursiveAnchor\":" TRUTH) "}" },
    { BASE_2019 "meta/applicator",
      HEAD_2019("meta/applicator")
      APPLICATOR(SELF_2019, "\"additionalItems\":" SELF_2019 ",\"items\":{\"anyOf\":[" SELF_2019 "," SCHEMA_LIST(SELF_2019)
                            "]}," UNEVALUATED(SELF_2019)) },
    { BASE_2019 "meta/validation", HEAD_2019("meta/validation") VALIDATION },
    { BASE_2019 "meta/meta-data", HEAD_2019("meta/meta-data") META_DATA },
    { BASE_2019 "meta/format", HEAD_2019("meta/format") FORMAT },
    { BASE_2019 "meta/content", HEAD_2019("meta/content") CONTENT(SELF_2019) },
};
/* clang-format on */

const char *tn_metaschema_text(struct tn_slice uri)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (tn_slice_is(uri, all[i].uri))
            return all[i].text;
    return tn_metaschema_old_text(uri);
}
