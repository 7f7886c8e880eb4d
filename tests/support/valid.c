/* valid.c - calls that are good. Lists get more than one item, so that items can be told apart. */
#include "support/valid.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define PARAMS_MAX 64
#define ITEMS      2

/* ---- Which parameters go together ---------------------------------------------------------------------------- */

/* Applies one rule to the set of parameters; true when that changed it. */
static bool settle(const struct tn_rule *rule, bool *in, enum valid how)
{
    size_t given = 0, keep = PARAMS_MAX;

    for (size_t i = 0; i < rule->count; i++) {
        given += in[rule->param[i]];
        if (in[rule->param[i]] && (keep == PARAMS_MAX || how == VALID_LAST))
            keep = i;
    }
    switch (rule->kind) {
    case TENON_KIND_EXCLUSIVE:
        for (size_t i = 0; i < rule->count; i++)
            in[rule->param[i]] &= i == keep;
        return given > 1;
    case TENON_KIND_ANY_OF:
        if (given == 0)
            in[rule->param[0]] = true;
        return given == 0;
    case TENON_KIND_TOGETHER:
        for (size_t i = 0; i < rule->count; i++)
            in[rule->param[i]] = how == VALID_LEAST && given > 0;
        if (given == rule->count)
            for (size_t i = 0; i < rule->count; i++)
                in[rule->param[i]] = true;
        return given > 0 && given < rule->count;
    case TENON_KIND_REQUIRES:
        if (!in[rule->param[0]] || given == rule->count)
            return false;
        for (size_t i = 1; how == VALID_LEAST && i < rule->count; i++)
            in[rule->param[i]] = true;
        in[rule->param[0]] = how == VALID_LEAST;
        return true;
    default: return false;
    }
}

static void choose(const struct tn_object *object, bool *in, enum valid how)
{
    bool changed = true;

    assert(object->count <= PARAMS_MAX);
    for (size_t i = 0; i < object->count; i++)
        in[i] = object->params[i].required || how != VALID_LEAST;
    for (int round = 0; changed && round < 20; round++) {
        changed = false;
        for (size_t i = 0; i < object->rule_count; i++)
            changed |= settle(&object->rules[i], in, how);
    }
    assert(!changed);
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

static yyjson_mut_val *parse(yyjson_mut_doc *doc, struct tn_slice json)
{
    yyjson_doc     *parsed = yyjson_read(json.at, json.len, 0);
    yyjson_mut_val *value  = parsed ? yyjson_val_mut_copy(doc, yyjson_doc_get_root(parsed)) : NULL;

    yyjson_doc_free(parsed);
    assert(value);
    return value;
}

/* Free text: no pattern, format or kind says what it looks like. */
static bool is_plain(const struct tn_node *node)
{
    return node->kind == TENON_KIND_STR && !node->text.pattern && !node->text.format && !node->check;
}

static yyjson_mut_val *plain_text(yyjson_mut_doc *doc, const struct tn_node *node, size_t nth)
{
    char   text[64];
    size_t len = (size_t)snprintf(text, sizeof text, "%zu w\xC3\xB6rd", nth);

    if (node->text.max < 8)
        len = (size_t)snprintf(text, sizeof text, "%zu", nth);
    while (len <= node->text.min && node->text.max >= 8 &&
           len + 1 < sizeof text) /* one letter has two bytes */
        text[len++] = 'x';
    return yyjson_mut_strncpy(doc, text, len);
}

static yyjson_mut_val *choice_name(yyjson_mut_doc *doc, const struct tn_choice *choice, size_t nth)
{
    size_t real = 0;

    for (size_t i = 0; i < choice->count; i++)
        real += choice->names[i].at != NULL;
    nth %= real;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->names[i].at && nth-- == 0)
            return yyjson_mut_strncpy(doc, choice->names[i].at, choice->names[i].len);
    return NULL;
}

/* Items beside those of the example, as long as there is room and they can be told apart. */
static yyjson_mut_val *list(yyjson_mut_doc *doc, const struct tn_node *node, enum valid how)
{
    const struct tn_node *item = node->list.item;
    yyjson_mut_val       *list = parse(doc, node->example);
    bool free = is_plain(item) || item->kind == TENON_KIND_INT || item->kind == TENON_KIND_ENUM ||
                item->kind == TENON_KIND_OBJECT;

    if (node->check || !free)
        return list;
    yyjson_mut_arr_clear(list);
    for (size_t i = 0; (i < ITEMS || i < node->list.min) && i < node->list.max; i++)
        yyjson_mut_arr_append(list, valid_value(doc, item, how, i));
    return list;
}

yyjson_mut_val *valid_value(yyjson_mut_doc *doc, const struct tn_node *node, enum valid how, size_t nth)
{
    if (is_plain(node))
        return plain_text(doc, node, nth);
    if (node->kind == TENON_KIND_ENUM)
        return choice_name(doc, node->choice, nth);
    if (node->kind == TENON_KIND_INT && nth > 0)
        return yyjson_mut_sint(doc, node->integer.max - (int64_t)nth);
    if (node->kind == TENON_KIND_OBJECT && !node->check)
        return valid_object(doc, node->object, how);
    if (tn_kind_is_list(node->kind))
        return list(doc, node, how);
    return parse(doc, node->example);
}

/* A moment that has to come after another is a later one. */
static bool is_later(const struct tn_object *object, size_t param)
{
    for (size_t i = 0; i < object->rule_count; i++)
        if (object->rules[i].kind == TENON_KIND_ORDERED && object->rules[i].param[1] == param)
            return object->params[param].node->kind == TENON_KIND_DATE ||
                   object->params[param].node->kind == TENON_KIND_TIMESTAMP;
    return false;
}

yyjson_mut_val *valid_object(yyjson_mut_doc *doc, const struct tn_object *object, enum valid how)
{
    bool            in[PARAMS_MAX];
    yyjson_mut_val *args = yyjson_mut_obj(doc);

    choose(object, in, how);
    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];
        yyjson_mut_val        *value;

        if (!in[i])
            continue;
        if (strcmp(param->name, "cursor") == 0)
            value = yyjson_mut_str(doc, ""); /* it comes from an answer, and cannot be made up */
        else if (is_later(object, i))
            value = yyjson_mut_str(doc, param->node->kind == TENON_KIND_DATE ? "2025-02-01"
                                                                             : "2025-02-01T00:00:00Z");
        else
            value = valid_value(doc, param->node, how, 0);
        yyjson_mut_obj_add(args, yyjson_mut_strncpy(doc, param->name, param->len), value);
    }
    return args;
}
