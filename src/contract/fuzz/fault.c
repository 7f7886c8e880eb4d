/* fault.c - every single fault of a good call, by what the schemas say of each place.
 *
 * What is tried is only likely to be a fault: two schemas may speak of one place, and one of them may be an alternative. The
 * schema as a whole has the last word (tn_case_try).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "contract/fuzz/cases.h"
#include "document/document.h"
#include "json/write.h"

#define TEXT_LEN_MAX ((size_t)20000) /* that a bound may ask for */
#define ITEMS_MAX    ((size_t)500)
#define MEMBERS_MAX  ((size_t)200)

struct faults {
    struct tn_case_maker  *maker;
    const struct tn_place *place;
    struct tn_slice        where; /* that is reported: the place, or a member that it does not have */
    struct tn_slice absent;       /* a member that is inserted instead of the place itself; or `at` is NULL */
};

static bool try_edit(struct faults *faults, const char *what, struct tn_edit edit)
{
    return tn_case_try(
        faults->maker,
        &(struct tn_case){
            .kind = CASE_FAULT, .what = what, .where = faults->where, .edits = { edit }, .edit_count = 1 });
}

/* Another value at the place. */
static bool try_value(struct faults *faults, const char *what, struct tn_slice value)
{
    return try_edit(faults, what,
                    faults->absent.at ? tn_edit_insert(faults->maker, faults->place, faults->absent, value)
                                      : tn_edit_replace(faults->place, value));
}

static struct tn_buf begin_value(struct faults *faults)
{
    struct tn_buf out;

    tn_buf_init(&out, faults->maker->cases->arena, 0, CASE_LEN_MAX);
    return out;
}

