/* flat_view.c - collects the schemas of one place. */
#include "contract/lint/flat_view.h"

#include "contract/lint/recursion.h"
#include "contract/lint/site.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct look {
    struct tn_flat_view       *view;
    struct tn_arena           *arena;
    yyjson_val                *root;
    const struct tn_flat_open *open;
    unsigned                   depth;
};

static const char *const types[] = { "string", "integer", "number", "boolean", "array", "object" };

static bool has_part(const struct tn_flat_view *view, yyjson_val *schema)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->parts[i] == schema)
            return true;
    return false;
}

static bool is_open(const struct look *look, yyjson_val *schema)
{
    for (const struct tn_flat_open *one = look->open; one; one = one->outer)
        if (has_part(one->view, schema))
            return true;
    return has_part(look->view, schema);
}

static void learn(struct look *look, yyjson_val *schema);

static bool is_null(yyjson_val *schema)
{
    yyjson_val *values = yyjson_obj_get(schema, "enum");

    return yyjson_equals_str(yyjson_obj_get(schema, "type"), "null") ||
           yyjson_is_null(yyjson_obj_get(schema, "const")) ||
           (yyjson_arr_size(values) == 1 && yyjson_is_null(yyjson_arr_get_first(values)));
}

/* Alternatives but for null; one that is left alone holds. */
static void learn_union(struct look *look, yyjson_val *variants)
{
    struct tn_flat_view *view  = look->view;
    yyjson_arr_iter      items = yyjson_arr_iter_with(variants);
    size_t               first = view->variant_count;
    yyjson_val          *one;

    while (yyjson_is_arr(variants) && (one = yyjson_arr_iter_next(&items))) {
        if (is_null(one))
            view->nullable = true;
        else if (view->variant_count < FLAT_PARTS_MAX)
            view->variants[view->variant_count++] = one;
        else
            view->mixed = true;
    }
    if (view->variant_count == first + 1)
        learn(look, view->variants[--view->variant_count]);
    else if (first > 0 && view->variant_count > first)
        view->mixed = true; /* two unions that hold together */
}

static void learn(struct look *look, yyjson_val *schema)
{
    struct tn_flat_view *view      = look->view;
    struct tn_slice      reference = tn_json_slice(yyjson_obj_get(schema, "$ref"));
    yyjson_val          *all       = yyjson_obj_get(schema, "allOf"), *target, *one;
    yyjson_arr_iter      items     = yyjson_arr_iter_with(all);

    if (is_open(look, schema) || view->count == FLAT_PARTS_MAX || look->depth == FLAT_PARTS_MAX) {
        view->deep = true;
        return;
    }
    view->parts[view->count++] = schema;
    look->depth++;
    if (reference.at) {
        target = tn_reference_target(look->root, look->arena, reference);
        if (target)
            learn(look, target);
        else
            view->deep = true;
    }
    if (yyjson_obj_get(schema, "$dynamicRef") || yyjson_obj_get(schema, "$recursiveRef"))
        view->deep = true;
    while (yyjson_is_arr(all) && (one = yyjson_arr_iter_next(&items)))
        learn(look, one);
    learn_union(look, yyjson_obj_get(schema, "anyOf"));
    learn_union(look, yyjson_obj_get(schema, "oneOf"));
    look->depth--;
}

yyjson_val *tn_flat_view_get(const struct tn_flat_view *view, const char *keyword)
{
    for (size_t i = 0; i < view->count; i++)
        if (yyjson_obj_get(view->parts[i], keyword))
            return yyjson_obj_get(view->parts[i], keyword);
    return NULL;
}

/* ---- Types --------------------------------------------------------------------------------------------------------- */

static unsigned bit_of(struct tn_slice name)
{
    for (unsigned i = 0; i < COUNT_OF(types); i++)
        if (tn_slice_is(name, types[i]))
            return 1u << i;
    return 0;
}

static unsigned bit_of_value(yyjson_val *value)
{
    if (yyjson_is_str(value))
        return 1u << 0;
    if (yyjson_is_bool(value))
        return 1u << 3;
    if (yyjson_is_arr(value))
        return 1u << 4;
    if (yyjson_is_obj(value))
        return 1u << 5;
    if (!yyjson_is_raw(value))
        return 0;
    return strpbrk(yyjson_get_raw(value), ".eE") ? 1u << 2 : 1u << 1;
}

/* By the keywords that only one type has. */
static unsigned guess(yyjson_val *schema)
{
    static const struct {
        const char *keyword;
        unsigned    bit;
    } hints[] = { { "properties", 1u << 5 },  { "additionalProperties", 1u << 5 },
                  { "required", 1u << 5 },    { "items", 1u << 4 },
                  { "prefixItems", 1u << 4 }, { "minItems", 1u << 4 },
                  { "pattern", 1u << 0 },     { "format", 1u << 0 },
                  { "minLength", 1u << 0 },   { "maxLength", 1u << 0 },
                  { "minimum", 1u << 2 },     { "maximum", 1u << 2 } };

    for (size_t i = 0; i < COUNT_OF(hints); i++)
        if (yyjson_obj_get(schema, hints[i].keyword))
            return hints[i].bit;
    return 0;
}

static unsigned bits_of_values(struct tn_flat_view *view, yyjson_val *values)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(values);
    unsigned        bits  = 0;
    yyjson_val     *one;

    while (yyjson_is_arr(values) && (one = yyjson_arr_iter_next(&items))) {
        bits |= bit_of_value(one);
        view->nullable |= yyjson_is_null(one);
    }
    return bits;
}

