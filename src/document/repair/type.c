/* type.c - single values in another form than the schema asks for: of another type, of another spelling, alone for a
 * list, inside a list or quotes. What a text spells is the model's (model/spell.h, model/form.h), as it is for rows. */
#include <string.h>

#include "document/repair/repair.h"
#include "json/origin.h"
#include "model/json_equal.h"
#include "model/like.h"
#include "model/spell.h"
#include "model/taken.h"
#include "text/date.h"
#include "text/format.h"

static struct tn_arena *arena_of(const struct tn_repairer *repairer)
{
    return repairer->verdict->judge->arena;
}

/* ---- What a text spells ----------------------------------------------------------------------------------------- */

static yyjson_val *truth_of(struct tn_repairer *repairer, struct tn_slice word)
{
    yyjson_val *truth = NULL;
    bool        yes;

    if (tn_spell_truth(word, &yes))
        truth = tn_arena_new(arena_of(repairer), yyjson_val);
    if (truth)
        truth->tag = YYJSON_TYPE_BOOL | (yes ? YYJSON_SUBTYPE_TRUE : YYJSON_SUBTYPE_FALSE);
    return truth;
}

/* A number or a truth value of one of the `types`, or NULL. */
static yyjson_val *spelled_scalar(struct tn_repairer *repairer, unsigned types, struct tn_slice text)
{
    yyjson_val *found = types & TYPE_NUMBER ? tn_parts_read_number(repairer, tn_slice_trim(text)) : NULL;

    if (!found && types & TYPE_BOOLEAN)
        found = truth_of(repairer, text);
    return found && types & tn_verdict_type(found) ? found : NULL;
}

/* An array or object of one of the `types` that a text holds: plain, or with a fence or quotes around it. */
static yyjson_val *spelled_container(struct tn_repairer *repairer, unsigned types, yyjson_val *value,
                                     const struct tn_location *at)
{
    struct tn_judge    *judge = repairer->verdict->judge;
    struct tn_slice     text  = tn_slice_trim(tn_json_slice(value));
    yyjson_val         *found = NULL;
    struct tn_form_text form;

    if (judge->mirrored)
        return NULL; /* what a proxy did not see in the arguments is not in them */
    if (tn_spell_is_container(text)) {
        found = tn_parts_read(repairer, text);
        if (!found || !(types & tn_verdict_type(found)))
            return NULL;
        judge->reformed++;
        tn_origin_mark(found);
        return found;
    }
    if (repairer->how->strict || text.len == 0 || (text.at[0] != '"' && text.at[0] != '`'))
        return NULL;
    if (!tn_verdict_spend(repairer->verdict, text.len / 8))
        return NULL;
    form = tn_taken_read(judge, text, true, false);
    if (!yyjson_is_ctn(form.root) || !(types & tn_verdict_type(form.root)))
        return NULL;
    found = tn_parts_read(repairer, form.text);
    if (!found)
        return NULL;
    tn_origin_mark(found);
    tn_repair_report(repairer, at, value, found, form.form);
    return found;
}

static bool is_known(struct tn_repairer *repairer, const struct tn_schema *schema, yyjson_val *value)
{
    return (schema->values && tn_verdict_is_among(repairer->verdict, schema->values, value)) ||
           (schema->constant && tn_json_equal(arena_of(repairer), schema->constant, value));
}

/* The text inside quotes inside a text, or NULL: for what is no text, or one of a few. */
static yyjson_val *unquoted(struct tn_repairer *repairer, const struct tn_schema *schema, yyjson_val *value)
{
    return repairer->how->strict || is_known(repairer, schema, value)
               ? NULL
               : tn_form_inner(arena_of(repairer), value);
}

