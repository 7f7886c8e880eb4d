/* repair.c - repairs, one schema and one value at a time. */
#include "document/repair/repair.h"

#include <string.h>

#include "json/write.h"
#include "model/coercions.h"
#include "model/json_equal.h"
#include "model/like.h"
#include "model/taken.h"
#include "model/words/words.h"
#include "text/format.h"

#define STRINGS_DEPTH_MAX 16
#define TEXT_LEN_MAX      ((size_t)64 << 20)

/* ---- Around one schema ------------------------------------------------------------------------------------------ */

bool tn_repair_fits(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value)
{
    return tn_verdict_flag(repairer->verdict, node, value, NULL);
}

bool tn_repair_enter(struct tn_repairer *repairer, const struct tn_node *node, struct tn_scope *scope)
{
    struct tn_verdict *verdict = repairer->verdict;

    if (verdict->steps == 0 || verdict->depth == VERDICT_DEPTH_MAX || verdict->judge->arena->failed)
        verdict->gave_up = true;
    if (verdict->gave_up)
        return false;
    verdict->steps--;
    verdict->depth++;
    *scope         = (struct tn_scope){ verdict->scope, node->schema->resource };
    verdict->scope = scope;
    return true;
}

void tn_repair_leave(struct tn_repairer *repairer, const struct tn_scope *scope)
{
    repairer->verdict->depth--;
    repairer->verdict->scope = scope->up;
}

/* What was reported so far, to go back to when a repair leads nowhere. */
struct repair_reported {
    size_t len, coerced, reformed, unsaid, messages;
    bool   taken; /* the rest is known: none of it else */
    size_t names, unsaid_names, forms[FORMS];
};

static void reported_now(const struct tn_repairer *repairer, struct repair_reported *now)
{
    const struct tn_judge *judge = repairer->verdict->judge;

    now->len      = judge->coercions.len;
    now->coerced  = judge->coerced;
    now->reformed = judge->reformed;
    now->unsaid   = judge->unsaid;
    now->messages = judge->messages.count;
    now->taken    = judge->taken != NULL;
    if (!judge->taken)
        return;
    now->names        = judge->taken->names.len;
    now->unsaid_names = judge->taken->unsaid;
    memcpy(now->forms, judge->taken->counts, sizeof now->forms);
}

static void reported_back(struct tn_repairer *repairer, const struct repair_reported *reported)
{
    struct tn_judge *judge = repairer->verdict->judge;

    judge->coercions.len  = reported->len;
    judge->coerced        = reported->coerced;
    judge->reformed       = reported->reformed;
    judge->unsaid         = reported->unsaid;
    judge->messages.count = reported->messages;
    if (!judge->taken)
        return;
    judge->taken->names.len = reported->taken ? reported->names : 0;
    judge->taken->unsaid    = reported->taken ? reported->unsaid_names : 0;
    if (reported->taken)
        memcpy(judge->taken->counts, reported->forms, sizeof reported->forms);
    else
        memset(judge->taken->counts, 0, sizeof judge->taken->counts);
}

void tn_repair_report(struct tn_repairer *repairer, const struct tn_location *at, yyjson_val *from,
                      yyjson_val *to, enum tn_wire_form form)
{
    struct tn_judge *judge = repairer->verdict->judge;
    bool             secret;

    if (form < FORMS)
        tn_taken_add(judge, form);
    if (at->up && at->up->from_comma) {
        judge->reformed++; /* the items of a comma list have no other form */
        return;
    }
    secret = judge->unsaid > 0 || repairer->secret > 0 || tn_verdict_is_secret(at, from) ||
             tn_verdict_is_secret(at, to) ||
             (repairer->verdict->guarded && (yyjson_is_ctn(from) || yyjson_is_ctn(to)));
    tn_taken_value(judge, judge->unsaid > 0 ? SLICE_LIT("") : tn_verdict_label(repairer->verdict, at), secret,
                   from, to);
}

bool tn_repair_text_fits(struct tn_repairer *repairer, const struct tn_node *node, struct tn_slice text)
{
    if (node->text.format && node->schema->format_asserted && !node->text.format->accepts(text))
        return false;
    return !node->text.pattern ||
           tn_verdict_match(repairer->verdict, node->text.pattern, text) == PATTERN_YES;
}

/* ---- What is inside --------------------------------------------------------------------------------------------- */

