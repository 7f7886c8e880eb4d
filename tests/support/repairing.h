/* repairing.h - a server's tools as a naive client meets them: every single fault of a good call is repaired at its second
 * try.
 */
#ifndef SUPPORT_REPAIRING_H
#define SUPPORT_REPAIRING_H

#include "kit/tools.h"

/*   total, refused  calls, and those that were refused
 *   faults          that broke the promise; printed
 *   unknown         made-up calls that the server's own data, or a rule over several parameters, did not let begin with */
struct repairing {
    size_t total, refused, faults, unknown;
};

/* Tries every tool but `except` (NULL: none) with every fault. Handlers run, with the box's `user`: an answer that is no VALIDATION_ERROR shows that the
 * arguments were good. */
struct repairing repair_tools(tenon_toolbox *box, const struct tool_list *tools, const char *except);

#endif
