/* bind_form_name.c - members under other names: one wrapper around all of them, and other spellings of a name. */
#include <string.h>

#include "model/taken.h"
#include "rows/bind_form.h"

static void report_name(struct tn_judge *judge, const struct tn_location *up, const struct tn_param *param,
                        yyjson_val *key)
{
    struct tn_location at = { .up = up, .name = { param->name, param->len } };

    tn_taken_name(judge, tn_location_path(judge->arena, &at), tn_json_slice(key));
}

/* ---- Names ------------------------------------------------------------------------------------------------- */

/* The parameter that a name that is not declared means, within the names that may be compared. */
static uint32_t bind_form_name_meant(struct tn_judge *judge, const struct tn_object *object,
                                     struct tn_slice name)
{
    if (!tn_taken_may_compare(judge, object->count))
        return PARAM_NONE;
    return tn_form_param(object, name);
}

/* A call that would be good without that name keeps its meaning: only what would be refused is read otherwise. */
static bool may_take(const struct tn_judge *judge, const struct tn_param *param)
{
    if (param->node->strict || (judge->mirrored && param->header))
        return false;
    return judge->unknown == TENON_UNKNOWN_REJECT || param->required;
}

size_t tn_bind_form_names(struct tn_judge *judge, const struct tn_object *object, struct tn_form_names *names,
                          yyjson_val **given)
{
    yyjson_obj_iter members;
    yyjson_val     *key;

    if (judge->strict)
        return 0;
    yyjson_obj_iter_init(names->value, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        struct tn_slice name = tn_json_slice(key);
        uint32_t        index;

        if (tn_object_find(object, name.at, name.len) != PARAM_NONE)
            continue;
        index = bind_form_name_meant(judge, object, name);
        if (index == PARAM_NONE || given[index] || !may_take(judge, &object->params[index]))
            continue;
        if (!names->keys)
            names->keys = tn_arena_array(judge->arena, object->count, yyjson_val *);
        if (!names->keys)
            return names->count;
        names->keys[names->count++] = key;
        given[index]                = yyjson_obj_iter_get_val(key);
        report_name(judge, names->up, &object->params[index], key);
    }
    return names->count;
}

/* ---- The wrapper ------------------------------------------------------------------------------------------- */

/* Does every member have a name that is declared, in some spelling? */
static bool holds_arguments(struct tn_judge *judge, const struct tn_object *object, yyjson_val *inner)
{
    yyjson_obj_iter members;
    yyjson_val     *key;

    yyjson_obj_iter_init(inner, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        struct tn_slice name = tn_json_slice(key);

        if (tn_object_find(object, name.at, name.len) == PARAM_NONE &&
            bind_form_name_meant(judge, object, name) == PARAM_NONE)
            return false;
    }
    return yyjson_obj_size(inner) > 0;
}

static bool would_be_refused(const struct tn_judge *judge, const struct tn_object *object)
{
    bool required = judge->unknown == TENON_UNKNOWN_REJECT;

    for (size_t i = 0; i < object->count && !required; i++)
        required = object->params[i].required;
    return required;
}

/* The wrapper as an object parameter, so that issues inside have an address and an example. */
static const struct tn_node *wrapper_node(struct tn_judge *judge, const struct tn_object *object)
{
    struct tn_node *node = tn_arena_new(judge->arena, struct tn_node);

    if (!node)
        return NULL;
    node->kind    = TENON_KIND_OBJECT;
    node->object  = object;
    node->example = object->example;
    node->secret  = true; /* it has everything in it */
    return node;
}

yyjson_val *tn_bind_form_wrapper(struct tn_judge *judge, const struct tn_object *object,
                                 struct tn_form_names *names)
{
    yyjson_val     *key   = yyjson_obj_size(names->value) == 1 ? unsafe_yyjson_get_first(names->value) : NULL;
    struct tn_slice name  = tn_json_slice(key);
    yyjson_val     *inner = key ? key + 1 : NULL;

    if (!yyjson_is_obj(inner) || !tn_form_is_wrapper(name) || judge->strict || judge->mirrored)
        return NULL;
    if (!would_be_refused(judge, object) || !holds_arguments(judge, object, inner))
        return NULL;
    names->wrapper = (struct tn_location){ .name     = name,
                                           .node     = wrapper_node(judge, object),
                                           .required = true };
    if (!names->wrapper.node)
        return NULL;
    names->up    = &names->wrapper;
    names->value = inner;
    judge->read  = inner;
    tn_taken_wrapper(judge, name);
    return inner;
}
