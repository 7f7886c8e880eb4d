/* rule.h - does a schema, a name or a list break a rule of a profile? */
#ifndef CONTRACT_LINT_RULE_H
#define CONTRACT_LINT_RULE_H

#include "contract/lint/profile.h"
#include "contract/lint/site.h"

/* What rules are looked at with. */
struct tn_rule_look {
    struct tn_arena       *arena;   /* of words */
    struct tn_arena       *scratch; /* of one question */
    struct matcher       **matcher;
    const tenon_allocator *memory;
    yyjson_val            *root; /* the outermost schema */
    bool                   recursive;
};

/* Of one schema. `what`, unless it is NULL, gets the words: "has the keyword oneOf". */
bool tn_rule_breaks(const struct tn_rule_look *look, const struct tn_profile_rule *rule,
                    const struct tn_site *site, struct tn_buf *what);

/* Of a tool's name. */
bool tn_rule_breaks_name(const struct tn_rule_look *look, const struct tn_profile_rule *rule,
                         struct tn_slice name, struct tn_buf *what);

/* May a keyword have the value, by what the rule allows and refuses? */
bool tn_rule_allows(const struct tn_profile_rule *rule, yyjson_val *value);

/* How such a thing is repaired. */
const char *tn_rule_repair(enum tn_profile_check check);

#endif
