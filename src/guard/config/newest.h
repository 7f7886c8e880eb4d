/* newest.h - commands that fetch a program when they run it. */
#ifndef GUARD_CONFIG_NEWEST_H
#define GUARD_CONFIG_NEWEST_H

#include <stdbool.h>

/* Does it run whatever version of a package is newest? Then what runs is not what was looked at the day before. NULL is fine:
 * an address. */
bool tn_runs_newest(const char *const *words);

#endif