static bool try_written(struct faults *faults, const char *what, struct tn_buf *value)
{
    faults->maker->cases->failed |= value->failed;
    return !value->failed && try_value(faults, what, tn_buf_slice(value));
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

static void wrong_types(struct faults *faults, const struct tn_view *view)
{
    static const struct {
        unsigned    type;
        const char *what, *json;
    } samples[] = {
        { TYPE_STRING, "a text", "\"text\"" },
        { TYPE_INTEGER, "an integer", "7" },
        { TYPE_FRACTION, "a fraction", "1.5" },
        { TYPE_BOOLEAN, "a boolean", "true" },
        { TYPE_NULL, "null", "null" },
        { TYPE_ARRAY, "an array", "[]" },
        { TYPE_ARRAY, "an array", "[\"text\"]" },
        { TYPE_OBJECT, "an object", "{}" },
        { TYPE_OBJECT, "an object", "{\"key\":1}" },
    };

    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (!(view->types & samples[i].type))
            try_value(faults, samples[i].what, tn_slice_of(samples[i].json));
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static void try_length(struct faults *faults, const char *what, size_t len)
{
    struct tn_buf out = begin_value(faults);

    if (len > TEXT_LEN_MAX)
        return;
    tn_buf_char(&out, '"');
    for (size_t i = 0; i < len; i++)
        tn_buf_char(&out, 'x');
    tn_buf_char(&out, '"');
    try_written(faults, what, &out);
}

/* The first of some texts that the pattern does not match. */
static void unmatched(struct faults *faults)
{
    static const char *const texts[] = { "\"!\"",   "\"no match\"", "\"\"",  "\"~~~ ~~~\"",
                                         "\"\\n\"", "\"0\"",        "\"x\"", "\"\xC3\xA4\xE2\x82\xAC\"" };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (try_value(faults, "a text that the pattern does not match", tn_slice_of(texts[i])))
            return;
}

static void text_faults(struct faults *faults, const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_text_rules *rules = &view->at[i]->text;

        if (rules->min > 0)
            try_length(faults, "a text that is too short", rules->min - 1);
        if (rules->max < TEXT_LEN_MAX)
            try_length(faults, "a text that is too long", rules->max + 1);
        if (rules->pattern_text)
            unmatched(faults);
    }
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static void try_number(struct faults *faults, const char *what, double number)
{
    struct tn_buf out = begin_value(faults);

    if (!isfinite(number))
        return;
    tn_json_number(&out, number);
    try_written(faults, what, &out);
}

/* Beyond a bound by `step`, or by none where the bound itself is excluded. */
static void try_beyond(struct faults *faults, const char *what, const struct tn_bound *bound, int step)
{
    char text[32];

    if (!bound->value)
        return;
    if (bound->is_int && bound->integer > INT64_MIN + 2 && bound->integer < INT64_MAX - 2) {
        snprintf(text, sizeof text, "%" PRId64, bound->integer + step);
        try_value(faults, what, tn_case_keep(faults->maker, tn_slice_of(text)));
    } else if (yyjson_is_num(bound->value)) {
        double number = yyjson_get_num(bound->value);

        try_number(faults, what, step == 0 ? number : number + step * (fabs(number) * 1e-6 + 1));
    }
}

static void number_faults(struct faults *faults, const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_number_rules *rules = view->at[i]->schema->number;

        if (!rules)
            continue;
        try_beyond(faults, "a number that is too small", &rules->min, -1);
        try_beyond(faults, "a number that is too small", &rules->above, 0);
        try_beyond(faults, "a number that is too large", &rules->max, 1);
        try_beyond(faults, "a number that is too large", &rules->below, 0);
        if (rules->multiple && yyjson_is_num(rules->multiple)) {
            double step = yyjson_get_num(rules->multiple);

            if (!try_value(faults, "a number between two multiples", SLICE_LIT("1")))
                try_number(faults, "a number between two multiples", step * 2.5);
        }
    }
    if ((view->types & TYPE_INTEGER) && !(view->types & TYPE_FRACTION))
        try_value(faults, "a number with a fraction", SLICE_LIT("2.5"));
}

/* ---- Choices ----------------------------------------------------------------------------------------------------- */

static void choice_faults(struct faults *faults, const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_schema *schema = view->at[i]->schema;
        yyjson_val             *first  = schema->constant;
        struct tn_buf           out    = begin_value(faults);

        if (!first && schema->values && schema->values->count > 0)
            first = schema->values->at[0];
        if (!first)
            continue;
        if (yyjson_is_str(first)) {
            tn_buf_char(&out, '"');
            tn_json_escaped(&out, yyjson_get_str(first), yyjson_get_len(first));
            tn_buf_lit(&out, "_\"");
            try_written(faults, "a text that is nearly a choice", &out);
        }
        try_value(faults, "a text that is not a choice", SLICE_LIT("\"none of these\""));
        try_value(faults, "a number that is not a choice", SLICE_LIT("987654321"));
    }
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* So many times the first item that there is. */
static void try_items(struct faults *faults, const char *what, size_t count)
{
    const struct tn_places *places = faults->maker->places;
    struct tn_slice         item   = SLICE_LIT("\"text\"");
    struct tn_buf           out    = begin_value(faults);

    if (count > ITEMS_MAX)
        return;
    for (size_t i = 0; !faults->absent.at && i < places->count; i++)
        if (&places->at[places->at[i].parent] == faults->place && &places->at[i] != faults->place) {
            item = (struct tn_slice){ places->text.at + places->at[i].from,
                                      places->at[i].to - places->at[i].from };
            break;
        }
    tn_buf_char(&out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            tn_buf_char(&out, ',');
        tn_buf_add(&out, item.at, item.len);
    }
    tn_buf_char(&out, ']');
    try_written(faults, what, &out);
}

static void list_faults(struct faults *faults, const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_list_rules  *rules = &view->at[i]->list;
        const struct tn_array_rules *array = view->at[i]->schema->array;

        if (rules->min > 0)
            try_items(faults, "too few items", rules->min - 1);
        if (rules->max < ITEMS_MAX)
            try_items(faults, "too many items", rules->max + 1);
        if (rules->unique)
            try_items(faults, "an item twice", rules->min > 2 ? rules->min : 2);
        if (array && array->contains)
            try_value(faults, "a list without the item that it must contain", SLICE_LIT("[]"));
        if (array && array->prefix.count > 0)
            try_items(faults, "more items than the list describes", array->prefix.count + 1);
    }
    if (view->types & TYPE_ARRAY) { /* items of each type: those that are refused are faults */
        try_value(faults, "a list with a bad item", SLICE_LIT("[null]"));
        try_value(faults, "a list with a bad item", SLICE_LIT("[{\"key\":[]}]"));
        try_value(faults, "a list with a bad item", SLICE_LIT("[\"text\"]"));
        try_value(faults, "a list with a bad item", SLICE_LIT("[7]"));
    }
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

static void try_member(struct faults *faults, const char *what, const char *name, const char *value)
{
    faults->where = faults->place->pointer;
    try_edit(faults, what,
             tn_edit_insert(faults->maker, faults->place, tn_slice_of(name), tn_slice_of(value)));
}

static void try_members(struct faults *faults, const char *what, size_t count)
{
    struct tn_buf out = begin_value(faults);

    if (count > MEMBERS_MAX)
        return;
    tn_buf_char(&out, '{');
    for (size_t i = 0; i < count; i++)
        tn_buf_addf(&out, "%s\"member%zu\":1", i > 0 ? "," : "", i);
    tn_buf_char(&out, '}');
    try_written(faults, what, &out);
}

static void value_faults(struct faults *faults, const struct tn_view *view);

static bool is_present(const struct tn_place *object, const struct tn_property *property)
{
    return yyjson_obj_getn(object->value, property->name, property->len) != NULL;
}

/* Members that the good call does not have: alternatives keep some of them out of it. */
static void absent_members(struct faults *faults, const struct tn_object_rules *rules)
{
    struct tn_case_maker *maker = faults->maker;

    for (size_t i = 0; i < rules->count && i < MEMBERS_MAX; i++) {
        const struct tn_property *property = &rules->properties[i];
        struct faults             inner    = { .maker  = maker,
                                               .place  = faults->place,
                                               .where  = faults->place->pointer,
                                               .absent = { property->name, property->len } };
        struct tn_view            view = tn_view_member(&faults->place->view, property->name, property->len,
                                                        maker->places->way, false);

        if (!is_present(faults->place, property))
            wrong_types(&inner, &view);
    }
}

static void object_faults(struct faults *faults, const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_object_rules *rules = view->at[i]->schema->object;

        if (!rules)
            continue;
        absent_members(faults, rules);
        if (rules->max < MEMBERS_MAX)
            try_members(faults, "too many members", rules->max + 1);
        if (rules->min > 0)
            try_value(faults, "too few members", SLICE_LIT("{}"));
    }
    if (!yyjson_is_obj(faults->place->value))
        return;
    try_member(faults, "an unknown name", "no_such_name", "1");
    try_member(faults, "an unknown name", "no such/name~0", "\"text\"");
    try_member(faults, "an unknown name with a bad value", "other_name", "[[]]");
    try_member(faults, "an empty name", "", "null");
}

