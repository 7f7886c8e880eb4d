/* dirty.c - forms in which models send what they mean: numbers in quotes, JSON in texts, null for nothing.
 *
 * A server may convert them, or refuse them and name what is wrong.
 */
#include "base/ascii.h"
#include "contract/fuzz/cases.h"
#include "json/write.h"

struct dirt {
    struct tn_case_maker  *maker;
    const struct tn_place *place;
    struct tn_slice        text; /* of the place */
};

static void try_edit(const struct dirt *dirt, const char *what, struct tn_edit edit)
{
    tn_case_try(dirt->maker, &(struct tn_case){ .kind       = CASE_DIRTY,
                                                .what       = what,
                                                .where      = dirt->place->pointer,
                                                .edits      = { edit },
                                                .edit_count = 1 });
}

static void try_value(const struct dirt *dirt, const char *what, struct tn_slice value)
{
    try_edit(dirt, what, tn_edit_replace(dirt->place, value));
}

static struct tn_buf begin_value(const struct dirt *dirt)
{
    struct tn_buf out;

    tn_buf_init(&out, dirt->maker->cases->arena, 0, CASE_LEN_MAX);
    return out;
}

static void try_written(const struct dirt *dirt, const char *what, struct tn_buf *value)
{
    dirt->maker->cases->failed |= value->failed;
    if (!value->failed)
        try_value(dirt, what, tn_buf_slice(value));
}

/* The value's own text, with something before and after it. */
static void try_around(const struct dirt *dirt, const char *what, const char *before, const char *after)
{
    struct tn_buf out = begin_value(dirt);

    tn_buf_text(&out, before);
    tn_buf_add(&out, dirt->text.at, dirt->text.len);
    tn_buf_text(&out, after);
    try_written(dirt, what, &out);
}

/* ---- Forms of values ----------------------------------------------------------------------------------------------- */

static void json_text(const struct dirt *dirt)
{
    struct tn_buf out = begin_value(dirt);

    tn_json_string(&out, dirt->text.at, dirt->text.len);
    try_written(dirt, "JSON in a text", &out);
}

static void number_forms(const struct dirt *dirt)
{
    try_around(dirt, "a number in quotes", "\"", "\"");
    try_around(dirt, "a number in quotes with spaces", "\" ", " \"");
    if (yyjson_is_int(dirt->place->value))
        try_around(dirt, "an integer with a fraction of zero", "", ".0");
}

static void boolean_forms(const struct dirt *dirt)
{
    bool is_true = yyjson_is_true(dirt->place->value);

    try_value(dirt, "a boolean in quotes", is_true ? SLICE_LIT("\"true\"") : SLICE_LIT("\"false\""));
    try_value(dirt, "a boolean in quotes", is_true ? SLICE_LIT("\"True\"") : SLICE_LIT("\"False\""));
    try_value(dirt, "a boolean as a number", is_true ? SLICE_LIT("1") : SLICE_LIT("0"));
}

static bool is_choice(const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->at[i]->schema->values || view->at[i]->schema->constant)
            return true;
    return false;
}

static void text_forms(const struct dirt *dirt)
{
    const char   *text  = yyjson_get_str(dirt->place->value);
    size_t        len   = yyjson_get_len(dirt->place->value);
    struct tn_buf other = begin_value(dirt), spaced = begin_value(dirt);

    try_around(dirt, "a text in a list", "[", "]");
    if (!is_choice(&dirt->place->view))
        return;
    tn_buf_char(&other, '"');
    for (size_t i = 0; i < len; i++) {
        char c = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')
                     ? (char)(text[i] ^ 0x20)
                     : text[i];

        tn_json_escaped(&other, &c, (unsigned char)c < 0x80 ? 1 : 0);
    }
    tn_buf_char(&other, '"');
    try_written(dirt, "a choice in another case", &other);
    tn_buf_lit(&spaced, "\" ");
    tn_json_escaped(&spaced, text, len);
    tn_buf_lit(&spaced, " \"");
    try_written(dirt, "a choice with spaces", &spaced);
}

