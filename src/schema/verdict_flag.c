/* verdict_flag.c - only whether a value is valid: most values are, and then nothing else has to be known.
 *
 * It stops at the first fault, keeps no place and reports nothing. What a schema asks of a type beyond the type itself
 * is known from the reader as a bit, so that most members cost a comparison of their name and one of their
 * type. A schema with unevaluated* has to know what was seen, and is left to verdict.c.
 */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "schema/decimal.h"
#include "schema/format.h"
#include "schema/same.h"
#include "schema/verdict.h"

#define PROPERTIES_FEW 64 /* that fit one word of bits */

static bool judge_more(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type);

/* ---- Types ------------------------------------------------------------------------------------------------- */

static unsigned number_type(yyjson_val *value)
{
    double real;

    if (!yyjson_is_real(value))
        return decimal_is_integer(value) ? TYPE_INTEGER : TYPE_FRACTION;
    real = unsafe_yyjson_get_real(value);
    return real == floor(real) ? TYPE_INTEGER : TYPE_FRACTION;
}

unsigned verdict_type(yyjson_val *value)
{
    static const uint8_t types[32] = {
        [YYJSON_TYPE_NULL]                        = TYPE_NULL,
        [YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_FALSE] = TYPE_BOOLEAN,
        [YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_TRUE]  = TYPE_BOOLEAN,
        [YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT]   = TYPE_INTEGER,
        [YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT]   = TYPE_INTEGER,
        [YYJSON_TYPE_STR]                         = TYPE_STRING,
        [YYJSON_TYPE_STR | YYJSON_SUBTYPE_NOESC]  = TYPE_STRING,
        [YYJSON_TYPE_ARR]                         = TYPE_ARRAY,
        [YYJSON_TYPE_OBJ]                         = TYPE_OBJECT,
    };
    unsigned type = types[unsafe_yyjson_get_tag(value) & 31];

    return type ? type : number_type(value);
}

/* One schema by one value. */
static inline bool judge(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    const struct schema *schema = node->schema;
    unsigned             type   = verdict_type(value);

    if (!(schema->types & type))
        return false;
    return !((schema->alone | schema->inside) & type) || judge_more(verdict, node, value, type);
}

/* ---- Numbers and text -------------------------------------------------------------------------------------- */

static bool judge_number(const struct number_rules *rules, yyjson_val *value)
{
    return !(rules->min.value && verdict_compare(value, &rules->min) < 0) &&
           !(rules->above.value && verdict_compare(value, &rules->above) <= 0) &&
           !(rules->max.value && verdict_compare(value, &rules->max) > 0) &&
           !(rules->below.value && verdict_compare(value, &rules->below) >= 0) &&
           !(rules->multiple && !decimal_multiple(value, rules->multiple));
}

static bool matches(struct verdict *verdict, const struct pattern *pattern, struct slice text)
{
    return verdict_match(verdict, pattern, text) == PATTERN_YES;
}

