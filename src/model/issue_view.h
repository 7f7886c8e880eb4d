/* issue_view.h - issues as programs see them (tenon/shape.h): whole sentences, copied into an arena. */
#ifndef MODEL_ISSUE_VIEW_H
#define MODEL_ISSUE_VIEW_H

#include <tenon/shape.h>

#include "model/issue.h"

/* The sentence of an issue, cut where it would be too long to read; "" when memory is refused. */
const char *issue_sentence(struct arena *arena, const struct issue *issue);

/* All that were kept, in their order; NULL when memory is refused. */
const tenon_issue *issue_views(struct arena *arena, const struct issues *issues);

#endif