static yyjson_val *repair_node(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_location *at);
static yyjson_val *repair_refused(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                                  const struct tn_location *at);

/* A declared member. What stands for nothing, and is refused, is left out: NULL. */
static yyjson_val *repair_member(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                                 const struct tn_location *at)
{
    enum tn_nothing nothing;
    bool            secret;

    if (node->schema->never || tn_repair_fits(repairer, node, value))
        return value;
    nothing = repairer->how->presence ? tn_like_nothing(node, value, repairer->how->strict) : NOTHING_NOT;
    if (nothing == NOTHING_NOT)
        return repair_refused(repairer, node, value, at);
    if (at->required || repairer->how->keep_null)
        return value; /* which is its issue */
    secret = repairer->secret > 0 || node->secret || tn_verdict_is_secret(at, value);
    if (nothing == NOTHING_WORD || repairer->how->tells)
        tn_taken_placeholder(repairer->verdict->judge, tn_verdict_label(repairer->verdict, at),
                             secret ? NULL : value);
    return NULL;
}

/* A member that a pattern or the rest of the names allows: where that is a text, numbers and truth values are taken as
 * theirs, and a list is not one of them. The name is the caller's own, so that null does not mean that it is left out. */
static yyjson_val *repair_other(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                                const struct tn_location *at)
{
    yyjson_val *text;

    if (tn_like_types(node) == TYPE_STRING && !repairer->how->strict && !tn_like_end(node)->schema->values) {
        text = tn_form_as_text(repairer->verdict->judge->arena, value);
        repairer->secret += tn_like_end(node)->secret;
        if (text && tn_repair_fits(repairer, node, text))
            tn_repair_report(repairer, at, value, text, FORM_NUMBER);
        repairer->secret -= tn_like_end(node)->secret;
        if (text || yyjson_is_arr(value))
            return text ? text : value;
    }
    return repair_node(repairer, node, value, at);
}

/* What must be there, is not, and has a default. */
static void add_required(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                         struct tn_parts *parts, const struct tn_location *up)
{
    const uint64_t *present = NULL;

    if (rules->required == 0 || !tn_verdict_spend(repairer->verdict, rules->count / 8))
        return;
    for (size_t i = 0; i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];
        struct tn_slice           name     = { property->name, property->len };
        struct tn_location        at = { .up = up, .key_index = SIZE_MAX, .name = name, .required = true };
        yyjson_val               *value;

        if (!property->required || !property->node || !tn_repair_declared(property->node))
            continue;
        if (!present)
            present = tn_parts_present(repairer, rules, parts->whole, NULL);
        if (!present)
            return;
        if (present[i / 64] >> i % 64 & 1)
            continue;
        value = tn_repair_default(repairer, property->node, &at);
        if (value)
            tn_parts_add(repairer, parts, name, value);
    }
}

static yyjson_val *repair_members(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                                  yyjson_val *value, const struct tn_location *at)
{
    struct tn_parts parts;

    if (!tn_parts_open(repairer, &parts, value, rules->required))
        return value;
    for (size_t i = 0; i < parts.count; i += 2) {
        yyjson_val *member = tn_parts_each(repairer, rules, &parts, i, at, repair_member, repair_other);

        if (member)
            tn_parts_set(&parts, i + 1, member);
        else
            tn_parts_drop(&parts, i);
        repairer->verdict->judge->reformed += !member;
    }
    tn_parts_shrink(&parts);
    add_required(repairer, rules, &parts, at);
    return tn_parts_close(repairer, &parts);
}

static yyjson_val *repair_object(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                                 yyjson_val *value, const struct tn_location *up)
{
    value = tn_repair_names(repairer, rules, value, up);
    value = repair_members(repairer, rules, value, up);
    for (size_t i = 0; i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];
        struct tn_location         at        = { .same = true, .up = up, .key_index = SIZE_MAX };

        if (dependent->node &&
            tn_verdict_member(repairer->verdict, value, dependent->name.at, dependent->name.len))
            value = repair_node(repairer, dependent->node, value, &at);
        if (!yyjson_is_obj(value))
            break;
    }
    return value;
}

static yyjson_val *repair_array(struct tn_repairer *repairer, const struct tn_array_rules *rules,
                                yyjson_val *value, const struct tn_location *at)
{
    struct tn_location list = *at;

    list.from_comma = value == repairer->comma;
    return tn_parts_items(repairer, rules, value, &list, repair_node);
}

