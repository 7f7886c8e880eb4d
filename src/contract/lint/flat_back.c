/* flat_back.c - arguments of a flat form, turned back into the server's own. */
#include "contract/canonical.h"
#include "contract/lint/flat.h"

#define BACK_DEPTH_MAX ((size_t)100)

struct back {
    struct tn_buf   *out;
    struct tn_arena *arena;
    bool             changed;
};

static void write_value(struct back *back, const struct tn_flat *plan, yyjson_val *value);

/* ---- Texts ---------------------------------------------------------------------------------------------------------- */

/* A text that holds JSON: what it holds. What holds none is the text itself, which the server's schema looks at. */
static void write_text(struct back *back, const struct tn_flat *plan, yyjson_val *value)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));
    yyjson_val     *read = NULL;

    if (text.len == 0 || tn_canonical_read(back->arena, text, BACK_DEPTH_MAX, &read) != CANONICAL_FINE ||
        (plan->plain && !yyjson_is_ctn(read) && !yyjson_is_str(read))) {
        tn_canonical_line(back->out, value);
        return;
    }
    back->changed = true;
    tn_canonical_line(back->out, read);
}

static void write_choice(struct back *back, const struct tn_flat *plan, yyjson_val *value)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(plan->choices);
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&items))) {
        struct tn_buf text;

        if (yyjson_is_str(one))
            continue;
        tn_buf_init(&text, back->arena, 0, FLAT_LEN_MAX);
        tn_canonical_line(&text, one);
        if (tn_slice_same(tn_buf_slice(&text), tn_json_slice(value))) {
            back->changed = true;
            tn_canonical_line(back->out, one);
            return;
        }
    }
    tn_canonical_line(back->out, value);
}

/* ---- Members -------------------------------------------------------------------------------------------------------- */

static bool is_one_word(yyjson_val *value)
{
    return yyjson_equals_str(value, FLAT_WORD) ||
           (yyjson_arr_size(value) == 1 && yyjson_equals_str(yyjson_arr_get_first(value), FLAT_WORD));
}

/* Is this how the member is left out? */
static bool is_absent(const struct tn_flat_member *member, yyjson_val *value)
{
    switch (member->absence) {
    case FLAT_NULL: return yyjson_is_null(value);
    case FLAT_BLANK: return yyjson_equals_str(value, "");
    case FLAT_EMPTY: return yyjson_is_arr(value) && yyjson_arr_size(value) == 0;
    case FLAT_WORDED: return is_one_word(value);
    default: return false;
    }
}

static void add_name(struct back *back, size_t from, struct tn_slice name)
{
    if (back->out->len > from)
        tn_buf_char(back->out, ',');
    tn_canonical_string(back->out, name);
    tn_buf_char(back->out, ':');
}

/* What the server needs and a caller left out: null. */
static void add_nulls(struct back *back, const struct tn_flat *plan, const bool *seen, size_t from)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (!plan->members[i].to_null || seen[i])
            continue;
        back->changed = true;
        add_name(back, from, plan->members[i].own);
        tn_buf_lit(back->out, "null");
    }
}

static void write_member(struct back *back, const struct tn_flat_member *member, yyjson_val *value,
                         size_t from)
{
    bool absent = is_absent(member, value);

    back->changed |= absent || !tn_slice_same(member->name, member->own);
    if (absent && !member->to_null)
        return;
    add_name(back, from, member->own);
    if (absent)
        tn_buf_lit(back->out, "null");
    else
        write_value(back, member->plan, value);
}

static void write_object(struct back *back, const struct tn_flat *plan, yyjson_val *object)
{
    bool           *seen    = tn_arena_array(back->arena, plan->count + 1, bool);
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val     *key;
    size_t          from;

    tn_buf_char(back->out, '{');
    from = back->out->len;
    while (seen && (key = yyjson_obj_iter_next(&members))) {
        struct tn_flat_member *member = tn_table_find(&plan->by_name, NULL, tn_json_slice(key));

        if (member) {
            seen[member - plan->members] = true;
            write_member(back, member, yyjson_obj_iter_get_val(key), from);
            continue;
        }
        add_name(back, from, tn_json_slice(key));
        write_value(back, plan->item, yyjson_obj_iter_get_val(key));
    }
    if (seen)
        add_nulls(back, plan, seen, from);
    else
        back->out->failed = true;
    tn_buf_char(back->out, '}');
}

static void write_array(struct back *back, const struct tn_flat *plan, yyjson_val *array)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *one;

    tn_buf_char(back->out, '[');
    for (size_t i = 0; (one = yyjson_arr_iter_next(&items)); i++) {
        if (i > 0)
            tn_buf_char(back->out, ',');
        write_value(back, plan->item, one);
    }
    tn_buf_char(back->out, ']');
}

/* What is not in the flat form is left as it is: a caller may send the server's own. */
static void write_value(struct back *back, const struct tn_flat *plan, yyjson_val *value)
{
    if (plan && plan->kind == FLAT_OBJECT && yyjson_is_obj(value))
        write_object(back, plan, value);
    else if (plan && plan->kind == FLAT_ARRAY && yyjson_is_arr(value))
        write_array(back, plan, value);
    else if (plan && plan->kind == FLAT_TEXT && yyjson_is_str(value))
        write_text(back, plan, value);
    else if (plan && plan->kind == FLAT_CHOICE && yyjson_is_str(value))
        write_choice(back, plan, value);
    else
        tn_canonical_line(back->out, value);
}

bool tn_flat_back(struct tn_buf *out, struct tn_arena *arena, const struct tn_flat *plan,
                  yyjson_val *arguments)
{
    struct back back = { .out = out, .arena = arena };

    if (!plan || !yyjson_is_obj(arguments))
        return false;
    write_value(&back, plan, arguments);
    return back.changed && !out->failed;
}
