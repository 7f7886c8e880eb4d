/* verdict_flag.c - only whether a value is valid: most values are, and then nothing else has to be known.
 *
 * It stops at the first fault, keeps no place and reports nothing. What a schema asks of a type beyond the type itself
 * is known from the reader as a bit, so that most members cost a comparison of their name and one of their type. Cheap
 * checks come before expensive ones: a fault is mostly found sooner there. What was valid before a fault is noted for
 * the code that reports it.
 */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "document/check.h"
#include "document/verdict.h"
#include "model/json_equal.h"
#include "text/decimal.h"
#include "text/format.h"

#define PROPERTIES_FEW      64     /* that fit one word of bits */
#define REALS_WITH_FRACTION 0x1p53 /* all doubles beyond are integers */

static bool judge_more(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen);
static bool judge_deep(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen);
static bool judge_straight(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);
static bool judge_fork(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* ---- Types ------------------------------------------------------------------------------------------------- */

static unsigned number_type(yyjson_val *value)
{
    double real;

    if (!yyjson_is_real(value))
        return tn_decimal_is_integer(value) ? TYPE_INTEGER : TYPE_FRACTION;
    real = unsafe_yyjson_get_real(value);
    return fabs(real) < REALS_WITH_FRACTION && real != (double)(int64_t)real ? TYPE_FRACTION : TYPE_INTEGER;
}

unsigned tn_verdict_type(yyjson_val *value)
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

/* One value by one schema that stands beside others. */
static inline bool judge_beside(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    unsigned                type   = tn_verdict_type(value);

    if (!(schema->types & type)) {
        tn_verdict_spend_number(verdict, value);
        return false;
    }
    return !((schema->alone | schema->inside) & type) || judge_more(verdict, node, value, type, seen);
}

static inline bool verdict_flag_judge(struct tn_verdict *verdict, const struct tn_node *node,
                                      yyjson_val *value)
{
    return judge_beside(verdict, node, value, NULL);
}

/* What the quick look does not see. */
static bool judge_longer(struct tn_verdict *verdict, const struct tn_check *check, const struct tn_node *node,
                         yyjson_val *value)
{
    switch (check->code) {
    case CHECK_FORK: return judge_fork(verdict, check->node, value);
    case CHECK_WORDS:
        if (tn_check_is_short_text(value))
            return false;
        break;
    case CHECK_LIST:
        if (unsafe_yyjson_is_arr(value) && tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) &&
            tn_check_items(check, value))
            return true;
        break;
    default: break;
    }
    return verdict_flag_judge(verdict, node, value);
}

/* The same, with what is known of the schema in short: most values need no more. */
static inline bool judge_short(struct tn_verdict *verdict, const struct tn_check *check,
                               const struct tn_node *node, yyjson_val *value)
{
    if (tn_check_holds(check, value))
        return true;
    return check->code == CHECK_INTO && unsafe_yyjson_is_ctn(value)
               ? judge_straight(verdict, check->node, value)
               : judge_longer(verdict, check, node, value);
}

static bool judge_apart(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        struct tn_seen *seen)
{
    struct tn_seen own;

    if (!tn_seen_init(verdict, &own, seen->count) || !judge_beside(verdict, node, value, &own))
        return false;
    tn_seen_merge(seen, &own);
    return true;
}

/* One of several alternatives: what it saw counts only if it holds. */
static inline bool judge_branch(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                struct tn_seen *seen)
{
    return seen ? judge_apart(verdict, node, value, seen) : verdict_flag_judge(verdict, node, value);
}

static inline bool judge_branch_of(struct tn_verdict *verdict, const struct tn_nodes *nodes, size_t index,
                                   yyjson_val *value, struct tn_seen *seen)
{
    return seen ? judge_apart(verdict, nodes->at[index], value, seen)
                : judge_short(verdict, &nodes->checks[index], nodes->at[index], value);
}

/* ---- Numbers and text -------------------------------------------------------------------------------------- */

