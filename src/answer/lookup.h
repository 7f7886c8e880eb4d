/* lookup.h - running the lookups of rows, after validation and before the handler. */
#ifndef ANSWER_LOOKUP_H
#define ANSWER_LOOKUP_H

#include "answer/call.h"

/* Adds an issue for every value that is not there. False: a lookup failed or the call was cancelled, nothing else is wrong,
 * and the call has ended. */
bool tn_lookups_run(tenon_call *call);

#endif
