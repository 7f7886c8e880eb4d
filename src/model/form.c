/* form.c - reading values out of what stands around them. */
#include "model/form.h"

#include <string.h>

#include "json/write.h"
#include "model/spell.h"

#define FENCE           SLICE_LIT("```")
#define SCALAR_LEN_MAX  ((size_t)4096) /* of a text for one value */
#define MAP_NUMBER_ROOM ((size_t)8192) /* a literal of that length is no number that anyone sends */

static const struct tn_json_limits one_value = { .bytes = SCALAR_LEN_MAX, .depth = 1, .nodes = 1 };

/* ---- Text around text -------------------------------------------------------------------------------------- */

static bool form_begins(struct tn_slice text, struct tn_slice with)
{
    return text.len >= with.len && memcmp(text.at, with.at, with.len) == 0;
}

static bool ends(struct tn_slice text, struct tn_slice with)
{
    return text.len >= with.len && memcmp(text.at + text.len - with.len, with.at, with.len) == 0;
}

/* The text between the marks of a markdown fence around all of `text`, whose language is "json" or not given; NULL when
 * there is none. */
static struct tn_slice unfenced(struct tn_slice text)
{
    static const struct tn_slice none = { NULL, 0 };
    struct tn_slice              inner, first;
    const char                  *line;

    text = tn_slice_trim(text);
    if (text.len <= 2 * FENCE.len || !form_begins(text, FENCE) || !ends(text, FENCE))
        return none;
    inner = (struct tn_slice){ text.at + FENCE.len, text.len - 2 * FENCE.len };
    line  = memchr(inner.at, '\n', inner.len);
    first = line ? tn_slice_trim((struct tn_slice){ inner.at, (size_t)(line - inner.at) }) : none;
    if (!tn_slice_fold_equal(first, SLICE_LIT("json")))
        return tn_slice_trim(inner); /* no language, or the value begins at once */
    line++;
    return tn_slice_trim((struct tn_slice){ line, (size_t)(inner.at + inner.len - line) });
}

static bool is_quoted(struct tn_slice text)
{
    return text.len >= 2 && text.at[0] == '"' && text.at[text.len - 1] == '"';
}

/* Takes one fence, or the quotes, off `text`. False when there is neither. */
static bool take_off(struct tn_arena *arena, struct tn_slice *text, bool layers,
                     const struct tn_json_limits *limits, enum tn_wire_form *form)
{
    struct tn_slice     inner = unfenced(*text);
    struct tn_json_text read;

    *form = FORM_FENCE;
    if (!inner.at && layers && is_quoted(*text)) {
        read  = tn_json_read(arena, text->at, text->len, limits);
        inner = tn_slice_trim(tn_json_slice(read.root));
        *form = FORM_LAYER;
    }
    if (!inner.at)
        return false;
    *text = inner;
    return true;
}

struct tn_form_text tn_form_read(struct tn_arena *arena, struct tn_slice text, bool layers, bool digits,
                                 const struct tn_json_limits *limits)
{
    struct tn_form_text found = { .text = tn_slice_trim(text) };
    enum tn_wire_form   form;
    int                 taken = 0;

    while (taken < FORM_LAYERS_MAX && take_off(arena, &found.text, layers, limits, &form)) {
        if (taken++ == 0)
            found.form = form;
    }
    if (taken == 0 || found.text.len == 0)
        return found;
    found.read = digits ? tn_json_read_literal(arena, found.text.at, found.text.len, limits)
                        : tn_json_read(arena, found.text.at, found.text.len, limits);
    found.root = found.read.root;
    return found;
}

/* ---- Single values ----------------------------------------------------------------------------------------- */

/* Could it be a value of that kind, as far as can be seen without its rules? */
static bool could_be(struct tn_arena *arena, unsigned kind, yyjson_val *value)
{
    struct tn_slice text    = tn_slice_trim(tn_json_slice(value));
    bool            written = text.len > 0, truth;

    if (tn_kind_is_text(kind) || kind == TENON_KIND_ENUM)
        return written;
    switch (kind) {
    case TENON_KIND_INT:
    case TENON_KIND_NUM:
        return yyjson_is_num(value) || yyjson_is_raw(value) || tn_json_read_number(arena, text.at, text.len);
    case TENON_KIND_BOOL: return yyjson_is_bool(value) || tn_spell_truth(text, &truth);
    case TENON_KIND_DATE:
    case TENON_KIND_TIMESTAMP: return written || yyjson_is_num(value);
    default: return false;
    }
}

yyjson_val *tn_form_one_item(struct tn_arena *arena, const struct tn_node *node, yyjson_val *value)
{
    yyjson_val *item = yyjson_arr_size(value) == 1 ? yyjson_arr_get_first(value) : NULL;

    return item && could_be(arena, node->kind, item) ? item : NULL;
}

yyjson_val *tn_form_inner(struct tn_arena *arena, yyjson_val *value)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));
    yyjson_val     *inner;

    if (!is_quoted(text))
        return NULL;
    inner = tn_json_read(arena, text.at, text.len, &one_value).root;
    return yyjson_is_str(inner) ? inner : NULL;
}

yyjson_val *tn_form_unquoted(struct tn_arena *arena, const struct tn_node *node, yyjson_val *value)
{
    yyjson_val *inner = tn_kind_is_text(node->kind) ? NULL : tn_form_inner(arena, value);

    return inner && could_be(arena, node->kind, inner) ? inner : NULL;
}

yyjson_val *tn_form_as_text(struct tn_arena *arena, yyjson_val *value)
{
    yyjson_val   *text;
    struct tn_buf out;

    if (!yyjson_is_num(value) && !yyjson_is_raw(value) && !yyjson_is_bool(value))
        return NULL;
    tn_buf_init(&out, arena, 32, MAP_NUMBER_ROOM);
    tn_json_value(&out, value);
    text = tn_buf_end(&out) ? tn_arena_new(arena, yyjson_val) : NULL;
    if (text)
        yyjson_set_strn(text, out.at, out.len);
    return text;
}
