/* dialect.c - the drafts of JSON Schema as tables. */
#include "document/dialect.h"

#include <string.h>

const struct tn_dialect_facts *tn_dialect_facts(enum tn_dialect dialect)
{
    /* clang-format off */
    static const struct tn_dialect_facts all[] = {
        [DIALECT_2020_12] = {
            .name = "2020-12", .uri = "https://json-schema.org/draft/2020-12/schema",
            .vocabulary = "https://json-schema.org/draft/2020-12/vocab/", .id = "$id",
            .anchors = true, .contains_marks = true, .dynamic_anchor = "$dynamicAnchor",
        },
        [DIALECT_2019_09] = {
            .name = "2019-09", .uri = "https://json-schema.org/draft/2019-09/schema",
            .vocabulary = "https://json-schema.org/draft/2019-09/vocab/", .id = "$id",
            .anchors = true, .item_lists = true, .recursive_anchor = "$recursiveAnchor",
        },
        [DIALECT_DRAFT_07] = {
            .name = "draft-07", .uri = "http://json-schema.org/draft-07/schema", .id = "$id",
            .ref_alone = true, .id_anchors = true, .item_lists = true,
        },
        [DIALECT_DRAFT_06] = {
            .name = "draft-06", .uri = "http://json-schema.org/draft-06/schema", .id = "$id",
            .ref_alone = true, .id_anchors = true, .item_lists = true,
        },
        [DIALECT_DRAFT_04] = {
            .name = "draft-04", .uri = "http://json-schema.org/draft-04/schema", .id = "id",
            .ref_alone = true, .id_anchors = true, .item_lists = true, .bound_flags = true,
        },
    };
    /* clang-format on */

    return &all[dialect];
}

bool tn_dialect_of_uri(struct tn_slice uri, enum tn_dialect *out)
{
    for (unsigned i = 0; i < DIALECT_COUNT; i++)
        if (tn_slice_is(uri, tn_dialect_facts((enum tn_dialect)i)->uri)) {
            *out = (enum tn_dialect)i;
            return true;
        }
    return false;
}

enum tn_holds tn_dialect_holds(enum tn_dialect dialect, struct tn_slice keyword)
{
    static const struct {
        const char   *name;
        unsigned      dialects;
        enum tn_holds holds;
    } table[] = {
        { "properties", SINCE_04, HOLDS_MAP },
        { "items", ONLY_2020, HOLDS_ONE },
        { "items", UNTIL_2019, HOLDS_ONE_OR_LIST },
        { "allOf", SINCE_04, HOLDS_LIST },
        { "anyOf", SINCE_04, HOLDS_LIST },
        { "oneOf", SINCE_04, HOLDS_LIST },
        { "not", SINCE_04, HOLDS_ONE },
        { "if", SINCE_07, HOLDS_ONE },
        { "then", SINCE_07, HOLDS_ONE },
        { "else", SINCE_07, HOLDS_ONE },
        { "$defs", SINCE_2019, HOLDS_MAP },
        { "definitions", SINCE_04, HOLDS_MAP },
        { "additionalProperties", SINCE_04, HOLDS_ONE },
        { "patternProperties", SINCE_04, HOLDS_MAP },
        { "propertyNames", SINCE_06, HOLDS_ONE },
        { "contains", SINCE_06, HOLDS_ONE },
        { "prefixItems", ONLY_2020, HOLDS_LIST },
        { "additionalItems", UNTIL_2019, HOLDS_ONE },
        { "dependentSchemas", SINCE_2019, HOLDS_MAP },
        { "dependencies", SINCE_04, HOLDS_MAP_OR_NAMES },
        { "unevaluatedItems", SINCE_2019, HOLDS_ONE },
        { "unevaluatedProperties", SINCE_2019, HOLDS_ONE },
        { "contentSchema", SINCE_2019, HOLDS_ONE },
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (tn_dialect_is_in(dialect, table[i].dialects) && tn_slice_is(keyword, table[i].name))
            return table[i].holds;
    return HOLDS_NONE;
}

bool tn_dialect_vocabulary(enum tn_dialect dialect, struct tn_slice uri, bool required, unsigned *out)
{
    /* The rest of the URI; `optional` is what it brings when it is not required. */
    static const struct {
        const char *name;
        unsigned    dialects, required, optional;
    } table[] = {
        { "applicator", ONLY_2020, VOCABULARY_APPLICATOR, VOCABULARY_APPLICATOR },
        { "applicator", ONLY_2019, VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED,
          VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED },
        { "unevaluated", ONLY_2020, VOCABULARY_UNEVALUATED, VOCABULARY_UNEVALUATED },
        { "validation", SINCE_2019, VOCABULARY_VALIDATION, VOCABULARY_VALIDATION },
        { "format-assertion", ONLY_2020, VOCABULARY_FORMAT, VOCABULARY_FORMAT },
        { "format", ONLY_2019, VOCABULARY_FORMAT, 0 },
    };
    const char *prefix = tn_dialect_facts(dialect)->vocabulary;
    size_t      len    = prefix ? strlen(prefix) : 0;

    *out = 0;
    if (!prefix || uri.len <= len || memcmp(uri.at, prefix, len) != 0)
        return false;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (tn_dialect_is_in(dialect, table[i].dialects) &&
            tn_slice_is((struct tn_slice){ uri.at + len, uri.len - len }, table[i].name))
            *out = required ? table[i].required : table[i].optional;
    return true; /* those that only describe, such as core and meta-data, bring nothing */
}
