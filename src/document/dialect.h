/* dialect.h - the drafts of JSON Schema, and in what they differ. All of it is tables: no other file asks for a draft by
 * its name. */
#ifndef DOCUMENT_DIALECT_H
#define DOCUMENT_DIALECT_H

#include <stdint.h>

#include <tenon/schema.h>

#include "base/str.h"

/* The order of tenon_dialect, newest first. */
enum tn_dialect {
    DIALECT_2020_12  = TENON_DIALECT_2020_12,
    DIALECT_2019_09  = TENON_DIALECT_2019_09,
    DIALECT_DRAFT_07 = TENON_DIALECT_DRAFT_07,
    DIALECT_DRAFT_06 = TENON_DIALECT_DRAFT_06,
    DIALECT_DRAFT_04 = TENON_DIALECT_DRAFT_04,
    DIALECT_COUNT
};

/* Sets of them, for tables of keywords. */
enum {
    ONLY_2020 = 1U << DIALECT_2020_12,
    ONLY_2019 = 1U << DIALECT_2019_09,
    ONLY_07   = 1U << DIALECT_DRAFT_07,
    ONLY_06   = 1U << DIALECT_DRAFT_06,
    ONLY_04   = 1U << DIALECT_DRAFT_04,

    SINCE_2019 = ONLY_2020 | ONLY_2019,
    SINCE_07   = SINCE_2019 | ONLY_07,
    SINCE_06   = SINCE_07 | ONLY_06,
    SINCE_04   = SINCE_06 | ONLY_04,
    UNTIL_07   = ONLY_04 | ONLY_06 | ONLY_07,
    UNTIL_2019 = UNTIL_07 | ONLY_2019,
};

struct tn_dialect_facts {
    const char *name;           /* for people */
    const char *uri;            /* of its metaschema, without fragment */
    const char *vocabulary;     /* what the URIs of its vocabularies begin with, or NULL */
    const char *id;             /* the keyword that gives a schema its URI */
    bool        ref_alone;      /* what stands beside $ref does not count */
    bool        id_anchors;     /* an id of "#name" names a place */
    bool        anchors;        /* $anchor does */
    bool        item_lists;     /* items may be a list of schemas */
    bool        bound_flags;    /* exclusiveMinimum is true or false, and speaks of minimum */
    bool        contains_marks; /* what contains finds counts as evaluated */
    const char *dynamic_anchor, *recursive_anchor; /* keywords, or NULL */
};

const struct tn_dialect_facts *tn_dialect_facts(enum tn_dialect dialect);

/* The dialect whose metaschema that is, without an empty fragment. */
bool tn_dialect_of_uri(struct tn_slice uri, enum tn_dialect *out);

static inline bool tn_dialect_is_in(enum tn_dialect dialect, unsigned set)
{
    return (set >> dialect & 1U) != 0;
}

/* Keywords that hold schemas, and how. */
enum tn_holds { HOLDS_NONE, HOLDS_ONE, HOLDS_LIST, HOLDS_MAP, HOLDS_ONE_OR_LIST, HOLDS_MAP_OR_NAMES };
enum tn_holds tn_dialect_holds(enum tn_dialect dialect, struct tn_slice keyword);

/* Vocabularies, as bits. */
enum {
    VOCABULARY_APPLICATOR  = 1,
    VOCABULARY_UNEVALUATED = 2,
    VOCABULARY_VALIDATION  = 4,
    VOCABULARY_FORMAT      = 8, /* as assertion */
    VOCABULARY_ALL         = VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED | VOCABULARY_VALIDATION
};

/* What the vocabulary of that URI brings, when it is `required` or not; false when it is none of the dialect's. */
bool tn_dialect_vocabulary(enum tn_dialect dialect, struct tn_slice uri, bool required, unsigned *out);

#endif