static bool judge_number(const struct tn_number_rules *rules, yyjson_val *value)
{
    return !(rules->min.value && tn_verdict_compare(value, &rules->min) < 0) &&
           !(rules->above.value && tn_verdict_compare(value, &rules->above) <= 0) &&
           !(rules->max.value && tn_verdict_compare(value, &rules->max) > 0) &&
           !(rules->below.value && tn_verdict_compare(value, &rules->below) >= 0) &&
           !(rules->multiple && !tn_decimal_multiple(value, rules->multiple));
}

static bool matches(struct tn_verdict *verdict, const struct pattern *pattern, struct tn_slice text)
{
    return tn_verdict_match(verdict, pattern, text) == PATTERN_YES;
}

static bool judge_text(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_slice text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

    if (text.len >= VERDICT_BYTES_OF_STEP && !tn_verdict_spend(verdict, text.len / VERDICT_BYTES_OF_STEP))
        return false;
    if (tn_judge_length(&node->text, text.at, text.len))
        return false;
    if (node->text.pattern && !matches(verdict, node->text.pattern, text))
        return false;
    return !node->schema->format_asserted || !node->text.format || node->text.format->accepts(text);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------ */

static bool judge_contains(struct tn_verdict *verdict, const struct tn_array_rules *rules, yyjson_val *value,
                           struct tn_seen *seen)
{
    size_t      count = unsafe_yyjson_get_len(value), found = 0;
    yyjson_val *item = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, item = unsafe_yyjson_get_next(item)) {
        if (!verdict_flag_judge(verdict, rules->contains, item))
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
        if (!verdict_flag_judge(verdict, rules->prefix.at[i], item))
            return tn_verdict_refuse(verdict, node, value, item, item);
    for (; rules->items && i < count; i++, item = unsafe_yyjson_get_next(item))
        if (!judge_short(verdict, &rules->items_check, rules->items, item))
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
        if (!verdict_flag_judge(verdict, left, item))
            return tn_verdict_refuse(verdict, node, value, end, end);
    }
    return true;
}

/* ---- Objects ----------------------------------------------------------------------------------------------- */

static bool judge_patterns(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                           struct tn_slice name, yyjson_val *value, bool *matched)
{
    if (!tn_verdict_spend(verdict, rules->pattern_count * MATCH_STEPS))
        return false;
    for (size_t i = 0; i < rules->pattern_count; i++) {
        if (!matches(verdict, rules->patterns[i].pattern, name))
            continue;
        *matched = true;
        if (!verdict_flag_judge(verdict, rules->patterns[i].node, value))
            return false;
    }
    return true;
}

/* A member that `known` names, or NULL. */
static inline bool judge_member(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                const struct tn_property *known, yyjson_val *key)
{
    bool matched = known && known->node;

    if (rules->names && !verdict_flag_judge(verdict, rules->names, key))
        return false;
    if (matched && !verdict_flag_judge(verdict, known->node, key + 1))
        return false;
    if (rules->pattern_count > 0 &&
        !judge_patterns(verdict, rules,
                        (struct tn_slice){ unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) }, key + 1,
                        &matched))
        return false;
    return matched || !rules->additional || verdict_flag_judge(verdict, rules->additional, key + 1);
}

/* Without its steps, which the caller takes for all members. */
static inline bool member_named(yyjson_val *object, const char *name, size_t len)
{
    yyjson_val *end = unsafe_yyjson_get_next(object), *key = unsafe_yyjson_get_first(object);

    for (; key != end; key = unsafe_yyjson_get_next(key + 1))
        if (unsafe_yyjson_get_len(key) == len && tn_str_same(unsafe_yyjson_get_str(key), name, len))
            return true;
    return false;
}

/* Each look may pass all members, so it takes steps by their number. */
static inline bool has_member(struct tn_verdict *verdict, yyjson_val *object, struct tn_slice name)
{
    return tn_verdict_spend(verdict, 1 + unsafe_yyjson_get_len(object) / MEMBERS_OF_STEP) &&
           member_named(object, name.at, name.len);
}

