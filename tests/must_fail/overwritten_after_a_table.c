/* words the compiler must say: overwritten|overrides */
#include <tenon/tenon.h>

typedef struct {
    int limit;
} find_args;

TENON_ROWS(find_rows, find_args, TENON_INT(limit, "How many.", .def = 1));

/* Tables are exempt from that warning, and nothing after them. */
const find_args *find(void);
const find_args *find(void)
{
    static const find_args args = { .limit = 1, .limit = 2 };

    return find_rows() ? &args : NULL;
}
