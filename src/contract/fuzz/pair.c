/* pair.c - two faults at a time: an answer has to name both, or a model repairs one and fails again. */
#include "contract/fuzz/cases.h"
#include "contract/fuzz/random.h"

#define PAIRS_MAX   ((size_t)48) /* of one tool */
#define PAIRS_TRIES ((size_t)400)

/* Do they stand apart in the text? */
static bool are_apart(const struct tn_edit *first, const struct tn_edit *second)
{
    return first->to < second->from;
}

static void try_pair(struct tn_case_maker *maker, const struct tn_case *one, const struct tn_case *other)
{
    const struct tn_edit *a = &one->edits[0], *b = &other->edits[0];

    if (one->edit_count != 1 || other->edit_count != 1)
        return;
    if (are_apart(b, a))
        b = &one->edits[0], a = &other->edits[0];
    if (!are_apart(a, b))
        return;
    tn_case_try(maker, &(struct tn_case){ .kind       = CASE_PAIR,
                                          .what       = "two faults",
                                          .where      = one->where,
                                          .edits      = { *a, *b },
                                          .edit_count = 2 });
}

void tn_pairs_add(struct tn_case_maker *maker, const struct tn_cases *faults, uint64_t *seed)
{
    for (size_t i = 0; faults->count > 1 && i < PAIRS_TRIES && maker->cases->count < PAIRS_MAX; i++)
        try_pair(maker, &faults->at[tn_random_next(seed) % faults->count],
                 &faults->at[tn_random_next(seed) % faults->count]);
}
