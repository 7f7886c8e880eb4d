/* words the compiler must say: the handler must be: tenon_outcome look\(tenon_call \*\) */
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

TENON_TOOL(find, find_args, TENON_INFO("Find."), TENON_STR(query, "What."));

static tenon_outcome look(tenon_call *call, const find_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL0(look, TENON_INFO("Look."));
