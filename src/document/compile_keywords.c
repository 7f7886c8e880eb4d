/* compile_keywords.c - the keywords of one schema. A keyword whose value makes no sense is a mistake with its place. */
#include <math.h>
#include <string.h>

#include "document/compile.h"
#include "json/read.h"
#include "model/json_equal.h"
#include "model/property.h"
#include "text/decimal.h"
#include "text/format.h"

#define VALUES_FEW 8

static struct arena *arena_of(struct reader *reader)
{
    return &reader->reading->shape->arena;
}

static const struct dialect_facts *facts_of(const struct reader *reader)
{
    return dialect_facts(reader->resource->dialect);
}

#define NO_NAME ((struct slice){ NULL, 0 })

/* ---- Parts of a schema, made when first needed ------------------------------------------------------------- */

static struct number_rules *numbers(struct reader *reader)
{
    if (!reader->schema->number)
        reader->schema->number = arena_new(arena_of(reader), struct number_rules);
    return (struct number_rules *)(uintptr_t)reader->schema->number;
}

static struct array_rules *arrays(struct reader *reader)
{
    struct array_rules *array = (struct array_rules *)(uintptr_t)reader->schema->array;

    if (array)
        return array;
    array = arena_new(arena_of(reader), struct array_rules);
    if (array) {
        array->min_contains   = 1;
        array->max_contains   = SIZE_MAX;
        array->contains_marks = facts_of(reader)->contains_marks;
        array->items_keyword  = "items";
        array->prefix_keyword = "prefixItems";
    }
    reader->schema->array = array;
    return array;
}

static struct object_rules *objects(struct reader *reader)
{
    struct object_rules *object = (struct object_rules *)(uintptr_t)reader->schema->object;

    if (object)
        return object;
    object = arena_new(arena_of(reader), struct object_rules);
    if (object)
        object->max = SIZE_MAX;
    reader->schema->object = object;
    return object;
}

