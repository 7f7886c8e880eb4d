/* words the compiler must say: has no member named 'limt'; did you mean 'limit'|no member named 'limt' in 'find_args'; did you mean 'limit' */
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
    TENON_STR(query, "What."),
    TENON_INT(limt,  "How many.", .range = {1, 10}));
