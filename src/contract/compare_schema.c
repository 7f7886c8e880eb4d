/* compare_schema.c - is what worked still accepted, parameter by parameter where that can be told apart? */
#include "contract/compare_schema.h"

#include <string.h>

#include "base/table.h"
#include "contract/assertions.h"
#include "contract/inclusion.h"
#include "contract/phrases.h"
#include "contract/witness.h"

#define POINTER_MAX ((size_t)512)

static struct tn_buf begin(const struct tn_compared *compared)
{
    struct tn_buf out;

    tn_buf_init(&out, compared->comparison->arena, 256, CANONICAL_BYTES_MAX);
    return out;
}

/* ---- What is accepted ------------------------------------------------------------------------------------------------ */

/* `from` accepts what worked, or what comes; `to` must accept it. */
struct question {
    struct tn_slice place;
    struct tn_slice before, after; /* schemas as text */
    bool            output;
    bool            fresh;                       /* it was not there before */
    const char     *accepted, *refused, *unsure; /* sentences */
};

/* No question has more than a part of the work that is left: others come after it. */
static bool find_witness(const struct tn_compared *compared, const tenon_schema *from, const tenon_schema *to,
                         struct tn_witness *witness)
{
    size_t part = compared->comparison->work / 8;
    size_t all = part < COMPARE_WORK_EACH ? part : COMPARE_WORK_EACH, left = all;
    bool   found = tn_witness_find(from, to, compared->comparison->arena, &left, witness);

    tn_compare_spend(compared, all - left);
    return found;
}

static void answer(const struct tn_compared *compared, const struct question *question,
                   const tenon_schema *from, const tenon_schema *to)
{
    struct tn_witness     witness;
    struct tn_difference *row;

    if (tn_inclusion_proved(from, to)) {
        bool strict = tn_inclusion_strict(from, to);
        bool both   = strict && !question->fresh && tn_inclusion_strict(to, from);

        if (question->output && !strict)
            tn_compare_add(compared, CLASS_REVIEW, question->place, SAY_COMPARE_FEWER);
        else
            tn_compare_add(compared, both ? CLASS_NONE : CLASS_SAFE, question->place, "%s",
                           both ? SAY_COMPARE_SAME : question->accepted);
        return;
    }
    if (!find_witness(compared, from, to, &witness)) {
        tn_compare_add(compared, CLASS_REVIEW, question->place, "%s", question->unsure);
        return;
    }
    row = tn_compare_add(compared, CLASS_BREAKING, question->place, "%s", question->refused);
    if (row) {
        row->witness = witness.value;
        row->why     = witness.why;
    }
}

static void ask(const struct tn_compared *compared, const struct question *question)
{
    tenon_schema *before, *after;
    const char   *error;

    if (!tn_compare_spend(compared, question->before.len + question->after.len)) {
        tn_compare_add(compared, CLASS_REVIEW, question->place, "%s", question->unsure);
        return;
    }
    before = tenon_schema_new(question->before.at, question->before.len);
    after  = tenon_schema_new(question->after.at, question->after.len);
    error  = before && after ? tenon_schema_error(before) : SAY_MEMORY;
    if (!error)
        error = tenon_schema_error(after);
    if (error)
        tn_compare_add(compared, CLASS_REVIEW, question->place, SAY_COMPARE_NO_SCHEMA, error);
    else if (question->output)
        answer(compared, question, after, before);
    else
        answer(compared, question, before, after);
    tenon_schema_free(before);
    tenon_schema_free(after);
}

/* ---- What is said ---------------------------------------------------------------------------------------------------- */

static void compare_notes(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after,
                          struct tn_slice at);

static struct tn_slice below(const struct tn_compared *compared, struct tn_slice at, struct tn_slice name)
{
    struct tn_buf out;

    tn_buf_init(&out, compared->comparison->arena, 64, POINTER_MAX);
    tn_buf_add(&out, at.at, at.len);
    if (at.len > 0)
        tn_buf_char(&out, '/');
    tn_buf_add(&out, name.at, name.len);
    return out.failed ? at : tn_buf_slice(&out);
}

/* The members of an object by their names: it may have very many. */
static struct tn_table names_of(const struct tn_compared *compared, yyjson_val *object)
{
    yyjson_obj_iter all   = yyjson_obj_iter_with(object);
    struct tn_table names = { 0 };
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&all)))
        tn_table_add(&names, compared->comparison->arena, NULL, tn_json_slice(key),
                     yyjson_obj_iter_get_val(key));
    return names;
}

static yyjson_val *named(const struct tn_table *names, struct tn_slice name)
{
    return tn_table_find(names, NULL, name);
}

