/* bind_form_name.c - members under other names: one wrapper around all of them, and other spellings of a name. */
#include <string.h>

#include "json/echo.h"
#include "model/words_form.h"
#include "rows/bind_form.h"

/* ---- Reporting --------------------------------------------------------------------------------------------- */

static void report_name(struct tn_judge *judge, const struct tn_location *up, const struct tn_param *param,
                        yyjson_val *key)
{
    struct tn_location at    = { .up = up, .name = { param->name, param->len } };
    struct tn_forms   *forms = judge->forms;
    size_t             before;

    tn_forms_add(judge, FORM_NAME);
    if (forms->unsaid > 0) {
        forms->unsaid++;
        return;
    }
    if (!forms->names.arena)
        tn_buf_init(&forms->names, judge->arena, 128, COERCIONS_LEN_MAX);
    before = forms->names.len;
    tn_words_form_name(&forms->names, before == 0, tn_location_path(judge->arena, &at), tn_json_slice(key));
    if (forms->names.failed && !judge->arena->failed) {
        forms->names.failed = false;
        forms->names.len    = before;
        forms->unsaid++;
    }
}

void tn_forms_report(struct tn_judge *judge)
{
    struct tn_forms *forms = judge->forms;

    if (!forms || !forms->names.arena)
        return;
    forms->names.max = MESSAGE_LEN_MAX;
    tn_words_form_names_end(&forms->names, forms->names.len == 0, forms->unsaid);
    if (!forms->names.failed)
        tn_messages_add(&judge->messages, judge->arena, forms->names.at, forms->names.len);
}

/* ---- Names ------------------------------------------------------------------------------------------------- */

/* The parameter that a name that is not declared means, within the names that may be compared. */
static uint32_t bind_form_name_meant(struct tn_judge *judge, const struct tn_object *object,
                                     struct tn_slice name)
{
    if (!judge->forms)
        judge->forms = tn_arena_new(judge->arena, struct tn_forms);
    if (!judge->forms || object->count > FORM_NAMES_MAX - judge->forms->compared)
        return PARAM_NONE;
    judge->forms->compared += object->count;
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
    struct tn_buf   text;

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
    tn_forms_add(judge, FORM_WRAPPER);
    tn_buf_init(&text, judge->arena, 96, MESSAGE_LEN_MAX);
    tn_words_form_wrapper(&text, name);
    if (!text.failed)
        tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
    return inner;
}
