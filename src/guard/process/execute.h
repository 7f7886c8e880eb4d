/* execute.h - becomes the program of an order. */
#ifndef GUARD_PROCESS_EXECUTE_H
#define GUARD_PROCESS_EXECUTE_H

#include "guard/process/control.h"

/* How a start failed. */
struct tn_start_failure {
    int32_t step, error; /* of enum tn_start_step; errno */
};

/* In a new process: session, limits, directory, program. Returns only when that failed. The program is
 * looked for in the PATH of the order's own environment, in its absolute folders only, and never run by a
 * shell, not even when it is a script without a first line that names one. */
struct tn_start_failure tn_execute(const struct tn_order *order);

#endif
