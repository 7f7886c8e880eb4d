/* issue_view.h - issues as programs see them (tenon/shape.h): whole sentences, copied into an arena. */
#ifndef MODEL_ISSUE_VIEW_H
#define MODEL_ISSUE_VIEW_H

#include <tenon/shape.h>

#include "model/issue.h"

/* The sentence of an issue, cut where it would be too long to read; "" when memory is refused. */
const char *tn_issue_sentence(struct tn_arena *arena, const struct tn_issue *issue);

/* All that were kept, in their order; NULL when memory is refused. */
const tenon_issue *tn_issue_views(struct tn_arena *arena, const struct tn_issues *issues);

#endif
