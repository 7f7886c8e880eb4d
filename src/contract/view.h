/* view.h - what the schemas of a document say of one place: a schema, what it refers to, and all that holds beside it. */
#ifndef CONTRACT_VIEW_H
#define CONTRACT_VIEW_H

#include "model/document_node.h"

#define VIEW_MAX 12 /* schemas of one place; more are left out */

struct tn_view {
    const struct tn_node *at[VIEW_MAX];
    size_t                count;
    unsigned              types; /* that all of them allow */
};

/* Of alternatives the one of that `way` is taken, or all of them for a hint, which restricts no types. `node` may be NULL. */
struct tn_view tn_view_of(const struct tn_node *node, size_t way, bool hint);

/* Of one member, and of one item. */
struct tn_view tn_view_member(const struct tn_view *view, const char *name, size_t len, size_t way,
                              bool hint);
struct tn_view tn_view_item(const struct tn_view *view, size_t index, size_t way, bool hint);

/* By its name, or NULL. */
const struct tn_property *tn_view_property(const struct tn_object_rules *rules, const char *name, size_t len);

#endif
