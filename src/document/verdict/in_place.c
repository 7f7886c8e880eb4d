/* in_place.c - schemas that apply to the same value: allOf, anyOf, oneOf, not, if.
 *
 * Of alternatives that all fail, only the one that fits best is explained; when none is of the value's type, all
 * their types are named at once.
 */
#include "document/verdict/verdict.h"
#include "model/like.h"

/* Where a schema that only refers leads: facts are of that one. */
static const struct tn_node *alias_end(const struct tn_node *node)
{
    for (unsigned hops = 0; node->schema->alias && hops < VERDICT_DEPTH_MAX; hops++)
        node = node->schema->alias;
    return node;
}

/* Applies a branch without reporting, and keeps what it saw only if it holds. */
static bool verdict_in_place_holds(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                   struct tn_seen *seen)
{
    if (yyjson_is_ctn(value) && tn_verdict_fact(verdict, alias_end(node), value))
        return false;
    return tn_verdict_quiet(verdict, node, value, seen);
}

/* ---- The best of the failed -------------------------------------------------------------------------------- */

static size_t moves_to(const struct tn_location *at)
{
    size_t moves = 0;

    for (; at; at = at->up)
        moves += !at->same;
    return moves;
}

/* How far a branch is from fitting: less is better. Its issues are those of the value, or of what is in it. */
static size_t distance(const struct tn_issues *issues, const struct tn_location *at)
{
    size_t moves = moves_to(at), sum = issues->total;

    for (size_t i = 0; i < issues->count; i++) {
        const struct tn_issue *issue = &issues->at[i];
        bool                   here  = moves_to(issue->place.at) == moves && !issue->place.key;
        enum tn_issue_code     code  = issue->place.key ? tn_plain_code(issue) : issue->code;
        bool                   value = code == ISSUE_CONST || code == ISSUE_VALUES;

        if (here && (issue->code == ISSUE_TYPE || issue->code == ISSUE_NEVER))
            sum += 1000000;
        else if (value)
            sum += here ? 1000 : 10000; /* a member that tells the kinds apart tells another kind */
    }
    return sum;
}

/* All alternatives are of another type: say which types there are. */
static bool merge_types(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                        const struct tn_location *up, const char *keyword)
{
    uint8_t           types  = 0;
    struct tn_node   *node   = tn_arena_new(verdict->judge->arena, struct tn_node);
    struct tn_schema *schema = tn_arena_new(verdict->judge->arena, struct tn_schema);

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
    tn_verdict_fault(verdict, node, up, keyword, ISSUE_TYPE, value, NULL);
    return true;
}

#define PROPERTIES_OF_STEP 8 /* that are only looked at */

/* Alternatives in alternatives that are looked into, in all; beyond that only the first that may be meant. */
#define EXPLAIN_WIDTH_MAX 64

static const struct tn_schema *said_by(const struct tn_node *node)
{
    return tn_like_end(node)->schema;
}

/* By a const or an enum. */
bool tn_verdict_is_another_kind(struct tn_verdict *verdict, const struct tn_schema *schema, yyjson_val *value)
{
    const struct tn_object_rules *rules = schema->object;

    if (rules && !tn_verdict_spend(verdict, rules->count / PROPERTIES_OF_STEP))
        return false;
    for (size_t i = 0; rules && i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];
        const struct tn_schema   *inner    = property->node ? property->node->schema : NULL;
        yyjson_val               *member;

        if (!inner || !(inner->constant || inner->values))
            continue;
        member = tn_verdict_member(verdict, value, property->name, property->len);
        if (!member)
            continue;
        if ((inner->constant && !tn_verdict_is_constant(verdict, inner, member)) ||
            (inner->values && !tn_verdict_is_among(verdict, inner->values, member)))
            return true;
    }
    return false;
}

static const struct tn_schema *property_schema(const struct tn_schema *schema, const char *name, size_t len)
{
    uint32_t known = schema->object ? tn_verdict_property(schema->object, name, len) : NO_PROPERTY;

    return known == NO_PROPERTY || !schema->object->properties[known].node
               ? NULL
               : schema->object->properties[known].node->schema;
}

/* How many values a property may have that tells the kinds apart; 0 when it does not. Adds them to `at`. */
static size_t kinds_of(const struct tn_schema *property, yyjson_val **at)
{
    size_t count = !property ? 0 : property->constant ? 1 : property->values ? property->values->count : 0;

    for (size_t i = 0; at && i < count; i++)
        at[i] = property->constant ? property->constant : property->values->at[i];
    return count;
}

/* Every alternative of the value's type tells its kind by the same member, and the value's is none of them: say which
 * kinds there are. */
