/* verdict.c - one schema applied to one value: type first, then what its type asks for, then the rest in place. */
#include "document/verdict/verdict.h"

#include "base/utf8.h"
#include "document/verdict/members.h"
#include "model/like.h"
#include "model/taken.h"
#include "model/words/words.h"

/* ---- What was seen ----------------------------------------------------------------------------------------- */

bool tn_seen_init(struct tn_verdict *verdict, struct tn_seen *seen, size_t count)
{
    seen->count = count;
    seen->few   = 0;
    seen->by    = NULL;
    seen->bits  = count < 64 ? &seen->few : tn_arena_array(verdict->judge->arena, count / 64 + 1, uint64_t);
    return seen->bits != NULL;
}

void tn_seen_merge(struct tn_seen *into, const struct tn_seen *from)
{
    for (size_t i = 0; into && i <= into->count / 64; i++)
        into->bits[i] |= from->bits[i];
}

/* ---- References -------------------------------------------------------------------------------------------- */

#define SCOPES_OF_STEP 4 /* resources that are asked for an anchor */

/* The outermost resource on the way here that has a dynamic anchor of that name decides. */
const struct tn_node *tn_verdict_dynamic(struct tn_verdict *verdict, const struct tn_in_place *place)
{
    const struct tn_node *found = place->dynamic;
    size_t                looks = 0;

    for (const struct tn_scope *scope = verdict->scope; place->dynamic_name && scope; scope = scope->up) {
        const struct tn_node *other = verdict->dynamic(verdict->user, scope->resource, place->dynamic_name);

        found = other ? other : found;
        looks++;
    }
    tn_verdict_spend(verdict, looks / SCOPES_OF_STEP);
    return found;
}

static bool verdict_follow(struct tn_verdict *verdict, const struct tn_node *node, const char *keyword,
                           yyjson_val *value, const struct tn_location *up, struct tn_seen *seen)
{
    struct tn_location at = { .same = true, .up = up, .keyword = keyword, .key_index = SIZE_MAX };

    return tn_verdict_step(verdict, node, value, &at, seen);
}

/* ---- The step ---------------------------------------------------------------------------------------------- */

static bool judge_references(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             const struct tn_location *at, struct tn_seen *seen)
{
    const struct tn_in_place *place = node->schema->in_place;
    bool                      fine  = true;

    if (place->ref)
        fine = verdict_follow(verdict, place->ref, "$ref", value, at, seen);
    if (place->dynamic)
        fine &= verdict_follow(verdict, tn_verdict_dynamic(verdict, place), place->dynamic_keyword, value, at,
                               seen);
    return fine;
}

/* A text where an array or an object is asked for: what is wrong with the JSON in it, if that is what it should be. */
static bool judge_json_text(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                            const struct tn_location *at)
{
    struct tn_judge      *judge = verdict->judge;
    struct tn_slice       text  = tn_json_slice(value);
    unsigned              kind = tn_like_kind(node), types = node->schema->types & ~(unsigned)TYPE_NULL;
    struct tn_json_limits limits = tn_taken_limits(judge);
    bool                  meant  = types == TYPE_OBJECT || kind == TENON_KIND_OBJECTS ||
                 (types == TYPE_ARRAY && tn_slice_trim(text).len > 0 && tn_slice_trim(text).at[0] == '[');
    struct tn_json_text read;
    struct tn_issue    *issue;

    if (!verdict->presence || !meant || !tn_verdict_spend(verdict, text.len / 8))
        return false;
    read = tn_json_read(judge->arena, text.at, text.len, &limits);
    if (read.fault == JSON_NO_MEMORY)
        return true;
    if (read.root && node->schema->types & tn_verdict_type(read.root))
        return false; /* what it says is of the right type: it was not repaired for another reason */
    if (read.root) {
        tn_verdict_fault(verdict, node, at, "type", ISSUE_TYPE, read.root, &issue);
        if (issue)
            issue->in_text = true;
        return true;
    }
    tn_verdict_fault(verdict, node, at, "type", read.fault == JSON_SYNTAX ? ISSUE_JSON : ISSUE_LIMIT, value,
                     &issue);
    if (issue) {
        issue->hidden = verdict->guarded; /* a text that is no JSON may hold a secret all the same */
        issue->why    = tn_words_unread(text, &read, false);
        issue->count  = read.at;
    }
    return true;
}

/* One cause, one issue: what the known values are says more than their type, and nothing else is asked of another type. */
static bool judge_wrong_type(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             const struct tn_location *at)
{
    const struct tn_schema *schema = node->schema;

    if (schema->constant)
        return tn_verdict_fault(verdict, node, at, "const", ISSUE_CONST, value, NULL);
    if (schema->values)
        return tn_verdict_fault(verdict, node, at, "enum", ISSUE_VALUES, value, NULL);
    if (tn_verdict_says_time(verdict, node))
        return tn_verdict_refuse_time(verdict, node, value, at, "type");
    if (yyjson_is_str(value) && judge_json_text(verdict, node, value, at))
        return false;
    return tn_verdict_fault(verdict, node, at, "type", ISSUE_TYPE, value, NULL);
}

