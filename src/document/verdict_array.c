/* verdict_array.c - arrays. */
#include "document/verdict.h"
#include "model/json_equal.h"

static bool judge_count(struct verdict *verdict, const struct node *node, yyjson_val *value, size_t count,
                        const struct at *at)
{
    bool          few = count < node->list.min;
    struct issue *issue;

    if (!few && count <= node->list.max)
        return true;
    verdict_fault(verdict, node, at, few ? "minItems" : "maxItems", few ? ISSUE_FEW : ISSUE_MANY, value,
                  &issue);
    if (issue)
        issue->count = count;
    return false;
}

/* At most ISSUES_PER_LIST items are told of; the rest are only counted. */
static void limit_issues(struct verdict *verdict, size_t *kept, size_t *told)
{
    struct issues *issues = &verdict->judge->issues;

    if (issues->count > *kept && ++*told > ISSUES_PER_LIST)
        issues->count = *kept;
    *kept = issues->count;
}

static bool judge_items(struct verdict *verdict, const struct array_rules *rules, yyjson_val *value,
                        const struct at *up, const struct fact *fact, struct seen *seen)
{
    size_t          i = 0, kept = verdict->judge->issues.count, told = 0;
    bool            fine = true;
    yyjson_arr_iter iter;
    yyjson_val     *item;

    yyjson_arr_iter_init(value, &iter);
    for (; (item = yyjson_arr_iter_next(&iter)); i++) {
        bool               prefixed = i < rules->prefix.count;
        const struct node *node     = prefixed ? rules->prefix.at[i] : rules->items;
        struct at          at       = { .up        = up,
                                        .keyword   = prefixed ? rules->prefix_keyword : rules->items_keyword,
                                        .key_index = prefixed ? i : SIZE_MAX,
                                        .moves     = AT_ITEM,
                                        .index     = i,
                                        .part      = fact_item(fact, item) };

        if (!node)
            break;
        seen_add(seen, i);
        if (at.part == PART_VALID || verdict_step(verdict, node, item, &at, NULL))
            continue;
        fine = false;
        limit_issues(verdict, &kept, &told);
    }
    return fine;
}

static bool judge_contains(struct verdict *verdict, const struct node *node, yyjson_val *value,
                           const struct at *up, struct seen *seen)
{
    const struct array_rules *rules = node->schema->array;
    size_t                    i = 0, found = 0;
    yyjson_arr_iter           iter;
    yyjson_val               *item;
    struct issue             *issue;

    yyjson_arr_iter_init(value, &iter);
    for (; (item = yyjson_arr_iter_next(&iter)); i++) {
        if (!verdict_quiet(verdict, rules->contains, item, NULL)) /* which is no fault */
            continue;
        found++;
        seen_add(seen, i);
    }
    if (found >= rules->min_contains && found <= rules->max_contains)
        return true;
    verdict_fault(verdict, node, up,
                  found > rules->max_contains ? "maxContains"
                  : rules->min_contains == 1  ? "contains"
                                              : "minContains",
                  ISSUE_CONTAINS, value, &issue);
    if (issue)
        issue->count = found;
    return false;
}

static bool judge_unevaluated(struct verdict *verdict, const struct node *node, yyjson_val *value,
                              const struct at *up, struct seen *seen)
{
    size_t          i = 0, kept = verdict->judge->issues.count, told = 0;
    bool            fine = true;
    yyjson_arr_iter iter;
    yyjson_val     *item;

    yyjson_arr_iter_init(value, &iter);
    for (; (item = yyjson_arr_iter_next(&iter)); i++) {
        struct at at = {
            .up = up, .keyword = "unevaluatedItems", .key_index = SIZE_MAX, .moves = AT_ITEM, .index = i
        };

        if (seen_has(seen, i))
            continue;
        seen_add(seen, i);
        if (verdict_step(verdict, node, item, &at, NULL))
            continue;
        fine = false;
        limit_issues(verdict, &kept, &told);
    }
    return fine;
}

bool verdict_array(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                   const struct fact *fact, struct seen *seen)
{
    const struct array_rules *rules = node->schema->array;
    size_t                    count = unsafe_yyjson_get_len(value);
    bool                      known = fact && fact->light > value; /* items were come to */
    bool                      fine  = known || judge_count(verdict, node, value, count, at);

    if (!verdict_spend(verdict, verdict_array_steps(node, value)))
        return false;
    if (!known && node->list.unique && same_repeated(verdict->judge->arena, value) < count)
        fine = verdict_fault(verdict, node, at, "uniqueItems", ISSUE_REPEATED, value, NULL);
    if (!rules)
        return fine;
    if (rules->prefix.count > 0 || rules->items)
        fine &= judge_items(verdict, rules, value, at, fact, seen);
    if (rules->contains)
        fine &= judge_contains(verdict, node, value, at, rules->contains_marks ? seen : NULL);
    if (rules->unevaluated)
        fine &= judge_unevaluated(verdict, rules->unevaluated, value, at, seen);
    return fine;
}