static bool judge_text(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    struct slice text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

    if (!verdict_length_is_sure(&node->text, text.len)) {
        size_t count = utf8_count(text.at, text.len);

        if (count < node->text.min || count > node->text.max)
            return false;
    }
    if (node->text.pattern && !matches(verdict, node->text.pattern, text))
        return false;
    return !node->schema->format_asserted || !node->text.format || node->text.format->accepts(text);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------ */

static bool judge_contains(struct verdict *verdict, const struct array_rules *rules, yyjson_val *value)
{
    size_t      left = unsafe_yyjson_get_len(value), found = 0;
    yyjson_val *item = unsafe_yyjson_get_first(value);

    for (; left > 0; left--, item = unsafe_yyjson_get_next(item)) {
        if (!judge(verdict, rules->contains, item))
            continue;
        if (++found > rules->max_contains)
            return false;
        if (found >= rules->min_contains && rules->max_contains == SIZE_MAX)
            return true;
    }
    return found >= rules->min_contains;
}

static bool judge_array(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    const struct array_rules *rules = node->schema->array;
    size_t                    count = unsafe_yyjson_get_len(value), i = 0;
    yyjson_val               *item = unsafe_yyjson_get_first(value);

    if (count < node->list.min || count > node->list.max ||
        !verdict_spend(verdict, verdict_array_steps(node, count)))
        return false;
    if (node->list.unique && same_repeated(verdict->judge->arena, value) < count)
        return false;
    if (!rules)
        return true;
    for (; i < count && i < rules->prefix.count; i++, item = unsafe_yyjson_get_next(item))
        if (!judge(verdict, rules->prefix.at[i], item))
            return false;
    for (; rules->items && i < count; i++, item = unsafe_yyjson_get_next(item))
        if (!judge(verdict, rules->items, item))
            return false;
    return !rules->contains || judge_contains(verdict, rules, value);
}

/* ---- Objects ----------------------------------------------------------------------------------------------- */

static bool judge_patterns(struct verdict *verdict, const struct object_rules *rules, struct slice name,
                           yyjson_val *value, bool *matched)
{
    if (!verdict_spend(verdict, rules->pattern_count * MATCH_STEPS))
        return false;
    for (size_t i = 0; i < rules->pattern_count; i++) {
        if (!matches(verdict, rules->patterns[i].pattern, name))
            continue;
        *matched = true;
        if (!judge(verdict, rules->patterns[i].node, value))
            return false;
    }
    return true;
}

/* A member that `known` names, or NULL. */
static inline bool judge_member(struct verdict *verdict, const struct object_rules *rules,
                                const struct property *known, yyjson_val *key)
{
    bool matched = known && known->node;

    if (rules->names && !judge(verdict, rules->names, key))
        return false;
    if (matched && !judge(verdict, known->node, key + 1))
        return false;
    if (rules->pattern_count > 0 &&
        !judge_patterns(verdict, rules,
                        (struct slice){ unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) }, key + 1,
                        &matched))
        return false;
    return matched || !rules->additional || judge(verdict, rules->additional, key + 1);
}

static bool judge_dependents(struct verdict *verdict, const struct object_rules *rules, yyjson_val *value)
{
    for (size_t i = 0; i < rules->dependent_count; i++) {
        const struct dependent *dependent = &rules->dependents[i];

        if (!verdict_member(verdict, value, dependent->name.at, dependent->name.len))
            continue;
        if (dependent->node && !judge(verdict, dependent->node, value))
            return false;
        for (size_t k = 0; k < dependent->count; k++)
            if (!verdict_member(verdict, value, dependent->names[k].at, dependent->names[k].len))
                return false;
    }
    return true;
}

static bool all_required(const struct object_rules *rules, const uint64_t *found)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->properties[i].required && !(found[i / 64] >> i % 64 & 1))
            return false;
    return true;
}

/* Members mostly come in the order of the schema, each behind the one before it. */
static bool judge_members(struct verdict *verdict, const struct object_rules *rules, yyjson_val *value)
{
    uint64_t    few   = 0;
    uint64_t   *found = rules->count <= PROPERTIES_FEW
                            ? &few
                            : arena_array(verdict->judge->arena, rules->count / 64 + 1, uint64_t);
    uint32_t    next  = 0;
    size_t      left  = unsafe_yyjson_get_len(value);
    yyjson_val *key   = unsafe_yyjson_get_first(value);

    if (!found || !verdict_spend(verdict, left + rules->count / 64))
        return false;
    for (; left > 0; left--, key = unsafe_yyjson_get_next(key + 1)) {
        uint32_t at = property_find(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key), next);

        if (at != NO_PROPERTY) {
            found[at / 64] |= UINT64_C(1) << at % 64;
            next = at + 1;
        }
        if (!judge_member(verdict, rules, at == NO_PROPERTY ? NULL : &rules->properties[at], key))
            return false;
    }
    if (rules->count <= PROPERTIES_FEW)
        return (few & rules->required_bits) == rules->required_bits;
    return rules->required == 0 || all_required(rules, found);
}

static bool judge_object(struct verdict *verdict, const struct object_rules *rules, yyjson_val *value)
{
    size_t count = unsafe_yyjson_get_len(value);

    if (count < rules->min || count > rules->max)
        return false;
    if (rules->by_member && !judge_members(verdict, rules, value))
        return false;
    return rules->dependent_count == 0 || judge_dependents(verdict, rules, value);
}

