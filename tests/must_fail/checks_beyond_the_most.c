/* words the compiler must say: excess elements */
#include <tenon/tenon.h>

typedef struct {
    int limit;
} find_args;

static const char *fine(tenon_check *check, const void *value)
{
    (void)check, (void)value;
    return NULL;
}

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(find, find_args, TENON_INFO("Find."),
    TENON_INT(limit, "How many.", .checks = TENON_CHECKS(TENON_WITH(fine, NULL), TENON_WITH(fine, NULL),
                                                         TENON_WITH(fine, NULL), TENON_WITH(fine, NULL),
                                                         TENON_WITH(fine, NULL))));
