/* mutate.c - every single fault: walking a call, and the faults of objects, rules and whole arguments.
 *
 * A place in a call is a slot: a value of the document. A mutation swaps the content of one slot for another, has the
 * whole call written and visited, and swaps it back; what adds or drops a member swaps the whole object.
 */
#include "support/mutate_slot.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/valid.h"

#define WRITE_FLAGS YYJSON_WRITE_ALLOW_INVALID_UNICODE

/* ---- Slots --------------------------------------------------------------------------------------------------- */

static void swap(yyjson_mut_val *slot, yyjson_mut_val *other)
{
    uint64_t       tag = slot->tag;
    yyjson_val_uni uni = slot->uni;

    slot->tag  = other->tag;
    slot->uni  = other->uni;
    other->tag = tag;
    other->uni = uni;
}

/* The document as text, with the value at `wrap` as JSON text inside it. */
static char *write_call(struct mutator *run, size_t *len)
{
    char           *inner, *json;
    size_t          inner_len;
    yyjson_mut_val *text;

    if (!run->wrap)
        return yyjson_mut_write(run->doc, WRITE_FLAGS, len);
    inner = yyjson_mut_val_write(run->wrap, WRITE_FLAGS, &inner_len);
    text  = yyjson_mut_strncpy(run->doc, inner, inner_len);
    free(inner);
    swap(run->wrap, text);
    json = yyjson_mut_write(run->doc, WRITE_FLAGS, len);
    swap(run->wrap, text);
    return json;
}

static void visit(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                  bool must)
{
    struct mutation mutation = { .kind = kind, .leniency = leniency, .must = must };
    char           *json     = write_call(run, &mutation.len);

    assert(json);
    snprintf(mutation.where, sizeof mutation.where, "%s%s", run->wrap ? "(in text) " : "", spot->where);
    mutation.json = json;
    run->visit(run->user, &mutation);
    free(json);
}

void mutate_slot(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                 bool must, yyjson_mut_val *other)
{
    swap(spot->slot, other);
    visit(run, spot, kind, leniency, must);
    swap(spot->slot, other);
}

/* ---- Members of objects -------------------------------------------------------------------------------------- */

/* A copy of an object without the member at `skip`; SIZE_MAX skips none. */
static yyjson_mut_val *copy_without(struct mutator *run, yyjson_mut_val *object, size_t skip)
{
    yyjson_mut_val     *copy = yyjson_mut_obj(run->doc), *key;
    yyjson_mut_obj_iter iter;
    size_t              i = 0;

    yyjson_mut_obj_iter_init(object, &iter);
    while ((key = yyjson_mut_obj_iter_next(&iter)))
        if (i++ != skip)
            yyjson_mut_obj_add(copy, yyjson_mut_val_mut_copy(run->doc, key),
                               yyjson_mut_val_mut_copy(run->doc, yyjson_mut_obj_iter_get_val(key)));
    return copy;
}

static void add_member(struct mutator *run, const struct spot *object, const char *kind,
                       enum leniency leniency, bool must, yyjson_mut_val *key, yyjson_mut_val *value)
{
    yyjson_mut_val *copy = copy_without(run, object->slot, SIZE_MAX);

    yyjson_mut_obj_add(copy, key, value);
    mutate_slot(run, object, kind, leniency, must, copy);
}

static yyjson_mut_val *name_of(struct mutator *run, const char *text, size_t len)
{
    return yyjson_mut_strncpy(run->doc, text, len);
}

static enum leniency of_unknown(const struct mutator *run)
{
    switch (run->how->unknown) {
    case TENON_UNKNOWN_MESSAGE: return TAKEN_MESSAGE;
    case TENON_UNKNOWN_IGNORE: return TAKEN_AS_IS;
    default: return REFUSED;
    }
}