/* ---- One place --------------------------------------------------------------------------------------------------- */

static void value_faults(struct faults *faults, const struct tn_view *view)
{
    wrong_types(faults, view);
    choice_faults(faults, view);
    if (view->types & TYPE_STRING)
        text_faults(faults, view);
    if (view->types & TYPE_NUMBER)
        number_faults(faults, view);
    if (view->types & TYPE_ARRAY)
        list_faults(faults, view);
    if (view->types & TYPE_OBJECT)
        object_faults(faults, view);
}

/* The name is misspelled, which is a fault where it is needed or no other is allowed. */
static void misspelled(struct faults *faults, const struct tn_place *place)
{
    struct tn_buf name = begin_value(faults);

    tn_buf_char(&name, '"');
    tn_json_escaped(&name, place->name.at, place->name.len);
    tn_buf_lit(&name, "s\":");
    faults->maker->cases->failed |= name.failed;
    try_edit(faults, "a misspelled name", (struct tn_edit){ place->key, place->from, tn_buf_slice(&name) });
}

void tn_faults_add(struct tn_case_maker *maker)
{
    const struct tn_places *places = maker->places;

    tn_case_try(maker, &(struct tn_case){ .kind = CASE_FAULT, .what = "no arguments", .bare = true });
    for (size_t i = 0; i < places->count; i++) {
        const struct tn_place *place  = &places->at[i];
        struct faults          faults = { .maker = maker, .place = place, .where = place->pointer };

        if (place->name.at) {
            try_edit(&faults, "a missing member", tn_edit_remove(places, place));
            misspelled(&faults, place);
        }
        if (i > 0)
            value_faults(&faults, &place->view);
        else
            object_faults(&faults, &place->view);
    }
}