static bool judge_dependents(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                             yyjson_val *value, struct tn_seen *seen)
{
    for (size_t i = 0; i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];

        if (!has_member(verdict, value, dependent->name))
            continue;
        if (dependent->node && !judge_beside(verdict, dependent->node, value, seen))
            return false;
        for (size_t k = 0; k < dependent->count; k++)
            if (!has_member(verdict, value, dependent->names[k]))
                return false;
    }
    return true;
}

static bool all_required(const struct tn_object_rules *rules, const uint64_t *found)
{
    if (rules->count <= PROPERTIES_FEW)
        /* the one word was set to 0, which the analyser does not follow through the roll's own address */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        return (*found & rules->required_bits) == rules->required_bits;
    for (size_t i = 0; rules->required > 0 && i < rules->count; i++)
        if (rules->properties[i].required && !(found[i / 64] >> i % 64 & 1))
            return false;
    return true;
}

/* Which properties are there. Members mostly come in the order of the schema, each behind the one before it. */
struct roll {
    uint64_t *bits, few;
    uint32_t  next;
};

static const struct tn_property *property_at(const struct tn_object_rules *rules, uint32_t at)
{
    return at == NO_PROPERTY ? NULL : &rules->properties[at];
}

static inline const struct tn_property *find_property(const struct tn_object_rules *rules, struct roll *roll,
                                                      yyjson_val *key)
{
    uint32_t at = tn_property_find(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key), roll->next);

    if (at == NO_PROPERTY)
        return NULL;
    roll->bits[at / 64] |= UINT64_C(1) << at % 64;
    roll->next = at + 1;
    return &rules->properties[at];
}

/* The property of that name, which is likely to be `next`, or NULL. The last one has a next, too, that has no name. */
static inline const struct tn_property *property_named(const struct tn_object_rules *rules,
                                                       const struct tn_property *next, yyjson_val *key)
{
    const char *name = unsafe_yyjson_get_str(key);
    size_t      len  = unsafe_yyjson_get_len(key);
    uint64_t    word;

    if (rules->count == 0)
        return NULL;
    word = tn_property_word(name, len);
    return tn_property_is(next, name, len, word)
               ? next
               : property_at(rules, tn_property_look_up(rules, name, len, word));
}

/* Heavy members that are put off: the first one, and how many there are. */
struct put_off {
    yyjson_val               *first;
    const struct tn_property *known;
    size_t                    count;
};

/* Of one that is: may it be there, and is its type right? */
static bool may_be_there(const struct tn_object_rules *rules, const struct tn_property *known,
                         yyjson_val *value)
{
    const struct tn_node *node = known ? known->node : rules->pattern_count == 0 ? rules->additional : NULL;

    return !node || (node->schema->types & tn_verdict_type(value));
}

/* The same as judge_member(), sooner where a name decides which schema it has. */
static inline bool judge_any_member(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                    const struct tn_property *known, yyjson_val *key)
{
    if (!rules->by_name)
        return judge_member(verdict, rules, known, key);
    if (known && known->node)
        return judge_short(verdict, &known->check, known->node, key + 1);
    return !rules->additional || judge_short(verdict, &rules->additional_check, rules->additional, key + 1);
}

/* Puts off what is heavy, and counts what it saw; neither is asked of most objects. The first member that is refused. */
static yyjson_val *judge_light(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                               yyjson_val *value, struct roll *roll, struct tn_seen *seen,
                               struct put_off *put_off)
{
    size_t      left = unsafe_yyjson_get_len(value);
    yyjson_val *key  = unsafe_yyjson_get_first(value), *after;

