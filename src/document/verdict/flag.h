/* flag.h - between the files of the quick look: what most values need stands here, to be inlined. */
#ifndef DOCUMENT_VERDICT_FLAG_H
#define DOCUMENT_VERDICT_FLAG_H

#include "document/check.h"
#include "document/verdict/verdict.h"

/* What there is beyond the type. */
bool tn_flag_more(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value, unsigned type,
                  struct tn_seen *seen);

/* A container whose schema asks for nothing but what it asks of its parts: the same as tn_flag_more(), in fewer steps. */
bool tn_flag_straight(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* What the quick look at a value does not see. */
bool tn_flag_longer(struct tn_verdict *verdict, const struct tn_check *check, const struct tn_node *node,
                    yyjson_val *value);

/* Objects; where a name decides which schema a member has, and there are few properties; where only members have to be
 * there; and members that nothing has evaluated. */
bool tn_flag_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                    struct tn_seen *seen);
bool tn_flag_named(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);
bool tn_flag_presence(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);
bool tn_flag_members_left(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          struct tn_seen *seen);

#define FLAG_NAMES_FEW 4 /* members that are looked for one by one */

/* One value by one schema that stands beside others. */
static inline bool tn_flag_beside(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                  struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    unsigned                type   = tn_verdict_type(value);

    if (!(schema->types & type)) {
        tn_verdict_spend_number(verdict, value);
        return false;
    }
    return !((schema->alone | schema->inside) & type) || tn_flag_more(verdict, node, value, type, seen);
}

static inline bool tn_flag_judge(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    return tn_flag_beside(verdict, node, value, NULL);
}

/* Of a value that the quick look does not take. */
__attribute__((always_inline)) static inline bool tn_flag_unheld(struct tn_verdict     *verdict,
                                                                 const struct tn_check *check,
                                                                 const struct tn_node  *node,
                                                                 yyjson_val            *value)
{
    return check->code == CHECK_INTO && unsafe_yyjson_is_ctn(value)
               ? tn_flag_straight(verdict, check->node, value)
               : tn_flag_longer(verdict, check, node, value);
}

/* The same, with what is known of the schema in short: most values need no more. */
static inline bool tn_flag_short(struct tn_verdict *verdict, const struct tn_check *check,
                                 const struct tn_node *node, yyjson_val *value)
{
    return tn_check_holds(check, value) || tn_flag_unheld(verdict, check, node, value);
}

#endif
