/* cursor.h - opaque places to continue at: signed, and bound to the query and the caller that they came from. */
#ifndef ANSWER_CURSOR_H
#define ANSWER_CURSOR_H

#include "answer/call.h"

#define CURSOR_POSITION_MAX 1024 /* bytes */

/* Checks the cursor of the bound arguments, if the tool has one, and takes the position out of it. One that is not
 * ours, or another query's or caller's, becomes an issue. */
void tn_cursor_check(tenon_call *call);

/* For arguments that were refused already: says what to do about the cursor, if something is wrong with it. */
void tn_cursor_advise(tenon_call *call);

#endif
