/* known.h - what is known of a value: schemas that hold for it, flattened as far as they hold together ($ref, allOf).
 *
 * Facts that do not fit are forgotten: that proves less, not more. A side judges values and names by the schemas of one
 * document.
 */
#ifndef CONTRACT_KNOWN_H
#define CONTRACT_KNOWN_H

#include <tenon/schema.h>

#include "document/document.h"

#define KNOWN_MAX 24

struct tn_known {
    const struct tn_node *at[KNOWN_MAX];
    size_t                count;
    unsigned              types; /* that the value may have */
    uint32_t              split; /* bits of facts whose alternatives were taken apart */
    bool                  none;  /* no value has all of them */
};

struct tn_side {
    const struct tn_node *root;
    bool                  dynamic; /* what some references lead to is decided by the schemas around them */
    struct tn_arena       arena;
    struct matcher       *matcher;
    struct tn_judge       judge;
    struct tn_verdict     verdict;
};

void tn_side_init(struct tn_side *side, const tenon_schema *schema);
void tn_side_free(struct tn_side *side);

/* What is not known to match or not counts as both: `unsure` is the answer then. */
bool tn_side_matches(struct tn_side *side, const struct pattern *pattern, struct tn_slice name, bool unsure);

/* Neither is true when the judge gave up, or when a part of the document cannot be judged without what is around it. */
bool tn_side_accepts(struct tn_side *side, const struct tn_node *node, yyjson_val *value);
bool tn_side_refuses(struct tn_side *side, const struct tn_node *node, yyjson_val *value);

/* What holds for members that are not declared, or NULL: also unevaluatedProperties, where nothing else evaluates any. */
const struct tn_node *tn_known_additional(const struct tn_node *node);

/* The schema that one leads to when it only refers. */
const struct tn_node *tn_known_end(const struct tn_node *node);

/* Adds a schema that holds, and all that hold with it. */
void tn_known_learn(struct tn_known *facts, const struct tn_node *node);

/* What is known of the member with this name, if it is there; the side is that of the facts. */
struct tn_known tn_known_member(struct tn_side *side, const struct tn_known *facts, struct tn_slice name);

/* The one fact that speaks of names by pattern, or NULL. */
const struct tn_object_rules *tn_known_patterned(const struct tn_known *facts);

/* What is known of a member that no fact names: it matches the nth pattern of that fact, or, beyond the last, none. */
struct tn_known tn_known_other(const struct tn_known *facts, const struct tn_object_rules *by, size_t nth);

/* What is known of the item at an index; SIZE_MAX: of any that stands behind all prefixes. */
struct tn_known tn_known_item(const struct tn_known *facts, size_t index);

/* Must the member be there? */
bool tn_known_require(const struct tn_known *facts, struct tn_slice name);

/* The schema of a member that is declared by its name, or NULL. */
const struct tn_node *tn_known_declared(const struct tn_object_rules *rules, struct tn_slice name);

#endif
