/* words the compiler must say: snippets.*TENON_INT needs an integer type of 16 to 64 bits */
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

TENON_TOOL(find, find_args, TENON_INFO("Find."),
    TENON_INT(snippets, "How many."));