static struct in_place *in_place(struct reader *reader)
{
    if (!reader->schema->in_place)
        reader->schema->in_place = arena_new(arena_of(reader), struct in_place);
    return (struct in_place *)(uintptr_t)reader->schema->in_place;
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

static bool read_size(struct reader *reader, const char *keyword, yyjson_val *value, size_t *out)
{
    double real = yyjson_get_num(value);

    if (yyjson_is_uint(value))
        *out = (size_t)yyjson_get_uint(value);
    else if (yyjson_is_raw(value) && yyjson_get_raw(value)[0] != '-' && decimal_is_integer(value))
        *out = SIZE_MAX;
    else if (yyjson_is_real(value) && real >= 0 && real == floor(real))
        *out = real < 9007199254740992.0 ? (size_t)real : SIZE_MAX;
    else
        return read_mistake(reader, keyword, "must be an integer that is not negative");
    return true;
}

static bool read_list(struct reader *reader, const char *keyword, yyjson_val *value, struct nodes *out)
{
    size_t              count = yyjson_arr_size(value), i = 0;
    const struct node **at = arena_array(arena_of(reader), count, const struct node *);
    yyjson_arr_iter     iter;
    yyjson_val         *one;

    if (!yyjson_is_arr(value) || count == 0)
        return read_mistake(reader, keyword, "must be a list of schemas that is not empty");
    if (!at)
        return false;
    yyjson_arr_iter_init(value, &iter);
    for (; (one = yyjson_arr_iter_next(&iter)); i++) {
        at[i] = read_inner(reader, keyword, NO_NAME, i, one);
        if (!at[i])
            return false;
    }
    *out = (struct nodes){ at, count };
    return true;
}

static bool read_single(struct reader *reader, const char *keyword, yyjson_val *value,
                        const struct node **out)
{
    *out = read_inner(reader, keyword, NO_NAME, SIZE_MAX, value);
    return *out != NULL;
}

static bool read_names(struct reader *reader, const char *keyword, yyjson_val *value, struct slice **out,
                       size_t *count)
{
    size_t          i = 0;
    yyjson_arr_iter iter;
    yyjson_val     *one;

    if (!yyjson_is_arr(value))
        return read_mistake(reader, keyword, "must be a list of names");
    *count = yyjson_arr_size(value);
    *out   = arena_array(arena_of(reader), *count, struct slice);
    if (!*out)
        return false;
    yyjson_arr_iter_init(value, &iter);
    while ((one = yyjson_arr_iter_next(&iter))) {
        if (!yyjson_is_str(one))
            return read_mistake(reader, keyword, "must be a list of names");
        (*out)[i++] = json_slice(one);
    }
    return true;
}

static const struct pattern *read_regex(struct reader *reader, const char *keyword, struct slice text)
{
    char                  why[PATTERN_WHY_MAX];
    const struct pattern *pattern = shape_pattern(reader->reading->shape, text, why, sizeof why);

    if (!pattern && why[0])
        read_mistake(reader, keyword, why);
    return pattern;
}

/* ---- Assertions -------------------------------------------------------------------------------------------- */

static bool add_type(struct reader *reader, yyjson_val *value, uint8_t *types)
{
    static const struct {
        const char *name;
        uint8_t     type;
    } names[] = { { "null", TYPE_NULL },     { "boolean", TYPE_BOOLEAN }, { "integer", TYPE_INTEGER },
                  { "number", TYPE_NUMBER }, { "string", TYPE_STRING },   { "array", TYPE_ARRAY },
                  { "object", TYPE_OBJECT } };

    for (size_t i = 0; yyjson_is_str(value) && i < sizeof names / sizeof *names; i++)
        if (slice_is(json_slice(value), names[i].name)) {
            *types |= names[i].type;
            return true;
        }
    return read_mistake(reader, "type",
                        "must be one of: null, boolean, integer, number, string, array, object");
}

static bool on_type(struct reader *reader, const char *keyword, yyjson_val *value)
{
    uint8_t         types = 0;
    yyjson_arr_iter iter;
    yyjson_val     *one;

    if (yyjson_is_arr(value)) {
        yyjson_arr_iter_init(value, &iter);
        while ((one = yyjson_arr_iter_next(&iter)))
            if (!add_type(reader, one, &types))
                return false;
    } else if (!add_type(reader, value, &types)) {
        return false;
    }
    if (types == 0)
        return read_mistake(reader, keyword, "must name at least one type");
    reader->schema->types = types;
    reader->schema->typed = true;
    return true;
}

static bool index_values(struct reader *reader, struct values *values)
{
    uint32_t room = 16;

    while (room < values->count * 2)
        room *= 2;
    values->slots     = arena_array(arena_of(reader), room, uint32_t);
    values->slot_mask = room - 1;
    for (size_t i = 0; values->slots && i < values->count; i++) {
        uint32_t at = (uint32_t)same_hash(values->at[i]) & values->slot_mask;

        for (unsigned probes = 0; values->slots[at]; at = (at + 1) & values->slot_mask)
            if (++probes > PROPERTY_PROBES_MAX)
                return read_mistake(reader, "enum",
                                    "the values are made so that they cannot be told apart quickly");
        values->slots[at] = (uint32_t)i + 1;
    }
    return values->slots != NULL;
}

static bool on_enum(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct values  *values = arena_new(arena_of(reader), struct values);
    yyjson_val    **at     = arena_array(arena_of(reader), yyjson_arr_size(value), yyjson_val *);
    yyjson_arr_iter iter;
    yyjson_val     *one;

    if (!yyjson_is_arr(value))
        return read_mistake(reader, keyword, "must be a list of values");
    if (!values || !at)
        return false;
    values->at          = at;
    values->all_strings = true;
    yyjson_arr_iter_init(value, &iter);
    while ((one = yyjson_arr_iter_next(&iter))) {
        at[values->count++] = one;
        values->all_strings &= yyjson_is_str(one);
    }
    reader->schema->values = values;
    return values->count <= VALUES_FEW || index_values(reader, values);
}

static bool on_const(struct reader *reader, const char *keyword, yyjson_val *value)
{
    (void)keyword;
    reader->schema->constant = value;
    return true;
}

static bool read_bound(struct reader *reader, const char *keyword, yyjson_val *value, struct bound *bound)
{
    if (!yyjson_is_num(value) && !yyjson_is_raw(value))
        return read_mistake(reader, keyword, "must be a number");
    bound->value = value;
    if (yyjson_is_sint(value) || (yyjson_is_uint(value) && yyjson_get_uint(value) <= INT64_MAX)) {
        bound->is_int  = true;
        bound->integer = yyjson_is_uint(value) ? (int64_t)yyjson_get_uint(value) : yyjson_get_sint(value);
    }
    return true;
}

/* Does a flag beside the bound exclude it? Only where such flags are known. */
static bool is_excluded(const struct reader *reader, const char *flag)
{
    return facts_of(reader)->bound_flags && yyjson_is_true(yyjson_obj_get(reader->source, flag));
}

static bool on_number(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct number_rules *rules = numbers(reader);

    if (!rules)
        return false;
    if (strcmp(keyword, "minimum") == 0)
        return read_bound(reader, keyword, value,
                          is_excluded(reader, "exclusiveMinimum") ? &rules->above : &rules->min);
    if (strcmp(keyword, "maximum") == 0)
        return read_bound(reader, keyword, value,
                          is_excluded(reader, "exclusiveMaximum") ? &rules->below : &rules->max);
    if (facts_of(reader)->bound_flags)
        return yyjson_is_bool(value) || read_mistake(reader, keyword, "must be true or false");
    if (strcmp(keyword, "exclusiveMinimum") == 0)
        return read_bound(reader, keyword, value, &rules->above);
    return read_bound(reader, keyword, value, &rules->below);
}

static bool on_multiple(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct number_rules *rules = numbers(reader);
    yyjson_val           zero  = { .tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT };

    if (!rules)
        return false;
    if ((!yyjson_is_num(value) && !yyjson_is_raw(value)) || decimal_compare(value, &zero) <= 0)
        return read_mistake(reader, keyword, "must be a number greater than 0");
    rules->multiple = value;
    return true;
}

static bool on_size(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct object_rules *object;
    struct array_rules  *array;

    if (strcmp(keyword, "minLength") == 0)
        return read_size(reader, keyword, value, &reader->node->text.min);
    if (strcmp(keyword, "maxLength") == 0)
        return read_size(reader, keyword, value, &reader->node->text.max);
    if (strcmp(keyword, "minItems") == 0)
        return read_size(reader, keyword, value, &reader->node->list.min);
    if (strcmp(keyword, "maxItems") == 0)
        return read_size(reader, keyword, value, &reader->node->list.max);
    if (strstr(keyword, "Contains")) {
        array = arrays(reader);
        return array && read_size(reader, keyword, value,
                                  keyword[1] == 'i' ? &array->min_contains : &array->max_contains);
    }
    object = objects(reader);
    return object && read_size(reader, keyword, value, keyword[1] == 'i' ? &object->min : &object->max);
}

static bool on_pattern(struct reader *reader, const char *keyword, yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return read_mistake(reader, keyword, "must be a string");
    reader->node->text.pattern_text = yyjson_get_str(value);
    reader->node->text.pattern      = read_regex(reader, keyword, json_slice(value));
    return reader->node->text.pattern != NULL;
}

static bool on_format(struct reader *reader, const char *keyword, yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return read_mistake(reader, keyword, "must be a string");
    reader->schema->format_asserted = reader->reading->options.format_assertion ||
                                      (reader->resource->vocabularies & VOCABULARY_FORMAT) != 0;
    reader->node->text.format = format_find(yyjson_get_str(value)); /* unknown ones say nothing */
    return true;
}

static bool on_unique(struct reader *reader, const char *keyword, yyjson_val *value)
{
    if (!yyjson_is_bool(value))
        return read_mistake(reader, keyword, "must be true or false");
    reader->node->list.unique = yyjson_get_bool(value);
    return true;
}

/* ---- Objects ----------------------------------------------------------------------------------------------- */

/* The property of that name, which is made if it is new. There is room for all that the schema names. */
static struct property *property_of(struct reader *reader, struct object_rules *object, struct slice name)
{
    uint32_t at = property_hash(name.at, name.len) & object->slot_mask;

