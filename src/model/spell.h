/* spell.h - what a text spells where no text is wanted: a number, a truth value, one of several words, a list.
 *
 * Both front ends read texts here, so that "80", " HIGH" and "a, b" mean the same in both. Only what
 * is unambiguous is spelled: "007" is no number, "yes" no truth value, and a word that could be two of the choices none.
 */
#ifndef MODEL_SPELL_H
#define MODEL_SPELL_H

#include "json/read.h"

/* With JSON's own grammar, spaces around it aside; NULL when it is no number. */
yyjson_val *tn_spell_number(struct tn_arena *arena, struct tn_slice text);

/* "true" and "false" in any case. False when it is neither. */
bool tn_spell_truth(struct tn_slice text, bool *truth);

/* One of the words that stand for nothing where no text is wanted: null, none, undefined. */
bool tn_spell_is_nothing(struct tn_slice text);

/* Words to choose from; a hole has a NULL `at`. */
struct tn_spell_choices {
    const void *of;
    size_t      count;
    struct tn_slice (*at)(const void *of, size_t index);
};

/* How a text spells a choice: the first that finds one decides. */
enum tn_spelling {
    SPELLING_NONE,
    SPELLING_EXACT,
    SPELLING_TRIMMED,  /* with spaces around it */
    SPELLING_FOLDED,   /* in another case */
    SPELLING_SEPARATED /* with other separators between its words */
};

/* The index of the one choice that a text spells, or -1 when there is none or more than one. `most` bounds what is tried. */
int tn_spell_choice(const struct tn_spell_choices *choices, struct tn_slice text, enum tn_spelling most,
                    enum tn_spelling *how);

/* The same of the values of an enum. */
struct tn_spell_choices tn_spell_values(yyjson_val *const *at, size_t count);

/* The index of the choice that a text probably means, or -1 when none is near; -1 of what is no text. */
int tn_spell_nearest(const struct tn_spell_choices *choices, yyjson_val *value);

/* The parts between commas, trimmed, as an array of strings that end in a NUL. NULL when there are more than `most`, or
 * memory is refused. */
yyjson_val *tn_spell_comma(struct tn_arena *arena, struct tn_slice text, size_t most, size_t *count);

/* Does a text begin as an array or an object does? */
bool tn_spell_is_container(struct tn_slice text);

#endif