static void unknown_names(struct mutator *run, const struct spot *object, const struct tn_object *model)
{
    static const struct { const char *kind, *name; size_t len; } cases[] = {
        { "unknown: far",          "zzzz_far_away", 13 },
        { "unknown: empty",        "", 0 },
        { "unknown: slash",        "a/b", 3 },
        { "unknown: pointer",      "/absolute/0", 11 },
        { "unknown: tilde",        "~0~1~", 5 },
        { "unknown: arguments",    "arguments", 9 },
        { "unknown: line break",   "line\nbreak", 10 },
        { "unknown: quote",        "q\"uo\\te", 7 },
        { "unknown: letters",      "\xE2\x82\xACuro", 6 },
        { "unknown: control",      "a\x01\x7F", 3 },
        { "unknown: NUL",          "nul\0nul", 7 },
        { "unknown: not UTF-8",    "bad\xFF", 4 },
        { "unknown: prototype",    "__proto__", 9 },
    };
    char long_name[300];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (tn_object_find(model, cases[i].name, cases[i].len) != PARAM_NONE)
            continue;
        add_member(run, object, cases[i].kind, of_unknown(run), true,
                   name_of(run, cases[i].name, cases[i].len), yyjson_mut_int(run->doc, 1));
    }
    memset(long_name, 'n', sizeof long_name);
    add_member(run, object, "unknown: long", of_unknown(run), true, name_of(run, long_name, sizeof long_name),
               yyjson_mut_int(run->doc, 1));
    add_member(run, object, "unknown: longish", of_unknown(run), true, name_of(run, long_name, 150),
               yyjson_mut_int(run->doc, 1));
}

/* A name in another case is read under the declared one, unless it may be left aside. */
static enum leniency of_case(const struct mutator *run, const struct tn_param *param)
{
    if (run->how->strict || param->node->strict)
        return param->required ? REFUSED : of_unknown(run);
    if (param->required || run->how->unknown == TENON_UNKNOWN_REJECT || of_unknown(run) == REFUSED)
        return TAKEN_MESSAGE;
    return of_unknown(run);
}

/* Misspellings of a declared name, instead of it and beside it. */
static void misspell(struct mutator *run, const struct spot *object, const struct tn_object *model,
                     const struct tn_param *param, yyjson_mut_val *key)
{
    struct spot name = *object;
    char        near[300];
    size_t      len = (size_t)snprintf(near, sizeof near, "%.*s_", (int)param->len, param->name);

    if (tn_object_find(model, near, len) != PARAM_NONE)
        return;
    add_member(run, object, "unknown: near, beside", of_unknown(run), true, name_of(run, near, len),
               yyjson_mut_val_mut_copy(run->doc, key->next));
    name.slot = key;
    mutate_slot(run, &name, "unknown: near, instead", param->required ? REFUSED : of_unknown(run), false,
                name_of(run, near, len));
    near[0] = (char)(near[0] ^ 0x20); /* another case of the first letter */
    if (tn_object_find(model, near, len - 1) == PARAM_NONE)
        mutate_slot(run, &name, "unknown: case", of_case(run, param), false, name_of(run, near, len - 1));
}

static void aliases(struct mutator *run, const struct spot *object, const struct tn_param *param,
                    yyjson_mut_val *key)
{
    struct tn_slice rest = tn_slice_of(param->row->rule.any.alias), alias;
    struct spot     name = *object;

    name.slot = key;
    while (tn_slice_split(&rest, ',', &alias)) {
        alias = tn_slice_trim(alias);
        mutate_slot(run, &name, "alias", TAKEN_AS_IS, true, name_of(run, alias.at, alias.len));
        add_member(run, object, "alias: twice", REFUSED, false, name_of(run, alias.at, alias.len),
                   yyjson_mut_val_mut_copy(run->doc, key->next));
    }
}

/* ---- Rules --------------------------------------------------------------------------------------------------- */

static yyjson_mut_val *member(yyjson_mut_val *object, const struct tn_param *param)
{
    return yyjson_mut_obj_getn(object, param->name, param->len);
}

