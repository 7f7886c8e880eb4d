/* verdict.c - one schema applied to one value: type first, then what its type asks for, then the rest in place. */
#include "document/verdict.h"

/* ---- What was seen ----------------------------------------------------------------------------------------- */

bool seen_init(struct verdict *verdict, struct seen *seen, size_t count)
{
    seen->count = count;
    seen->few   = 0;
    seen->by    = NULL;
    seen->bits  = count < 64 ? &seen->few : arena_array(verdict->judge->arena, count / 64 + 1, uint64_t);
    return seen->bits != NULL;
}

void seen_merge(struct seen *into, const struct seen *from)
{
    for (size_t i = 0; into && i <= into->count / 64; i++)
        into->bits[i] |= from->bits[i];
}

/* ---- What is known ----------------------------------------------------------------------------------------- */

/* Behind a $dynamicRef may be another schema the next time, and who gave up knows nothing. */
bool verdict_refuse(struct verdict *verdict, const struct node *node, const yyjson_val *value,
                    const yyjson_val *light, const yyjson_val *heavy)
{
    if (verdict->facts && !verdict->gave_up && !verdict->scoped)
        facts_add(verdict->facts, (struct fact){ node, value, light, heavy });
    return false;
}

/* ---- References -------------------------------------------------------------------------------------------- */

/* The outermost resource on the way here that has a dynamic anchor of that name decides. */
const struct node *verdict_dynamic(const struct verdict *verdict, const struct in_place *place)
{
    const struct node *found = place->dynamic;

    for (const struct scope *scope = verdict->scope; place->dynamic_name && scope; scope = scope->up) {
        const struct node *other = verdict->dynamic(verdict->user, scope->resource, place->dynamic_name);

        found = other ? other : found;
    }
    return found;
}

static bool follow(struct verdict *verdict, const struct node *node, const char *keyword, yyjson_val *value,
                   const struct at *up, struct seen *seen)
{
    struct at at = { .up = up, .keyword = keyword, .key_index = SIZE_MAX };

    return verdict_step(verdict, node, value, &at, seen);
}

/* ---- The step ---------------------------------------------------------------------------------------------- */

static bool judge_references(struct verdict *verdict, const struct node *node, yyjson_val *value,
                             const struct at *at, struct seen *seen)
{
    const struct in_place *place = node->schema->in_place;
    bool                   fine  = true;

    if (place->ref)
        fine = follow(verdict, place->ref, "$ref", value, at, seen);
    if (place->dynamic)
        fine &= follow(verdict, verdict_dynamic(verdict, place), place->dynamic_keyword, value, at, seen);
    return fine;
}

/* All that is asked of the value itself. */
static bool judge_itself(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type,
                         const struct at *at, struct seen *seen)
{
    const struct schema *schema = node->schema;
    bool                 fine   = true;

    if (!(schema->types & type))
        fine = verdict_fault(verdict, node, at, "type", ISSUE_TYPE, value, NULL);
    if (schema->in_place)
        fine &= judge_references(verdict, node, value, at, seen);
    fine &= verdict_scalar(verdict, node, value, type, at);
    if (schema->in_place)
        fine &= verdict_in_place(verdict, node, value, at, seen);
    return fine;
}

/* unevaluated*, which is done last, is the containers' own. What is known of the value is no use to who counts what it
 * saw, but for the parts of it. */
static bool judge_value(struct verdict *verdict, const struct node *node, yyjson_val *value,
                        const struct at *at, struct seen *seen)
{
    unsigned           type  = verdict_type(value);
    const struct fact *found = type & (TYPE_OBJECT | TYPE_ARRAY) ? verdict_fact(verdict, node, value) : NULL;
    struct fact        kept = found ? *found : (struct fact){ 0 }; /* newer ones take its place in the list */
    const struct fact *fact = found ? &kept : NULL;
    bool               fine = (fact && !seen) || judge_itself(verdict, node, value, type, at, seen);

    if (type == TYPE_OBJECT)
        fine &= verdict_object(verdict, node, value, at, fact, seen);
    else if (type == TYPE_ARRAY)
        fine &= verdict_array(verdict, node, value, at, fact, seen);
    return fine;
}

/* A schema with unevaluated* counts for itself what it saw, and tells what is around it only when it holds. */
static bool judge_counted(struct verdict *verdict, const struct node *node, yyjson_val *value,
                          const struct at *at, struct seen *around)
{
    struct seen own;
    bool        fine;

    if (!node->schema->counts || !(node->schema->counts & verdict_type(value)))
        return judge_value(verdict, node, value, at, around);
    if (!seen_init(verdict, &own, unsafe_yyjson_get_len(value)))
        return false;
    fine = judge_value(verdict, node, value, at, &own);
    if (fine)
        seen_merge(around, &own);
    return fine;
}

bool verdict_quiet(struct verdict *verdict, const struct node *node, yyjson_val *value, struct seen *seen)
{
    bool fine;

    verdict->all = false;
    fine         = verdict_flag(verdict, node, value, seen);
    verdict->all = true;
    return fine;
}

