/* leave_out.c - what a caller of the portable form sends for a parameter that it leaves out.
 *
 * Such a caller must send every property, so each type has a value that stands for nothing (portable.c says which, and
 * to the model). On a destructive tool only the word is one: a list or a text that is empty by mistake must not widen
 * the call.
 */
#include "rows/portable.h"

#include "json/read.h"
#include "model/json_equal.h"

static bool is_word(yyjson_val *value)
{
    return yyjson_equals_strn(value, PORTABLE_WORD, sizeof PORTABLE_WORD - 1);
}

/* The word means nothing only where it is offered: any other text may be a text's value, and an enum's own names come
 * first. */
static bool takes_word(const struct tn_judge *judge, const struct tn_node *node)
{
    const struct tn_node *named = node->list.item ? node->list.item : node;

    if (named->choice && tn_choice_has(named->choice, SLICE_LIT(PORTABLE_WORD)))
        return false;
    return !tn_kind_is_text(node->kind) || judge->destructive || node->text.blank_ok;
}

static bool is_left_out(const struct tn_judge *judge, const struct tn_node *node, yyjson_val *value)
{
    bool list = tn_kind_is_list(node->kind);

    if (is_word(value))
        return takes_word(judge, node);
    if (judge->destructive)
        return list && yyjson_arr_size(value) == 1 && is_word(yyjson_arr_get_first(value)) &&
               takes_word(judge, node);
    if (yyjson_is_str(value))
        return yyjson_get_len(value) == 0 && !(tn_kind_is_text(node->kind) && node->text.blank_ok);
    return list && yyjson_is_arr(value) && yyjson_arr_size(value) == 0;
}

/* A default must be sent too, and is then no choice of the caller's: rules over several parameters, and what a handler
 * asks about presence, see it as absent. */
static bool is_default(struct tn_judge *judge, const struct tn_param *param, yyjson_val *value)
{
    struct tn_json_text def  = tn_json_read(judge->arena, param->def.at, param->def.len, &judge->limits);
    struct tn_slice     text = tn_json_slice(value);

    if (text.at && def.root && !yyjson_is_str(def.root)) /* published as JSON text */
        value = tn_json_read(judge->arena, text.at, text.len, &judge->limits).root;
    return value && def.root && tn_json_equal(judge->arena, def.root, value);
}

/* A number or a truth value whose absence is text is published as text, so that text is its own form. */
static yyjson_val *unquoted(struct tn_judge *judge, const struct tn_node *node, yyjson_val *value)
{
    static yyjson_val truth[] = { { .tag = YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_FALSE },
                                  { .tag = YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_TRUE } };
    yyjson_val       *number  = NULL;

    if (!yyjson_is_str(value))
        return value;
    if (node->kind == TENON_KIND_BOOL && yyjson_equals_str(value, "false"))
        return &truth[0];
    if (node->kind == TENON_KIND_BOOL && yyjson_equals_str(value, "true"))
        return &truth[1];
    if (node->kind == TENON_KIND_INT || node->kind == TENON_KIND_NUM)
        number = tn_json_read_number(judge->arena, yyjson_get_str(value), yyjson_get_len(value));
    return number ? number : value; /* other text is judged, and refused, as what it is */
}

/* A value that is read from its text stands after its key, as every member of an object does. */
static yyjson_val *unquoted_member(struct tn_judge *judge, const struct tn_node *node, yyjson_val *value)
{
    yyjson_val *inner = unquoted(judge, node, value), *member;

    if (inner == value)
        return value;
    member = tn_arena_zero(judge->arena, 2, sizeof *member, _Alignof(yyjson_val));
    if (!member)
        return value;
    member[0] = value[-1];
    member[1] = *inner;
    return &member[1];
}

void tn_portable_given(struct tn_judge *judge, const struct tn_object *object, yyjson_val **given)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        if (!given[i] || param->required)
            continue;
        if (param->has_default ? is_default(judge, param, given[i])
                               : is_left_out(judge, param->node, given[i]))
            given[i] = NULL;
        else if (!param->has_default)
            given[i] = unquoted_member(judge, param->node, given[i]);
    }
}