/* ---- Alternatives ----------------------------------------------------------------------------------------------- */

/* May any string do, as far as the types go? Yes, when in doubt. */
static bool takes_strings(const struct tn_node *node, unsigned depth)
{
    const struct tn_schema   *schema = node->schema;
    const struct tn_in_place *place  = schema->in_place;
    bool                      any = true, one = true;

    if (schema->never || !(schema->types & TYPE_STRING) || schema->values || schema->constant)
        return false;
    if (!place || depth == STRINGS_DEPTH_MAX)
        return true;
    if (place->ref && !takes_strings(place->ref, depth + 1))
        return false;
    for (size_t i = 0; i < place->all_of.count; i++)
        if (!takes_strings(place->all_of.at[i], depth + 1))
            return false;
    for (size_t i = 0; i < place->any_of.count; i++)
        any = (i > 0 && any) || takes_strings(place->any_of.at[i], depth + 1);
    for (size_t i = 0; i < place->one_of.count; i++)
        one = (i > 0 && one) || takes_strings(place->one_of.at[i], depth + 1);
    return any && one;
}

static size_t count_fitting(struct tn_repairer *repairer, const struct tn_nodes *nodes, yyjson_val *value)
{
    size_t count = 0;

    for (size_t i = 0; i < nodes->count; i++)
        count += tn_repair_fits(repairer, nodes->at[i], value);
    return count;
}

/* What became of a value when it was repaired for one alternative, and what was reported then. */
struct tried {
    yyjson_val            *value;
    struct repair_reported reported;
};

/* For a report: the one alternative that can be meant, of the type and kind that the value was repaired to. */
static const struct tried *find_meant(struct tn_repairer *repairer, const struct tn_nodes *nodes,
                                      const struct tried *tried, bool text_only)
{
    const struct tried *found = NULL;

    for (size_t i = 0; i < nodes->count; i++) {
        const struct tn_schema *schema = tn_like_end(nodes->at[i])->schema;
        yyjson_val             *value  = tried[i].value;

        if (!(schema->types & tn_verdict_type(value)) || (text_only && !yyjson_is_str(value)) ||
            (yyjson_is_obj(value) && tn_verdict_is_another_kind(repairer->verdict, schema, value)))
            continue;
        if (found)
            return NULL;
        found = &tried[i];
    }
    return found;
}

/* The one way in which an alternative takes the repaired value; *ways counts those that differ. */
static const struct tried *find_way(struct tn_repairer *repairer, const struct tn_nodes *nodes,
                                    const struct tried *tried, yyjson_val *sent, bool exactly_one,
                                    bool text_only, size_t *ways)
{
    const struct tried *found = NULL;

    *ways = 0;
    for (size_t i = 0; i < nodes->count && *ways < 2; i++) {
        yyjson_val *value = tried[i].value;

        if (value == sent || (text_only && !yyjson_is_str(value)) ||
            !tn_repair_fits(repairer, nodes->at[i], value) ||
            (exactly_one && count_fitting(repairer, nodes, value) != 1))
            continue;
        if (found && tn_json_equal(repairer->verdict->judge->arena, value, found->value))
            continue;
        ++*ways;
        found = &tried[i];
    }
    return *ways == 1 ? found : NULL;
}

/* A value that fits none of the alternatives is repaired only when there is one way to do it. */
static yyjson_val *repair_branches(struct tn_repairer *repairer, const struct tn_nodes *nodes,
                                   yyjson_val *value, const struct tn_location *up, bool exactly_one)
{
    struct tn_location     at        = { .same = true, .up = up, .key_index = SIZE_MAX };
    bool                   text_only = false;
    struct repair_reported before;
    struct tried          *tried;
    const struct tried    *found;
    size_t                 ways;

    if (nodes->count == 0 || count_fitting(repairer, nodes, value) > 0)
        return value;
    reported_now(repairer, &before);
    tried = tn_arena_array(repairer->verdict->judge->arena, nodes->count, struct tried);
    if (!tried)
        return value;
    for (size_t i = 0; i < nodes->count; i++) {
        text_only |= yyjson_is_str(value) && takes_strings(nodes->at[i], 0);
        tried[i].value = repair_node(repairer, nodes->at[i], value, &at);
        reported_now(repairer, &tried[i].reported);
        reported_back(repairer, &before);
    }
    found = find_way(repairer, nodes, tried, value, exactly_one, text_only, &ways);
    if (ways == 0)
        found = find_meant(repairer, nodes, tried, text_only);
    if (!found)
        return value;
    reported_back(repairer, &found->reported);
    return found->value;
}

