/* flag.c - only whether a value is valid: most values are, and then nothing else has to be known.
 *
 * It stops at the first fault, keeps no place and reports nothing. What a schema asks of a type beyond the type itself
 * is known from the reader as a bit, so that most members cost a comparison of their name and one of their type. Cheap
 * checks come before expensive ones. What was valid before a fault is noted for the code that reports it.
 */
#include <string.h>

#include "document/check.h"
#include "document/verdict/flag.h"
#include "document/verdict/verdict.h"
#include "model/json_equal.h"

static bool judge_deep(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen);
static bool judge_fork(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* ---- Any value --------------------------------------------------------------------------------------------- */

/* These, tn_flag_longer() and those of flag.h come one after the other for most values. What they call, they call last, and it is
 * not inlined: so they need no frame. */
__attribute__((noinline)) static bool judge_at_length(struct tn_verdict *verdict, const struct tn_node *node,
                                                      yyjson_val *value)
{
    return tn_flag_judge(verdict, node, value);
}

__attribute__((noinline)) static bool judge_list(struct tn_verdict *verdict, const struct tn_check *check,
                                                 const struct tn_node *node, yyjson_val *value)
{
    return (unsafe_yyjson_is_arr(value) && tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) &&
            tn_check_items(check, value)) ||
           tn_flag_judge(verdict, node, value);
}

/* Is its type wrong, as far as its tag tells? */
static inline bool is_mistyped(const struct tn_check *check, yyjson_val *value)
{
    unsigned type = tn_verdict_types[unsafe_yyjson_get_tag(value) & 31];

    return type != 0 && !(check->types & type);
}

bool tn_flag_longer(struct tn_verdict *verdict, const struct tn_check *check, const struct tn_node *node,
                    yyjson_val *value)
{
    if (check->code == CHECK_FORK)
        return judge_fork(verdict, check->node, value);
    if (check->code == CHECK_LIST)
        return judge_list(verdict, check, node, value);
    if (is_mistyped(check, value) || (!verdict->careful && tn_check_refuses(check, value)))
        return false;
    return judge_at_length(verdict, node, value);
}

static bool judge_apart(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        struct tn_seen *seen)
{
    struct tn_seen own;

    if (!tn_seen_init(verdict, &own, seen->count) || !tn_flag_beside(verdict, node, value, &own))
        return false;
    tn_seen_merge(seen, &own);
    return true;
}

/* One of several alternatives: what it saw counts only if it holds. */
static inline bool judge_branch(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                struct tn_seen *seen)
{
    return seen ? judge_apart(verdict, node, value, seen) : tn_flag_judge(verdict, node, value);
}

static inline bool judge_branch_of(struct tn_verdict *verdict, const struct tn_nodes *nodes, size_t index,
                                   yyjson_val *value, struct tn_seen *seen)
{
    return seen ? judge_apart(verdict, nodes->at[index], value, seen)
                : tn_flag_short(verdict, &nodes->checks[index], nodes->at[index], value);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------ */

static bool judge_contains(struct tn_verdict *verdict, const struct tn_array_rules *rules, yyjson_val *value,
                           struct tn_seen *seen)
{
    size_t      count = unsafe_yyjson_get_len(value), found = 0;
    yyjson_val *item = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, item = unsafe_yyjson_get_next(item)) {
        if (!tn_flag_judge(verdict, rules->contains, item))
            continue;
        tn_seen_add(seen, i);
        if (++found > rules->max_contains)
            return false;
        if (found >= rules->min_contains && rules->max_contains == SIZE_MAX && !seen)
            return true;
    }
    return found >= rules->min_contains;
}

static bool judge_array(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        struct tn_seen *seen)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       count = unsafe_yyjson_get_len(value), i = 0;
    yyjson_val                  *item = unsafe_yyjson_get_first(value);

    if (count < node->list.min || count > node->list.max ||
        !tn_verdict_spend(verdict, tn_verdict_array_steps(node, value)))
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (node->list.unique && tn_json_equal_repeated(verdict->judge->arena, value) < count)
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (!rules)
        return true;
    for (; i < count && i < rules->prefix.count; i++, item = unsafe_yyjson_get_next(item))
        if (!tn_flag_judge(verdict, rules->prefix.at[i], item))
            return tn_verdict_refuse(verdict, node, value, item, item);
    for (; rules->items && i < count; i++, item = unsafe_yyjson_get_next(item))
        if (!tn_flag_short(verdict, &rules->items_check, rules->items, item))
            return tn_verdict_refuse(verdict, node, value, item, item);
    while (seen && i-- > 0)
        tn_seen_add(seen, i);
    return !rules->contains || judge_contains(verdict, rules, value, rules->contains_marks ? seen : NULL) ||
           tn_verdict_refuse(verdict, node, value, item, item);
}

