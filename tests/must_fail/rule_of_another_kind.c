/* words the compiler must say: no member named 'range'|field .*range */
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
    TENON_STR (query,    "What."),
    TENON_BOOL(snippets, "Text too.", .range = {0, 1}));
