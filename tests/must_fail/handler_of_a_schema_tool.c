/* words the compiler must say: the handler must be: tenon_outcome find\(tenon_call \*, const tenon_json \*\) */
#include <tenon/tenon.h>

typedef struct {
    int limit;
} args;

static tenon_outcome find(tenon_call *call, const args *given)
{
    (void)given;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(find, TENON_INFO("Find."), "{\"type\":\"object\"}");
