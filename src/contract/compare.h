/* compare.h - what callers of a server meet when its definitions change.
 *
 * Each difference is proved or witnessed, never guessed: BREAKING has a call that worked and does not now (or a result that comes now
 * and was not promised), SAFE was proved, NONE means the same as before, and all else is for a person to review.
 */
#ifndef CONTRACT_COMPARE_H
#define CONTRACT_COMPARE_H

#include "contract/offer.h"

enum tn_class { CLASS_NONE, CLASS_SAFE, CLASS_REVIEW, CLASS_BREAKING, CLASSES };

/* "NONE", "SAFE", "REVIEW", "BREAKING". */
const char *tn_class_name(enum tn_class class_);

struct tn_difference {
    enum tn_class   class_;
    enum tn_kind    kind;
    struct tn_slice name;    /* of the tool; empty: of the server itself */
    struct tn_slice place;   /* the parameter, "arguments", "result", "description", ... */
    struct tn_slice what;    /* a sentence */
    struct tn_slice witness; /* arguments, or a structured result, as JSON; or empty */
    struct tn_slice why;     /* what is said of the witness now, or was before */
};

/* What schemas can make a comparison of them take: steps of witnesses, and of reading, about 20 ns each. What is left over when
 * they are spent is for review. */
#define COMPARE_WORK      ((size_t)200000000) /* of a list, */
#define COMPARE_WORK_EACH ((size_t)40000000)  /* one question, */
#define COMPARE_WORK_ONE  ((size_t)4000000)   /* and of a definition alone: between calls of a guard */

struct tn_comparison {
    struct tn_arena      *arena;
    size_t                work; /* steps that are left */
    struct tn_difference *at;
    size_t                count, room;
    size_t                counts[CLASSES];
};

/* All is in the arena. False without memory. */
bool tn_compare_offers(struct tn_comparison *comparison, struct tn_arena *arena,
                       const struct tn_offer *before, const struct tn_offer *after);

/* The gravest of what changed in one definition; CLASS_REVIEW for all that could not be compared. */
enum tn_class tn_compare_definitions(struct tn_arena *arena, enum tn_kind kind,
                                     const struct tn_definition *before, const struct tn_definition *after);

#endif
