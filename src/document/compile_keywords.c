/* compile_keywords.c - the keywords of one schema. A keyword with an invalid value is a mistake with its place. */
#include <math.h>
#include <string.h>

#include "document/compile.h"
#include "json/read.h"
#include "model/json_equal.h"
#include "model/property.h"
#include "text/decimal.h"
#include "text/format.h"

#define VALUES_FEW 8

static struct tn_arena *arena_of(struct tn_schema_reader *reader)
{
    return &reader->reading->shape->arena;
}

static const struct tn_dialect_facts *facts_of(const struct tn_schema_reader *reader)
{
    return tn_dialect_facts(reader->resource->dialect);
}

#define NO_NAME ((struct tn_slice){ NULL, 0 })

/* ---- Parts of a schema, made when first needed ------------------------------------------------------------- */

static struct tn_number_rules *numbers(struct tn_schema_reader *reader)
{
    if (!reader->schema->number)
        reader->schema->number = tn_arena_new(arena_of(reader), struct tn_number_rules);
    return (struct tn_number_rules *)(uintptr_t)reader->schema->number;
}

static struct tn_array_rules *arrays(struct tn_schema_reader *reader)
{
    struct tn_array_rules *array = (struct tn_array_rules *)(uintptr_t)reader->schema->array;

    if (array)
        return array;
    array = tn_arena_new(arena_of(reader), struct tn_array_rules);
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

static struct tn_object_rules *objects(struct tn_schema_reader *reader)
{
    struct tn_object_rules *object = (struct tn_object_rules *)(uintptr_t)reader->schema->object;

    if (object)
        return object;
    object = tn_arena_new(arena_of(reader), struct tn_object_rules);
    if (object)
        object->max = SIZE_MAX;
    reader->schema->object = object;
    return object;
}

static struct tn_in_place *in_place(struct tn_schema_reader *reader)
{
    if (!reader->schema->in_place)
        reader->schema->in_place = tn_arena_new(arena_of(reader), struct tn_in_place);
    return (struct tn_in_place *)(uintptr_t)reader->schema->in_place;
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

static bool read_size(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value, size_t *out)
{
    double real = yyjson_get_num(value);

    if (yyjson_is_uint(value))
        *out = (size_t)yyjson_get_uint(value);
    else if (yyjson_is_raw(value) && yyjson_get_raw(value)[0] != '-' && tn_decimal_is_integer(value))
        *out = SIZE_MAX;
    else if (yyjson_is_real(value) && real >= 0 && real == floor(real))
        *out = real < 9007199254740992.0 ? (size_t)real : SIZE_MAX;
    else
        return tn_compile_mistake(reader, keyword, "must be an integer that is not negative");
    return true;
}

static bool read_list(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value,
                      struct tn_nodes *out)
{
    size_t                 count = yyjson_arr_size(value), i = 0;
    const struct tn_node **at     = tn_arena_array(arena_of(reader), count, const struct tn_node *);
    struct tn_check       *checks = tn_arena_array(arena_of(reader), count, struct tn_check);
    yyjson_arr_iter        iter;
    yyjson_val            *one;

    if (!yyjson_is_arr(value) || count == 0)
        return tn_compile_mistake(reader, keyword, "must be a list of schemas that is not empty");
    if (!at || !checks)
        return false;
    yyjson_arr_iter_init(value, &iter);
    for (; (one = yyjson_arr_iter_next(&iter)); i++) {
        at[i] = tn_compile_inner(reader, keyword, NO_NAME, i, one);
        if (!at[i])
            return false;
    }
    *out = (struct tn_nodes){ at, count, checks };
    return true;
}

static bool read_single(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value,
                        const struct tn_node **out)
{
    *out = tn_compile_inner(reader, keyword, NO_NAME, SIZE_MAX, value);
    return *out != NULL;
}

static bool read_names(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value,
                       struct tn_slice **out, size_t *count)
{
    size_t          i = 0;
    yyjson_arr_iter iter;
    yyjson_val     *one;

