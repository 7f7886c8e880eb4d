/* policy.c - rules of callers and tools, looked up; rates and calls, counted. */
#define _GNU_SOURCE
#include "guard/policy/policy.h"

#include <string.h>

#include "base/memory.h"
#include "guard/policy/glob.h"
#include "guard/relay.h"

#define SCOPE "scope:"

/* ---- Callers ------------------------------------------------------------------------------------------------------- */

static bool has_scope(const struct tn_caller *caller, struct tn_slice scope)
{
    struct tn_slice rest = caller->scopes, one;

    while (tn_slice_split(&rest, ' ', &one))
        if (one.len > 0 && tn_slice_same(one, scope))
            return true;
    return false;
}

static bool fits(const struct tn_caller_rule *rule, const struct tn_caller *caller)
{
    struct tn_slice who = tn_slice_of(rule->who), scope = { who.at + sizeof SCOPE - 1, 0 };

    if (tn_slice_is(who, "*"))
        return true;
    if (who.len < sizeof SCOPE - 1 || memcmp(who.at, SCOPE, sizeof SCOPE - 1) != 0)
        return who.len > 0 && tn_slice_same(who, caller->name);
    scope.len = who.len - (sizeof SCOPE - 1);
    return has_scope(caller, scope);
}

/* The first that fits counts, also when a later one would allow more. */
static const struct tn_caller_rule *rule_of(const struct tn_policy *policy, const struct tn_caller *caller)
{
    for (size_t i = 0; i < policy->caller_count; i++)
        if (fits(&policy->callers[i], caller))
            return &policy->callers[i];
    return NULL;
}

bool tn_policy_knows(const struct tn_policy *policy, const struct tn_caller *caller)
{
    return policy->caller_count == 0 || rule_of(policy, caller);
}

/* ---- What is there --------------------------------------------------------------------------------------------------- */

static bool upstream_shows(const struct tn_policy_item *item)
{
    const struct tn_upstream *upstream = item->upstream;

    return tn_globs_allow(item->kind == POLICY_TOOL     ? &upstream->tools
                          : item->kind == POLICY_PROMPT ? &upstream->prompts
                                                        : &upstream->resources,
                          item->name);
}

/* Rules of callers are about published names, which resources do not have: they are for callers that may use anything else
 * of their upstream. */
bool tn_policy_shows(const struct tn_policy *policy, const struct tn_caller *caller,
                     const struct tn_policy_item *item)
{
    const struct tn_caller_rule *rule;

    if (!upstream_shows(item))
        return false;
    if (policy->caller_count == 0 || !caller)
        return true;
    rule = rule_of(policy, caller);
    if (!rule)
        return false;
    if (item->kind == POLICY_RESOURCE)
        return tn_globs_reach(&rule->tools, tn_slice_of(item->upstream->prefix));
    return tn_globs_allow(&rule->tools, item->published);
}

static bool has_globs(const struct tn_globs *globs)
{
    return globs->allow.count > 0 || globs->deny.count > 0;
}

bool tn_policy_filters(const struct tn_guard *guard)
{
    for (size_t i = 0; i < guard->upstream_count; i++)
        if (has_globs(&guard->upstreams[i].prompts) || has_globs(&guard->upstreams[i].resources))
            return true;
    return tn_policy_is_personal(&guard->policy);
}

const struct tn_tool_rule *tn_policy_rule(const struct tn_upstream *upstream, struct tn_slice name)
{
    for (size_t i = 0; i < upstream->rule_count; i++)
        if (tn_slice_is(name, upstream->rules[i].name))
            return &upstream->rules[i];
    return NULL;
}

/* ---- Rates ----------------------------------------------------------------------------------------------------------- */

static size_t count_rules(const struct tn_guard *guard, const struct tn_upstream *before)
{
    size_t count = 0;

    for (size_t i = 0; i < guard->upstream_count && &guard->upstreams[i] != before; i++)
        count += guard->upstreams[i].rule_count;
    return count;
}

/* Until when the calls of a tool are paid for; of all callers together. Made when it is first needed; NULL without memory. */
static _Atomic(int64_t) *tool_due(struct tn_guard *guard, const struct tn_upstream *upstream,
                                  const struct tn_tool_rule *rule)
{
    size_t count = count_rules(guard, NULL);

    if (!guard->tool_due_ns) {
        guard->tool_due_ns = tn_memory_new(&guard->memory, count * sizeof *guard->tool_due_ns);
        for (size_t i = 0; guard->tool_due_ns && i < count; i++)
            atomic_init(&guard->tool_due_ns[i], 0);
    }
    return guard->tool_due_ns
               ? &guard->tool_due_ns[count_rules(guard, upstream) + (size_t)(rule - upstream->rules)]
               : NULL;
}

static int64_t take_tool(struct tn_guard *guard, const struct tn_upstream *upstream,
                         const struct tn_tool_rule *rule, int64_t now_us)
{
    _Atomic(int64_t) *due;

    if (!rule || rule->rate.count == 0)
        return 0;
    due = tool_due(guard, upstream, rule);
    return due ? tn_rate_take(&rule->rate, due, now_us) : 1;
}

int64_t tn_policy_take(struct tn_guard *guard, const struct tn_caller *caller, struct tn_account *account,
                       const struct tn_upstream *upstream, const struct tn_tool_rule *rule, int64_t now_us)
{
    const struct tn_caller_rule *own   = rule_of(&guard->policy, caller);
    bool                         rated = own && own->rate.count > 0 && account && !account->is_others;
    int64_t                      wait  = 0;

    if (rated)
        wait = tn_rate_take(&own->rate, &account->due_ns[ACCOUNT_GUARDED], now_us);
    if (wait > 0)
        return wait;
    wait = take_tool(guard, upstream, rule, now_us);
    if (wait > 0 && rated) /* it was not taken, after all */
        tn_rate_give(&own->rate, &account->due_ns[ACCOUNT_GUARDED]);
    return wait;
}

void tn_policy_end(struct tn_guard *guard)
{
    if (guard->tool_due_ns)
        tn_memory_free(&guard->memory, guard->tool_due_ns,
                       count_rules(guard, NULL) * sizeof *guard->tool_due_ns);
    guard->tool_due_ns = NULL;
}

/* ---- Calls that run ---------------------------------------------------------------------------------------------------- */

bool tn_policy_has_room(const struct tn_guard *guard, const struct tn_account *account,
                        const struct tn_upstream *upstream)
{
    size_t most = upstream->calls_max, sum = 1, own = 1;

    if (most == 0)
        return true;
    for (const struct tn_link *link = guard->links; link; link = link->next) {
        size_t withdrawn;

        if (link->upstream != upstream)
            continue;
        for (const struct tn_ring *one = link->sent.after; one != &link->sent; one = one->after) {
            const struct tn_relay *relay = (const struct tn_relay *)one;

            sum += relay->tool != NULL;
            own += relay->tool && relay->x->account == account;
        }
        sum += tn_withdrawn_count(link, account, &withdrawn);
        own += withdrawn;
    }
    if (sum > most)
        return false;
    return own == 1 || !account || account->alone || own <= most - sum;
}
