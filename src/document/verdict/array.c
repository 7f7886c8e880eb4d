/* array.c - arrays. */
#include "document/check.h"
#include "document/verdict/verdict.h"
#include "json/origin.h"
#include "model/json_equal.h"
#include "model/like.h"

static bool judge_count(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        size_t count, const struct tn_location *at)
{
    bool             few = count < node->list.min;
    struct tn_issue *issue;

    if (!few && count <= node->list.max)
        return true;
    tn_verdict_fault(verdict, node, at, few ? "minItems" : "maxItems", few ? ISSUE_FEW : ISSUE_MANY, value,
                     &issue);
    if (issue)
        issue->count = count;
    return false;
}

/* At most ISSUES_PER_LIST items are reported; the rest are only counted. */
static void limit_issues(struct tn_verdict *verdict, size_t *kept, size_t *told)
{
    struct tn_issues *issues = &verdict->judge->issues;

    if (issues->count > *kept && ++*told > ISSUES_PER_LIST)
        issues->count = *kept;
    *kept = issues->count;
}

/* Most items of a list that is refused are valid, and many can be seen to be at once. */
static bool item_is_fine(const struct tn_verdict *verdict, const struct tn_array_rules *rules, size_t index,
                         yyjson_val *item, enum tn_schema_part part)
{
    return part == PART_VALID ||
           (index >= rules->prefix.count && !verdict->careful && tn_check_holds(&rules->items_check, item));
}

static bool judge_items(struct tn_verdict *verdict, const struct tn_array_rules *rules, yyjson_val *value,
                        const struct tn_location *up, const struct tn_fact *fact, struct tn_seen *seen)
{
    size_t          i = 0, kept = verdict->judge->issues.count, told = 0;
    bool            fine = true;
    yyjson_arr_iter iter;
    yyjson_val     *item;

    yyjson_arr_iter_init(value, &iter);
    for (; (item = yyjson_arr_iter_next(&iter)); i++) {
        bool                  prefixed = i < rules->prefix.count;
        const struct tn_node *node     = prefixed ? rules->prefix.at[i] : rules->items;
        enum tn_schema_part   part     = tn_fact_item(fact, item);
        struct tn_location    at;

        if (!node)
            break;
        tn_seen_add(seen, i);
        if (item_is_fine(verdict, rules, i, item, part))
            continue;
        at = (struct tn_location){ .up        = up,
                                   .keyword   = prefixed ? rules->prefix_keyword : rules->items_keyword,
                                   .key_index = prefixed ? i : SIZE_MAX,
                                   .index     = i,
                                   .node      = node,
                                   .whole     = tn_origin_is_text(item),
                                   .together  = tn_like_end(node)->list.unique,
                                   .part      = (uint8_t)part };
        if (tn_verdict_step(verdict, node, item, &at, NULL))
            continue;
        fine = false;
        limit_issues(verdict, &kept, &told);
    }
    return fine;
}

static bool judge_contains(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                           const struct tn_location *up, struct tn_seen *seen)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       i = 0, found = 0;
    yyjson_arr_iter              iter;
    yyjson_val                  *item;
    struct tn_issue             *issue;

    yyjson_arr_iter_init(value, &iter);
    for (; (item = yyjson_arr_iter_next(&iter)); i++) {
        if (!tn_verdict_quiet(verdict, rules->contains, item, NULL)) /* which is no fault */
            continue;
        found++;
        tn_seen_add(seen, i);
    }
    if (found >= rules->min_contains && found <= rules->max_contains)
        return true;
    tn_verdict_fault(verdict, node, up,
                     found > rules->max_contains ? "maxContains"
                     : rules->min_contains == 1  ? "contains"
                                                 : "minContains",
                     ISSUE_CONTAINS, value, &issue);
    if (issue)
        issue->count = found;
    return false;
}

static bool judge_unevaluated(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                              const struct tn_location *up, struct tn_seen *seen)
{
    size_t          i = 0, kept = verdict->judge->issues.count, told = 0;
    bool            fine = true;
    yyjson_arr_iter iter;
    yyjson_val     *item;

    yyjson_arr_iter_init(value, &iter);
    for (; (item = yyjson_arr_iter_next(&iter)); i++) {
        struct tn_location at = { .up        = up,
                                  .keyword   = "unevaluatedItems",
                                  .key_index = SIZE_MAX,
                                  .index     = i,
                                  .node      = node,
                                  .whole     = tn_origin_is_text(item),
                                  .together  = tn_like_end(node)->list.unique };

        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (tn_verdict_step(verdict, node, item, &at, NULL))
            continue;
        fine = false;
        limit_issues(verdict, &kept, &told);
    }
    return fine;
}

bool tn_verdict_array(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at, const struct tn_fact *fact, struct tn_seen *seen)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       count = unsafe_yyjson_get_len(value);
    bool                         known = fact && fact->light > value; /* items were come to */
    bool                         fine  = known || judge_count(verdict, node, value, count, at);

    if (!tn_verdict_spend(verdict, tn_verdict_array_steps(node, value)))
        return false;
    if (rules && (rules->prefix.count > 0 || rules->items))
        fine &= judge_items(verdict, rules, value, at, fact, seen);
    if (!known && node->list.unique && tn_json_equal_repeated(verdict->judge->arena, value) < count)
        fine = tn_verdict_fault(verdict, node, at, "uniqueItems", ISSUE_REPEATED, value, NULL);
    if (!rules)
        return fine;
    if (rules->contains)
        fine &= judge_contains(verdict, node, value, at, rules->contains_marks ? seen : NULL);
    if (rules->unevaluated)
        fine &= judge_unevaluated(verdict, rules->unevaluated, value, at, seen);
    return fine;
}