/* All that is asked of the value itself. */
static bool judge_itself(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         unsigned type, const struct tn_location *at, struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    bool                    fine   = true;

    if (!(schema->types & type))
        return judge_wrong_type(verdict, node, value, at);
    if (schema->in_place)
        fine = judge_references(verdict, node, value, at, seen);
    fine &= tn_verdict_scalar(verdict, node, value, type, at);
    if (schema->in_place)
        fine &= tn_verdict_in_place(verdict, node, value, at, seen);
    return fine;
}

/* unevaluated*, which is done last, is the containers' own. What is known of the value is no use to who counts what it
 * saw, but for the parts of it. */
static bool judge_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        const struct tn_location *at, struct tn_seen *seen)
{
    unsigned              type  = tn_verdict_type(value);
    const struct tn_fact *found = type & (TYPE_OBJECT | TYPE_ARRAY) ? tn_verdict_fact(verdict, node, value)
                                                                    : NULL;
    struct tn_fact kept = found ? *found : (struct tn_fact){ 0 }; /* newer ones take its place in the list */
    const struct tn_fact *fact = found ? &kept : NULL;
    bool                  fine = (fact && !seen) || judge_itself(verdict, node, value, type, at, seen);

    if (type == TYPE_OBJECT)
        fine &= tn_verdict_object(verdict, node, value, at, fact, seen);
    else if (type == TYPE_ARRAY)
        fine &= tn_verdict_array(verdict, node, value, at, fact, seen);
    return fine;
}

/* A schema with unevaluated* counts for itself what it saw, and tells what is around it only when it holds. */
static bool judge_counted(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          const struct tn_location *at, struct tn_seen *around)
{
    struct tn_seen own;
    bool           fine;

    if (!node->schema->counts || !(node->schema->counts & tn_verdict_type(value)))
        return judge_value(verdict, node, value, at, around);
    if (!tn_seen_init(verdict, &own, unsafe_yyjson_get_len(value)))
        return false;
    fine = judge_value(verdict, node, value, at, &own);
    if (fine)
        tn_seen_merge(around, &own);
    return fine;
}

bool tn_verdict_quiet(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      struct tn_seen *seen)
{
    bool fine;

    verdict->all = false;
    fine         = tn_verdict_flag(verdict, node, value, seen);
    verdict->all = true;
    return fine;
}

/* Most parts of a value that is not valid are, and that is found sooner without a report; but of a value with nothing in it,
 * which is reported as soon. Where nothing is known, what lies deep would be looked at as many times as it lies deep; at
 * levels of a power of two, only as many times as that has digits. */
static bool looks_first(const struct tn_verdict *verdict, const struct tn_schema *schema, yyjson_val *value,
                        const struct tn_location *at)
{
    if (at->same || at->part == PART_REFUSED || verdict->careful ||
        !(schema->inside & tn_verdict_type(value)))
        return false;
    return at->part == PART_OPEN || (verdict->level & (verdict->level + 1)) == 0;
}

static bool verdict_look(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    bool fine = tn_verdict_quiet(verdict, node, value, NULL);

    if (verdict->steps > 0)
        verdict->gave_up = verdict->slow_pattern = false; /* that is met again where it can be told */
    return fine;
}

/* Whatever else is asked of a text is asked of the one that is sent instead. */
static bool refuse_text(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        const struct tn_location *at)
{
    struct tn_issue *issue;

    tn_verdict_fault(verdict, node, at, NULL, ISSUE_TEXT, value, &issue);
    if (issue)
        issue->why = " must be valid UTF-8";
    return false;
}

/* A value that no other schema is applied to, nor to what is in it. */
static bool judge_alone(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        unsigned type, const struct tn_location *at)
{
    bool fine;

    verdict->secret += node->secret;
    fine = judge_itself(verdict, node, value, type, at, NULL);
    verdict->secret -= node->secret;
    return fine;
}