    for (unsigned probes = 0; object->slots[at].name; at = (at + 1) & object->slot_mask) {
        if (object->slots[at].len == name.len && str_same(object->slots[at].name, name.at, name.len))
            return &object->properties[object->slots[at].param];
        if (++probes > PROPERTY_PROBES_MAX) {
            read_mistake(reader, "properties",
                         "the names are made so that they cannot be told apart quickly");
            return NULL;
        }
    }
    object->slots[at] = (struct name_slot){ name.at, (uint32_t)name.len, (uint32_t)object->count };
    object->properties[object->count] = (struct property){ .name = name.at, .len = (uint32_t)name.len };
    return &object->properties[object->count++];
}

/* properties and required share one table, so that one look-up serves both. */
static bool read_properties(struct reader *reader)
{
    bool                 validation = (reader->resource->vocabularies & VOCABULARY_VALIDATION) != 0;
    bool                 applicator = (reader->resource->vocabularies & VOCABULARY_APPLICATOR) != 0;
    yyjson_val          *properties = applicator ? yyjson_obj_get(reader->source, "properties") : NULL;
    yyjson_val          *required   = validation ? yyjson_obj_get(reader->source, "required") : NULL, *key;
    struct object_rules *object;
    struct slice        *names = NULL;
    size_t               count = 0, total;
    uint32_t             room  = 8;
    yyjson_obj_iter      iter;

    if (!properties && !required)
        return true;
    if (properties && !yyjson_is_obj(properties))
        return read_mistake(reader, "properties", "must be an object of schemas");
    if (required && !read_names(reader, "required", required, &names, &count))
        return false;
    object = objects(reader);
    total  = yyjson_obj_size(properties) + count;
    while (room < total * 2)
        room *= 2;
    if (!object)
        return false;
    object->properties = arena_array(arena_of(reader), total, struct property);
    object->slots      = arena_array(arena_of(reader), room, struct name_slot);
    object->slot_mask  = room - 1;
    if (!object->properties || !object->slots)
        return false;
    yyjson_obj_iter_init(properties, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        const struct node *node     = read_inner(reader, "properties", json_slice(key), SIZE_MAX,
                                                 yyjson_obj_iter_get_val(key));
        struct property   *property = node ? property_of(reader, object, json_slice(key)) : NULL;

        if (!property)
            return false;
        property->node = node;
    }
    for (size_t i = 0; i < count; i++) {
        struct property *property = property_of(reader, object, names[i]);

        if (!property)
            return false;
        object->required += !property->required;
        property->required = true;
    }
    return true;
}

static bool on_patterns(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct object_rules *object = objects(reader);
    yyjson_obj_iter      iter;
    yyjson_val          *key;

    if (!yyjson_is_obj(value))
        return read_mistake(reader, keyword, "must be an object of schemas");
    if (!object)
        return false;
    object->patterns = arena_array(arena_of(reader), yyjson_obj_size(value), struct pattern_property);
    if (!object->patterns)
        return false;
    object->pattern_count = 0;
    yyjson_obj_iter_init(value, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct pattern_property *one = &object->patterns[object->pattern_count++];

        one->text    = yyjson_get_str(key);
        one->pattern = read_regex(reader, keyword, json_slice(key));
        one->node    = one->pattern
                           ? read_inner(reader, keyword, json_slice(key), SIZE_MAX, yyjson_obj_iter_get_val(key))
                           : NULL;
        if (!one->node)
            return false;
    }
    return true;
}

static bool on_object_schema(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct object_rules *object = objects(reader);

    if (!object)
        return false;
    if (strcmp(keyword, "additionalProperties") == 0)
        return read_single(reader, keyword, value, &object->additional);
    if (strcmp(keyword, "propertyNames") == 0)
        return read_single(reader, keyword, value, &object->names);
    return read_single(reader, keyword, value, &object->unevaluated);
}

/* dependentRequired, dependentSchemas, and the older keyword that is both. */
static bool on_dependents(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct object_rules *object = objects(reader);
    struct dependent    *all;
    yyjson_obj_iter      iter;
    yyjson_val          *key, *one;
    bool                 names_only = strcmp(keyword, "dependentRequired") == 0;

    if (!yyjson_is_obj(value))
        return read_mistake(reader, keyword, "must be an object");
    if (!object)
        return false;
    all = arena_array(arena_of(reader), object->dependent_count + yyjson_obj_size(value), struct dependent);
    if (!all)
        return false;
    if (object->dependent_count > 0)
        memcpy(all, object->dependents, object->dependent_count * sizeof *all);
    object->dependents = all;
    yyjson_obj_iter_init(value, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct dependent *dependent = &all[object->dependent_count++];

        dependent->name = json_slice(key);
        one             = yyjson_obj_iter_get_val(key);
        if (names_only || (yyjson_is_arr(one) && strcmp(keyword, "dependencies") == 0)) {
            if (!read_names(reader, keyword, one, &dependent->names, &dependent->count))
                return false;
            continue;
        }
        dependent->node = read_inner(reader, keyword, json_slice(key), SIZE_MAX, one);
        if (!dependent->node)
            return false;
    }
    return true;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------ */

static bool on_items(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct array_rules *array = arrays(reader);

    if (!array)
        return false;
    if (facts_of(reader)->item_lists && yyjson_is_arr(value)) {
        array->prefix_keyword = "items";
        return yyjson_arr_size(value) == 0 || read_list(reader, keyword, value, &array->prefix);
    }
    if (yyjson_is_arr(value))
        return read_mistake(reader, keyword, "must be one schema: a list of schemas is called prefixItems");
    return read_single(reader, keyword, value, &array->items);
}

static bool on_prefix(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct array_rules *array = arrays(reader);

    return array && read_list(reader, keyword, value, &array->prefix);
}

/* Only beside a list of items. */
static bool on_additional_items(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct array_rules *array = arrays(reader);

    if (!array)
        return false;
    if (!yyjson_is_arr(yyjson_obj_get(reader->source, "items")))
        return true;
    array->items_keyword = "additionalItems";
    return read_single(reader, keyword, value, &array->items);
}

static bool on_array_schema(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct array_rules *array = arrays(reader);

    return array && read_single(reader, keyword, value,
                                strcmp(keyword, "contains") == 0 ? &array->contains : &array->unevaluated);
}

/* ---- In place ---------------------------------------------------------------------------------------------- */

static bool on_branches(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct in_place *place = in_place(reader);

    return place && read_list(reader, keyword, value,
                              strcmp(keyword, "allOf") == 0   ? &place->all_of
                              : strcmp(keyword, "anyOf") == 0 ? &place->any_of
                                                              : &place->one_of);
}

static bool on_condition(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct in_place *place = in_place(reader);

    return place && read_single(reader, keyword, value,
                                keyword[0] == 'n'   ? &place->not_
                                : keyword[0] == 'i' ? &place->if_
                                : keyword[0] == 't' ? &place->then_
                                                    : &place->else_);
}

static bool on_ref(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct in_place *place = in_place(reader);
    yyjson_val      *target;
    struct resource *resource;

    if (!yyjson_is_str(value))
        return read_mistake(reader, keyword, "must be a string");
    if (place)
        place->ref = read_reference(reader, keyword, json_slice(value), &target, &resource);
    return place && place->ref;
}

/* Some schema looks for the dynamic anchor of that name, wherever it may stand. */
static bool add_dynamic_name(struct reader *reader, const char *keyword, struct slice name)
{
    struct named *names = &reader->reading->dynamic_names;

    return named_find(names, NULL, name) || named_put(names, arena_of(reader), NULL, name, reader->source) ||
           read_mistake(reader, keyword, "the anchors are made so that they cannot be told apart quickly");
}

/* $recursiveRef is always "#"; it is dynamic only when the resource that it stands in has a $recursiveAnchor. */
static bool on_recursive_ref(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct in_place *place = in_place(reader);
    yyjson_val      *target;
    struct resource *resource;

    if (!yyjson_equals_str(value, "#"))
        return read_mistake(reader, keyword, "must be \"#\"");
    if (!place)
        return false;
    place->dynamic_keyword = "$recursiveRef";
    place->dynamic         = read_reference(reader, keyword, json_slice(value), &target, &resource);
    if (!place->dynamic)
        return false;
    if (!resource_anchor(resource, SLICE_LIT(RECURSIVE_ANCHOR), true))
        return true;
    place->dynamic_name = RECURSIVE_ANCHOR;
    return add_dynamic_name(reader, keyword, SLICE_LIT(RECURSIVE_ANCHOR));
}

/* It is dynamic only when the place it leads to at first has a $dynamicAnchor of that name. */
static bool on_dynamic_ref(struct reader *reader, const char *keyword, yyjson_val *value)
{
    struct in_place *place = in_place(reader);
    yyjson_val      *target, *anchor;
    struct resource *resource;
    struct slice     text = json_slice(value);
    const char      *hash;

    if (!yyjson_is_str(value))
        return read_mistake(reader, keyword, "must be a string");
    if (!place)
        return false;
    place->dynamic_keyword = "$dynamicRef";
    place->dynamic         = read_reference(reader, keyword, text, &target, &resource);
    if (!place->dynamic)
        return false;
    hash   = memchr(text.at, '#', text.len);
    anchor = yyjson_obj_get(target, "$dynamicAnchor");
    if (!hash || !yyjson_is_str(anchor) || strcmp(yyjson_get_str(anchor), hash + 1) != 0)
        return true;
    place->dynamic_name = yyjson_get_str(anchor);
    return add_dynamic_name(reader, keyword, json_slice(anchor));
}

/* ---- All of them ------------------------------------------------------------------------------------------- */

static const struct keyword {
    const char *name;
    uint8_t     dialects;
    uint8_t     vocabulary; /* 0: always */
    bool (*read)(struct reader *reader, const char *keyword, yyjson_val *value);
} keywords[] = {
    { "type", SINCE_04, VOCABULARY_VALIDATION, on_type },
    { "enum", SINCE_04, VOCABULARY_VALIDATION, on_enum },
    { "const", SINCE_06, VOCABULARY_VALIDATION, on_const },
    { "minimum", SINCE_04, VOCABULARY_VALIDATION, on_number },
    { "maximum", SINCE_04, VOCABULARY_VALIDATION, on_number },
    { "exclusiveMinimum", SINCE_04, VOCABULARY_VALIDATION, on_number },
    { "exclusiveMaximum", SINCE_04, VOCABULARY_VALIDATION, on_number },
    { "multipleOf", SINCE_04, VOCABULARY_VALIDATION, on_multiple },
    { "minLength", SINCE_04, VOCABULARY_VALIDATION, on_size },
    { "maxLength", SINCE_04, VOCABULARY_VALIDATION, on_size },
    { "minItems", SINCE_04, VOCABULARY_VALIDATION, on_size },
    { "maxItems", SINCE_04, VOCABULARY_VALIDATION, on_size },
    { "minContains", SINCE_2019, VOCABULARY_VALIDATION, on_size },
    { "maxContains", SINCE_2019, VOCABULARY_VALIDATION, on_size },
    { "minProperties", SINCE_04, VOCABULARY_VALIDATION, on_size },
    { "maxProperties", SINCE_04, VOCABULARY_VALIDATION, on_size },
    { "uniqueItems", SINCE_04, VOCABULARY_VALIDATION, on_unique },
    { "pattern", SINCE_04, VOCABULARY_VALIDATION, on_pattern },
    { "format", SINCE_04, 0, on_format },
    { "dependentRequired", SINCE_2019, VOCABULARY_VALIDATION, on_dependents },
    { "dependentSchemas", SINCE_2019, VOCABULARY_APPLICATOR, on_dependents },
    { "dependencies", SINCE_04, VOCABULARY_APPLICATOR, on_dependents },
    { "patternProperties", SINCE_04, VOCABULARY_APPLICATOR, on_patterns },
    { "additionalProperties", SINCE_04, VOCABULARY_APPLICATOR, on_object_schema },
    { "propertyNames", SINCE_06, VOCABULARY_APPLICATOR, on_object_schema },
    { "unevaluatedProperties", SINCE_2019, VOCABULARY_UNEVALUATED, on_object_schema },
    { "items", SINCE_04, VOCABULARY_APPLICATOR, on_items },
    { "prefixItems", ONLY_2020, VOCABULARY_APPLICATOR, on_prefix },
    { "additionalItems", UNTIL_2019, VOCABULARY_APPLICATOR, on_additional_items },
    { "contains", SINCE_06, VOCABULARY_APPLICATOR, on_array_schema },
    { "unevaluatedItems", SINCE_2019, VOCABULARY_UNEVALUATED, on_array_schema },
    { "allOf", SINCE_04, VOCABULARY_APPLICATOR, on_branches },
    { "anyOf", SINCE_04, VOCABULARY_APPLICATOR, on_branches },
    { "oneOf", SINCE_04, VOCABULARY_APPLICATOR, on_branches },
    { "not", SINCE_04, VOCABULARY_APPLICATOR, on_condition },
    { "if", SINCE_07, VOCABULARY_APPLICATOR, on_condition },
    { "then", SINCE_07, VOCABULARY_APPLICATOR, on_condition },
    { "else", SINCE_07, VOCABULARY_APPLICATOR, on_condition },
    { "$ref", SINCE_04, 0, on_ref },
    { "$dynamicRef", ONLY_2020, 0, on_dynamic_ref },
    { "$recursiveRef", ONLY_2019, 0, on_recursive_ref },
};

static const struct keyword *find_keyword(const struct reader *reader, struct slice name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const struct keyword *keyword = &keywords[i];

        if (!slice_is(name, keyword->name))
            continue;
        if (!dialect_is_in(reader->resource->dialect, keyword->dialects))
            return NULL;
        return keyword->vocabulary && !(reader->resource->vocabularies & keyword->vocabulary) ? NULL
                                                                                              : keyword;
    }
    return NULL;
}

static const struct node *alias_of(const struct schema *schema)
{
    const struct in_place *place = schema->in_place;

    if (!place || !place->ref || place->ref->schema->resource != schema->resource || schema->typed ||
        schema->alone || schema->object || schema->inside != TYPE_ANY || schema->array)
        return NULL;
    if (place->dynamic || place->all_of.count || place->any_of.count || place->one_of.count || place->not_ ||
        place->if_)
        return NULL;
    return place->ref;
}

/* What verdict_flag.c wants to know at a glance. */
static void sum_up(struct reader *reader)
{
    struct schema           *schema = reader->schema;
    const struct node       *node   = reader->node;
    const struct text_rules *text   = &node->text;
    struct object_rules     *object = (struct object_rules *)(uintptr_t)schema->object;
    bool                     listed = node->list.min > 0 || node->list.max < SIZE_MAX || node->list.unique;

    if (schema->constant || schema->values)
        schema->alone = TYPE_ANY;
    if (schema->number)
        schema->alone |= TYPE_NUMBER;
    if (text->min > 0 || text->max < SIZE_MAX || text->pattern || (text->format && schema->format_asserted))
        schema->alone |= TYPE_STRING;
    if (schema->in_place)
        schema->inside = TYPE_ANY;
    if (schema->array || listed)
        schema->inside |= TYPE_ARRAY;
    if (schema->array && schema->array->unevaluated)
        schema->counts |= TYPE_ARRAY;
    if (!object && !listed)
        schema->alias = alias_of(schema);
    if (!object)
        return;
    schema->inside |= TYPE_OBJECT;
    schema->counts |= object->unevaluated ? TYPE_OBJECT : 0;
    object->by_member = object->count > 0 || object->pattern_count > 0 || object->additional || object->names;
    for (size_t i = 0; i < object->count && i < 64; i++)
        object->required_bits |= (uint64_t)object->properties[i].required << i;
}

bool read_keywords(struct reader *reader)
{
    yyjson_val     *ref = yyjson_obj_get(reader->source, "$ref"), *key;
    yyjson_obj_iter iter;

    if (ref && facts_of(reader)->ref_alone) {
        reader->schema->inside = TYPE_ANY;
        return on_ref(reader, "$ref", ref); /* what stands beside it does not count */
    }
    if (!read_properties(reader))
        return false;
    reader->schema->title       = yyjson_get_str(yyjson_obj_get(reader->source, "title"));
    reader->schema->description = yyjson_get_str(yyjson_obj_get(reader->source, "description"));
    reader->schema->def         = yyjson_obj_get(reader->source, "default");
    reader->reading->defaults |= reader->schema->def != NULL;
    reader->node->secret = yyjson_is_true(yyjson_obj_get(reader->source, "writeOnly")) ||
                           yyjson_equals_str(yyjson_obj_get(reader->source, "format"), "password");
    reader->reading->secrets |= reader->node->secret;
    yyjson_obj_iter_init(reader->source, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        const struct keyword *keyword = find_keyword(reader, json_slice(key));

        /* Readers of JSON take the first or the last, and a schema must not mean two things. */
        if ((keyword || slice_is(json_slice(key), "properties") || slice_is(json_slice(key), "required")) &&
            yyjson_obj_getn(reader->source, yyjson_get_str(key), yyjson_get_len(key)) !=
                yyjson_obj_iter_get_val(key))
            return read_mistake(reader, yyjson_get_str(key), "stands twice");
        if (keyword && !keyword->read(reader, keyword->name, yyjson_obj_iter_get_val(key)))
            return false;
    }
    sum_up(reader);
    return true;
}
