/* made_up.h - a value of the form that a schema asks for, made from its rules.
 *
 * It shows the form and is not proved: a pattern or an alternative may ask for more than can be made up. It is validated
 * before it is shown.
 */
#ifndef DOCUMENT_MADE_UP_H
#define DOCUMENT_MADE_UP_H

#include "model/document_node.h"

/* JSON, or nothing when none can be made. */
struct tn_slice tn_made_up(struct tn_arena *arena, const struct tn_node *node);

#endif