static bool judge_items_left(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             struct tn_seen *seen)
{
    const struct tn_node *left  = node->schema->array->unevaluated;
    const yyjson_val     *end   = unsafe_yyjson_get_next(value);
    size_t                count = unsafe_yyjson_get_len(value);
    yyjson_val           *item  = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, item = unsafe_yyjson_get_next(item)) {
        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (!tn_flag_judge(verdict, left, item))
            return tn_verdict_refuse(verdict, node, value, end, end);
    }
    return true;
}

/* ---- In place ---------------------------------------------------------------------------------------------- */

static bool judge_any(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                      struct tn_seen *seen)
{
    bool found = false;

    for (size_t i = 0; i < nodes->count && (!found || seen); i++)
        found |= judge_branch_of(verdict, nodes, i, value, seen);
    return found;
}

static bool judge_one(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                      struct tn_seen *seen)
{
    size_t found = 0;

    for (size_t i = 0; i < nodes->count && found < 2; i++)
        found += judge_branch_of(verdict, nodes, i, value, seen);
    return found == 1;
}

static bool judge_dynamic(struct tn_verdict *verdict, const struct tn_in_place *place, yyjson_val *value,
                          struct tn_seen *seen)
{
    const struct tn_node *next = tn_verdict_dynamic(verdict, place);

    verdict->scoped |= place->dynamic_name != NULL;
    return !verdict->gave_up && tn_flag_beside(verdict, next, value, seen);
}

static bool judge_in_place(struct tn_verdict *verdict, const struct tn_in_place *place, yyjson_val *value,
                           struct tn_seen *seen)
{
    const struct tn_node *next;

    if (place->ref && !tn_flag_beside(verdict, place->ref, value, seen))
        return false;
    if (place->dynamic && !judge_dynamic(verdict, place, value, seen))
        return false;
    for (size_t i = 0; i < place->all_of.count; i++)
        if (!tn_flag_beside(verdict, place->all_of.at[i], value, seen))
            return false;
    if (place->any_of.count > 0 && !judge_any(verdict, &place->any_of, value, seen))
        return false;
    if (place->one_of.count > 0 && !judge_one(verdict, &place->one_of, value, seen))
        return false;
    if (place->not_ && tn_flag_judge(verdict, place->not_, value))
        return false;
    if (!place->if_)
        return true;
    next = judge_branch(verdict, place->if_, value, seen) ? place->then_ : place->else_;
    return !next || tn_flag_beside(verdict, next, value, seen);
}

/* ---- The step ---------------------------------------------------------------------------------------------- */

/* What applies other schemas, to the value or to what is in it. */
static bool judge_inside(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         unsigned type, struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    const struct tn_scope  *before = verdict->scope;
    struct tn_scope         scope  = { before, schema->resource };
    bool                    fine;

    if (verdict->depth == VERDICT_DEPTH_MAX) {
        verdict->gave_up = true;
        return false;
    }
    verdict->depth++;
    if (!before || before->resource != schema->resource)
        verdict->scope = &scope;
    fine = !schema->in_place || judge_in_place(verdict, schema->in_place, value, seen);
    if (fine && type == TYPE_OBJECT)
        fine = !schema->object || tn_flag_object(verdict, node, value, seen);
    else if (fine && type == TYPE_ARRAY)
        fine = judge_array(verdict, node, value, seen);
    verdict->scope = before;
    verdict->depth--;
    return fine;
}

/* A schema with unevaluated* counts for itself what it saw, and tells what is around it only when it holds. */
static bool judge_counted(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          unsigned type, struct tn_seen *around)
{
    const struct tn_scope *before = verdict->scope;
    struct tn_scope        scope  = { before, node->schema->resource };
    struct tn_seen         own;
    bool                   fine;

    if (!tn_seen_init(verdict, &own, unsafe_yyjson_get_len(value)))
        return false;
    own.by         = node;
    verdict->scope = &scope;
    fine           = judge_deep(verdict, node, value, type, &own) &&
           (type == TYPE_OBJECT ? tn_flag_members_left : judge_items_left)(verdict, node, value, &own);
    verdict->scope = before;
    if (fine)
        tn_seen_merge(around, &own);
    return fine;
}