/* What a string spells that is of one of the types, none of which is a string; or NULL. */
static yyjson_val *spelled(struct tn_repairer *repairer, const struct tn_schema *schema, yyjson_val *value,
                           const struct tn_location *at)
{
    unsigned    types = schema->types;
    yyjson_val *found = types & (TYPE_ARRAY | TYPE_OBJECT) ? spelled_container(repairer, types, value, at)
                                                           : NULL;
    yyjson_val *inner;

    if (found || repairer->how->strict)
        return found;
    found = spelled_scalar(repairer, types, tn_json_slice(value));
    if (found) {
        tn_repair_report(repairer, at, value, found, FORMS);
        return found;
    }
    inner = types & (TYPE_NUMBER | TYPE_BOOLEAN) ? unquoted(repairer, schema, value) : NULL;
    found = inner ? spelled_scalar(repairer, types, tn_json_slice(inner)) : NULL;
    if (found)
        tn_repair_report(repairer, at, value, found, FORM_LAYER);
    return found;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

/* Is the whole text one of the values? Then a comma in it is its own. */
static bool names_choice(const struct tn_node *item, struct tn_slice text)
{
    const struct tn_values *values  = tn_like_end(item)->schema->values;
    struct tn_spell_choices choices = tn_spell_values(values->at, values->count);
    enum tn_spelling        how;

    return tn_spell_choice(&choices, text, SPELLING_FOLDED, &how) >= 0;
}

/* May a text be taken apart at its commas? Numbers and most known words have none of their own; texts with a rule say by it
 * whether they are several. */
static bool is_comma_list(struct tn_repairer *repairer, const struct tn_node *node, struct tn_slice text,
                          bool *words)
{
    const struct tn_node *item = tn_like_item(node);
    struct tn_slice       part;

    *words = false;
    if (tn_slice_trim(text).len > 0 && tn_slice_trim(text).at[0] == '[')
        return false; /* malformed JSON text */
    switch (tn_like_kind(node)) {
    case TENON_KIND_INTS:
    case TENON_KIND_NUMS: return true;
    case TENON_KIND_ENUMS: return !names_choice(item, text);
    case TENON_KIND_STRS: break;
    default: return false;
    }
    item = tn_like_end(item);
    if (!memchr(text.at, ',', text.len) ||
        (!item->text.pattern && !(item->text.format && item->schema->format_asserted)) ||
        tn_repair_text_fits(repairer, item, text))
        return false;
    *words = true;
    while (tn_slice_split(&text, ',', &part))
        if (!tn_repair_text_fits(repairer, item, tn_slice_trim(part)))
            return false;
    return true;
}

/* The parts between commas as an array: its items have no other form, so only words are reported. */
static yyjson_val *comma_list(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                              const struct tn_location *at)
{
    struct tn_judge *judge = repairer->verdict->judge;
    struct tn_slice  text  = tn_json_slice(value);
    yyjson_val      *parts, *list, **each;
    size_t           count;
    bool             words;

    if (!is_comma_list(repairer, node, text, &words) || !tn_verdict_spend(repairer->verdict, text.len / 8))
        return NULL;
    parts = tn_spell_comma(judge->arena, text, tn_taken_limits(judge).nodes, &count);
    each  = parts ? tn_arena_array(judge->arena, count, yyjson_val *) : NULL;
    if (!each)
        return NULL;
    judge->nodes += count;
    for (size_t i = 0; i < count; i++)
        each[i] = &parts[i];
    list = tn_parts_list(repairer, each, count);
    if (!list)
        return NULL;
    tn_origin_mark(list);
    judge->reformed++;
    if (words)
        tn_repair_report(repairer, at, value, list, FORM_WORDS);
    else
        repairer->comma = list;
    return list;
}

/* Does a text look like a list, or like an object where no text is asked for? That is a mistake rather than an item. */
static bool looks_like_container(yyjson_val *value, unsigned types)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));

    return tn_spell_is_container(text) && (text.at[0] == '[' || types != TYPE_STRING);
}

/* Could the value be the only item? */
static bool may_stand_alone(const struct tn_node *node, yyjson_val *value)
{
    const struct tn_node *item  = tn_like_item(node);
    unsigned              types = item ? tn_like_types(item) : (unsigned)TYPE_ANY;

    if (yyjson_is_null(value) || yyjson_is_arr(value) || (yyjson_is_obj(value) && !item))
        return false;
    if (yyjson_is_str(value) && (tn_slice_blank(tn_json_slice(value)) || looks_like_container(value, types)))
        return false;
    if (types & TYPE_NUMBER)
        types |= TYPE_NUMBER; /* 0.5 for integers is one of them, and a bad one */
    return (types & tn_verdict_type(value)) != 0;
}