    for (; left > 0; left--, key = after) {
        const struct tn_property *known = find_property(rules, roll, key);
        bool                      fine;

        after = unsafe_yyjson_get_next(key + 1);
        if (tn_member_is_heavy(key, after)) {
            fine = may_be_there(rules, known, key + 1);
            if (put_off->count++ == 0)
                *put_off = (struct put_off){ key, known, 1 };
        } else {
            fine = judge_any_member(verdict, rules, known, key);
        }
        if (!fine)
            return key;
        if (seen && tn_verdict_evaluates(verdict, rules, known, key))
            tn_seen_add(seen, seen->count - left);
    }
    return NULL;
}

/* All but the first are looked for a second time, which is little beside what is in them. */
static yyjson_val *judge_heavy(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                               struct put_off *put_off)
{
    const struct tn_property *known = put_off->known;
    yyjson_val               *key   = put_off->first;

    while (judge_any_member(verdict, rules, known, key)) {
        if (--put_off->count == 0)
            return NULL;
        do
            key = unsafe_yyjson_get_next(key + 1);
        while (!tn_member_is_heavy(key, unsafe_yyjson_get_next(key + 1)));
        known = property_at(rules, tn_verdict_property(rules, unsafe_yyjson_get_str(key),
                                                       unsafe_yyjson_get_len(key)));
    }
    return key;
}

static yyjson_val *judge_each(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                              yyjson_val *value, struct roll *roll)
{
    size_t      left = unsafe_yyjson_get_len(value);
    yyjson_val *key  = unsafe_yyjson_get_first(value);

    for (; left > 0; left--, key = unsafe_yyjson_get_next(key + 1))
        if (!judge_member(verdict, rules, find_property(rules, roll, key), key))
            return key;
    return NULL;
}

/* Where a name decides which schema a member has. There are few properties, and no member is heavy. */
static bool judge_named(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_object_rules *rules = node->schema->object;
    const struct tn_property     *next  = rules->properties, *known;
    yyjson_val *end = unsafe_yyjson_get_next(value), *key = unsafe_yyjson_get_first(value), *member;
    uint64_t    found = 0;

    for (; key != end; key = unsafe_yyjson_get_next(member)) {
        member = key + 1;
        known  = property_named(rules, next, key);
        if (known) {
            next = known + 1;
            found |= UINT64_C(1) << (known - rules->properties);
        }
        if (known && known->node) {
            if (!judge_short(verdict, &known->check, known->node, member))
                break;
        } else if (rules->additional &&
                   !judge_short(verdict, &rules->additional_check, rules->additional, member)) {
            break;
        }
    }
    if (key == end && (found & rules->required_bits) == rules->required_bits)
        return true;
    return tn_verdict_refuse(verdict, node, value, key, value);
}

static bool judge_members(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          struct tn_seen *seen)
{
    const struct tn_object_rules *rules   = node->schema->object;
    const yyjson_val             *end     = unsafe_yyjson_get_next(value), *refused;
    struct put_off                put_off = { 0 };
    struct roll                   roll    = { 0 };

    roll.bits = &roll.few;
    if (rules->count > PROPERTIES_FEW)
        roll.bits = tn_arena_array(verdict->judge->arena, rules->count / 64 + 1, uint64_t);
    if (!roll.bits || !tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) + rules->count / 64))
        return false;
    refused = seen || tn_member_is_heavy(value, end)
                  ? judge_light(verdict, rules, value, &roll, seen, &put_off)
                  : judge_each(verdict, rules, value, &roll);
    if (refused || !all_required(rules, roll.bits))
        return tn_verdict_refuse(verdict, node, value, refused ? refused : end, value);
    refused = put_off.count > 0 ? judge_heavy(verdict, rules, &put_off) : NULL;
    return !refused || tn_verdict_refuse(verdict, node, value, end, refused);
}

#define NAMES_FEW 4 /* that are looked for one by one */

