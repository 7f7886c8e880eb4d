/* words the compiler must say: no member named 'header'|field designator 'header' */
#include <tenon/tenon.h>

typedef struct {
    double threshold;
} find_args;

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(find, find_args, TENON_INFO("Find."),
    TENON_NUM(threshold, "How near.", .header = "Threshold"));