static yyjson_val *listed(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                          const struct tn_location *at)
{
    yyjson_val *list = NULL, *object = NULL;

    if (repairer->how->strict)
        return NULL;
    if (yyjson_is_str(value) && tn_like_kind(node) == TENON_KIND_OBJECTS)
        object = spelled_container(repairer, TYPE_OBJECT, value, at);
    if (object)
        value = object;
    else if (yyjson_is_str(value))
        list = comma_list(repairer, node, value, at);
    if (list || !may_stand_alone(node, value))
        return list;
    list = tn_parts_list(repairer, &value, 1);
    if (list) {
        tn_origin_mark(list);
        tn_repair_report(repairer, at, value, list, FORMS);
    }
    return list;
}

/* ---- Another type ----------------------------------------------------------------------------------------------- */

/* The item of a list of one where a single value is asked for, or NULL. A list in a list is not taken apart: it may be
 * one too many, or the list may be another one. */
static yyjson_val *single(struct tn_repairer *repairer, const struct tn_schema *schema, yyjson_val *value,
                          const struct tn_location *at)
{
    const struct tn_location *place = tn_location_moved(at);
    yyjson_val               *item  = yyjson_arr_size(value) == 1 ? yyjson_arr_get_first(value) : NULL;

    if (!item || repairer->how->strict || schema->types & (TYPE_ARRAY | TYPE_OBJECT) || yyjson_is_ctn(item) ||
        (place && !place->name.at))
        return NULL;
    if (yyjson_is_str(item) && tn_slice_blank(tn_json_slice(item)))
        return NULL;
    return item;
}

static yyjson_val *from_single(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_location *at)
{
    unsigned    types = node->schema->types;
    yyjson_val *item = single(repairer, node->schema, value, at), *found = item;

    if (item && !(types & tn_verdict_type(item)))
        found = yyjson_is_str(item) ? spelled_scalar(repairer, types, tn_json_slice(item)) : NULL;
    if (found)
        tn_repair_report(repairer, at, value, found, FORM_ONE_ITEM);
    else if (item && types & TYPE_NUMBER && tn_verdict_type(item) & TYPE_NUMBER)
        return item; /* which is its issue */
    return found;
}

/* A string of its own, or NULL when memory is refused. */
static yyjson_val *text_value(struct tn_repairer *repairer, struct tn_slice text)
{
    const char *copy  = tn_arena_copy(arena_of(repairer), text.at, text.len);
    yyjson_val *value = copy ? tn_arena_new(arena_of(repairer), yyjson_val) : NULL;

    if (value)
        yyjson_set_strn(value, copy, text.len);
    return value;
}

/* Milliseconds since 1970 as the text of a moment, or of the day that begins then; NULL for what may be seconds. */
static yyjson_val *time_of_epoch(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value)
{
    bool    day = tn_like_kind(node) == TENON_KIND_DATE;
    char    text[TIMESTAMP_TEXT_LEN + 1];
    int64_t ms;

    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > (uint64_t)DATE_MAX_MS)
        return NULL;
    ms = yyjson_get_sint(value);
    if (ms < DATE_EPOCH_MIN_MS || (day && ms % DATE_DAY_MS != 0))
        return NULL;
    tn_moment_format(ms, day, text);
    return text_value(repairer, tn_slice_of(text));
}

static yyjson_val *from_epoch(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                              const struct tn_location *at)
{
    yyjson_val *time = NULL;

    if (!repairer->how->strict && tn_like_is_time(tn_like_kind(node)))
        time = time_of_epoch(repairer, node,
                             yyjson_is_str(value) ? tn_spell_number(arena_of(repairer), tn_json_slice(value))
                                                  : value);
    if (time)
        tn_repair_report(repairer, at, value, time, FORMS);
    return time;
}