/* Types that a schema names, or that its values have; 0: it says nothing. */
static unsigned bits_of(struct tn_flat_view *view, yyjson_val *schema)
{
    yyjson_val     *type = yyjson_obj_get(schema, "type"), *value = yyjson_obj_get(schema, "const");
    yyjson_arr_iter items = yyjson_arr_iter_with(type);
    unsigned        bits  = bit_of(tn_json_slice(type));
    yyjson_val     *one;

    while (yyjson_is_arr(type) && (one = yyjson_arr_iter_next(&items))) {
        bits |= bit_of(tn_json_slice(one));
        view->nullable |= yyjson_equals_str(one, "null");
    }
    if (bits == 0 && value)
        bits = bit_of_value(value);
    if (bits == 0)
        bits = bits_of_values(view, yyjson_obj_get(schema, "enum"));
    else
        bits_of_values(view, yyjson_obj_get(schema, "enum"));
    return bits ? bits : guess(schema);
}

/* Of a variant, references followed. */
static unsigned bits_of_variant(const struct look *look, yyjson_val *schema)
{
    struct tn_flat_view inner = { 0 };
    struct look         deep  = { &inner, look->arena, look->root, look->open, look->depth + 1 };
    unsigned            bits  = 0;

    learn(&deep, schema);
    for (size_t i = 0; i < inner.count && bits == 0; i++)
        bits = bits_of(&inner, inner.parts[i]);
    look->view->nullable |= inner.nullable;
    look->view->deep |= inner.deep;
    return inner.variant_count > 0 ? 0 : bits;
}

/* A value or a list of such: the list can say both. */
static bool take_list(struct look *look, const unsigned *bits)
{
    struct tn_flat_view *view  = look->view;
    size_t               lists = 0, list = 0;

    for (size_t i = 0; i < view->variant_count; i++) {
        if (bits[i] == 0 || bits[i] & 1u << 5)
            return false;
        if (bits[i] == 1u << 4) {
            lists++;
            list = i;
        }
    }
    if (lists != 1)
        return false;
    view->variant_count = 0;
    learn(look, view->variants[list]);
    return true;
}

/* Variants of one type stay; others make the place mixed. */
static unsigned unite(struct look *look)
{
    struct tn_flat_view *view = look->view;
    unsigned             bits[FLAT_PARTS_MAX], all = 0;

    for (size_t i = 0; i < view->variant_count; i++) {
        bits[i] = bits_of_variant(look, view->variants[i]);
        view->mixed |= bits[i] == 0;
        all |= bits[i];
    }
    if (take_list(look, bits))
        return 1u << 4;
    view->mixed |= view->variant_count > 0 && (all & 1u << 4); /* lists of different things */
    return all;
}

static void choose(struct tn_flat_view *view, unsigned bits)
{
    unsigned numbers = 1u << 1 | 1u << 2;

    view->takes_text = bits == 0 || (bits & 1u << 0);
    if ((bits & ~numbers) == 0 && bits != 0) {
        view->type = bits & 1u << 2 ? "number" : "integer";
        return;
    }
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (bits == 1u << i)
            view->type = types[i];
    view->mixed |= !view->type;
}

void tn_flat_view(struct tn_flat_view *view, struct tn_arena *arena, yyjson_val *root, yyjson_val *schema,
                  const struct tn_flat_open *open)
{
    struct look look = { view, arena, root, open, 0 };
    unsigned    bits = 0, variants;

    *view = (struct tn_flat_view){ 0 };
    learn(&look, schema);
    variants = unite(&look);
    for (size_t i = 0; i < view->count; i++) {
        unsigned one = bits_of(view, view->parts[i]);

        bits = bits == 0 ? one : one != 0 && (bits & one) ? bits & one : bits;
    }
    choose(view, view->variant_count > 0 && variants != 0
                     ? (bits && (bits & variants) ? bits & variants : variants)
                     : bits);
    if (view->mixed || view->deep)
        view->type = NULL;
}

/* ---- Required ------------------------------------------------------------------------------------------------------ */

static void collect(struct tn_table *names, struct tn_arena *arena, yyjson_val *array)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *one;

    while (yyjson_is_arr(array) && (one = yyjson_arr_iter_next(&items)))
        if (yyjson_is_str(one))
            tn_table_add(names, arena, NULL, tn_json_slice(one), one);
}

void tn_flat_needed(struct tn_flat_needed *needed, struct tn_arena *arena, const struct tn_flat_view *view)
{
    *needed = (struct tn_flat_needed){ .variant_count = view->variant_count };
    for (size_t i = 0; i < view->count; i++)
        collect(&needed->always, arena, yyjson_obj_get(view->parts[i], "required"));
    for (size_t i = 0; i < view->variant_count; i++)
        collect(&needed->variants[i], arena, yyjson_obj_get(view->variants[i], "required"));
}

bool tn_flat_needs(const struct tn_flat_needed *needed, struct tn_slice name)
{
    size_t by_variants = 0;

    if (tn_table_find(&needed->always, NULL, name))
        return true;
    for (size_t i = 0; i < needed->variant_count; i++)
        by_variants += tn_table_find(&needed->variants[i], NULL, name) != NULL;
    return needed->variant_count > 0 && by_variants == needed->variant_count;
}
