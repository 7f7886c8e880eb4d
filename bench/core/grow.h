/* grow.h - tools and calls of any size, to see how the cost grows. */
#ifndef BENCH_CORE_GROW_H
#define BENCH_CORE_GROW_H

#include <tenon/rows.h>

/* Never freed: the measurements end with the program. */
struct grown {
    const tenon_rows *rows;
    const char       *json; /* one call */
    size_t            len;
};

/* NULL when out of memory. In a call that is not valid every parameter, or every item, is wrong. */
struct grown *grow_params(size_t count, bool valid);   /* integers, in the declared order */
struct grown *grow_strings(size_t count, bool valid);  /* one list */
struct grown *grow_integers(size_t count, bool valid); /* one list */

#endif
