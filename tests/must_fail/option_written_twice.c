/* words the compiler must say: overwritten|overrides */
#define TENON_LINT /* without it, the later one counts */
#include <tenon/tenon.h>

typedef struct {
    int limit;
} find_args;

TENON_ROWS(find_rows, find_args, TENON_INT(limit, "How many.", .def = 1, .def = 2));