    if (!yyjson_is_arr(value))
        return tn_compile_mistake(reader, keyword, "must be a list of names");
    *count = yyjson_arr_size(value);
    *out   = tn_arena_array(arena_of(reader), *count, struct tn_slice);
    if (!*out)
        return false;
    yyjson_arr_iter_init(value, &iter);
    while ((one = yyjson_arr_iter_next(&iter))) {
        if (!yyjson_is_str(one))
            return tn_compile_mistake(reader, keyword, "must be a list of names");
        (*out)[i++] = tn_json_slice(one);
    }
    return true;
}

static const struct pattern *read_regex(struct tn_schema_reader *reader, const char *keyword,
                                        struct tn_slice text)
{
    char                  why[PATTERN_WHY_MAX];
    const struct pattern *pattern = tn_shape_pattern(reader->reading->shape, text, why, sizeof why);

    if (!pattern && why[0])
        tn_compile_mistake(reader, keyword, why);
    return pattern;
}

/* ---- Assertions -------------------------------------------------------------------------------------------- */

static bool add_type(struct tn_schema_reader *reader, yyjson_val *value, uint8_t *types)
{
    static const struct {
        const char *name;
        uint8_t     type;
    } names[] = { { "null", TYPE_NULL },     { "boolean", TYPE_BOOLEAN }, { "integer", TYPE_INTEGER },
                  { "number", TYPE_NUMBER }, { "string", TYPE_STRING },   { "array", TYPE_ARRAY },
                  { "object", TYPE_OBJECT } };

    for (size_t i = 0; yyjson_is_str(value) && i < sizeof names / sizeof *names; i++)
        if (tn_slice_is(tn_json_slice(value), names[i].name)) {
            *types |= names[i].type;
            return true;
        }
    return tn_compile_mistake(reader, "type",
                              "must be one of: null, boolean, integer, number, string, array, object");
}

static bool on_type(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
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
        return tn_compile_mistake(reader, keyword, "must name at least one type");
    reader->schema->types = types;
    reader->schema->typed = true;
    return true;
}

static bool index_values(struct tn_schema_reader *reader, struct tn_values *values)
{
    uint32_t room = 16;

    while (room < values->count * 2)
        room *= 2;
    values->slots     = tn_arena_array(arena_of(reader), room, uint32_t);
    values->slot_mask = room - 1;
    for (size_t i = 0; values->slots && i < values->count; i++) {
        uint32_t at = (uint32_t)tn_json_equal_hash(values->at[i]) & values->slot_mask;

        for (unsigned probes = 0; values->slots[at]; at = (at + 1) & values->slot_mask)
            if (++probes > PROPERTY_PROBES_MAX)
                return tn_compile_mistake(reader, "enum",
                                          "the values are built so that they cannot be compared quickly");
        values->slots[at] = (uint32_t)i + 1;
    }
    return values->slots != NULL;
}

static bool on_enum(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_values *values = tn_arena_new(arena_of(reader), struct tn_values);
    yyjson_val      **at     = tn_arena_array(arena_of(reader), yyjson_arr_size(value), yyjson_val *);
    yyjson_arr_iter   iter;
    yyjson_val       *one;

    if (!yyjson_is_arr(value))
        return tn_compile_mistake(reader, keyword, "must be a list of values");
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

static bool on_const(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    (void)keyword;
    reader->schema->constant = value;
    return true;
}

static bool read_bound(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value,
                       struct tn_bound *bound)
{
    if (!yyjson_is_num(value) && !yyjson_is_raw(value))
        return tn_compile_mistake(reader, keyword, "must be a number");
    bound->value = value;
    if (yyjson_is_sint(value) || (yyjson_is_uint(value) && yyjson_get_uint(value) <= INT64_MAX)) {
        bound->is_int  = true;
        bound->integer = yyjson_is_uint(value) ? (int64_t)yyjson_get_uint(value) : yyjson_get_sint(value);
    }
    return true;
}

/* Does a flag beside the bound exclude it? Only where such flags are known. */
static bool is_excluded(const struct tn_schema_reader *reader, const char *flag)
{
    return facts_of(reader)->bound_flags && yyjson_is_true(yyjson_obj_get(reader->source, flag));
}

static bool on_number(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_number_rules *rules = numbers(reader);

    if (!rules)
        return false;
    if (strcmp(keyword, "minimum") == 0)
        return read_bound(reader, keyword, value,
                          is_excluded(reader, "exclusiveMinimum") ? &rules->above : &rules->min);
    if (strcmp(keyword, "maximum") == 0)
        return read_bound(reader, keyword, value,
                          is_excluded(reader, "exclusiveMaximum") ? &rules->below : &rules->max);
    if (facts_of(reader)->bound_flags)
        return yyjson_is_bool(value) || tn_compile_mistake(reader, keyword, "must be true or false");
    if (strcmp(keyword, "exclusiveMinimum") == 0)
        return read_bound(reader, keyword, value, &rules->above);
    return read_bound(reader, keyword, value, &rules->below);
}

static bool on_multiple(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_number_rules *rules = numbers(reader);
    yyjson_val              zero  = { .tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT };

    if (!rules)
        return false;
    if ((!yyjson_is_num(value) && !yyjson_is_raw(value)) || tn_decimal_compare(value, &zero) <= 0)
        return tn_compile_mistake(reader, keyword, "must be a number greater than 0");
    rules->multiple = value;
    return true;
}

static bool on_size(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_object_rules *object;
    struct tn_array_rules  *array;

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
    object                   = objects(reader);
    reader->reading->choices = true;
    return object && read_size(reader, keyword, value, keyword[1] == 'i' ? &object->min : &object->max);
}

static bool on_pattern(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return tn_compile_mistake(reader, keyword, "must be a string");
    reader->node->text.pattern_text = yyjson_get_str(value);
    reader->node->text.pattern      = read_regex(reader, keyword, tn_json_slice(value));
    return reader->node->text.pattern != NULL;
}

static bool on_format(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return tn_compile_mistake(reader, keyword, "must be a string");
    reader->schema->format_asserted = reader->reading->options.format_assertion ||
                                      (reader->resource->vocabularies & VOCABULARY_FORMAT) != 0;
    reader->node->text.format = tn_format_find(yyjson_get_str(value)); /* unknown ones say nothing */
    return true;
}

static bool on_unique(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    if (!yyjson_is_bool(value))
        return tn_compile_mistake(reader, keyword, "must be true or false");
    reader->node->list.unique = yyjson_get_bool(value);
    return true;
}

/* ---- Objects ----------------------------------------------------------------------------------------------- */

/* The property of that name, which is made if it is new. There is room for all that the schema names. */
static struct tn_property *property_of(struct tn_schema_reader *reader, struct tn_object_rules *object,
                                       struct tn_slice name)
{
    uint32_t at = tn_property_hash(name.at, name.len) & object->slot_mask;

    for (unsigned probes = 0; object->slots[at].name; at = (at + 1) & object->slot_mask) {
        if (object->slots[at].len == name.len && tn_str_same(object->slots[at].name, name.at, name.len))
            return &object->properties[object->slots[at].param];
        if (++probes > PROPERTY_PROBES_MAX) {
            tn_compile_mistake(reader, "properties",
                               "the names are built so that they cannot be compared quickly");
            return NULL;
        }
    }
    object->slots[at] = (struct tn_name_slot){ name.at, (uint32_t)name.len, (uint32_t)object->count };
    object->properties[object->count] = (struct tn_property){ .name = name.at,
                                                              .len  = (uint32_t)name.len,
                                                              .word = tn_property_word(name.at, name.len) };
    return &object->properties[object->count++];
}

/* properties and required share one table, so that one look-up serves both. */
static bool read_properties(struct tn_schema_reader *reader)
{
    bool                    validation = (reader->resource->vocabularies & VOCABULARY_VALIDATION) != 0;
    bool                    applicator = (reader->resource->vocabularies & VOCABULARY_APPLICATOR) != 0;
    yyjson_val             *properties = applicator ? yyjson_obj_get(reader->source, "properties") : NULL;
    yyjson_val             *required   = validation ? yyjson_obj_get(reader->source, "required") : NULL, *key;
    struct tn_object_rules *object;
    struct tn_slice        *names = NULL;
    size_t                  count = 0, total;
    uint32_t                room  = 8;
    yyjson_obj_iter         iter;

    if (!properties && !required)
        return true;
    if (properties && !yyjson_is_obj(properties))
        return tn_compile_mistake(reader, "properties", "must be an object of schemas");
    if (required && !read_names(reader, "required", required, &names, &count))
        return false;
    object = objects(reader);
    total  = yyjson_obj_size(properties) + count;
    while (room < total * 2)
        room *= 2;
    if (!object)
        return false;
    object->properties = tn_arena_array(arena_of(reader), total + 1, struct tn_property);
    object->slots      = tn_arena_array(arena_of(reader), room, struct tn_name_slot);
    object->slot_mask  = room - 1;
    if (!object->properties || !object->slots)
        return false;
    yyjson_obj_iter_init(properties, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        const struct tn_node *node     = tn_compile_inner(reader, "properties", tn_json_slice(key), SIZE_MAX,
                                                          yyjson_obj_iter_get_val(key));
        struct tn_property   *property = node ? property_of(reader, object, tn_json_slice(key)) : NULL;

        if (!property)
            return false;
        property->node = node;
    }
    for (size_t i = 0; i < count; i++) {
        struct tn_property *property = property_of(reader, object, names[i]);

        if (!property)
            return false;
        object->required += !property->required;
        property->required = true;
    }
    object->properties[object->count].len = UINT32_MAX; /* no name: the last one has a next, too */
    return true;
}

static bool on_patterns(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_object_rules *object = objects(reader);
    yyjson_obj_iter         iter;
    yyjson_val             *key;

    if (!yyjson_is_obj(value))
        return tn_compile_mistake(reader, keyword, "must be an object of schemas");
    if (!object)
        return false;
    object->patterns = tn_arena_array(arena_of(reader), yyjson_obj_size(value), struct tn_pattern_property);
    if (!object->patterns)
        return false;
    object->pattern_count = 0;
    yyjson_obj_iter_init(value, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct tn_pattern_property *one = &object->patterns[object->pattern_count++];

        one->text    = yyjson_get_str(key);
        one->pattern = read_regex(reader, keyword, tn_json_slice(key));
        one->node    = one->pattern ? tn_compile_inner(reader, keyword, tn_json_slice(key), SIZE_MAX,
                                                       yyjson_obj_iter_get_val(key))
                                    : NULL;
        if (!one->node)
            return false;
    }
    return true;
}

static bool on_object_schema(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_object_rules *object = objects(reader);

    if (!object)
        return false;
    if (strcmp(keyword, "additionalProperties") == 0)
        return read_single(reader, keyword, value, &object->additional);
    if (strcmp(keyword, "propertyNames") == 0)
        return read_single(reader, keyword, value, &object->names);
    return read_single(reader, keyword, value, &object->unevaluated);
}

/* dependentRequired, dependentSchemas, and the older keyword that is both. */
static bool on_dependents(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_object_rules *object = objects(reader);
    struct tn_dependent    *all;
    yyjson_obj_iter         iter;
    yyjson_val             *key, *one;
    bool                    names_only = strcmp(keyword, "dependentRequired") == 0;

    reader->reading->choices = true;
    if (!yyjson_is_obj(value))
        return tn_compile_mistake(reader, keyword, "must be an object");
    if (!object)
        return false;
    all = tn_arena_array(arena_of(reader), object->dependent_count + yyjson_obj_size(value),
                         struct tn_dependent);
    if (!all)
        return false;
    if (object->dependent_count > 0)
        memcpy(all, object->dependents, object->dependent_count * sizeof *all);
    object->dependents = all;
    yyjson_obj_iter_init(value, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct tn_dependent *dependent = &all[object->dependent_count++];

        dependent->name    = tn_json_slice(key);
        dependent->keyword = keyword;
        one                = yyjson_obj_iter_get_val(key);
        if (names_only || (yyjson_is_arr(one) && strcmp(keyword, "dependencies") == 0)) {
            if (!read_names(reader, keyword, one, &dependent->names, &dependent->count))
                return false;
            continue;
        }
        dependent->node = tn_compile_inner(reader, keyword, tn_json_slice(key), SIZE_MAX, one);
        if (!dependent->node)
            return false;
    }
    return true;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------ */

static bool on_items(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_array_rules *array = arrays(reader);

    if (!array)
        return false;
    if (facts_of(reader)->item_lists && yyjson_is_arr(value)) {
        array->prefix_keyword = "items";
        return yyjson_arr_size(value) == 0 || read_list(reader, keyword, value, &array->prefix);
    }
    if (yyjson_is_arr(value))
        return tn_compile_mistake(reader, keyword,
                                  "must be one schema: a list of schemas is called prefixItems");
    return read_single(reader, keyword, value, &array->items);
}

static bool on_prefix(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_array_rules *array = arrays(reader);

    return array && read_list(reader, keyword, value, &array->prefix);
}

/* Only beside a list of items. */
static bool on_additional_items(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_array_rules *array = arrays(reader);

    if (!array)
        return false;
    if (!yyjson_is_arr(yyjson_obj_get(reader->source, "items")))
        return true;
    array->items_keyword = "additionalItems";
    return read_single(reader, keyword, value, &array->items);
}

static bool on_array_schema(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_array_rules *array = arrays(reader);

    return array && read_single(reader, keyword, value,
                                strcmp(keyword, "contains") == 0 ? &array->contains : &array->unevaluated);
}

/* ---- In place ---------------------------------------------------------------------------------------------- */

static bool on_branches(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_in_place *place = in_place(reader);

    reader->reading->choices = true;
    return place && read_list(reader, keyword, value,
                              strcmp(keyword, "allOf") == 0   ? &place->all_of
                              : strcmp(keyword, "anyOf") == 0 ? &place->any_of
                                                              : &place->one_of);
}

static bool on_condition(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_in_place *place = in_place(reader);

    reader->reading->choices = true;
    return place && read_single(reader, keyword, value,
                                keyword[0] == 'n'   ? &place->not_
                                : keyword[0] == 'i' ? &place->if_
                                : keyword[0] == 't' ? &place->then_
                                                    : &place->else_);
}

static bool on_ref(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_in_place *place = in_place(reader);
    yyjson_val         *target;
    struct tn_resource *resource;

    if (!yyjson_is_str(value))
        return tn_compile_mistake(reader, keyword, "must be a string");
    if (place)
        place->ref = tn_compile_reference(reader, keyword, tn_json_slice(value), &target, &resource);
    return place && place->ref;
}

/* Some schema looks for the dynamic anchor of that name, wherever it may stand. */
static bool add_dynamic_name(struct tn_schema_reader *reader, struct tn_slice name)
{
    return tn_table_add(&reader->reading->dynamic_names, arena_of(reader), NULL, name, reader->source) !=
           NULL;
}

/* $recursiveRef is always "#"; it is dynamic only when the resource that it stands in has a $recursiveAnchor. */
static bool on_recursive_ref(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_in_place *place = in_place(reader);
    yyjson_val         *target;
    struct tn_resource *resource;

    if (!yyjson_equals_str(value, "#"))
        return tn_compile_mistake(reader, keyword, "must be \"#\"");
    if (!place)
        return false;
    place->dynamic_keyword = "$recursiveRef";
    place->dynamic         = tn_compile_reference(reader, keyword, tn_json_slice(value), &target, &resource);
    if (!place->dynamic)
        return false;
    if (!tn_resource_anchor(resource, SLICE_LIT(RECURSIVE_ANCHOR), true))
        return true;
    place->dynamic_name = RECURSIVE_ANCHOR;
    return add_dynamic_name(reader, SLICE_LIT(RECURSIVE_ANCHOR));
}

/* It is dynamic only when the place it leads to at first has a $dynamicAnchor of that name. */
static bool on_dynamic_ref(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value)
{
    struct tn_in_place *place = in_place(reader);
    yyjson_val         *target, *anchor;
    struct tn_resource *resource;
    struct tn_slice     text = tn_json_slice(value);
    const char         *hash;

    if (!yyjson_is_str(value))
        return tn_compile_mistake(reader, keyword, "must be a string");
    if (!place)
        return false;
    place->dynamic_keyword = "$dynamicRef";
    place->dynamic         = tn_compile_reference(reader, keyword, text, &target, &resource);
    if (!place->dynamic)
        return false;
    hash   = memchr(text.at, '#', text.len);
    anchor = yyjson_obj_get(target, "$dynamicAnchor");
    if (!hash || !yyjson_is_str(anchor) || strcmp(yyjson_get_str(anchor), hash + 1) != 0)
        return true;
    place->dynamic_name = yyjson_get_str(anchor);
    return add_dynamic_name(reader, tn_json_slice(anchor));
}

/* ---- All of them ------------------------------------------------------------------------------------------- */

static const struct keyword {
    const char *name;
    uint8_t     dialects;
    uint8_t     vocabulary; /* 0: always */
    bool (*read)(struct tn_schema_reader *reader, const char *keyword, yyjson_val *value);
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

static const struct keyword *find_keyword(const struct tn_schema_reader *reader, struct tn_slice name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const struct keyword *keyword = &keywords[i];

        if (!tn_slice_is(name, keyword->name))
            continue;
        if (!tn_dialect_is_in(reader->resource->dialect, keyword->dialects))
            return NULL;
        return keyword->vocabulary && !(reader->resource->vocabularies & keyword->vocabulary) ? NULL
                                                                                              : keyword;
    }
    return NULL;
}

bool tn_compile_is_keyword(const struct tn_resource *resource, struct tn_slice name)
{
    static const char *const apart[] = { "properties", "required", "definitions", "id" };

    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (tn_slice_is(name, apart[i]))
            return i < 3 || tn_slice_is(name, tn_dialect_facts(resource->dialect)->id);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (tn_slice_is(name, keywords[i].name))
            return tn_dialect_is_in(resource->dialect, keywords[i].dialects);
    return name.len > 0 && name.at[0] == '$';
}

static const struct tn_node *alias_of(const struct tn_schema *schema)
{
    const struct tn_in_place *place = schema->in_place;

    if (!place || !place->ref || place->ref->schema->resource != schema->resource || schema->typed ||
        schema->alone || schema->object || schema->inside != TYPE_ANY || schema->array)
        return NULL;
    if (place->dynamic || place->all_of.count || place->any_of.count || place->one_of.count || place->not_ ||
        place->if_)
        return NULL;
    return place->ref;
}

/* What verdict/flag.c wants to know at a glance. */
static void sum_up(struct tn_schema_reader *reader)
{
    struct tn_schema           *schema = reader->schema;
    const struct tn_node       *node   = reader->node;
    const struct tn_text_rules *text   = &node->text;
    struct tn_object_rules     *object = (struct tn_object_rules *)(uintptr_t)schema->object;
    bool                        listed = node->list.min > 0 || node->list.max < SIZE_MAX || node->list.unique;

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
    object->by_name   = object->pattern_count == 0 && !object->names;
    for (size_t i = 0; i < object->count && i < 64; i++)
        object->required_bits |= (uint64_t)object->properties[i].required << i;
}

bool tn_compile_keywords(struct tn_schema_reader *reader)
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
        const struct keyword *keyword = find_keyword(reader, tn_json_slice(key));

        /* Readers of JSON take the first or the last, and a schema must not mean two things. */
        if ((keyword || tn_slice_is(tn_json_slice(key), "properties") ||
             tn_slice_is(tn_json_slice(key), "required")) &&
            yyjson_obj_getn(reader->source, yyjson_get_str(key), yyjson_get_len(key)) !=
                yyjson_obj_iter_get_val(key))
            return tn_compile_mistake(reader, yyjson_get_str(key), "stands twice");
        if (keyword && !keyword->read(reader, keyword->name, yyjson_obj_iter_get_val(key)))
            return false;
    }
    sum_up(reader);
    return true;
}
