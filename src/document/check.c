/* check.c - schemas summed up for the quick look. */
#include "document/check.h"

#include <float.h>
#include <math.h>

#define HOPS_MAX     16 /* of references that say nothing beside */
#define WORDS_MAX    8
#define BRANCHES_MAX 16 /* that are summed up wherever a schema with them is applied */
#define DEFAULT_BITS 64

#define TAGS_TEXT    (CHECK_TAG(YYJSON_TYPE_STR) | CHECK_TAG(YYJSON_TYPE_STR | YYJSON_SUBTYPE_NOESC))
#define TAGS_INTEGER                                                                                                    \
    (CHECK_TAG(YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT) | CHECK_TAG(YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT))
#define TAGS_BOOLEAN                                                                                                    \
    (CHECK_TAG(YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_FALSE) | CHECK_TAG(YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_TRUE))

/* The tags that say enough of the type. A number that is kept as its text has none. */
static uint32_t tags_of(unsigned types)
{
    uint32_t tags = 0;

    tags |= types & TYPE_NULL ? CHECK_TAG(YYJSON_TYPE_NULL) : 0;
    tags |= types & TYPE_BOOLEAN ? TAGS_BOOLEAN : 0;
    tags |= types & TYPE_INTEGER ? TAGS_INTEGER : 0;
    tags |= (types & TYPE_NUMBER) == TYPE_NUMBER ? CHECK_TAG(YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL) : 0;
    tags |= types & TYPE_STRING ? TAGS_TEXT : 0;
    tags |= types & TYPE_ARRAY ? CHECK_TAG(YYJSON_TYPE_ARR) : 0;
    tags |= types & TYPE_OBJECT ? CHECK_TAG(YYJSON_TYPE_OBJ) : 0;
    return tags;
}

/* ---- Single values ----------------------------------------------------------------------------------------- */

static bool bound_as_double(const struct tn_bound *bound, double *out)
{
    if (bound->is_int) {
        *out = (double)bound->integer;
        return bound->integer <= (int64_t)CHECK_EXACT && bound->integer >= -(int64_t)CHECK_EXACT;
    }
    *out = unsafe_yyjson_get_real(bound->value);
    return yyjson_is_real(bound->value);
}

/* Both bounds as doubles that count as within. False when they are not exactly that. */
static bool number_check(const struct tn_number_rules *rules, struct tn_check *check)
{
    double bound;

    check->number.min = -DBL_MAX;
    check->number.max = DBL_MAX;
    if (rules->multiple)
        return false;
    if (rules->min.value) {
        if (!bound_as_double(&rules->min, &bound))
            return false;
        check->number.min = fmax(check->number.min, bound);
    }
    if (rules->above.value) {
        if (!bound_as_double(&rules->above, &bound))
            return false;
        check->number.min = fmax(check->number.min, nextafter(bound, INFINITY));
    }
    if (rules->max.value) {
        if (!bound_as_double(&rules->max, &bound))
            return false;
        check->number.max = fmin(check->number.max, bound);
    }
    if (rules->below.value) {
        if (!bound_as_double(&rules->below, &bound))
            return false;
        check->number.max = fmin(check->number.max, nextafter(bound, -INFINITY));
    }
    check->code = CHECK_NUMBER;
    return true;
}

static bool has_text_rules(const struct tn_node *node)
{
    const struct tn_text_rules *text = &node->text;

    return text->min > 0 || text->max < SIZE_MAX || text->pattern ||
           (text->format && node->schema->format_asserted);
}

/* So many bytes have enough characters whether they take one byte or four. */
static bool text_check(const struct tn_node *node, struct tn_check *check)
{
    const struct tn_text_rules *text = &node->text;

    if (text->pattern || (text->format && node->schema->format_asserted) || text->min > SIZE_MAX / 4)
        return false;
    check->count.min = text->min > 0 ? text->min * 4 - 3 : 0;
    check->count.max = text->max;
    check->code      = CHECK_TEXT;
    return true;
}

/* An enum of few texts, or a const that is one. */
static bool words_check(const struct tn_node *node, struct tn_check *check)
{
    const struct tn_schema *schema = node->schema;

    if ((schema->constant && schema->values) || has_text_rules(node))
        return false;
    if (schema->constant) {
        check->words.at    = &schema->constant;
        check->words.count = 1;
    } else {
        check->words.at    = schema->values->at;
        check->words.count = schema->values->count;
    }
    if (check->words.count > WORDS_MAX ||
        !(schema->constant ? yyjson_is_str(schema->constant) : schema->values->all_strings))
        return false;
    check->code = CHECK_WORDS;
    return true;
}

