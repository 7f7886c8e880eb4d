/* repair.c - repairs, one schema and one value at a time. */
#include "document/repair.h"

#include <string.h>

#include "json/write.h"
#include "model/coercions.h"
#include "model/json_equal.h"
#include "model/words.h"
#include "text/decimal.h"

#define STRINGS_DEPTH_MAX 16
#define TEXT_LEN_MAX      ((size_t)64 << 20)

/* ---- Around one schema ------------------------------------------------------------------------------------------ */

bool tn_repair_fits(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                    const struct tn_schema_location *at)
{
    return tn_verdict_step(repairer->verdict, node, value, at, NULL);
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

/* What was told so far, to go back to when a repair leads nowhere. */
struct repair_reported {
    size_t len, coerced, reformed, unsaid;
};

static struct repair_reported told_now(const struct tn_repairer *repairer)
{
    const struct tn_judge *judge = repairer->verdict->judge;

    return (struct repair_reported){ judge->coercions.len, judge->coerced, judge->reformed, judge->unsaid };
}

static void told_back(struct tn_repairer *repairer, struct repair_reported told)
{
    struct tn_judge *judge = repairer->verdict->judge;

    judge->coercions.len = told.len;
    judge->coerced       = told.coerced;
    judge->reformed      = told.reformed;
    judge->unsaid        = told.unsaid;
}

/* ---- Another type ----------------------------------------------------------------------------------------------- */

static void repair_tell(struct tn_repairer *repairer, const struct tn_schema_location *at, yyjson_val *from,
                        yyjson_val *to)
{
    struct tn_judge *judge = repairer->verdict->judge;
    bool             secret;
    struct tn_buf    text;

    if (judge->unsaid > 0) { /* it is only counted */
        tn_coercions_add(judge, SLICE_LIT(""), true, from, SLICE_LIT(""));
        return;
    }
    secret = repairer->secret > 0 || tn_verdict_is_secret(repairer->verdict, at, from);
    tn_buf_init(&text, judge->arena, 32, MESSAGE_LEN_MAX);
    tn_json_value(&text, to);
    tn_coercions_add(judge, tn_verdict_label(repairer->verdict, at), secret, from,
                     text.failed ? SLICE_LIT("[...]") : tn_buf_slice(&text));
}

static yyjson_val *truth_of(struct tn_repairer *repairer, struct tn_slice word)
{
    yyjson_val *truth;
    bool        yes = tn_slice_fold_equal(word, SLICE_LIT("true"));

    if (!yes && !tn_slice_fold_equal(word, SLICE_LIT("false")))
        return NULL;
    truth = tn_arena_new(repairer->verdict->judge->arena, yyjson_val);
    if (truth)
        truth->tag = YYJSON_TYPE_BOOL | (yes ? YYJSON_SUBTYPE_TRUE : YYJSON_SUBTYPE_FALSE);
    return truth;
}

static bool begins_container(struct tn_slice text)
{
    return text.len > 0 && (text.at[0] == '[' || text.at[0] == '{');
}

/* What a string spells that is of one of the `types`, none of which is a string; or NULL. */
static yyjson_val *spelled(struct tn_repairer *repairer, unsigned types, yyjson_val *value,
                           const struct tn_schema_location *at)
{
    struct tn_slice text  = tn_slice_trim(tn_json_slice(value));
    yyjson_val     *found = NULL;

    if (begins_container(text)) {
        found = types & (TYPE_ARRAY | TYPE_OBJECT) ? tn_parts_read(repairer, text) : NULL;
        if (!found || !(types & tn_verdict_type(found)))
            return NULL;
        repairer->verdict->judge->reformed++;
        return found;
    }
    if (repairer->how->strict)
        return NULL;
    if (types & TYPE_NUMBER)
        found = tn_parts_read_number(repairer, text);
    if (found && !(types & tn_verdict_type(found)))
        return NULL;
    if (!found && types & TYPE_BOOLEAN)
        found = truth_of(repairer, text);
    if (found)
        repair_tell(repairer, at, value, found);
    return found;
}

/* A text that looks like a container, and is none, is a mistake rather than an item. */
static bool may_stand_alone(yyjson_val *value)
{
    if (yyjson_is_str(value))
        return !tn_slice_blank(tn_json_slice(value)) &&
               !begins_container(tn_slice_trim(tn_json_slice(value)));
    return !yyjson_is_ctn(value) && !yyjson_is_null(value);
}

static yyjson_val *repair_type(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_schema_location *at)
{
    unsigned    types = node->schema->types;
    yyjson_val *found = NULL;

    if (types & tn_verdict_type(value))
        return value;
    if (yyjson_is_str(value))
        found = spelled(repairer, types, value, at);
    if (!found && (types & ~(unsigned)TYPE_NULL) == TYPE_ARRAY && !repairer->how->strict &&
        may_stand_alone(value)) {
        found = tn_parts_list(repairer, value);
        if (found)
            repair_tell(repairer, at, value, found);
    }
    return found ? found : value;
}

/* ---- Known values ----------------------------------------------------------------------------------------------- */

/* How well a text says a known value: less is better. */
enum { SAYS_TRIMMED, SAYS_FOLDED, SAYS_TYPED, SAYS_NOT };

static unsigned repair_says(struct tn_repairer *repairer, yyjson_val *known, yyjson_val *value,
                            yyjson_val *number, yyjson_val *truth)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));

    if (yyjson_is_str(known)) {
        if (known->tag >> YYJSON_TAG_BIT == text.len &&
            memcmp(unsafe_yyjson_get_str(known), text.at, text.len) == 0)
            return SAYS_TRIMMED;
        return tn_slice_fold_equal(tn_json_slice(known), text) ? SAYS_FOLDED : SAYS_NOT;
    }
    if ((number && tn_json_equal(repairer->verdict->judge->arena, known, number)) ||
        (truth && tn_json_equal(repairer->verdict->judge->arena, known, truth)))
        return SAYS_TYPED;
    return SAYS_NOT;
}

