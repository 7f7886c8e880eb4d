/* spell.c - texts that stand for other values. */
#include "model/spell.h"

#include "model/form.h"
#include "model/words/words.h"
#include "text/meant.h"

yyjson_val *tn_spell_number(struct tn_arena *arena, struct tn_slice text)
{
    text = tn_slice_trim(text);
    return tn_json_read_number(arena, text.at, text.len);
}

bool tn_spell_truth(struct tn_slice text, bool *truth)
{
    text   = tn_slice_trim(text);
    *truth = tn_slice_fold_equal(text, SLICE_LIT("true"));
    return *truth || tn_slice_fold_equal(text, SLICE_LIT("false"));
}

bool tn_spell_is_nothing(struct tn_slice text)
{
    text = tn_slice_trim(text);
    return tn_slice_fold_equal(text, SLICE_LIT("null")) || tn_slice_fold_equal(text, SLICE_LIT("none")) ||
           tn_slice_fold_equal(text, SLICE_LIT("undefined"));
}

/* ---- Choices ----------------------------------------------------------------------------------------------- */

static bool is_spelled(struct tn_slice choice, struct tn_slice text, enum tn_spelling how)
{
    switch (how) {
    case SPELLING_FOLDED: return tn_slice_fold_equal(choice, text);
    case SPELLING_SEPARATED: return tn_form_same_name(choice, text);
    default: return tn_slice_same(choice, text);
    }
}

static int find_choice(const struct tn_spell_choices *choices, struct tn_slice text, enum tn_spelling how)
{
    int found = -1;

    for (size_t i = 0; i < choices->count; i++) {
        struct tn_slice choice = choices->at(choices->of, i);

        if (!choice.at || !is_spelled(choice, text, how))
            continue;
        if (how <= SPELLING_TRIMMED)
            return (int)i;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

int tn_spell_choice(const struct tn_spell_choices *choices, struct tn_slice text, enum tn_spelling most,
                    enum tn_spelling *how)
{
    for (*how = SPELLING_EXACT; *how <= most; (*how)++) {
        int found = find_choice(choices, *how == SPELLING_EXACT ? text : tn_slice_trim(text), *how);

        if (found >= 0)
            return found;
    }
    *how = SPELLING_NONE;
    return -1;
}

static struct tn_slice value_at(const void *of, size_t index)
{
    return tn_json_slice(((yyjson_val *const *)of)[index]);
}

struct tn_spell_choices tn_spell_values(yyjson_val *const *at, size_t count)
{
    return (struct tn_spell_choices){ at, count, value_at };
}

int tn_spell_nearest(const struct tn_spell_choices *choices, yyjson_val *value)
{
    struct tn_slice choice;
    struct tn_meant meant;
    size_t          best;

    if (!yyjson_is_str(value))
        return -1;
    tn_meant_begin(&meant, tn_slice_trim(tn_json_slice(value)), false);
    for (size_t i = 0; i < choices->count && i < WORDS_NAMES_MAX; i++)
        if ((choice = choices->at(choices->of, i)).at)
            (void)tn_meant_try(&meant, choice, i);
    return tn_meant_found(&meant, &best) ? (int)best : -1;
}

/* ---- Lists ------------------------------------------------------------------------------------------------- */

yyjson_val *tn_spell_comma(struct tn_arena *arena, struct tn_slice text, size_t most, size_t *count)
{
    struct tn_slice rest = text, part;
    yyjson_val     *parts;
    size_t          i = 0;

    *count = 0;
    while (tn_slice_split(&rest, ',', &part))
        ++*count;
    parts = *count > most ? NULL : tn_arena_array(arena, *count, yyjson_val);
    for (rest = text; parts && tn_slice_split(&rest, ',', &part); i++) {
        part    = tn_slice_trim(part);
        part.at = tn_arena_copy(arena, part.at, part.len);
        if (!part.at)
            return NULL;
        yyjson_set_strn(&parts[i], part.at, part.len);
    }
    return parts;
}

bool tn_spell_is_container(struct tn_slice text)
{
    text = tn_slice_trim(text);
    return text.len > 0 && (text.at[0] == '[' || text.at[0] == '{');
}
