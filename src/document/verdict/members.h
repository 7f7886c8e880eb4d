/* members.h - the members of an object in a report.
 *
 * Where a name alone decides what a member has to be, and few properties are declared, one pass finds those members that are
 * not taken as they are; only they are looked at again. When the whole document is such an object, the first look at it is
 * that pass, so that the report need not begin anew.
 */
#ifndef DOCUMENT_VERDICT_MEMBERS_H
#define DOCUMENT_VERDICT_MEMBERS_H

#include "document/verdict/verdict.h"

#define MEMBERS_MAX 32 /* properties; what is found is on the stack */

struct tn_member {
    yyjson_val               *key;
    size_t                    index;
    const struct tn_property *property; /* or NULL */
    enum tn_schema_part       part;
    bool                      unknown_before; /* of the object: the valid names are known */
};

/* Which properties are there, and which of them are not taken as they are. */
struct tn_members {
    uint64_t    there, open;
    uint64_t    plain;             /* of those that are open: their faults can be noted (plain.c) */
    yyjson_val *keys[MEMBERS_MAX]; /* of those that are open */
    yyjson_val *other;             /* the first member of another name that may be refused, or NULL */
    size_t      others;            /* how many members there are from that one on */
    bool        looked;            /* what is open was looked at, and is refused */
};

/* Is the object one of those? */
static inline bool tn_members_suit(const struct tn_verdict *verdict, const struct tn_object_rules *rules)
{
    return rules->by_name && rules->count <= MEMBERS_MAX && !verdict->careful;
}

/* False when a name stands twice. */
bool tn_members_find(const struct tn_verdict *verdict, const struct tn_object_rules *rules, yyjson_val *value,
                     const struct tn_fact *fact, struct tn_members *members);

/* Is it asked of a whole document, and nothing else? Then this is the first look at it: *fine is whether it is valid. False when a
 * name stands twice. */
static inline bool tn_members_are_all(const struct tn_verdict *verdict, const struct tn_node *node,
                                      yyjson_val *value)
{
    const struct tn_schema *schema = node->schema;

    return schema->straight && (schema->types & schema->inside & TYPE_OBJECT) &&
           unsafe_yyjson_is_obj(value) && !verdict->scope && tn_members_suit(verdict, schema->object);
}

bool tn_members_look(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_members *members, bool *fine);

/* Reports what was found. */
bool tn_members_report(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_location *at, const struct tn_fact *fact,
                       const struct tn_members *members);

/* object.c: how many there are; a member by the property that names it; one that nothing names; and one that is missing, `because` another one is
 * there. */
bool tn_verdict_count(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at);
bool tn_verdict_named(struct tn_verdict *verdict, const struct tn_member *member,
                      const struct tn_location *up);
bool tn_verdict_additional(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                           const struct tn_member *member, const struct tn_location *up);
bool tn_verdict_miss(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice name,
                     const struct tn_location *up, const char *keyword, struct tn_slice because);

#endif