/* A day or a moment with spaces around it is the same one. */
static yyjson_val *trimmed_time(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));
    yyjson_val     *trimmed;

    if (text.len == yyjson_get_len(value) || text.len == 0 || !tn_like_end(node)->text.format->accepts(text))
        return value;
    trimmed = text_value(repairer, text);
    repairer->verdict->judge->reformed += trimmed != NULL;
    return trimmed ? trimmed : value;
}

yyjson_val *tn_repair_type(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                           const struct tn_location *at)
{
    unsigned    types = node->schema->types;
    yyjson_val *found = NULL;

    if (types & tn_verdict_type(value) && yyjson_is_str(value) && tn_like_is_time(tn_like_kind(node))) {
        found = from_epoch(repairer, node, value, at);
        return found ? found : trimmed_time(repairer, node, value);
    }
    if (types & tn_verdict_type(value))
        return value;
    if (yyjson_is_str(value))
        found = spelled(repairer, node->schema, value, at);
    else if (yyjson_is_arr(value))
        found = from_single(repairer, node, value, at);
    else if (yyjson_is_num(value))
        found = from_epoch(repairer, node, value, at);
    if (!found && (types & ~(unsigned)TYPE_NULL) == TYPE_ARRAY)
        found = listed(repairer, node, value, at);
    return found ? found : value;
}

/* ---- Known values ----------------------------------------------------------------------------------------------- */

/* The one number or truth value among them that a text spells, or NULL. */
static yyjson_val *known_typed(struct tn_repairer *repairer, const struct tn_values *known,
                               struct tn_slice text)
{
    yyjson_val *found = NULL, *scalar = spelled_scalar(repairer, TYPE_NUMBER | TYPE_BOOLEAN, text);

    for (size_t i = 0; scalar && !found && i < known->count; i++)
        if (!yyjson_is_str(known->at[i]) && tn_json_equal(arena_of(repairer), known->at[i], scalar))
            found = known->at[i];
    return found;
}

/* The one value of an enum, or the const, that a text means. */
static yyjson_val *known_meant(struct tn_repairer *repairer, const struct tn_values *known, yyjson_val *value,
                               const struct tn_location *at)
{
    struct tn_judge        *judge   = repairer->verdict->judge;
    bool                    strict  = repairer->how->strict;
    struct tn_spell_choices choices = tn_spell_values(known->at, known->count);
    enum tn_spelling        how;
    yyjson_val             *found, *inner;
    int                     index;

    if (!tn_verdict_spend(repairer->verdict, known->count / 2))
        return value;
    index = tn_spell_choice(&choices, tn_json_slice(value), strict ? SPELLING_FOLDED : SPELLING_SEPARATED,
                            &how);
    if (index >= 0 && how == SPELLING_SEPARATED)
        tn_repair_report(repairer, at, value, known->at[index], FORM_SPELLING);
    else
        judge->reformed += index >= 0;
    if (index >= 0 || strict)
        return index >= 0 ? known->at[index] : value;
    found = known_typed(repairer, known, tn_json_slice(value));
    if (found) {
        tn_repair_report(repairer, at, value, found, FORMS);
        return found;
    }
    inner = tn_form_inner(judge->arena, value);
    index = inner ? tn_spell_choice(&choices, tn_json_slice(inner), SPELLING_FOLDED, &how) : -1;
    if (index < 0)
        return value;
    tn_repair_report(repairer, at, value, known->at[index], FORM_LAYER);
    return known->at[index];
}

yyjson_val *tn_repair_known(struct tn_repairer *repairer, const struct tn_schema *schema, yyjson_val *value,
                            const struct tn_location *at)
{
    struct tn_values constant = { .at = &schema->constant, .count = 1 };

    if ((!schema->values && !schema->constant) || is_known(repairer, schema, value))
        return value;
    if (yyjson_is_str(value))
        return known_meant(repairer, schema->values ? schema->values : &constant, value, at);
    if (yyjson_is_arr(value) && yyjson_is_str(yyjson_arr_get_first(value)) &&
        single(repairer, schema, value, at) && is_known(repairer, schema, yyjson_arr_get_first(value))) {
        tn_repair_report(repairer, at, value, yyjson_arr_get_first(value), FORM_ONE_ITEM);
        return yyjson_arr_get_first(value);
    }
    return value;
}
