/* values.h - values that a schema probably accepts, at its edges.
 *
 * One is plain: what must be there, and nothing else. Others differ from it in one place: each value of an enum, the ends of
 * a range, each optional member, one item more. A hint is a second schema whose edges are tried as well: what it changed is
 * where the two disagree. Nothing is promised: a value must be validated before it is used.
 */
#ifndef CONTRACT_VALUES_H
#define CONTRACT_VALUES_H

#include "base/buf.h"
#include "model/document_node.h"

#define VALUES_WAYS_MAX 6 /* of alternatives, one after the other */

/* Writes the nth variation, of those that take the alternative `way` wherever there are any; 0 is the plain one. False when
 * there are no more. `hint` may be NULL. */
bool tn_values_write(struct tn_buf *out, const struct tn_node *node, const struct tn_node *hint, size_t way,
                     size_t nth);

/* Writes one that differs in several places, by a number that is drawn anew each time. */
void tn_values_mixed(struct tn_buf *out, const struct tn_node *node, const struct tn_node *hint,
                     uint64_t *seed);

#endif
