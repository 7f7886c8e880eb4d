/* fuzz_plan.h - the calls that `tenon fuzz` would make, for people and programs that look at them first. */
#ifndef CLI_CONTRACT_FUZZ_PLAN_H
#define CLI_CONTRACT_FUZZ_PLAN_H

#include "cli/contract/fuzz_choice.h"

/* A line of JSON each: tool, kind, what, where, whether the schema accepts it, and the arguments as a text. False when something
 * failed, which was reported. */
bool fuzz_plan_print(const struct console *console, const struct fuzz_chosen *chosen, uint64_t seed);

#endif
