/* words the compiler must say: tenon_outcome|incompatible types */
#include <tenon/tenon.h>

typedef struct {
    const char *query;
    int         limit;
    double      threshold;
    bool        snippets;
} find_args;

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(find, find_args, TENON_INFO("Find."), TENON_INT(limit, "How many."));

static tenon_outcome make(tenon_call *call, const find_args *args)
{
    (void)call, (void)args;
    return 0;
}
TENON_TOOL(make, find_args, TENON_INFO("Make."), TENON_INT(limit, "How many."));