bool tn_verdict_step(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     const struct tn_location *at, struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    struct tn_scope         scope  = { verdict->scope, schema->resource };
    const struct tn_scope  *before = verdict->scope;
    unsigned                moved  = at && !at->same, type;
    bool                    fine;

    if (!verdict->all)
        return tn_verdict_flag(verdict, node, value, seen);
    ((struct tn_location *)(uintptr_t)at)->schema = schema;
    if (schema->never)
        return tn_verdict_fault(verdict, node, at, NULL, ISSUE_NEVER, value, NULL);
    if (verdict->careful && yyjson_is_str(value) &&
        !tn_utf8_valid(yyjson_get_str(value), yyjson_get_len(value)))
        return refuse_text(verdict, node, value, at);
    if (looks_first(verdict, schema, value, at) && verdict_look(verdict, node, value))
        return true;
    verdict->gave_up |= verdict->depth == VERDICT_DEPTH_MAX;
    if (verdict->gave_up || !tn_verdict_spend(verdict, 1))
        return false;
    type = tn_verdict_type(value);
    if (!(schema->inside & type))
        return judge_alone(verdict, node, value, type, at);
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

void tn_verdict_begin(struct tn_verdict *verdict, size_t steps)
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

void tn_verdict_end(struct tn_verdict *verdict, size_t steps)
{
    verdict->judge->steps += steps - verdict->steps;
}

/* Nothing that was found after a limit was met is reported: it may be a consequence. */
static void tell_limit(struct tn_verdict *verdict, const struct tn_node *node)
{
    struct tn_location root = { .same = true, .up = verdict->base, .key_index = SIZE_MAX };
    bool               slow = verdict->slow_pattern || !verdict->gave_up;
    struct tn_issue   *issue;

    verdict->gave_up = false;
    tn_verdict_fault(verdict, node, &root, NULL, ISSUE_LIMIT, NULL, &issue);
    if (issue)
        issue->why = slow ? " cannot be validated: a pattern takes too long to match"
                     : verdict->steps == 0
                         ? " cannot be validated: that takes more steps than its length allows"
                         : " cannot be validated: the schema applies itself too deep";
}

/* Only whether it is valid, which needs no location. */
static bool run_flag(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    size_t steps = verdict->allowed;
    bool   fine;

    tn_verdict_begin(verdict, steps);
    fine = tn_verdict_flag(verdict, node, value, NULL);
    tn_verdict_end(verdict, steps);
    return fine && !verdict->gave_up && verdict->unsure == 0 && !verdict->judge->arena->failed;
}

/* The same, and what is found serves the report. False when that is no way to know. */
static bool run_look(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_members *members, bool *fine)
{
    size_t steps = verdict->allowed;
    bool   known;

    tn_verdict_begin(verdict, steps);
    known = tn_members_look(verdict, node, value, members, fine);
    tn_verdict_end(verdict, steps);
    return known && !verdict->gave_up && verdict->unsure == 0 && !verdict->judge->arena->failed;
}

static bool report_whole(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_location root = { .same = true, .up = verdict->base, .key_index = SIZE_MAX };

    return tn_verdict_step(verdict, node, value, &root, NULL);
}

/* The same after such a look. It is kept at once, as all that is found will refer to it. */
static bool report_found(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_arena    *arena = verdict->judge->arena;
    struct tn_location *at    = tn_arena_take(arena, sizeof *at, alignof(struct tn_location));
    struct tn_scope     scope = { NULL, node->schema->resource };
    bool                fine;

    if (!at || !tn_verdict_spend(verdict, 1))
        return false;
    *at             = (struct tn_location){ .same      = true,
                                            .up        = tn_location_keep(arena, verdict->base),
                                            .key_index = SIZE_MAX,
                                            .schema    = node->schema };
    at->kept        = at;
    verdict->scope  = &scope;
    verdict->depth  = 1;
    verdict->secret = node->secret;
    fine            = tn_verdict_count(verdict, node, value, at);
    fine &= tn_members_report(verdict, node, value, at, NULL, verdict->found);
    verdict->scope  = NULL;
    verdict->depth  = 0;
    verdict->secret = 0;
    return fine;
}

/* With `all`: every fault is reported. */
static bool run_report(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    size_t steps = verdict->allowed * 2;
    bool   fine;

    tn_verdict_begin(verdict, steps);
    fine = (verdict->found ? report_found : report_whole)(verdict, node, value);
    tn_verdict_end(verdict, steps);
    if (!verdict->gave_up && verdict->unsure == 0)
        return fine && !verdict->judge->arena->failed;
    if (verdict->gave_up || verdict->judge->issues.total == 0)
        tell_limit(verdict, node);
    return false;
}

static bool report_all(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_facts facts;
    bool            fine;

    facts.count    = 0;
    verdict->facts = &facts;
    fine           = run_report(verdict, node, value);
    verdict->facts = NULL;
    tn_verdict_places(verdict->judge);
    return fine;
}

bool tn_verdict_of(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    if (verdict->all)
        return report_all(verdict, node, value);
    verdict->facts = NULL;
    return run_flag(verdict, node, value);
}

void tn_verdict_report(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_facts *before = verdict->facts, facts;

    facts.count    = 0;
    verdict->facts = before ? before : &facts;
    verdict->all   = true;
    if (verdict->gave_up && !verdict->slow_pattern)
        tell_limit(verdict, node);
    else if (!verdict->judge->arena->failed && run_report(verdict, node, value) && !verdict->careful)
        tell_limit(verdict, node); /* with twice the steps: too late for who was told that it is not */
    verdict->facts = before;
}

/* What the first look learned serves the report. */
bool tn_verdict_full(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_facts   facts;
    struct tn_members members;
    bool              fine;

    facts.count    = 0;
    verdict->facts = &facts;
    verdict->all   = false;
    if (tn_members_are_all(verdict, node, value) && run_look(verdict, node, value, &members, &fine))
        verdict->found = &members;
    else
        fine = run_flag(verdict, node, value);
    if (!fine)
        tn_verdict_report(verdict, node, value);
    verdict->found = NULL;
    verdict->facts = NULL;
    return fine;
}