/* Only whether members are there: few names are found faster than each member is looked up. */
static bool judge_presence(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_object_rules *rules = node->schema->object;

    for (size_t i = 0; i < rules->count; i++)
        if (!member_named(value, rules->properties[i].name, rules->properties[i].len))
            return tn_verdict_refuse(verdict, node, value, unsafe_yyjson_get_next(value), value);
    return true;
}

static inline bool judge_by_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                   struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;

    if (rules->only_required && rules->count <= NAMES_FEW && !seen)
        return tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) &&
               judge_presence(verdict, node, value);
    if (!rules->by_name || rules->count > PROPERTIES_FEW || seen ||
        tn_member_is_heavy(value, unsafe_yyjson_get_next(value)))
        return judge_members(verdict, node, value, seen);
    return tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) && judge_named(verdict, node, value);
}

static bool judge_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    const yyjson_val             *end   = unsafe_yyjson_get_next(value);
    size_t                        count = unsafe_yyjson_get_len(value);

    if (count < rules->min || count > rules->max)
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (rules->by_member && !judge_by_member(verdict, node, value, seen))
        return false;
    return rules->dependent_count == 0 || judge_dependents(verdict, rules, value, seen) ||
           tn_verdict_refuse(verdict, node, value, end, end);
}

static bool judge_members_left(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                               struct tn_seen *seen)
{
    const struct tn_node *left  = node->schema->object->unevaluated;
    const yyjson_val     *end   = unsafe_yyjson_get_next(value);
    size_t                count = unsafe_yyjson_get_len(value);
    yyjson_val           *key   = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, key = unsafe_yyjson_get_next(key + 1)) {
        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (!verdict_flag_judge(verdict, left, key + 1))
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
    verdict->scoped |= place->dynamic_name != NULL;
    return judge_beside(verdict, tn_verdict_dynamic(verdict, place), value, seen);
}

static bool judge_in_place(struct tn_verdict *verdict, const struct tn_in_place *place, yyjson_val *value,
                           struct tn_seen *seen)
{
    const struct tn_node *next;

    if (place->ref && !judge_beside(verdict, place->ref, value, seen))
        return false;
    if (place->dynamic && !judge_dynamic(verdict, place, value, seen))
        return false;
    for (size_t i = 0; i < place->all_of.count; i++)
        if (!judge_beside(verdict, place->all_of.at[i], value, seen))
            return false;
    if (place->any_of.count > 0 && !judge_any(verdict, &place->any_of, value, seen))
        return false;
    if (place->one_of.count > 0 && !judge_one(verdict, &place->one_of, value, seen))
        return false;
    if (place->not_ && verdict_flag_judge(verdict, place->not_, value))
        return false;
    if (!place->if_)
        return true;
    next = judge_branch(verdict, place->if_, value, seen) ? place->then_ : place->else_;
    return !next || judge_beside(verdict, next, value, seen);
}

/* ---- The step ---------------------------------------------------------------------------------------------- */

static bool is_among(struct tn_verdict *verdict, const struct tn_values *values, yyjson_val *value)
{
    if (!values->all_strings || values->slots)
        return tn_verdict_is_among(verdict, values, value);
    for (size_t i = 0; yyjson_is_str(value) && i < values->count; i++)
        if (unsafe_yyjson_get_len(values->at[i]) == unsafe_yyjson_get_len(value) &&
            tn_str_same(unsafe_yyjson_get_str(values->at[i]), unsafe_yyjson_get_str(value),
                        unsafe_yyjson_get_len(value)))
            return true;
    return false;
}