static void compare_named(const struct tn_compared *compared, struct tn_slice keyword, yyjson_val *before,
                          yyjson_val *after, struct tn_slice at)
{
    bool members = tn_slice_is(keyword, "properties"); /* one that only one side has is reported elsewhere */
    yyjson_obj_iter old = yyjson_obj_iter_with(before), now = yyjson_obj_iter_with(after);
    struct tn_table olds = names_of(compared, before), nows = names_of(compared, after);
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&old))) {
        struct tn_slice name  = { yyjson_get_str(key), yyjson_get_len(key) };
        yyjson_val     *other = named(&nows, name);

        if (other || !members)
            compare_notes(compared, yyjson_obj_iter_get_val(key), other, below(compared, at, name));
    }
    while (!members && (key = yyjson_obj_iter_next(&now))) {
        struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) };

        if (!named(&olds, name))
            compare_notes(compared, NULL, yyjson_obj_iter_get_val(key), below(compared, at, name));
    }
}

static void compare_part(const struct tn_compared *compared, struct tn_slice keyword, yyjson_val *before,
                         yyjson_val *after, struct tn_slice at)
{
    enum tn_part part = tn_assertions_part(keyword);
    bool         list = yyjson_is_arr(before) || yyjson_is_arr(after);

    if (part == PART_NAMED)
        compare_named(compared, keyword, before, after, at);
    else if (part == PART_SCHEMAS || (part == PART_SCHEMA && list))
        for (size_t i = 0; i < yyjson_arr_size(before) || i < yyjson_arr_size(after); i++)
            compare_notes(compared, yyjson_arr_get(before, i), yyjson_arr_get(after, i), at);
    else if (part == PART_SCHEMA)
        compare_notes(compared, before, after, at);
}

static void compare_note(const struct tn_compared *compared, struct tn_slice keyword, yyjson_val *before,
                         yyjson_val *after, struct tn_slice at)
{
    struct tn_slice place = at.len > 0 ? at : SLICE_LIT("arguments");

    if (tn_slice_is(keyword, "$comment") || tn_compare_same(compared, before, after))
        return;
    tn_compare_add(compared, CLASS_REVIEW, place, SAY_COMPARE_NOTE, (int)keyword.len, keyword.at,
                   !before  ? SAY_COMPARE_NEW
                   : !after ? SAY_COMPARE_GONE
                            : SAY_COMPARE_CHANGED);
}

static void compare_keyword(const struct tn_compared *compared, struct tn_slice keyword, yyjson_val *before,
                            yyjson_val *after, struct tn_slice at)
{
    enum tn_part part = tn_assertions_part(keyword);

    if (part == PART_NOTE || part == PART_UNKNOWN)
        compare_note(compared, keyword, before, after, at);
    else if (part != PART_VALUE)
        compare_part(compared, keyword, before, after, at);
}

/* Descriptions, defaults, formats, and unknown keywords: wherever they stand, in both schemas or in one of them. */
static void compare_notes(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after,
                          struct tn_slice at)
{
    yyjson_obj_iter old = yyjson_obj_iter_with(before), now = yyjson_obj_iter_with(after);
    struct tn_table olds = names_of(compared, before), nows = names_of(compared, after);
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&old))) {
        struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) };

        compare_keyword(compared, name, yyjson_obj_iter_get_val(key), named(&nows, name), at);
    }
    while ((key = yyjson_obj_iter_next(&now))) {
        struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) };

        if (!named(&olds, name))
            compare_keyword(compared, name, NULL, yyjson_obj_iter_get_val(key), at);
    }
}

/* ---- Parameter by parameter ---------------------------------------------------------------------------------------------- */

/* Two schemas whose parameters are compared one by one. */
struct pair {
    yyjson_val     *before, *after;
    struct tn_table olds, nows;               /* properties */
    struct tn_table olds_needed, nows_needed; /* names of required */
};

static struct tn_table required_of(const struct tn_compared *compared, yyjson_val *schema)
{
    yyjson_arr_iter all   = yyjson_arr_iter_with(yyjson_obj_get(schema, "required"));
    struct tn_table names = { 0 };
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&all)))
        if (yyjson_is_str(one))
            tn_table_add(&names, compared->comparison->arena, NULL, tn_json_slice(one), one);
    return names;
}

static void write_required(struct tn_buf *out, yyjson_val *schema, struct tn_slice except, bool with)
{
    yyjson_arr_iter all   = yyjson_arr_iter_with(yyjson_obj_get(schema, "required"));
    bool            first = true;
    yyjson_val     *one;

    tn_buf_lit(out, "\"required\":[");
    while ((one = yyjson_arr_iter_next(&all)))
        if (!yyjson_equals_strn(one, except.at, except.len)) {
            tn_buf_text(out, first ? "" : ",");
            tn_canonical_line(out, one);
            first = false;
        }
    if (with) {
        tn_buf_text(out, first ? "" : ",");
        tn_canonical_string(out, except);
    }
    tn_buf_char(out, ']');
}