/* What is asked of values by themselves: the types of which that can be seen at once. */
static unsigned single_check(const struct tn_node *node, unsigned types, struct tn_check *check)
{
    const struct tn_schema *schema = node->schema;
    unsigned                more   = schema->alone & types;

    if (schema->constant || schema->values)
        return words_check(node, check) ? types & TYPE_STRING : 0;
    if (more == 0)
        return types;
    if (!(more & ~(unsigned)TYPE_STRING) && text_check(node, check))
        return types;
    if (!(more & ~(unsigned)TYPE_NUMBER) && number_check(schema->number, check))
        return types;
    check->code = CHECK_TYPE;
    return types & ~more;
}

/* ---- Any value --------------------------------------------------------------------------------------------- */

static const struct tn_node *node_behind(const struct tn_node *node)
{
    for (unsigned hops = 0; node && node->schema->alias; hops++)
        node = hops < HOPS_MAX ? node->schema->alias : NULL;
    return node;
}

/* Is all that is asked of items seen by the value of each alone? */
static bool has_plain_items(const struct tn_node *applied)
{
    const struct tn_node *node  = node_behind(applied);
    struct tn_check       check = { 0 };
    unsigned              types = node ? node->schema->types : 0;

    return node && !(types & node->schema->inside) && single_check(node, types, &check) == types;
}

/* A list whose items are looked at one by one, when nothing else is asked of it; else it is looked into. */
static void container_check(const struct tn_node *node, struct tn_check *check)
{
    const struct tn_schema *schema = node->schema;

    if (check->code != CHECK_TYPE || !schema->straight)
        return;
    if ((schema->types & TYPE_ARRAY) && !(schema->types & schema->inside & TYPE_OBJECT) &&
        has_plain_items(schema->array->items)) {
        check->code      = CHECK_LIST;
        check->count.min = node->list.min;
        check->count.max = node->list.max;
        check->item      = &schema->array->items_check;
        return;
    }
    check->code = CHECK_INTO;
    check->node = node;
}

/* Alternatives, and nothing beside them? */
static bool is_fork(const struct tn_node *node)
{
    const struct tn_schema   *schema = node->schema;
    const struct tn_in_place *place  = schema->in_place;

    if (node->list.min > 0 || node->list.max < SIZE_MAX || node->list.unique)
        return false;
    if (!place || schema->types != TYPE_ANY || schema->alone || schema->object || schema->array ||
        schema->counts)
        return false;
    return !place->ref && !place->dynamic && place->all_of.count == 0 && !place->not_ && !place->if_ &&
           !place->then_ && !place->else_;
}

/* The tags that values of these types may have, those of which more has to be seen among them. */
static uint32_t tags_around(unsigned types)
{
    return tags_of(types) | CHECK_TAG(YYJSON_TYPE_RAW) |
           (types & TYPE_NUMBER ? CHECK_TAG(YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL) : 0);
}

/* The tags of values that alternatives take as they are: with `once`, one alone. None when one of them leads on to other
 * schemas: that it may never end must not be overlooked. */
static uint32_t branch_tags(const struct tn_nodes *nodes, bool once)
{
    uint32_t held = 0, maybe = 0, twice = 0;

    if (nodes->count > BRANCHES_MAX)
        return 0;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct tn_node *node  = node_behind(nodes->at[i]);
        struct tn_check       check = { 0 };
        unsigned              plain;

        if (!node || node->schema->in_place)
            return 0;
        plain = single_check(node, node->schema->types & ~(unsigned)node->schema->inside, &check);
        held |= check.code == CHECK_TYPE ? tags_of(plain) : 0;
        twice |= maybe & tags_around(node->schema->types);
        maybe |= tags_around(node->schema->types);
    }
    return once ? held & ~twice : held;
}

static uint32_t fork_tags(const struct tn_in_place *place)
{
    uint32_t any = branch_tags(&place->any_of, false), one = branch_tags(&place->one_of, true);

    return place->any_of.count == 0 ? one : place->one_of.count == 0 ? any : any & one;
}

/* Texts with a format have words of their own. */
static uint8_t noted_types(const struct tn_node *node)
{
    const struct tn_schema *schema = node->schema;

    return schema->never || schema->alias || node->text.format ? 0 : (uint8_t)(TYPE_ANY & ~schema->inside);
}

static struct tn_check check_of(const struct tn_node *applied)
{
    const struct tn_node *node  = node_behind(applied);
    struct tn_check       check = { .types = applied->schema->types, .noted = noted_types(applied) };
    unsigned              plain;

    if (!node)
        return check;
    plain      = single_check(node, node->schema->types & ~(unsigned)node->schema->inside, &check);
    check.tags = tags_of(plain);
    if (is_fork(node)) {
        check.code = CHECK_FORK;
        check.tags = fork_tags(node->schema->in_place);
        check.node = node;
    } else if (node->schema->types & node->schema->inside) {
        container_check(node, &check);
    }
    return check;
}

/* ---- Objects and arrays ------------------------------------------------------------------------------------ */

static bool takes_anything(const struct tn_node *node)
{
    return !node || check_of(node).tags == tags_of(TYPE_ANY);
}