/* Most parts of a value that is not valid are, and that is told sooner without a report. Where nothing is known, what
 * lies deep would be looked at as many times as it lies deep; at levels of a power of two, only as many times as that has
 * digits. */
static bool looks_first(const struct verdict *verdict, const struct schema *schema, yyjson_val *value,
                        const struct at *at)
{
    if (at->moves == AT_SAME || at->part == PART_REFUSED)
        return false;
    return at->part == PART_OPEN || (verdict->level & (verdict->level + 1)) == 0 ||
           !(schema->inside & verdict_type(value));
}

static bool look(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    bool fine = verdict_quiet(verdict, node, value, NULL);

    if (verdict->steps > 0)
        verdict->gave_up = verdict->slow_pattern = false; /* that is met again where it can be told */
    return fine;
}

bool verdict_step(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                  struct seen *seen)
{
    const struct schema *schema = node->schema;
    struct scope         scope  = { verdict->scope, schema->resource };
    const struct scope  *before = verdict->scope;
    unsigned             moved  = at && at->moves != AT_SAME;
    bool                 fine;

    if (!verdict->all)
        return verdict_flag(verdict, node, value, seen);
    if (schema->never)
        return verdict_fault(verdict, node, at, NULL, ISSUE_NEVER, value, NULL);
    if (looks_first(verdict, schema, value, at) && look(verdict, node, value))
        return true;
    verdict->gave_up |= verdict->depth == VERDICT_DEPTH_MAX;
    if (verdict->gave_up || !verdict_spend(verdict, 1))
        return false;
    verdict->depth++;
    verdict->secret += node->secret;
    verdict->level += moved;
    if (!before || before->resource != schema->resource)
        verdict->scope = &scope;
    fine           = judge_counted(verdict, node, value, at, seen);
    verdict->scope = before;
    verdict->level -= moved;
    verdict->secret -= node->secret;
    verdict->depth--;
    return fine;
}

void verdict_begin(struct verdict *verdict, size_t steps)
{
    verdict->steps        = steps;
    verdict->depth        = 0;
    verdict->level        = 0;
    verdict->secret       = 0;
    verdict->gave_up      = false;
    verdict->unsure       = 0;
    verdict->slow_pattern = false;
    verdict->scoped       = false;
    verdict->scope        = NULL;
    verdict->width        = 1;
}

void verdict_end(struct verdict *verdict, size_t steps)
{
    verdict->judge->steps += steps - verdict->steps;
}

/* Nothing that was found after a limit was met is told: it may be a consequence. */
static void tell_limit(struct verdict *verdict, const struct node *node, const struct at *root)
{
    bool          slow = verdict->slow_pattern || !verdict->gave_up;
    struct issue *issue;

    verdict->gave_up = false;
    verdict_fault(verdict, node, root, NULL, ISSUE_LIMIT, NULL, &issue);
    if (issue)
        issue->why = slow                  ? " cannot be judged: a pattern takes too long to match"
                     : verdict->steps == 0 ? " cannot be judged: that takes more steps than its length allows"
                                           : " cannot be judged: the schema applies itself too deep";
}

static bool run(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    struct at root  = { .key_index = SIZE_MAX };
    size_t    steps = verdict->all ? verdict->allowed * 2 : verdict->allowed;
    bool      fine;

    verdict_begin(verdict, steps);
    fine = verdict_step(verdict, node, value, &root, NULL);
    verdict_end(verdict, steps);
    if (!verdict->gave_up && verdict->unsure == 0)
        return fine && !verdict->judge->arena->failed;
    if (verdict->all && (verdict->gave_up || verdict->judge->issues.total == 0))
        tell_limit(verdict, node, &root);
    return false;
}

bool verdict_of(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    struct facts facts;
    bool         fine;

    facts.count    = 0;
    verdict->facts = verdict->all ? &facts : NULL;
    fine           = run(verdict, node, value);
    verdict->facts = NULL;
    if (verdict->all)
        verdict_places(verdict->judge, verdict->root, verdict->trace);
    return fine;
}

void verdict_report(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    struct at     root   = { .key_index = SIZE_MAX };
    struct facts *before = verdict->facts, facts;

    facts.count    = 0;
    verdict->facts = before ? before : &facts;
    verdict->all   = true;
    if (verdict->gave_up && !verdict->slow_pattern)
        tell_limit(verdict, node, &root);
    else if (!verdict->judge->arena->failed && run(verdict, node, value))
        tell_limit(verdict, node, &root); /* with twice the steps: too late for who was told that it is not */
    verdict->facts = before;
}

/* What the first look learned serves the report. */
bool verdict_full(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    struct facts facts;
    bool         fine;

    facts.count    = 0;
    verdict->facts = &facts;
    verdict->all   = false;
    fine           = run(verdict, node, value);
    if (!fine)
        verdict_report(verdict, node, value);
    verdict->facts = NULL;
    return fine;
}
