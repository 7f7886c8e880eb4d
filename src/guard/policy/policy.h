/* policy.h - who may use what, and how often: as the operator says it of upstreams and of callers.
 *
 * What is not allowed is not there: it is in no list, and its name is one that never was. The exceptions say why, because they
 * are no secret: a caller that no rule knows, and tools that may change something where only others may be called.
 */
#ifndef GUARD_POLICY_H
#define GUARD_POLICY_H

#include "guard/guard.h"

struct tn_link;

enum tn_policy_kind { POLICY_TOOL, POLICY_PROMPT, POLICY_RESOURCE };

/* Something that an upstream offers: its name there (of a resource its URI), and the one it is published by. */
struct tn_policy_item {
    const struct tn_upstream *upstream;
    enum tn_policy_kind       kind;
    struct tn_slice           name, published;
};

/* May this caller see and use it? `caller` may be NULL: any. */
bool tn_policy_shows(const struct tn_policy *policy, const struct tn_caller *caller,
                     const struct tn_policy_item *item);

/* Is there a rule for this caller, or none for any? */
bool tn_policy_knows(const struct tn_policy *policy, const struct tn_caller *caller);

/* May prompts or resources be hidden, of any caller? */
bool tn_policy_filters(const struct tn_guard *guard);

/* Does a list differ between callers? */
static inline bool tn_policy_is_personal(const struct tn_policy *policy)
{
    return policy->caller_count > 0;
}

/* The rule of the operator for a tool, by its upstream name; or NULL. */
const struct tn_tool_rule *tn_policy_rule(const struct tn_upstream *upstream, struct tn_slice name);

/* One more call, by the rates of its caller and of its tool (`rule` may be NULL): 0 when it may be taken, else in how many
 * milliseconds to try again. */
int64_t tn_policy_take(struct tn_guard *guard, const struct tn_caller *caller, struct tn_account *account,
                       const struct tn_upstream *upstream, const struct tn_tool_rule *rule, int64_t now_us);

/* May one more call of this account run on the upstream now? A caller leaves something for others (base/account.h has the same
 * rule): what it has may not be more than what is left. */
bool tn_policy_has_room(const struct tn_guard *guard, const struct tn_account *account,
                        const struct tn_upstream *upstream);

/* Frees what is counted. */
void tn_policy_end(struct tn_guard *guard);

#endif
