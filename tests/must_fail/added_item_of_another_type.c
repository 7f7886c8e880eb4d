/* words the compiler must say: pointer type mismatch */
#include <tenon/tenon.h>

static tenon_outcome find(tenon_call *call)
{
    tenon_ints numbers = { 0 };
    double     half    = 0.5;

    tenon_list_add(call, &numbers, &half);
    return tenon_ok(call);
}

TENON_TOOL0(find, TENON_INFO("Find."));
