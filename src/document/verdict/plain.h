/* plain.h - faults of which only a note is taken (plain.c). */
#ifndef DOCUMENT_VERDICT_PLAIN_H
#define DOCUMENT_VERDICT_PLAIN_H

#include "document/check.h"
#include "document/verdict/verdict.h"

/* The types that have no words of their own where they are refused. */
static inline unsigned tn_plain_types(const struct tn_verdict *verdict)
{
    return verdict->presence ? TYPE_NUMBER | TYPE_BOOLEAN : TYPE_ANY;
}

/* Is the length of a text wrong? */
bool tn_plain_is_length(const struct tn_node *node, yyjson_val *value);

/* Is a member that its check does not take refused for a reason that can be noted? `types` are those that may be. */
static inline bool tn_plain_is(const struct tn_property *property, yyjson_val *value, unsigned types,
                               enum tn_check_result result)
{
    const struct tn_check *check = &property->check;
    unsigned               type;

    if (result == CHECK_REFUSED)
        return (check->noted & types & (unsafe_yyjson_is_str(value) ? TYPE_STRING : TYPE_NUMBER)) != 0;
    type = tn_verdict_type(value);
    if (!(check->noted & types & type))
        return false;
    if (!(check->types & type))
        return true;
    return check->code == CHECK_TEXT && type == TYPE_STRING && tn_plain_is_length(property->node, value);
}

/* A note of a member of the object that is at `up`; NULL when it is only counted. What is to be known of it is for the caller to
 * set: its property; or of one that nothing may have the name of, the object, the object's node, and `why`. */
static inline struct tn_issue *tn_plain_note(struct tn_verdict *verdict, yyjson_val *key,
                                             const struct tn_location *up)
{
    struct tn_arena *arena = verdict->judge->arena;
    struct tn_issue *issue;

    if (verdict->gave_up)
        return NULL;
    issue = tn_issues_add_unfilled(&verdict->judge->issues, arena);
    if (!issue)
        return NULL;
    issue->place.at  = up->kept ? up->kept : tn_location_keep(arena, up);
    issue->place.key = key;
    return issue;
}

#endif