/* `base` with the one parameter as it is now, or without it: what this change alone does. */
static struct tn_slice write_mixed(const struct tn_compared *compared, yyjson_val *base, yyjson_val *now,
                                   bool needed, struct tn_slice name)
{
    struct tn_buf   out        = begin(compared);
    yyjson_val     *properties = yyjson_obj_get(base, "properties"), *key;
    yyjson_obj_iter all = yyjson_obj_iter_with(base), names = yyjson_obj_iter_with(properties);
    bool            first = true;

    tn_buf_char(&out, '{');
    while ((key = yyjson_obj_iter_next(&all))) {
        if (yyjson_equals_str(key, "properties") || yyjson_equals_str(key, "required"))
            continue;
        tn_canonical_line(&out, key);
        tn_buf_char(&out, ':');
        tn_canonical_line(&out, yyjson_obj_iter_get_val(key));
        tn_buf_char(&out, ',');
    }
    write_required(&out, base, name, needed);
    tn_buf_lit(&out, ",\"properties\":{");
    while ((key = yyjson_obj_iter_next(&names))) {
        if (yyjson_equals_strn(key, name.at, name.len))
            continue;
        tn_buf_text(&out, first ? "" : ",");
        tn_canonical_line(&out, key);
        tn_buf_char(&out, ':');
        tn_canonical_line(&out, yyjson_obj_iter_get_val(key));
        first = false;
    }
    if (now) {
        tn_buf_text(&out, first ? "" : ",");
        tn_canonical_string(&out, name);
        tn_buf_char(&out, ':');
        tn_canonical_line(&out, now);
    }
    tn_buf_lit(&out, "}}");
    return tn_buf_slice(&out);
}

static struct tn_slice text_of(const struct tn_compared *compared, yyjson_val *schema)
{
    struct tn_buf out = begin(compared);

    tn_canonical_line(&out, schema);
    return tn_buf_slice(&out);
}

static struct tn_slice asked_of(const struct tn_compared *compared, yyjson_val *schema)
{
    struct tn_buf out = begin(compared);

    if (schema)
        tn_assertions_write(&out, compared->comparison->arena, schema);
    return tn_buf_slice(&out);
}

/* A parameter that is gone and still accepted has no effect any more. */
static void compare_gone(const struct tn_compared *compared, const struct question *question)
{
    size_t count = compared->comparison->count;

    ask(compared, question);
    if (compared->comparison->count > count && compared->comparison->at[count].class_ < CLASS_REVIEW) {
        compared->comparison->counts[compared->comparison->at[count].class_]--;
        compared->comparison->count = count;
        tn_compare_add(compared, CLASS_REVIEW, question->place, SAY_COMPARE_IGNORED);
    }
}

static void compare_parameter(const struct tn_compared *compared, const struct pair *pair,
                              struct tn_slice name)
{
    yyjson_val     *old = named(&pair->olds, name), *now = named(&pair->nows, name);
    bool            needed = named(&pair->olds_needed, name), needs = named(&pair->nows_needed, name);
    struct question question = { .place    = name,
                                 .accepted = SAY_COMPARE_WIDER,
                                 .refused  = SAY_COMPARE_NARROWER,
                                 .unsure   = SAY_COMPARE_UNSURE };

    if (old && now && needed == needs && tn_slice_same(asked_of(compared, old), asked_of(compared, now)))
        return;
    if (!old) {
        question.fresh    = true;
        question.accepted = SAY_COMPARE_NEW_OPTIONAL;
        question.refused  = needs ? SAY_COMPARE_NEW_REQUIRED : SAY_COMPARE_NARROWER;
    } else if (!now) {
        question.after   = write_mixed(compared, pair->after, NULL, needs, name);
        question.before  = write_mixed(compared, pair->after, old, needed, name);
        question.refused = SAY_COMPARE_GONE;
        compare_gone(compared, &question);
        return;
    } else if (needs && !needed)
        question.refused = SAY_COMPARE_REQUIRED;
    question.before = text_of(compared, pair->before);
    question.after  = write_mixed(compared, pair->before, now, needs, name);
    ask(compared, &question);
}

/* Can parameters be told apart: do only they differ, and does none of them lead elsewhere? */
static bool is_plain(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    yyjson_obj_iter all[] = { yyjson_obj_iter_with(before), yyjson_obj_iter_with(after) };
    struct tn_table olds = names_of(compared, before), nows = names_of(compared, after);
    yyjson_val     *key;

    if (!yyjson_is_obj(yyjson_obj_get(before, "properties")) ||
        !yyjson_is_obj(yyjson_obj_get(after, "properties")))
        return false;
    for (size_t side = 0; side < 2; side++)
        while ((key = yyjson_obj_iter_next(&all[side]))) {
            struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) };
            yyjson_val     *old = named(&olds, name), *now = named(&nows, name);

            if (tn_slice_is(name, "properties") || tn_slice_is(name, "required") ||
                tn_assertions_part(name) == PART_NOTE)
                continue;
            if (!tn_slice_same(asked_of(compared, old), asked_of(compared, now)))
                return false;
        }
    return true;
}