/* The one value of an enum, or the const, that a text means. Two that differ only in case mean nothing. */
static yyjson_val *repair_known(struct tn_repairer *repairer, yyjson_val *const *known, size_t count,
                                yyjson_val *value, const struct tn_schema_location *at)
{
    yyjson_val *number = NULL, *truth = NULL, *found = value;
    unsigned    best = SAYS_NOT;

    if (!repairer->how->strict) {
        number = tn_parts_read_number(repairer, tn_slice_trim(tn_json_slice(value)));
        truth  = truth_of(repairer, tn_slice_trim(tn_json_slice(value)));
    }
    if (!tn_verdict_spend(repairer->verdict, count / 2))
        return value;
    for (size_t i = 0; i < count; i++) {
        unsigned how = repair_says(repairer, known[i], value, number, truth);

        if (how == SAYS_NOT || how > best || tn_json_equal(repairer->verdict->judge->arena, known[i], found))
            continue;
        found = how < best ? known[i] : value;
        best  = how;
    }
    if (best == SAYS_TYPED && found != value)
        repair_tell(repairer, at, value, found);
    else
        repairer->verdict->judge->reformed += found != value;
    return found;
}

static yyjson_val *repair_values(struct tn_repairer *repairer, const struct tn_schema *schema,
                                 yyjson_val *value, const struct tn_schema_location *at)
{
    yyjson_val *constant = schema->constant;

    if (!yyjson_is_str(value))
        return value;
    if (schema->values) {
        if (tn_verdict_is_among(repairer->verdict, schema->values, value))
            return value;
        return repair_known(repairer, schema->values->at, schema->values->count, value, at);
    }
    if (constant && !tn_json_equal(repairer->verdict->judge->arena, constant, value))
        return repair_known(repairer, &constant, 1, value, at);
    return value;
}

/* ---- What is inside --------------------------------------------------------------------------------------------- */

static yyjson_val *repair_node(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_schema_location *at);

/* Null where it is refused: NULL, to be left out. */
static yyjson_val *repair_member(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                                 const struct tn_schema_location *at)
{
    if (yyjson_is_null(value) && !at->required && !repairer->how->keep_null && !node->schema->never &&
        !tn_repair_fits(repairer, node, value, at))
        return NULL;
    return repair_node(repairer, node, value, at);
}

/* What must be there, is not, and has a default. */
static void add_required(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                         struct tn_parts *parts, const struct tn_schema_location *up)
{
    const uint64_t *present = tn_parts_present(repairer, rules, parts->whole);

    for (size_t i = 0; present && i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];
        struct tn_slice           name     = { property->name, property->len };
        struct tn_schema_location at       = {
                  .up = up, .key_index = SIZE_MAX, .moves = AT_MEMBER, .name = name, .required = true
        };
        yyjson_val *value;

        if (!property->required || !property->node || present[i / 64] >> i % 64 & 1)
            continue;
        value = tn_repair_default(repairer, property->node, &at);
        if (value)
            tn_parts_add(repairer, parts, name, value);
    }
}