static void set_member(struct mutator *run, yyjson_mut_val *object, const struct tn_param *param,
                       yyjson_mut_val *value)
{
    yyjson_mut_obj_put(object, name_of(run, param->name, param->len), value);
}

/* Both ends are given, and the low one is above the high one. */
static void break_order(struct mutator *run, const struct spot *object, const struct tn_param *low,
                        const struct tn_param *high)
{
    yyjson_mut_val *copy = copy_without(run, object->slot, SIZE_MAX);

    switch (low->node->kind) {
    case TENON_KIND_INT:
        set_member(run, copy, low, yyjson_mut_sint(run->doc, 5));
        set_member(run, copy, high, yyjson_mut_sint(run->doc, 4));
        break;
    case TENON_KIND_NUM:
        set_member(run, copy, low, yyjson_mut_real(run->doc, 0.75));
        set_member(run, copy, high, yyjson_mut_real(run->doc, 0.5));
        break;
    default:
        set_member(run, copy, low, yyjson_mut_str(run->doc, "2025-03-01T10:00:00.123Z"));
        set_member(run, copy, high, yyjson_mut_str(run->doc, "2025-02-01T07:30:00Z"));
    }
    mutate_slot(run, object, "rule: order", REFUSED, false, copy);
}

static void break_rule(struct mutator *run, const struct spot *object, const struct tn_object *model,
                       const struct tn_rule *rule)
{
    yyjson_mut_val *copy;

    if (rule->kind == TENON_KIND_ORDERED) {
        break_order(run, object, &model->params[rule->param[0]], &model->params[rule->param[1]]);
        return;
    }
    if (rule->kind == TENON_KIND_ANY_OF) {
        copy = copy_without(run, object->slot, SIZE_MAX);
        for (size_t i = 0; i < rule->count; i++)
            yyjson_mut_obj_remove_keyn(copy, model->params[rule->param[i]].name,
                                       model->params[rule->param[i]].len);
        mutate_slot(run, object, "rule: none of them", REFUSED, false, copy);
        return;
    }
    for (size_t i = 0; i < rule->count; i++) { /* one that is not there, added */
        const struct tn_param *param = &model->params[rule->param[i]];

        if (member(object->slot, param))
            continue;
        copy = copy_without(run, object->slot, SIZE_MAX);
        set_member(run, copy, param, valid_value(run->doc, param->node, VALID_LEAST, 0));
        mutate_slot(run, object, "rule: one more", TAKEN_AS_IS, false, copy);
    }
}

/* All integers at one of their ends: each is good alone. */
static void extremes(struct mutator *run, const struct spot *object, const struct tn_object *model, bool high)
{
    yyjson_mut_val *copy = copy_without(run, object->slot, SIZE_MAX);
    size_t          set  = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct tn_param *param = &model->params[i];

        if (param->node->kind != TENON_KIND_INT || param->node->check)
            continue;
        set_member(run, copy, param,
                   yyjson_mut_sint(run->doc, high ? param->node->integer.max : param->node->integer.min));
        set++;
    }
    if (set > 0)
        mutate_slot(run, object, high ? "integers: all highest" : "integers: all lowest", TAKEN_AS_IS, false,
                    copy);
}

/* ---- The members of an object -------------------------------------------------------------------------------- */

static bool in_rule(const struct tn_object *model, const struct tn_param *param)
{
    for (size_t i = 0; i < model->rule_count; i++)
        for (size_t j = 0; j < model->rules[i].count; j++)
            if (&model->params[model->rules[i].param[j]] == param)
                return true;
    return model->hook_count > 0;
}

