/* backtrack.h - a text that makes a pattern take far more steps than the text is long.
 *
 * Patterns are not taken apart to find out: texts are tried, of the kind that repeats what the pattern repeats and then ends
 * otherwise, and the steps are counted. So what is reported was seen.
 */
#ifndef CONTRACT_LINT_BACKTRACK_H
#define CONTRACT_LINT_BACKTRACK_H

#include "base/buf.h"
#include "text/pattern.h"

struct tn_backtrack {
    struct tn_slice text;  /* in the arena */
    size_t          steps; /* that it took, or more: it was ended then */
};

/* Takes what it needs of `steps`. False when no such text was found. */
bool tn_backtrack_find(struct tn_backtrack *found, const struct pattern *pattern, struct tn_slice source,
                       struct matcher *matcher, struct tn_arena *arena, size_t *steps);

#endif