/* What needs no other schema. */
static bool judge_alone(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        unsigned type)
{
    const struct tn_schema *schema = node->schema;

    if (verdict->careful && yyjson_is_str(value) &&
        !tn_utf8_valid(unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value)))
        return true; /* it is refused by itself, where it is reported */
    if (type == TYPE_STRING && !judge_text(verdict, node, value))
        return false;
    if ((type & TYPE_NUMBER) && schema->number &&
        (!tn_verdict_spend_number(verdict, value) || !judge_number(schema->number, value)))
        return false;
    if (schema->constant && !tn_verdict_is_constant(verdict, schema, value))
        return false;
    return !schema->values || is_among(verdict, schema->values, value);
}

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
        fine = !schema->object || judge_object(verdict, node, value, seen);
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
           (type == TYPE_OBJECT ? judge_members_left : judge_items_left)(verdict, node, value, &own);
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
    if ((schema->alone & type) && !judge_alone(verdict, node, value, type))
        return false;
    if ((schema->counts & type) && !(seen && seen->by == node))
        return judge_counted(verdict, node, value, type, seen);
    return !(schema->inside & type) || judge_inside(verdict, node, value, type, seen);
}

static bool judge_each_item(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       count = unsafe_yyjson_get_len(value);
    yyjson_val                  *item  = unsafe_yyjson_get_first(value);

    if (count < node->list.min || count > node->list.max)
        return tn_verdict_refuse(verdict, node, value, value, value);
    for (; count > 0; count--, item = unsafe_yyjson_get_next(item))
        if (!judge_short(verdict, &rules->items_check, rules->items, item))
            return tn_verdict_refuse(verdict, node, value, item, item);
    return true;
}

/* Need no scope be opened for it? */
static inline bool is_in_scope(const struct tn_verdict *verdict, const struct tn_schema *schema)
{
    return verdict->scope && verdict->scope->resource == schema->resource;
}

/* A container whose schema asks for nothing but what it asks of its parts: the same as judge_more(), in fewer steps. */
static bool judge_straight(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_schema *schema = node->schema;
    size_t                  count  = unsafe_yyjson_get_len(value);
    bool                    object = unsafe_yyjson_is_obj(value), fine;

    if (!(schema->types & schema->inside & (object ? TYPE_OBJECT : TYPE_ARRAY)) ||
        verdict->depth == VERDICT_DEPTH_MAX || !is_in_scope(verdict, schema))
        return verdict_flag_judge(verdict, node, value);
    if (verdict->gave_up || !tn_verdict_spend(verdict, count + 1))
        return false;
    if (object && (count < schema->object->min || count > schema->object->max))
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (object && schema->object->only_required && schema->object->count <= NAMES_FEW)
        return judge_presence(verdict, node, value);
    verdict->depth++;
    if (!object)
        fine = judge_each_item(verdict, node, value);
    else if (tn_member_is_heavy(value, unsafe_yyjson_get_next(value)))
        fine = judge_members(verdict, node, value, NULL);
    else
        fine = judge_named(verdict, node, value);
    verdict->depth--;
    return fine;
}

/* A schema that is nothing but its alternatives. */
static bool judge_fork(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_in_place *place = node->schema->in_place;
    bool                      fine;

    if (verdict->depth == VERDICT_DEPTH_MAX || !is_in_scope(verdict, node->schema))
        return verdict_flag_judge(verdict, node, value);
    if (verdict->gave_up || !tn_verdict_spend(verdict, 1))
        return false;
    verdict->depth++;
    fine = (place->any_of.count == 0 || judge_any(verdict, &place->any_of, value, NULL)) &&
           (place->one_of.count == 0 || judge_one(verdict, &place->one_of, value, NULL));
    verdict->depth--;
    return fine;
}

/* What there is beyond the type. Not inlined: it is called wherever a schema is applied. */
__attribute__((noinline)) static bool judge_more(struct tn_verdict *verdict, const struct tn_node *node,
                                                 yyjson_val *value, unsigned type, struct tn_seen *seen)
{
    if (node->schema->inside & type)
        return judge_deep(verdict, node, value, type, seen);
    return !verdict->gave_up && tn_verdict_spend(verdict, 1) && judge_alone(verdict, node, value, type);
}

/* The whole of a document: no schema is around it. */
static bool judge_root(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_scope scope = { NULL, node->schema->resource };
    bool            fine;

    verdict->scope = &scope;
    fine           = judge_straight(verdict, node, value);
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