/* "a, b" for ["a", "b"], where the items are plain. */
static void comma_list(const struct dirt *dirt)
{
    struct tn_buf out = begin_value(dirt);
    yyjson_val   *item;
    size_t        i, count;

    tn_buf_char(&out, '"');
    yyjson_arr_foreach(dirt->place->value, i, count, item)
    {
        if (i > 0)
            tn_buf_lit(&out, ", ");
        if (yyjson_is_str(item))
            tn_json_escaped(&out, yyjson_get_str(item), yyjson_get_len(item));
        else if (yyjson_is_num(item))
            tn_json_value(&out, item);
        else
            return;
    }
    tn_buf_char(&out, '"');
    if (count > 0)
        try_written(dirt, "a list with commas in one text", &out);
}

static void list_forms(const struct dirt *dirt)
{
    yyjson_val   *first = yyjson_arr_get_first(dirt->place->value);
    struct tn_buf out   = begin_value(dirt);

    json_text(dirt);
    comma_list(dirt);
    if (!first)
        return;
    tn_json_value(&out, first);
    try_written(dirt, "one item instead of a list", &out);
}

static void optional_forms(const struct dirt *dirt)
{
    try_value(dirt, "null for nothing", SLICE_LIT("null"));
    try_value(dirt, "an empty text for nothing", SLICE_LIT("\"\""));
    try_value(dirt, "\"null\" for nothing", SLICE_LIT("\"null\""));
}

/* ---- Names --------------------------------------------------------------------------------------------------------- */

/* max_items as maxItems, maxItems as max_items; false when it is the same. */
static bool other_spelling(struct tn_buf *out, struct tn_slice name)
{
    bool changed = false;

    for (size_t i = 0; i < name.len; i++) {
        bool upper = name.at[i] >= 'A' && name.at[i] <= 'Z';

        if (name.at[i] == '_' && i > 0 && i + 1 < name.len && name.at[i + 1] >= 'a' &&
            name.at[i + 1] <= 'z') {
            tn_buf_char(out, (char)(name.at[++i] ^ 0x20));
            changed = true;
        } else if (upper && i > 0) {
            tn_buf_char(out, '_');
            tn_buf_char(out, (char)(name.at[i] | 0x20));
            changed = true;
        } else if ((unsigned char)name.at[i] >= 0x80 || name.at[i] < ' ' || name.at[i] == '"' ||
                   name.at[i] == '\\')
            return false;
        else
            tn_buf_char(out, name.at[i]);
    }
    return changed;
}

static void name_forms(const struct dirt *dirt)
{
    const struct tn_place *place = dirt->place;
    struct tn_buf          out   = begin_value(dirt);

    tn_buf_char(&out, '"');
    if (!other_spelling(&out, place->name))
        return;
    tn_buf_lit(&out, "\":");
    dirt->maker->cases->failed |= out.failed;
    try_edit(dirt, "a name in another spelling",
             (struct tn_edit){ place->key, place->from, tn_buf_slice(&out) });
}

/* Names that clients and models add on their own. */
static void added_names(const struct dirt *dirt)
{
    static const struct {
        const char *name, *value;
    } added[] = { { "explanation", "\"because\"" }, { "toolCallId", "\"call_1\"" }, { "_reason", "null" } };

    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        try_edit(dirt, "an added name",
                 tn_edit_insert(dirt->maker, dirt->place, tn_slice_of(added[i].name),
                                tn_slice_of(added[i].value)));
}

/* ---- All ----------------------------------------------------------------------------------------------------------- */

static void by_value(const struct dirt *dirt)
{
    yyjson_val *value = dirt->place->value;

    if (yyjson_is_num(value))
        number_forms(dirt);
    else if (yyjson_is_bool(value))
        boolean_forms(dirt);
    else if (yyjson_is_str(value))
        text_forms(dirt);
    else if (yyjson_is_arr(value))
        list_forms(dirt);
    else if (yyjson_is_obj(value))
        json_text(dirt);
}

void tn_dirty_add(struct tn_case_maker *maker)
{
    const struct tn_places *places = maker->places;

    for (size_t i = 0; i < places->count; i++) {
        const struct tn_place *place = &places->at[i];
        struct dirt dirt = { maker, place, { places->text.at + place->from, place->to - place->from } };

        if (i == 0)
            added_names(&dirt);
        else
            by_value(&dirt);
        if (place->name.at)
            name_forms(&dirt);
        if (place->name.at && !tn_place_is_required(places, place))
            optional_forms(&dirt);
    }
}