static bool merge_kinds(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                        const struct tn_location *up, const char *keyword, const struct tn_property *tag)
{
    struct tn_arena   *arena  = verdict->judge->arena;
    yyjson_val        *member = yyjson_obj_getn(value, tag->name, tag->len), **all;
    size_t             count = 0, from = 0;
    struct tn_node    *node   = tn_arena_new(arena, struct tn_node);
    struct tn_schema  *schema = tn_arena_new(arena, struct tn_schema);
    struct tn_values  *values = tn_arena_new(arena, struct tn_values);
    struct tn_location at     = { .up        = up,
                                  .keyword   = keyword,
                                  .key_index = SIZE_MAX,
                                  .name      = { tag->name, tag->len },
                                  .required  = tag->required };

    for (size_t i = 0; i < nodes->count; i++) {
        size_t kinds = kinds_of(property_schema(said_by(nodes->at[i]), tag->name, tag->len), NULL);

        if (kinds == 0)
            return false;
        count += kinds;
    }
    all = member ? tn_arena_array(arena, count, yyjson_val *) : NULL;
    if (!node || !schema || !values || !all)
        return false;
    for (size_t i = 0; i < nodes->count; i++)
        from += kinds_of(property_schema(said_by(nodes->at[i]), tag->name, tag->len), all + from);
    *values          = (struct tn_values){ .at = all, .count = count };
    schema->values   = values;
    schema->pointer  = nodes->at[0]->schema->pointer;
    schema->resource = nodes->at[0]->schema->resource;
    node->schema     = schema;
    tn_verdict_fault(verdict, node, &at, NULL, ISSUE_VALUES, member, NULL);
    return true;
}

/* The same, by the first member that does. */
static bool explain_kinds(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                          const struct tn_location *up, const char *keyword)
{
    const struct tn_object_rules *rules = said_by(nodes->at[0])->object;

    for (size_t i = 0; rules && yyjson_is_obj(value) && i < rules->count; i++)
        if (rules->properties[i].node && kinds_of(rules->properties[i].node->schema, NULL) > 0 &&
            tn_verdict_spend(verdict, nodes->count + unsafe_yyjson_get_len(value) / MEMBERS_OF_STEP) &&
            merge_kinds(verdict, nodes, value, up, keyword, &rules->properties[i]))
            return true;
    return false;
}

/* Which alternatives may be meant: those of the value's type, and of its kind if any is. */
static size_t find_meant(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                         bool *meant, bool *other_kind)
{
    unsigned type  = tn_verdict_type(value);
    size_t   typed = 0, count = 0;

    for (size_t i = 0; i < nodes->count; i++) {
        const struct tn_schema *schema = said_by(nodes->at[i]);

        if (schema->never || !(schema->types & type))
            continue;
        typed++;
        meant[i] = !yyjson_is_obj(value) || !tn_verdict_is_another_kind(verdict, schema, value);
        count += meant[i];
    }
    *other_kind = count == 0 && typed > 0;
    if (!*other_kind)
        return count;
    for (size_t i = 0; i < nodes->count; i++)
        meant[i] = (said_by(nodes->at[i])->types & type) != 0;
    return typed;
}

/* The issues of the alternative that is nearest, of those that may be meant. */
static struct tn_issues nearest_issues(struct tn_verdict *verdict, const struct tn_nodes *nodes,
                                       yyjson_val *value, const struct tn_location *up, const char *keyword,
                                       const bool *meant, size_t count)
{
    struct tn_judge *judge         = verdict->judge;
    struct tn_issues best          = { 0 };
    size_t           best_distance = SIZE_MAX, width = verdict->width;
    bool             narrow = width * count > EXPLAIN_WIDTH_MAX;

    verdict->width = narrow ? width : width * count;
    for (size_t i = 0; i < nodes->count && !verdict->gave_up; i++) {
        struct tn_location at = { .same = true, .up = up, .keyword = keyword, .key_index = i };
        size_t             far;

        if (!meant[i])
            continue;
        judge->issues = (struct tn_issues){ 0 };
        tn_verdict_step(verdict, nodes->at[i], value, &at, NULL);
        far = distance(&judge->issues, up);
        if (far < best_distance && judge->issues.total > 0) {
            best          = judge->issues;
            best_distance = far;
        }
        if (narrow)
            break;
    }
    verdict->width = width;
    return best;
}

/* Reports every alternative, for programs that show them as a tree. */
static bool explain_every(struct tn_verdict *verdict, const struct tn_node *node,
                          const struct tn_nodes *nodes, yyjson_val *value, const struct tn_location *up,
                          const char *keyword)
{
    const struct tn_issues *issues = &verdict->judge->issues;
    size_t                  before = issues->total;

    for (size_t i = 0; i < nodes->count && issues->total < ISSUES_MAX && !verdict->gave_up; i++) {
        struct tn_location at = { .same = true, .up = up, .keyword = keyword, .key_index = i };

        tn_verdict_step(verdict, nodes->at[i], value, &at, NULL);
    }
    if (issues->total == before)
        tn_verdict_fault(verdict, node, up, keyword, ISSUE_NO_BRANCH, value, NULL);
    return false;
}

