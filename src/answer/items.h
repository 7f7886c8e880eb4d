/* items.h - the items of a page: written one after the other until the budget is used up. */
#ifndef ANSWER_ITEMS_H
#define ANSWER_ITEMS_H

#include "answer/call.h"

#define MESSAGE_QUOTES ((size_t)3) /* and the comma, around one message more */

struct tn_items {
    struct tn_buf out;   /* {"items":[...  with as many items as were written */
    size_t       *ends;  /* where each of them ends */
    size_t        count; /* given by the handler */
    size_t        written;
    size_t        room; /* bytes for data and for messages that are still to come */
};

/* Writes items until there are no more or the room is used up, but at least one. False when the call has ended with
 * *failure instead. */
bool tn_items_write(struct tn_items *items, tenon_call *call, const void *from, size_t count,
                    tenon_outcome *failure);

/* How many items can be shown when `more` bytes are needed beside them: all, or as many as fit, but at least one if
 * there is one. */
size_t tn_items_fit(const struct tn_items *items, size_t more);

/* Takes back all but the first `shown` items and ends the array. What belongs behind it may then be added. */
void tn_items_end(struct tn_items *items, size_t shown);

#endif