/* Is all that is asked of an object asked of single members, by their names? */
static bool is_quick(const struct tn_schema *schema, const struct tn_object_rules *rules)
{
    if (schema->types != TYPE_OBJECT || schema->alone || schema->in_place || schema->counts ||
        rules->count > DEFAULT_BITS)
        return false;
    return rules->by_name && rules->dependent_count == 0 && rules->min == 0 && rules->max == SIZE_MAX &&
           (takes_anything(rules->additional) || rules->additional->schema->never);
}

/* Containers of which nothing is asked but of their parts: of members by name, of items all alike. */
static bool is_straight(const struct tn_node *node)
{
    const struct tn_schema *schema = node->schema;
    unsigned                inside = schema->types & schema->inside;

    if (schema->in_place || schema->counts || schema->constant || schema->values || schema->alias || !inside)
        return false;
    if ((inside & TYPE_ARRAY) && (node->list.unique || !schema->array || !schema->array->items ||
                                  schema->array->prefix.count > 0 || schema->array->contains))
        return false;
    return !(inside & TYPE_OBJECT) ||
           (schema->object->by_name && schema->object->by_member && schema->object->dependent_count == 0 &&
            schema->object->count <= DEFAULT_BITS);
}

static bool asks_only_presence(const struct tn_object_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->properties[i].node)
            return false;
    return rules->by_name && !rules->additional;
}

static void compile_branches(const struct tn_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        nodes->checks[i] = check_of(nodes->at[i]);
}

static void compile_one(struct tn_node *node)
{
    struct tn_array_rules  *array  = (struct tn_array_rules *)(uintptr_t)node->schema->array;
    struct tn_object_rules *object = (struct tn_object_rules *)(uintptr_t)node->schema->object;

    if (node->schema->in_place) {
        compile_branches(&node->schema->in_place->any_of);
        compile_branches(&node->schema->in_place->one_of);
        compile_branches(&node->schema->in_place->all_of);
    }
    if (array && array->items)
        array->items_check = check_of(array->items);
    if (!object)
        return;
    for (size_t i = 0; i < object->count; i++)
        if (object->properties[i].node)
            object->properties[i].check = check_of(object->properties[i].node);
    for (size_t i = 0; i < object->pattern_count; i++) {
        object->patterns[i].check = check_of(object->patterns[i].node);
        tn_pattern_is_text(object->patterns[i].pattern, &object->patterns[i].only);
    }
    if (object->additional)
        object->additional_check = check_of(object->additional);
    object->only_required = asks_only_presence(object);
    object->quick         = is_quick(node->schema, object);
}

/* ---- Defaults ---------------------------------------------------------------------------------------------- */

/* Does a property have a default, its own or that of what it refers to? */
static bool has_default(const struct tn_node *node)
{
    for (unsigned hops = 0; node && !node->schema->def; hops++) {
        const struct tn_in_place *place = node->schema->in_place;

        node = place && hops < HOPS_MAX ? place->ref : NULL;
    }
    return node != NULL;
}

/* One that is good as it is: nothing has to be filled into it. */
static bool has_good_default(const struct tn_property *property)
{
    yyjson_val *def = property->node->schema->def;

    if (!def || yyjson_is_obj(def))
        return false;
    return yyjson_is_arr(def)
               ? tn_check_is_list(&property->check, def) && tn_check_items(&property->check, def)
               : tn_check_holds(&property->check, def);
}

static void compile_defaults(struct tn_node *newest, const struct tn_node *root)
{
    struct tn_object_rules *rules = (struct tn_object_rules *)(uintptr_t)root->schema->object;
    size_t                  all = 0, own = 0;

    if (!rules || !rules->quick)
        return;
    for (const struct tn_node *one = newest; one; one = one->schema->read_before)
        all += one->schema->def != NULL;
    for (size_t i = 0; i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (!property->node)
            continue;
        own += property->node->schema->def != NULL;
        rules->default_bits |= (uint64_t)has_default(property->node) << i;
        rules->filled_bits |= (uint64_t)has_good_default(property) << i;
    }
    rules->inner_defaults = all > own + (root->schema->def != NULL);
}

void tn_check_compile(struct tn_node *newest, const struct tn_node *root)
{
    for (struct tn_node *one = newest; one; one = one->schema->read_before)
        ((struct tn_schema *)(uintptr_t)one->schema)->straight = is_straight(one);
    for (struct tn_node *one = newest; one; one = one->schema->read_before)
        compile_one(one);
    compile_defaults(newest, root);
}

/* ---- Looking ----------------------------------------------------------------------------------------------- */

bool tn_check_items(const struct tn_check *check, yyjson_val *array)
{
    const struct tn_check *item  = check->item;
    size_t                 count = unsafe_yyjson_get_len(array);
    yyjson_val            *one   = unsafe_yyjson_get_first(array);

    if (count < check->count.min || count > check->count.max)
        return false;
    for (; count > 0; count--, one = unsafe_yyjson_get_next(one))
        if (!tn_check_holds(item, one))
            return false;
    return true;
}