static bool verdict_in_place_explain(struct tn_verdict *verdict, const struct tn_node *node,
                                     const struct tn_nodes *nodes, yyjson_val *value,
                                     const struct tn_location *up, const char *keyword)
{
    struct tn_judge *judge  = verdict->judge;
    struct tn_issues before = judge->issues, best;
    bool            *meant  = tn_arena_array(judge->arena, nodes->count, bool), other_kind;
    size_t           count;

    if (!meant || !tn_verdict_spend(verdict, nodes->count))
        return false;
    if (verdict->every)
        return explain_every(verdict, node, nodes, value, up, keyword);
    count = find_meant(verdict, nodes, value, meant, &other_kind);
    if (other_kind && explain_kinds(verdict, nodes, value, up, keyword))
        return false;
    if (count == 0 && merge_types(verdict, nodes, value, up, keyword))
        return false;
    for (size_t i = 0; count == 0 && i < nodes->count; i++)
        meant[i] = true;
    best = nearest_issues(verdict, nodes, value, up, keyword, meant, count > 0 ? count : nodes->count);
    judge->issues = before;
    if (best.count == 0)
        return tn_verdict_fault(verdict, node, up, keyword, ISSUE_NO_BRANCH, value, NULL);
    for (size_t i = 0; i < best.count; i++) {
        struct tn_issue *issue = tn_issues_add(&judge->issues, judge->arena);

        if (issue)
            *issue = best.at[i];
    }
    judge->issues.total += best.total - best.count;
    return false;
}

/* ---- Keywords ---------------------------------------------------------------------------------------------- */

static bool judge_all(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                      const struct tn_location *up, struct tn_seen *seen)
{
    bool fine = true;

    for (size_t i = 0; i < nodes->count; i++) {
        struct tn_location at = { .same = true, .up = up, .keyword = "allOf", .key_index = i };

        fine &= tn_verdict_step(verdict, nodes->at[i], value, &at, seen);
    }
    return fine;
}

static bool judge_any(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *up, struct tn_seen *seen)
{
    const struct tn_nodes *nodes = &node->schema->in_place->any_of;
    bool                   found = false;

    for (size_t i = 0; i < nodes->count && (!found || seen); i++)
        found |= verdict_in_place_holds(verdict, nodes->at[i], value, seen);
    return found || verdict_in_place_explain(verdict, node, nodes, value, up, "anyOf");
}

static bool judge_one(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *up, struct tn_seen *seen)
{
    const struct tn_nodes *nodes = &node->schema->in_place->one_of;
    size_t                 found = 0, first = 0;
    struct tn_issue       *issue;

    for (size_t i = 0; i < nodes->count && found < 2; i++) {
        if (!verdict_in_place_holds(verdict, nodes->at[i], value, seen))
            continue;
        if (found++ == 0) {
            first = i;
            continue;
        }
        tn_verdict_fault(verdict, node, up, "oneOf", ISSUE_BRANCHES, value, &issue);
        if (issue) {
            issue->count  = first;
            issue->second = i;
        }
    }
    if (found == 0)
        return verdict_in_place_explain(verdict, node, nodes, value, up, "oneOf");
    return found == 1;
}

static bool judge_not(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *up)
{
    return !verdict_in_place_holds(verdict, node->schema->in_place->not_, value, NULL) ||
           tn_verdict_fault(verdict, node, up, "not", ISSUE_NOT, value, NULL);
}

static bool judge_if(struct tn_verdict *verdict, const struct tn_in_place *place, yyjson_val *value,
                     const struct tn_location *up, struct tn_seen *seen)
{
    bool                  yes  = verdict_in_place_holds(verdict, place->if_, value, seen);
    const struct tn_node *next = yes ? place->then_ : place->else_;
    struct tn_location    at   = {
             .same = true, .up = up, .keyword = yes ? "then" : "else", .key_index = SIZE_MAX
    };

    return !next || tn_verdict_step(verdict, next, value, &at, seen);
}

bool tn_verdict_in_place(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         const struct tn_location *at, struct tn_seen *seen)
{
    const struct tn_in_place *place = node->schema->in_place;
    bool                      fine  = true;

    if (place->all_of.count > 0)
        fine = judge_all(verdict, &place->all_of, value, at, seen);
    if (place->any_of.count > 0)
        fine &= judge_any(verdict, node, value, at, seen);
    if (place->one_of.count > 0)
        fine &= judge_one(verdict, node, value, at, seen);
    if (place->not_)
        fine &= judge_not(verdict, node, value, at);
    if (place->if_)
        fine &= judge_if(verdict, place, value, at, seen);
    return fine;
}