/* ---- What is left -------------------------------------------------------------------------------------------------- */

/* Members and items that only unevaluated* speaks of. Which those are is known where all else holds. */
static yyjson_val *repair_left(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_location *up)
{
    const struct tn_schema *schema = node->schema;
    bool                    named  = yyjson_is_obj(value);
    const struct tn_node   *left   = named ? schema->object->unevaluated : schema->array->unevaluated;
    struct tn_seen          seen;
    struct tn_parts         parts;

    if (left->schema->never || !tn_verdict_sees(repairer->verdict, node, value, &seen) ||
        !tn_parts_open(repairer, &parts, value, 0))
        return value;
    for (size_t i = 0; i < parts.count; i += 1 + named) {
        struct tn_location at = { .up = up, .key_index = SIZE_MAX, .index = i };

        if (tn_seen_has(&seen, i / (1 + named)))
            continue;
        if (named)
            at.name = tn_json_slice(parts.at[i]);
        tn_parts_set(&parts, i + named,
                     (named ? repair_other : repair_node)(repairer, left, parts.at[i + named], &at));
    }
    return tn_parts_close(repairer, &parts);
}

/* ---- The node --------------------------------------------------------------------------------------------------- */

/* A value that the schema refuses, as near to what it asks for as can be; whether that is near enough is for the caller to
 * see. */
static yyjson_val *repair_refused(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                                  const struct tn_location *at)
{
    const struct tn_schema *schema = node->schema;
    struct repair_reported  before;
    yyjson_val             *came = value;
    struct tn_scope         scope;

    if (schema->never || !tn_repair_enter(repairer, node, &scope))
        return value;
    reported_now(repairer, &before);
    repairer->secret += node->secret;
    value = tn_repair_type(repairer, node, value, at);
    value = tn_repair_known(repairer, schema, value, at);
    if (value != came && !yyjson_is_ctn(value) && !tn_repair_fits(repairer, node, value))
        reported_back(repairer, &before); /* its issue says what it is */
    if (schema->object && yyjson_is_obj(value))
        value = repair_object(repairer, schema->object, value, at);
    if (schema->array && yyjson_is_arr(value))
        value = repair_array(repairer, schema->array, value, at);
    if (schema->in_place)
        value = tn_parts_in_place(repairer, schema->in_place, value, at, repair_node, repair_branches);
    if (schema->counts & tn_verdict_type(value))
        value = repair_left(repairer, node, value, at);
    repairer->secret -= node->secret;
    tn_repair_leave(repairer, &scope);
    return value;
}

