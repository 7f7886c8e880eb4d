/* words the compiler must say: _Generic|not compatible with any */
#include <tenon/tenon.h>

typedef struct {
    int limit;
} find_args;

static bool is_even(const int *value)
{
    return *value % 2 == 0;
}

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(find, find_args, TENON_INFO("Find."),
    TENON_INT(limit, "How many.", .checks = TENON_CHECKS(TENON_WITH(is_even, NULL))));