/* What is more than a check of the value alone. */
static bool judge_deep(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;

    for (unsigned hops = 0; schema->alias; schema = node->schema, hops++) {
        verdict->gave_up |= hops == VERDICT_DEPTH_MAX;
        node = schema->alias;
        if (!(node->schema->types & type) || verdict->gave_up)
            return false;
    }
    if (verdict->gave_up || !tn_verdict_spend(verdict, 1))
        return false;
    if ((schema->alone & type) && !tn_verdict_flag_alone(verdict, node, value, type))
        return false;
    if ((schema->counts & type) && !(seen && seen->by == node))
        return judge_counted(verdict, node, value, type, seen);
    return !(schema->inside & type) || judge_inside(verdict, node, value, type, seen);
}

__attribute__((noinline)) static bool judge_each_item(struct tn_verdict *verdict, const struct tn_node *node,
                                                      yyjson_val *value)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       count = unsafe_yyjson_get_len(value);
    yyjson_val                  *item  = unsafe_yyjson_get_first(value);

    if (count < node->list.min || count > node->list.max)
        return tn_verdict_refuse(verdict, node, value, value, value);
    verdict->depth++;
    while (count > 0 && tn_flag_short(verdict, &rules->items_check, rules->items, item)) {
        count--;
        item = unsafe_yyjson_get_next(item);
    }
    verdict->depth--;
    return count == 0 || tn_verdict_refuse(verdict, node, value, item, item);
}

/* Need no scope be opened for it? */
static inline bool is_in_scope(const struct tn_verdict *verdict, const struct tn_schema *schema)
{
    return verdict->scope && verdict->scope->resource == schema->resource;
}

/* It needs no frame, either. */
bool tn_flag_straight(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_schema *schema = node->schema;
    size_t                  count  = unsafe_yyjson_get_len(value);
    bool                    object = unsafe_yyjson_is_obj(value);

    if (!(schema->types & schema->inside & (object ? TYPE_OBJECT : TYPE_ARRAY)) ||
        verdict->depth == VERDICT_DEPTH_MAX || !is_in_scope(verdict, schema))
        return judge_at_length(verdict, node, value);
    if (verdict->gave_up || !tn_verdict_spend(verdict, count + 1))
        return false;
    if (object && (count < schema->object->min || count > schema->object->max))
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (object && schema->object->only_required && schema->object->count <= FLAG_NAMES_FEW)
        return tn_flag_presence(verdict, node, value);
    return object ? tn_flag_named(verdict, node, value) : judge_each_item(verdict, node, value);
}

/* A schema that is nothing but its alternatives. */
__attribute__((noinline)) static bool judge_fork(struct tn_verdict *verdict, const struct tn_node *node,
                                                 yyjson_val *value)
{
    const struct tn_in_place *place = node->schema->in_place;
    bool                      fine;

    if (verdict->depth == VERDICT_DEPTH_MAX || !is_in_scope(verdict, node->schema))
        return tn_flag_judge(verdict, node, value);
    if (verdict->gave_up || !tn_verdict_spend(verdict, 1))
        return false;
    verdict->depth++;
    fine = (place->any_of.count == 0 || judge_any(verdict, &place->any_of, value, NULL)) &&
           (place->one_of.count == 0 || judge_one(verdict, &place->one_of, value, NULL));
    verdict->depth--;
    return fine;
}

bool tn_flag_more(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value, unsigned type,
                  struct tn_seen *seen)
{
    if (node->schema->inside & type)
        return judge_deep(verdict, node, value, type, seen);
    return !verdict->gave_up && tn_verdict_spend(verdict, 1) &&
           tn_verdict_flag_alone(verdict, node, value, type);
}

/* The whole of a document: no schema is around it. */
static bool judge_root(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_scope scope = { NULL, node->schema->resource };
    bool            fine;

    verdict->scope = &scope;
    fine           = tn_flag_straight(verdict, node, value);
    verdict->scope = NULL;
    return fine;
}

bool tn_verdict_flag(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_seen *seen)
{
    if (node->schema->straight && !verdict->scope && !seen && unsafe_yyjson_is_ctn(value))
        return judge_root(verdict, node, value);
    return judge_branch(verdict, node, value, seen);
}

bool tn_verdict_sees(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_seen *seen)
{
    if (!tn_seen_init(verdict, seen, unsafe_yyjson_get_len(value)))
        return false;
    seen->by = node;
    return judge_deep(verdict, node, value, tn_verdict_type(value), seen);
}