static void one_member(struct mutator *run, const struct spot *object, const struct tn_object *model,
                       yyjson_mut_val *key, size_t index)
{
    uint32_t               found = tn_object_find(model, yyjson_mut_get_str(key), yyjson_mut_get_len(key));
    const struct tn_param *param = &model->params[found];
    struct spot            spot  = { .slot = key->next, .node = param->node, .param = param };

    assert(found != PARAM_NONE);
    snprintf(spot.where, sizeof spot.where, "%.150s/%.100s", object->where, param->name);
    spot.in_rule = in_rule(model, param);
    mutate_slot(run, object, "missing", param->required ? REFUSED : TAKEN_ABSENT, !spot.in_rule,
                copy_without(run, object->slot, index));
    add_member(run, object, "twice", REFUSED, false, yyjson_mut_val_mut_copy(run->doc, key),
               yyjson_mut_val_mut_copy(run->doc, key->next));
    add_member(run, object, "twice, then null", REFUSED, false, yyjson_mut_val_mut_copy(run->doc, key),
               yyjson_mut_null(run->doc));
    misspell(run, object, model, param, key);
    aliases(run, object, param, key);
    mutate_value(run, &spot);
}

void mutate_members(struct mutator *run, const struct spot *object, const struct tn_object *model)
{
    yyjson_mut_obj_iter iter;
    yyjson_mut_val     *key;
    size_t              index = 0;

    yyjson_mut_obj_iter_init(object->slot, &iter);
    while ((key = yyjson_mut_obj_iter_next(&iter)))
        one_member(run, object, model, key, index++);
    unknown_names(run, object, model);
    for (size_t i = 0; i < model->rule_count; i++)
        break_rule(run, object, model, &model->rules[i]);
    extremes(run, object, model, true);
    extremes(run, object, model, false);
}

/* ---- Whole arguments ----------------------------------------------------------------------------------------- */

static yyjson_mut_val *nested(struct mutator *run, size_t depth)
{
    yyjson_mut_val *value = yyjson_mut_arr(run->doc);

    while (depth-- > 0) {
        yyjson_mut_val *around = yyjson_mut_arr(run->doc);

        yyjson_mut_arr_append(around, value);
        value = around;
    }
    return value;
}

static void whole(struct mutator *run, const struct spot *root, bool needs_some)
{
    static const struct { const char *kind, *json; } cases[] = {
        { "arguments: array",     "[]" },      { "arguments: array",     "[{}]" },
        { "arguments: number",    "5" },       { "arguments: boolean",   "true" },
        { "arguments: text",      "\"text\"" }, { "arguments: text",     "\"[1]\"" },
        { "arguments: malformed", "{\"a\":" }, { "arguments: malformed", "{}}" },
        { "arguments: malformed", "{'a':1}" }, { "arguments: malformed", "\"{\\\"a\\\":\"" },
    };
    size_t len;
    char  *json = yyjson_mut_write(run->doc, WRITE_FLAGS, &len);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        mutate_slot(run, root, cases[i].kind, REFUSED, false, yyjson_mut_rawcpy(run->doc, cases[i].json));
    mutate_slot(run, root, "arguments: null", needs_some ? REFUSED : TAKEN_ABSENT, !needs_some,
                yyjson_mut_null(run->doc));
    mutate_slot(run, root, "arguments: JSON text", TAKEN_MESSAGE, true,
                yyjson_mut_strncpy(run->doc, json, len));
    add_member(run, root, "arguments: too deep", REFUSED, false, yyjson_mut_str(run->doc, "zzz"),
               nested(run, 70));
    free(json);
}

void mutate_call(yyjson_mut_doc *doc, const struct tn_object *object, const struct mutate_how *how,
                 mutation_fn *visitor, void *user)
{
    struct mutator run        = { .doc = doc, .how = how, .visit = visitor, .user = user };
    struct spot    root       = { .slot = yyjson_mut_doc_get_root(doc) };
    bool           needs_some = false;

    for (size_t i = 0; i < object->count; i++)
        needs_some |= object->params[i].required;
    for (size_t i = 0; i < object->rule_count; i++)
        needs_some |= object->rules[i].kind == TENON_KIND_ANY_OF;
    whole(&run, &root, needs_some);
    mutate_members(&run, &root, object);
}