static void compare_each(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    yyjson_val *properties[] = { yyjson_obj_get(before, "properties"), yyjson_obj_get(after, "properties") };
    yyjson_obj_iter old = yyjson_obj_iter_with(properties[0]), now = yyjson_obj_iter_with(properties[1]);
    yyjson_arr_iter needed = yyjson_arr_iter_with(yyjson_obj_get(after, "required"));
    struct pair     pair   = { before,
                               after,
                               names_of(compared, properties[0]),
                               names_of(compared, properties[1]),
                               required_of(compared, before),
                               required_of(compared, after) };
    yyjson_val     *key;

    while (compared->comparison->work > 0 && (key = yyjson_obj_iter_next(&old)))
        compare_parameter(compared, &pair, tn_json_slice(key));
    while (compared->comparison->work > 0 && (key = yyjson_obj_iter_next(&now)))
        if (!named(&pair.olds, tn_json_slice(key)))
            compare_parameter(compared, &pair, tn_json_slice(key));
    while (compared->comparison->work > 0 && (key = yyjson_arr_iter_next(&needed))) {
        struct tn_slice name = tn_json_slice(key); /* that is needed, and not declared anywhere */

        if (name.at && !named(&pair.olds, name) && !named(&pair.nows, name) &&
            !named(&pair.olds_needed, name))
            compare_parameter(compared, &pair, name);
    }
    if (compared->comparison->work == 0)
        tn_compare_add(compared, CLASS_REVIEW, SLICE_LIT("arguments"), "%s", SAY_COMPARE_UNSURE);
}

/* ---- Arguments and results ------------------------------------------------------------------------------------------ */

void tn_compare_input(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    static const char anything[] = "{}";
    size_t            count      = compared->comparison->count;
    struct question   question   = { .place    = SLICE_LIT("arguments"),
                                     .accepted = SAY_COMPARE_WIDER,
                                     .refused  = SAY_COMPARE_NARROWER,
                                     .unsure   = SAY_COMPARE_UNSURE };

    if (tn_compare_same(compared, before, after))
        return;
    if (!tn_slice_same(asked_of(compared, before), asked_of(compared, after))) {
        if (is_plain(compared, before, after))
            compare_each(compared, before, after);
        if (compared->comparison->count == count) {
            question.before = before ? text_of(compared, before) : tn_slice_of(anything);
            question.after  = after ? text_of(compared, after) : tn_slice_of(anything);
            ask(compared, &question);
        }
    }
    compare_notes(compared, before, after, SLICE_LIT(""));
    if (compared->comparison->count == count)
        tn_compare_add(compared, CLASS_NONE, SLICE_LIT("arguments"), SAY_COMPARE_SAME);
}

void tn_compare_output(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    struct question question = { .place    = SLICE_LIT("result"),
                                 .output   = true,
                                 .accepted = SAY_COMPARE_KEEPS,
                                 .refused  = SAY_COMPARE_BREAKS,
                                 .unsure   = SAY_COMPARE_UNSURE_RESULT };
    size_t          count    = compared->comparison->count;

    if (tn_compare_same(compared, before, after))
        return;
    if (!before) {
        tn_compare_add(compared, CLASS_SAFE, question.place, SAY_COMPARE_PROMISES);
        return;
    }
    if (!after) {
        tn_compare_add(compared, CLASS_BREAKING, question.place, SAY_COMPARE_NO_PROMISE);
        return;
    }
    if (!tn_slice_same(asked_of(compared, before), asked_of(compared, after))) {
        question.before = text_of(compared, before);
        question.after  = text_of(compared, after);
        ask(compared, &question);
    }
    compare_notes(compared, before, after, question.place);
    if (compared->comparison->count == count)
        tn_compare_add(compared, CLASS_NONE, question.place, SAY_COMPARE_SAME);
}

struct tn_slice tn_compare_plain_call(const struct tn_compared *compared, yyjson_val *schema)
{
    struct tn_slice text     = schema ? text_of(compared, schema) : SLICE_LIT("{}");
    tenon_schema   *compiled = tenon_schema_new(text.at, text.len);
    struct tn_slice call     = { NULL, 0 };

    tn_compare_spend(compared, text.len);
    if (compiled && !tenon_schema_error(compiled))
        call = tn_witness_plain(compiled, compared->comparison->arena, &compared->comparison->work);
    tenon_schema_free(compiled);
    return call;
}
