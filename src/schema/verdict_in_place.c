/* verdict_in_place.c - schemas that judge the same value: allOf, anyOf, oneOf, not, if.
 *
 * Of alternatives that all fail, only the one that fits best is explained; when none is of the value's type, all
 * their types are named at once.
 */
#include <string.h>

#include "schema/verdict.h"

/* Applies a branch without reporting, and keeps what it saw only if it holds. */
static bool holds(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                  struct seen *seen)
{
    bool        all = verdict->all, fine;
    struct seen own;

    if (seen && !seen_init(verdict, &own, seen->count))
        return false;
    verdict->all = false;
    fine         = verdict_step(verdict, node, value, at, seen ? &own : NULL);
    verdict->all = all;
    if (fine && seen)
        seen_merge(seen, &own);
    return fine;
}

/* ---- The best of the failed -------------------------------------------------------------------------------- */

/* How far a branch is from fitting: less is better. */
static size_t distance(const struct issues *issues, struct slice label)
{
    size_t sum = issues->total;

    for (size_t i = 0; i < issues->count; i++) {
        const struct issue *issue = &issues->at[i];
        bool here  = issue->label.len == label.len && memcmp(issue->label.at, label.at, label.len) == 0;
        bool value = issue->code == ISSUE_CONST || issue->code == ISSUE_VALUES;

        if (here && (issue->code == ISSUE_TYPE || issue->code == ISSUE_NEVER))
            sum += 1000000;
        else if (value)
            sum += here ? 1000 : 10000; /* a member that tells the kinds apart tells another kind */
    }
    return sum;
}

/* All alternatives are of another type: say which types there are. */
static bool merge_types(struct verdict *verdict, const struct nodes *nodes, yyjson_val *value, const struct at *up,
                        const char *keyword)
{
    uint8_t       types = 0;
    struct node  *node  = arena_new(verdict->judge->arena, struct node);
    struct schema *schema = arena_new(verdict->judge->arena, struct schema);

    for (size_t i = 0; i < nodes->count; i++) {
        if (!nodes->at[i]->schema->typed)
            return false;
        types |= nodes->at[i]->schema->types;
    }
    if (!node || !schema)
        return true;
    schema->types    = types;
    schema->typed    = true;
    schema->pointer  = nodes->at[0]->schema->pointer;
    schema->resource = nodes->at[0]->schema->resource;
    node->schema     = schema;
    verdict_fault(verdict, node, up, keyword, ISSUE_TYPE, value, NULL);
    return true;
}

static bool explain(struct verdict *verdict, const struct node *node, const struct nodes *nodes, yyjson_val *value,
                    const struct at *up, const char *keyword)
{
    struct judge *judge = verdict->judge;
    struct issues before = judge->issues, best = { 0 };
    size_t        best_distance = SIZE_MAX;
    struct slice  label;
    struct issue *issue;

    if (!verdict->all)
        return false;
    verdict_fault(verdict, node, up, keyword, ISSUE_NO_BRANCH, value, &issue);
    label         = issue ? issue->label : (struct slice){ "", 0 };
    judge->issues = before;
    for (size_t i = 0; i < nodes->count && !verdict->gave_up; i++) {
        struct at at = { .up = up, .keyword = keyword, .key_index = i };
        size_t    far;

        judge->issues = (struct issues){ 0 };
        verdict_step(verdict, nodes->at[i], value, &at, NULL);
        far = distance(&judge->issues, label);
        if (far < best_distance && judge->issues.total > 0) {
            best          = judge->issues;
            best_distance = far;
        }
    }
    judge->issues = before;
    if (best_distance >= 1000000 && merge_types(verdict, nodes, value, up, keyword))
        return false;
    if (best.count == 0)
        return verdict_fault(verdict, node, up, keyword, ISSUE_NO_BRANCH, value, NULL);
    for (size_t i = 0; i < best.count; i++) {
        issue = issues_add(&judge->issues, judge->arena);
        if (issue)
            *issue = best.at[i];
    }
    judge->issues.total += best.total - best.count;
    return false;
}

/* ---- Keywords ---------------------------------------------------------------------------------------------- */

static bool judge_all(struct verdict *verdict, const struct nodes *nodes, yyjson_val *value, const struct at *up,
                      struct seen *seen)
{
    bool fine = true;

    for (size_t i = 0; i < nodes->count && (fine || verdict->all); i++) {
        struct at at = { .up = up, .keyword = "allOf", .key_index = i };

        fine &= verdict_step(verdict, nodes->at[i], value, &at, seen);
    }
    return fine;
}

static bool judge_any(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *up,
                      struct seen *seen)
{
    const struct nodes *nodes = &node->schema->in_place->any_of;
    bool                found = false;

    for (size_t i = 0; i < nodes->count && (!found || seen); i++) {
        struct at at = { .up = up, .keyword = "anyOf", .key_index = i };

        found |= holds(verdict, nodes->at[i], value, &at, seen);
    }
    return found || explain(verdict, node, nodes, value, up, "anyOf");
}

static bool judge_one(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *up,
                      struct seen *seen)
{
    const struct nodes *nodes = &node->schema->in_place->one_of;
    size_t              found = 0, first = 0;
    struct issue       *issue;

    for (size_t i = 0; i < nodes->count && found < 2; i++) {
        struct at at = { .up = up, .keyword = "oneOf", .key_index = i };

        if (!holds(verdict, nodes->at[i], value, &at, seen))
            continue;
        if (found++ == 0) {
            first = i;
            continue;
        }
        verdict_fault(verdict, node, up, "oneOf", ISSUE_BRANCHES, value, &issue);
        if (issue) {
            issue->count  = first;
            issue->second = i;
        }
    }
    if (found == 0)
        return explain(verdict, node, nodes, value, up, "oneOf");
    return found == 1;
}

static bool judge_not(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *up)
{
    struct at at = { .up = up, .keyword = "not", .key_index = SIZE_MAX };

    return !holds(verdict, node->schema->in_place->not_, value, &at, NULL) ||
           verdict_fault(verdict, node, up, "not", ISSUE_NOT, value, NULL);
}

static bool judge_if(struct verdict *verdict, const struct in_place *place, yyjson_val *value, const struct at *up,
                     struct seen *seen)
{
    struct at          at = { .up = up, .keyword = "if", .key_index = SIZE_MAX };
    bool               yes = holds(verdict, place->if_, value, &at, seen);
    const struct node *next = yes ? place->then_ : place->else_;

    at.keyword = yes ? "then" : "else";
    return !next || verdict_step(verdict, next, value, &at, seen);
}

bool verdict_in_place(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                      struct seen *seen)
{
    const struct in_place *place = node->schema->in_place;
    bool                   fine  = true;

    if (place->all_of.count > 0)
        fine = judge_all(verdict, &place->all_of, value, at, seen);
    if (place->any_of.count > 0 && (fine || verdict->all))
        fine &= judge_any(verdict, node, value, at, seen);
    if (place->one_of.count > 0 && (fine || verdict->all))
        fine &= judge_one(verdict, node, value, at, seen);
    if (place->not_ && (fine || verdict->all))
        fine &= judge_not(verdict, node, value, at);
    if (place->if_ && (fine || verdict->all))
        fine &= judge_if(verdict, place, value, at, seen);
    return fine;
}
