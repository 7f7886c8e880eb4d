/* quick.h - the arguments of a tool as they mostly come: valid, each name once, and only defaults to fill in.
 *
 * One pass over the members sees all of that, where nothing is asked of the object but of its members by their names. It
 * changes and reports nothing: what it does not take is for repair.h and for a report, which then begin anew.
 */
#ifndef DOCUMENT_QUICK_H
#define DOCUMENT_QUICK_H

#include "document/verdict/verdict.h"

/* What to go on with: `value` itself, or with the defaults of absent members behind its own. NULL when it is not that plain:
 * nothing is known then. */
yyjson_val *tn_quick_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

#endif