static yyjson_val *repair_node(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_location *at)
{
    return node->schema->never || tn_repair_fits(repairer, node, value)
               ? value
               : repair_refused(repairer, node, value, at);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

/* The writer leaves out what is deeper than it goes. */
static bool too_deep(yyjson_val *value, size_t depth)
{
    size_t      count = yyjson_is_ctn(value) ? unsafe_yyjson_get_len(value) : 0;
    yyjson_val *one   = count > 0 ? unsafe_yyjson_get_first(value) : NULL;

    if (depth >= JSON_WRITE_DEPTH_MAX)
        return yyjson_is_ctn(value);
    for (size_t i = 0; i < count; i++) {
        if (yyjson_is_obj(value))
            one++; /* the name */
        if (too_deep(one, depth + 1))
            return true;
        one = unsafe_yyjson_get_next(one);
    }
    return false;
}

/* Repaired and filled in: is it valid now? Where it is not, *value is repaired as far as that goes, for a report. */
static bool repair_whole(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val **value,
                         bool valid)
{
    struct tn_location     root = { .same = true, .up = repairer->verdict->base, .key_index = SIZE_MAX };
    struct repair_reported before;
    yyjson_val            *filled;

    if (!valid) {
        *value = *value == repairer->refused ? repair_refused(repairer, node, *value, &root)
                                             : repair_node(repairer, node, *value, &root);
        valid  = *value != repairer->refused && tn_repair_fits(repairer, node, *value);
    }
    if (!valid && repairer->how->defaults && repairer->how->choices) {
        reported_now(repairer, &before);
        repairer->any = true; /* a default may be what is missing */
        filled        = tn_repair_fill(repairer, node, *value);
        repairer->any = false;
        filled        = repair_node(repairer, node, filled, &root);
        valid         = tn_repair_fits(repairer, node, filled);
        if (!valid)
            reported_back(repairer, &before);
        *value = valid ? filled : *value;
    }
    if (valid && repairer->how->defaults)
        *value = tn_repair_fill(repairer, node, *value);
    return valid;
}

/* The root of the repair: also what stands around all of it. */
static bool repair_run(struct tn_repairer *repairer, const struct tn_node *node, size_t len,
                       yyjson_val **value, bool valid)
{
    struct tn_verdict     *verdict = repairer->verdict;
    struct repair_reported before;
    size_t                 steps = tn_verdict_steps_of(len) * 2;
    yyjson_val            *sent  = *value;
    bool                   lost;

    reported_now(repairer, &before);
    tn_verdict_begin(verdict, steps);
    if (!valid && repairer->how->wrapped)
        *value = tn_repair_unwrapped(repairer, node, *value);
    valid = repair_whole(repairer, node, value, valid);
    lost  = verdict->gave_up || verdict->judge->arena->failed || too_deep(*value, 0);
    tn_verdict_end(verdict, steps);
    verdict->gave_up = false; /* of a repair: what was sent can be judged */
    if (!lost)
        return valid;
    reported_back(repairer, &before);
    verdict->base = NULL;
    *value        = sent;
    return false;
}

bool tn_repair_value(struct tn_verdict *verdict, const struct tn_node *node, size_t len, yyjson_val **value,
                     const struct tn_repair_how *how)
{
    struct tn_repairer repairer = { .verdict = verdict, .how = how, .room = REPAIR_ROOM_MAX };
    yyjson_val        *sent     = *value;
    bool               valid    = !verdict->careful && tn_verdict_of(verdict, node, sent);

    if ((valid && !how->defaults) || verdict->judge->arena->failed || verdict->gave_up)
        return valid; /* what cannot be judged cannot be repaired */
    verdict->presence = how->presence;
    repairer.refused  = valid || verdict->careful ? NULL : sent;
    if (repair_run(&repairer, node, len, value, valid))
        valid = !verdict->careful;
    else if (valid)
        *value = sent; /* only its defaults are missing */
    tn_coercions_report(verdict->judge);
    tn_taken_report(verdict->judge);
    return valid && !verdict->judge->arena->failed;
}

/* What was repaired as JSON text, which is read and validated like any other. */
static yyjson_val *settle(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *mended,
                          struct tn_slice *text)
{
    struct tn_judge    *judge = verdict->judge;
    struct tn_json_text read;
    struct tn_buf       out;

    tn_buf_init(&out, judge->arena, 256, TEXT_LEN_MAX);
    tn_json_value(&out, mended);
    if (!tn_buf_end(&out))
        return NULL;
    read = tn_json_read(judge->arena, out.at, out.len, &judge->limits);
    if (!read.root || read.bad_utf8 || !tn_verdict_of(verdict, node, read.root))
        return NULL;
    *text = tn_buf_slice(&out);
    return read.root;
}

bool tn_repair_text(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice *json,
                    yyjson_val **value, const struct tn_repair_how *how)
{
    struct tn_repairer repairer = { .verdict = verdict, .how = how, .room = REPAIR_ROOM_MAX, .alone = true };
    struct repair_reported before;
    yyjson_val            *sent  = *value, *exact, *settled;
    bool                   valid = tn_verdict_of(verdict, node, sent), repaired;

    if ((valid && !how->defaults) || verdict->judge->arena->failed || verdict->gave_up)
        return valid;
    reported_now(&repairer, &before);
    verdict->presence = how->presence;
    tn_verdict_begin(verdict, tn_verdict_steps_of(json->len));
    exact    = tn_parts_read(&repairer, *json);
    *value   = exact ? exact : sent;
    repaired = exact && repair_run(&repairer, node, json->len, value, valid);
    settled  = repaired && *value != exact ? settle(verdict, node, *value, json) : NULL;
    if (repaired && !settled)
        reported_back(&repairer, &before);
    if (settled || valid)
        *value = settled ? settled : sent;
    else if (repaired)
        *value =
            sent; /* its text says something else, as 1e-400 is 0 when it is read: a report is of what was sent */
    tn_coercions_report(verdict->judge);
    tn_taken_report(verdict->judge);
    return (settled || valid) && !verdict->judge->arena->failed;
}
