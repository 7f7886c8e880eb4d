/* grow.c - the tools and calls of bench/core, here too. */
#include "bench/core/grow.c"
