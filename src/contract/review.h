/* review.h - what a server offers beside what was approved of it. */
#ifndef CONTRACT_REVIEW_H
#define CONTRACT_REVIEW_H

#include "contract/offer.h"
#include "contract/screen.h"

enum tn_review_state {
    REVIEW_SAME,
    REVIEW_NEW,
    REVIEW_CHANGED,
    REVIEW_REMOVED,
    REVIEW_UNFIT /* it has no canonical form, and cannot be approved */
};

/* "same", "new", "changed", "removed", "unfit". */
const char *tn_review_word(enum tn_review_state state);

struct tn_reviewed {
    enum tn_review_state        state;
    enum tn_kind                kind;
    bool                        instructions; /* it is the server's instructions, and has no kind */
    struct tn_slice             name;
    const char                 *hash;     /* of what is live; NULL when it is gone or unfit */
    const struct tn_definition *live;     /* or NULL */
    const struct tn_pinned     *approved; /* or NULL */
    struct tn_screening        *findings; /* of what is not approved as it is; or NULL */
};

struct tn_review {
    struct tn_reviewed *at; /* tools, prompts, templates as they are listed; instructions; what is gone */
    size_t              count;
    size_t              counts[REVIEW_UNFIT + 1];
};

/* `entry` may be NULL: nothing was approved. Both must outlive the review. False without memory. */
bool tn_review_make(struct tn_review *review, struct tn_arena *arena, const struct tn_offer *offer,
                    const struct tn_lock_entry *entry);

/* One definition alone. */
enum tn_review_state tn_review_of(const struct tn_lock_entry *entry, enum tn_kind kind,
                                  const struct tn_definition *live);

/* "files/send", "files/prompts/greet", "files/instructions": how it is named when it is approved. Not escaped. */
void tn_review_name(struct tn_buf *out, struct tn_slice upstream, const struct tn_reviewed *one);

#endif
