/* row_check.c - is a declaration consistent? What a compiler cannot see: rows that contradict themselves, defaults and
 * examples that the row's own rules refuse.
 */
#include <string.h>

#include "model/words/words.h"
#include "rows/bind.h"
#include "rows/headers.h"
#include "rows/row_options.h"
#include "rows/row_table.h"

#define SENTENCE_ROOM ((size_t)64 << 10) /* for a sentence before it is cut */

static bool is_numeric(const struct tn_node *node)
{
    return node->kind == TENON_KIND_INT || node->kind == TENON_KIND_NUM;
}

/* The first contradiction between a row's options, or NULL. */
static const char *contradiction(const struct tn_param *param)
{
    const struct tn_node *node  = param->node;
    bool                  clamp = node->integer.clamp || node->number.clamp;

    if (!param->doc || tn_slice_blank(tn_slice_of(param->doc)))
        return "it has no description";
    if (param->required && param->has_default)
        return "it is required and has a default: one of the two never counts";
    if (param->default_note && !param->has_default)
        return "it has a .default_note and no default";
    if (clamp && (!is_numeric(node) || !tn_row_has_range(param->row)))
        return ".clamp needs a .range to move values into";
    if (node->integer.low_default && !(clamp && param->has_default))
        return ".low_default needs .clamp and a default";
    if ((node->integer.low_text || node->integer.high_text) && !clamp)
        return ".low_text and .high_text need .clamp";
    if (node->kind == TENON_KIND_NUM && node->number.tolerance != 0 &&
        !(node->number.tolerance > 0 && tn_row_has_range(param->row)))
        return ".tolerance needs a .range, and is not negative";
    if (node->json_text && !param->row->rule.any.example)
        return ".json_text needs an .example, for its description";
    if (node->text.blank_ok && node->kind != TENON_KIND_STR)
        return ".blank_ok is for TENON_STR";
    if (param->header && !tn_header_is_name(tn_slice_of(param->header)))
        return HEADER_NO_NAME;
    if (param->header && node->secret)
        return HEADER_SECRET;
    return NULL;
}

void tn_row_check_row(struct tn_row_compilation *lowering, const struct tn_param *param)
{
    const char *text = lowering->known ? NULL : contradiction(param);

    if (text)
        tn_mistake_note(&lowering->mistake, param->name, "%s", text);
}

/* A judge of what is published: taken as it stands, or not at all. */
static struct tn_judge strict_judge(struct tn_row_compilation *lowering, struct tn_arena *arena)
{
    return (struct tn_judge){
        .arena   = arena,
        .matcher = &lowering->matcher,
        .memory  = &lowering->shape->memory,
        .limits  = { SIZE_MAX, 64, SIZE_MAX },
        .unknown = TENON_UNKNOWN_REJECT,
        .strict  = true,
        .exact   = true,
    };
}

/* Notes why `json`, a value of the parameter or a whole call (NULL), did not pass. */
static void note_issue(struct tn_row_compilation *lowering, const struct tn_param *param,
                       const struct tn_judge *judge, const char *what, struct tn_slice json)
{
    struct tn_buf text;

    if (judge->issues.count == 0 || judge->arena->failed) {
        lowering->shape->arena.failed = true;
        return;
    }
    tn_buf_init(&text, judge->arena, 128, SENTENCE_ROOM);
    tn_words_issue(&text, &judge->issues.at[0]);
    tn_mistake_note(&lowering->mistake, param ? param->name : NULL, "%s %.*s%s does not pass: %.*s", what,
                    (int)(json.len < 100 ? json.len : 100), json.at, param ? "" : ",",
                    (int)tn_words_cut(text.at, text.len), text.at ? text.at : "");
}

static void try_value(struct tn_row_compilation *lowering, const struct tn_param *param,
                      struct tn_arena *arena, struct tn_slice json, const char *what, void *out)
{
    struct tn_judge judge = strict_judge(lowering, arena);

    if (!tn_bind_alone(&judge, param, json.at, json.len, out))
        note_issue(lowering, param, &judge, what, json);
}

/* Own checks over the struct may want what no example of one row can know, and are left out. */
void tn_row_check_object(struct tn_row_compilation *lowering, const struct tn_object *object)
{
    struct tn_judge  judge = strict_judge(lowering, &lowering->scratch);
    struct tn_object bare  = *object;

    if (lowering->known || lowering->shape->arena.failed || object->example.len == 0)
        return;
    bare.hook_count = 0;
    tn_arena_reset(&lowering->scratch);
    if (!tn_bind_text(&judge, &bare, object->example.at, object->example.len))
        note_issue(lowering, NULL, &judge, "the call made of its examples,", object->example);
    lowering->shape->arena.failed |= lowering->scratch.failed;
}

/* What a field of that kind holds is all in the field: nothing stays in the arena in which it was bound. */
static bool is_whole(const struct tn_node *node)
{
    return is_numeric(node) || node->kind == TENON_KIND_BOOL || node->kind == TENON_KIND_ENUM ||
           node->kind == TENON_KIND_DATE || node->kind == TENON_KIND_TIMESTAMP;
}

/* May the example be wrong? One that is the default was tried as that, and those of numbers, truth values and enums are made
 * so that they pass, unless the program has rules of its own. */
static bool is_in_doubt(const struct tn_param *param)
{
    const struct tn_node *node = param->node;

    if (param->has_default && node->example.at == param->def.at)
        return false;
    return !node->made_up || node->check_count > 0 ||
           !(is_numeric(node) || node->kind == TENON_KIND_BOOL || node->kind == TENON_KIND_ENUM);
}

static void bind_default(struct tn_row_compilation *lowering, const struct tn_param *param, void *out)
{
    struct tn_param known = *param;
    struct tn_node  bare  = *param->node;

    bare.check_count = 0;
    if (lowering->known)
        known.node = &bare;
    try_value(lowering, &known, is_whole(&bare) ? &lowering->scratch : &lowering->shape->arena, param->def,
              "its default", out);
}

void tn_row_check_values(struct tn_row_compilation *lowering, const struct tn_param *param, char *defaults)
{
    void *scratch;

    if (lowering->shape->arena.failed)
        return;
    tn_arena_reset(&lowering->scratch);
    if (param->has_default)
        bind_default(lowering, param, defaults + param->offset);
    lowering->shape->arena.failed |= lowering->scratch.failed;
    if (lowering->known || lowering->shape->arena.failed || !is_in_doubt(param))
        return;
    tn_arena_reset(&lowering->scratch);
    scratch = tn_arena_zero(&lowering->scratch, 1, param->node->size, alignof(max_align_t));
    if (!scratch) {
        lowering->shape->arena.failed = true;
        return;
    }
    try_value(lowering, param, &lowering->scratch, param->node->example,
              param->row->rule.any.example ? "its example" : "it needs an .example, since the one made up,",
              scratch);
    lowering->shape->arena.failed |= lowering->scratch.failed;
}
