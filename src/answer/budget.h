/* budget.h - no answer is longer than its budget, and nothing is left out in silence. */
#ifndef ANSWER_BUDGET_H
#define ANSWER_BUDGET_H

#include "answer/call.h"

/* Lists and texts that are cut in one answer. */
#define BUDGET_ROUNDS 8

/* Shortens the data of a call that has ended until its answer fits, and says so in messages; ends the call with
 * LIMIT_EXCEEDED when it cannot be done. Returns how many bytes the messages may take. */
size_t tn_budget_apply(tenon_call *call);

#endif
