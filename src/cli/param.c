/* param.c - reading a parameter's schema. */
#include "cli/param.h"

#include "json/echo.h"
#include "json/pointer.h"
#include "json/read.h"
#include "json/write.h"

#define REFERENCES_MAX 8
#define DEPTH_MAX      4
#define BRANCHES_MAX   20
#define CHOICES_MAX    8

static const struct {
    const char *name;
    unsigned    takes;
} types[] = {
    { "string", TAKES_STRING },   { "integer", TAKES_INTEGER }, { "number", TAKES_NUMBER },
    { "boolean", TAKES_BOOLEAN }, { "array", TAKES_ARRAY },     { "object", TAKES_OBJECT },
    { "null", TAKES_NULL },
};

#define TYPES (sizeof types / sizeof *types)

static const struct tn_json_limits value_limits = { (size_t)64 << 20, 100, 1000000 };

yyjson_val *param_resolve(struct tn_arena *arena, yyjson_val *root, yyjson_val *param)
{
    for (int i = 0; i < REFERENCES_MAX; i++) {
        yyjson_val     *reference = yyjson_obj_get(param, "$ref"), *at = root;
        struct tn_slice rest, token;
        bool            bad = false;

        if (!yyjson_is_str(reference) || yyjson_get_str(reference)[0] != '#')
            return param;
        rest = (struct tn_slice){ yyjson_get_str(reference) + 1, yyjson_get_len(reference) - 1 };
        while (at && tn_pointer_step(arena, &rest, &token, &bad))
            at = tn_pointer_child(at, token);
        if (!at || bad)
            return param;
        param = at;
    }
    return param;
}

bool param_is_required(yyjson_val *schema, yyjson_val *name)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(yyjson_obj_get(schema, "required"), index, count, one)
    {
        if (yyjson_equals(one, name))
            return true;
    }
    return false;
}

static unsigned type_named(yyjson_val *name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (yyjson_equals_str(name, types[i].name))
            return types[i].takes;
    return 0;
}

static unsigned type_of_value(yyjson_val *value)
{
    if (yyjson_is_str(value))
        return TAKES_STRING;
    if (yyjson_is_bool(value))
        return TAKES_BOOLEAN;
    if (yyjson_is_null(value))
        return TAKES_NULL;
    if (yyjson_is_int(value))
        return TAKES_INTEGER;
    return yyjson_is_num(value) ? TAKES_NUMBER : yyjson_is_arr(value) ? TAKES_ARRAY : TAKES_OBJECT;
}

static unsigned takes_within(struct tn_arena *arena, yyjson_val *root, yyjson_val *param, int depth);

static unsigned takes_of_branches(struct tn_arena *arena, yyjson_val *root, yyjson_val *branches, int depth)
{
    unsigned    takes = 0;
    yyjson_val *branch;
    size_t      index, count;

    yyjson_arr_foreach(branches, index, count, branch)
    {
        if (index < BRANCHES_MAX)
            takes |= takes_within(arena, root, branch, depth + 1);
    }
    return takes;
}

static unsigned takes_within(struct tn_arena *arena, yyjson_val *root, yyjson_val *param, int depth)
{
    unsigned    takes = 0;
    yyjson_val *type, *item;
    size_t      index, count;

    if (depth > DEPTH_MAX)
        return 0;
    param = param_resolve(arena, root, param);
    type  = yyjson_obj_get(param, "type");
    if (yyjson_is_str(type))
        return type_named(type);
    yyjson_arr_foreach(type, index, count, item) takes |= type_named(item);
    if (!takes)
        takes = takes_of_branches(arena, root, yyjson_obj_get(param, "anyOf"), depth) |
                takes_of_branches(arena, root, yyjson_obj_get(param, "oneOf"), depth);
    if (takes)
        return takes;
    yyjson_arr_foreach(yyjson_obj_get(param, "enum"), index, count, item) takes |= type_of_value(item);
    return takes;
}

unsigned param_takes(struct tn_arena *arena, yyjson_val *root, yyjson_val *param)
{
    return takes_within(arena, root, param, 0);
}

/* ---- In words ----------------------------------------------------------------------------------------------- */

static void param_add_choices(struct tn_buf *out, yyjson_val *choices)
{
    yyjson_val *choice;
    size_t      index, count;

    yyjson_arr_foreach(choices, index, count, choice)
    {
        if (index == CHOICES_MAX) {
            tn_buf_lit(out, "|...");
            return;
        }
        if (index > 0)
            tn_buf_char(out, '|');
        if (yyjson_is_str(choice))
            tn_echo_text(out, yyjson_get_str(choice), yyjson_get_len(choice));
        else
            tn_echo_value(out, choice);
    }
}

static void add_type(struct tn_buf *out, struct tn_arena *arena, yyjson_val *root, yyjson_val *param,
                     int depth)
{
    unsigned    takes;
    bool        first = true;
    yyjson_val *items;

    param = param_resolve(arena, root, param);
    takes = takes_within(arena, root, param, depth);
    if (yyjson_arr_size(yyjson_obj_get(param, "enum")) > 0) {
        param_add_choices(out, yyjson_obj_get(param, "enum"));
        return;
    }
    for (size_t i = 0; i < TYPES; i++) {
        if (!(takes & types[i].takes))
            continue;
        tn_buf_text(out, first ? "" : " or ");
        first = false;
        items = yyjson_obj_get(param, "items");
        if (types[i].takes == TAKES_ARRAY && yyjson_is_obj(items) && depth < DEPTH_MAX) {
            add_type(out, arena, root, items, depth + 1);
            tn_buf_lit(out, "[]");
        } else
            tn_buf_text(out, types[i].name);
    }
    if (first)
        tn_buf_lit(out, "any");
}

void param_type(struct tn_buf *out, struct tn_arena *arena, yyjson_val *root, yyjson_val *param)
{
    add_type(out, arena, root, param, 0);
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* Whether what was typed is JSON of one of these types. */
static bool is_json_of(struct tn_arena *arena, unsigned takes, struct tn_slice typed)
{
    struct tn_json_text text = tn_json_read(arena, typed.at, typed.len, &value_limits);
    unsigned            is;

    if (text.fault != JSON_FINE || text.bad_utf8)
        return false;
    is = yyjson_is_raw(text.root) ? TAKES_NUMBER : type_of_value(text.root);
    if (is & (TAKES_INTEGER | TAKES_NUMBER))
        is = TAKES_INTEGER | TAKES_NUMBER; /* 3.0 is an integer, and the server judges 3.5 better than we */
    return (is & takes) != 0;
}

void param_value(struct tn_buf *out, struct tn_arena *arena, unsigned takes, struct tn_slice typed)
{
    struct tn_slice trimmed = tn_slice_trim(typed);

    if (takes && !(takes & TAKES_STRING) && is_json_of(arena, takes, trimmed))
        tn_buf_add(out, trimmed.at, trimmed.len);
    else
        tn_json_string(out, typed.at, typed.len);
}