/* ---- In place ---------------------------------------------------------------------------------------------- */

static bool judge_any(struct verdict *verdict, const struct nodes *nodes, yyjson_val *value)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (judge(verdict, nodes->at[i], value))
            return true;
    return false;
}

static bool judge_one(struct verdict *verdict, const struct nodes *nodes, yyjson_val *value)
{
    size_t found = 0;

    for (size_t i = 0; i < nodes->count && found < 2; i++)
        found += judge(verdict, nodes->at[i], value);
    return found == 1;
}

static bool judge_in_place(struct verdict *verdict, const struct in_place *place, yyjson_val *value)
{
    const struct node *next;

    if (place->ref && !judge(verdict, place->ref, value))
        return false;
    if (place->dynamic && !judge(verdict, verdict_dynamic(verdict, place), value))
        return false;
    for (size_t i = 0; i < place->all_of.count; i++)
        if (!judge(verdict, place->all_of.at[i], value))
            return false;
    if (place->any_of.count > 0 && !judge_any(verdict, &place->any_of, value))
        return false;
    if (place->one_of.count > 0 && !judge_one(verdict, &place->one_of, value))
        return false;
    if (place->not_ && judge(verdict, place->not_, value))
        return false;
    if (!place->if_)
        return true;
    next = judge(verdict, place->if_, value) ? place->then_ : place->else_;
    return !next || judge(verdict, next, value);
}

/* ---- The step ---------------------------------------------------------------------------------------------- */

static bool is_among(struct verdict *verdict, const struct values *values, yyjson_val *value)
{
    if (!values->all_strings || values->slots)
        return verdict_is_among(verdict, values, value);
    for (size_t i = 0; yyjson_is_str(value) && i < values->count; i++)
        if (unsafe_yyjson_get_len(values->at[i]) == unsafe_yyjson_get_len(value) &&
            property_same(unsafe_yyjson_get_str(values->at[i]), unsafe_yyjson_get_str(value),
                          unsafe_yyjson_get_len(value)))
            return true;
    return false;
}

/* What needs no other schema. */
static bool judge_alone(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type)
{
    const struct schema *schema = node->schema;

    if (type == TYPE_STRING && !judge_text(verdict, node, value))
        return false;
    if ((type & TYPE_NUMBER) && schema->number && !judge_number(schema->number, value))
        return false;
    if (schema->constant && !verdict_is_constant(verdict, schema, value))
        return false;
    return !schema->values || is_among(verdict, schema->values, value);
}

/* What applies other schemas, to the value or to what is in it. */
static bool judge_inside(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type)
{
    const struct schema *schema = node->schema;
    const struct scope  *before = verdict->scope;
    struct scope         scope  = { before, schema->resource };
    bool                 fine;

    if (verdict->depth == VERDICT_DEPTH_MAX) {
        verdict->gave_up = true;
        return false;
    }
    verdict->depth++;
    if (!before || before->resource != schema->resource)
        verdict->scope = &scope;
    fine = !schema->in_place || judge_in_place(verdict, schema->in_place, value);
    if (fine && type == TYPE_OBJECT)
        fine = !schema->object || judge_object(verdict, schema->object, value);
    else if (fine && type == TYPE_ARRAY)
        fine = judge_array(verdict, node, value);
    verdict->scope = before;
    verdict->depth--;
    return fine;
}

/* What there is beyond the type. */
static bool judge_more(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type)
{
    const struct schema *schema = node->schema;

    for (unsigned hops = 0; schema->alias; schema = node->schema, hops++) {
        verdict->gave_up |= hops == VERDICT_DEPTH_MAX;
        node = schema->alias;
        if (!(node->schema->types & type) || verdict->gave_up)
            return false;
    }
    if (schema->counts & type)
        return verdict_step(verdict, node, value, NULL, NULL);
    if (verdict->gave_up || !verdict_spend(verdict, 1))
        return false;
    if ((schema->alone & type) && !judge_alone(verdict, node, value, type))
        return false;
    return !(schema->inside & type) || judge_inside(verdict, node, value, type);
}

bool verdict_flag(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    return judge(verdict, node, value);
}
