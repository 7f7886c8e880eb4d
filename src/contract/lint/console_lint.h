/* console_lint.h - what the console asks of the contract tools: see tn_console_lints() in net/console/console.h. */
#ifndef CONTRACT_LINT_CONSOLE_LINT_H
#define CONTRACT_LINT_CONSOLE_LINT_H

#include "base/buf.h"

/* Writes the findings of `tenon lint` about one definition, as JSON. False when it cannot be read, or without memory. */
bool tn_lint_for_console(struct tn_buf *out, struct tn_arena *arena, struct tn_slice definition);

#endif