static yyjson_val *repair_members(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                                  yyjson_val *value, const struct tn_schema_location *at)
{
    struct tn_parts parts;

    if (!tn_parts_open(repairer, &parts, value, rules->required))
        return value;
    for (size_t i = 0; i < parts.count; i += 2) {
        yyjson_val *member = tn_parts_each(repairer, rules, tn_json_slice(parts.at[i]), parts.at[i + 1], at,
                                           repair_member);

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
                                 yyjson_val *value, const struct tn_schema_location *up)
{
    value = repair_members(repairer, rules, value, up);
    for (size_t i = 0; i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];
        struct tn_schema_location  at        = { .up = up, .key_index = SIZE_MAX };

        if (dependent->node &&
            tn_verdict_member(repairer->verdict, value, dependent->name.at, dependent->name.len))
            value = repair_node(repairer, dependent->node, value, &at);
        if (!yyjson_is_obj(value))
            break;
    }
    return value;
}

static yyjson_val *repair_array(struct tn_repairer *repairer, const struct tn_array_rules *rules,
                                yyjson_val *value, const struct tn_schema_location *up)
{
    struct tn_parts parts;

    if ((rules->prefix.count == 0 && !rules->items) || !tn_parts_open(repairer, &parts, value, 0))
        return value;
    for (size_t i = 0; i < parts.count; i++) {
        const struct tn_node     *node = i < rules->prefix.count ? rules->prefix.at[i] : rules->items;
        struct tn_schema_location at   = { .up = up, .key_index = SIZE_MAX, .moves = AT_ITEM, .index = i };

        if (node)
            tn_parts_set(&parts, i, repair_node(repairer, node, parts.at[i], &at));
    }
    return tn_parts_close(repairer, &parts);
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

static size_t count_fitting(struct tn_repairer *repairer, const struct tn_nodes *nodes, yyjson_val *value,
                            const struct tn_schema_location *at)
{
    size_t count = 0;

    for (size_t i = 0; i < nodes->count; i++)
        count += tn_repair_fits(repairer, nodes->at[i], value, at);
    return count;
}

/* Mended as an alternative wants it, or NULL when that does not do. */
static yyjson_val *repair_branch(struct tn_repairer *repairer, const struct tn_nodes *nodes, size_t index,
                                 yyjson_val *value, const struct tn_schema_location *at, bool exactly_one,
                                 bool text_only)
{
    yyjson_val *mended = repair_node(repairer, nodes->at[index], value, at);

    if (mended == value || (text_only && !yyjson_is_str(mended)) ||
        !tn_repair_fits(repairer, nodes->at[index], mended, at))
        return NULL;
    return exactly_one && count_fitting(repairer, nodes, mended, at) != 1 ? NULL : mended;
}

/* A value that fits none of the alternatives is mended only when there is one way to do it. */
static yyjson_val *repair_branches(struct tn_repairer *repairer, const struct tn_nodes *nodes,
                                   yyjson_val *value, const struct tn_schema_location *up, bool exactly_one)
{
    struct tn_schema_location at     = { .up = up, .key_index = SIZE_MAX };
    struct repair_reported    before = told_now(repairer), kept = before;
    bool                      text_only = false;
    yyjson_val               *found     = NULL;

    if (nodes->count == 0 || count_fitting(repairer, nodes, value, &at) > 0)
        return value;
    for (size_t i = 0; yyjson_is_str(value) && i < nodes->count; i++)
        text_only |= takes_strings(nodes->at[i], 0);
    for (size_t i = 0; i < nodes->count; i++) {
        yyjson_val *mended = repair_branch(repairer, nodes, i, value, &at, exactly_one, text_only);

        if (mended && found && !tn_json_equal(repairer->verdict->judge->arena, mended, found)) {
            told_back(repairer, before);
            return value;
        }
        if (mended && !found) {
            found = mended;
            kept  = told_now(repairer);
        }
        told_back(repairer, kept);
    }
    return found ? found : value;
}

/* ---- The node --------------------------------------------------------------------------------------------------- */

static yyjson_val *repair_in_place(struct tn_repairer *repairer, const struct tn_in_place *place,
                                   yyjson_val *value, const struct tn_schema_location *up)
{
    struct tn_schema_location at = { .up = up, .key_index = SIZE_MAX };

    if (place->ref)
        value = repair_node(repairer, place->ref, value, &at);
    if (place->dynamic)
        value = repair_node(repairer, tn_verdict_dynamic(repairer->verdict, place), value, &at);
    for (size_t i = 0; i < place->all_of.count; i++)
        value = repair_node(repairer, place->all_of.at[i], value, &at);
    value = repair_branches(repairer, &place->any_of, value, up, false);
    value = repair_branches(repairer, &place->one_of, value, up, true);
    if (place->if_) {
        const struct tn_node *next = tn_repair_fits(repairer, place->if_, value, &at) ? place->then_
                                                                                      : place->else_;

        value = next ? repair_node(repairer, next, value, &at) : value;
    }
    return value;
}

/* As near to what the schema wants as can be; whether that is near enough is for the caller to see. */
static yyjson_val *repair_node(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_schema_location *at)
{
    const struct tn_schema *schema = node->schema;
    struct tn_scope         scope;

    if (schema->never || tn_repair_fits(repairer, node, value, at) ||
        !tn_repair_enter(repairer, node, &scope))
        return value;
    repairer->secret += node->secret;
    value = repair_type(repairer, node, value, at);
    value = repair_values(repairer, schema, value, at);
    if (schema->object && yyjson_is_obj(value))
        value = repair_object(repairer, schema->object, value, at);
    if (schema->array && yyjson_is_arr(value))
        value = repair_array(repairer, schema->array, value, at);
    if (schema->in_place)
        value = repair_in_place(repairer, schema->in_place, value, at);
    repairer->secret -= node->secret;
    tn_repair_leave(repairer, &scope);
    return value;
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

/* Mended and filled in: NULL when it is not valid all the same, or limits are reached. */
static yyjson_val *repair_whole(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                                bool valid)
{
    struct tn_schema_location root = { .key_index = SIZE_MAX };

    if (!valid) {
        value = repair_node(repairer, node, value, &root);
        if (!tn_repair_fits(repairer, node, value, &root)) {
            repairer->any = true; /* a default may be what is missing */
            value         = tn_repair_fill(repairer, node, value);
            repairer->any = false;
            value         = repair_node(repairer, node, value, &root);
            if (!tn_repair_fits(repairer, node, value, &root))
                return NULL;
        }
    }
    if (repairer->how->defaults)
        value = tn_repair_fill(repairer, node, value);
    return repairer->verdict->gave_up || repairer->verdict->judge->arena->failed || too_deep(value, 0)
               ? NULL
               : value;
}

/* What was mended as JSON text, which is read and judged like any other. */
static yyjson_val *repair_settle(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *mended,
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

/* What is wanted, with its text, or NULL. */
static yyjson_val *repair_text(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               bool valid, struct tn_slice *text)
{
    size_t      steps = tn_verdict_steps_of(text->len) * 2;
    yyjson_val *exact, *mended;

    tn_verdict_begin(repairer->verdict, steps);
    exact  = tn_parts_read(repairer, *text);
    mended = exact ? repair_whole(repairer, node, exact, valid) : NULL;
    tn_verdict_end(repairer->verdict, steps);
    if (mended && mended != exact)
        return repair_settle(repairer->verdict, node, mended, text);
    return mended && valid ? value : NULL;
}

yyjson_val *tn_repair_value(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice json,
                            yyjson_val *value, const struct tn_repair_how *how, struct tn_slice *text)
{
    struct tn_judge       *judge    = verdict->judge;
    struct tn_repairer     repairer = { .verdict = verdict, .how = how, .room = MEND_ROOM_MAX };
    struct repair_reported before   = told_now(&repairer);
    bool                   valid    = tn_verdict_of(verdict, node, value);
    yyjson_val            *mended;

    *text = json;
    if ((valid && !how->defaults) || judge->arena->failed || verdict->gave_up)
        return valid ? value : NULL; /* what cannot be judged cannot be mended */
    mended           = repair_text(&repairer, node, value, valid, text);
    verdict->gave_up = false; /* of a repair: what was sent can be judged */
    if (!mended) {
        told_back(&repairer, before);
        *text = json;
        return valid && !judge->arena->failed ? value : NULL;
    }
    tn_coercions_report(judge);
    return mended;
}
