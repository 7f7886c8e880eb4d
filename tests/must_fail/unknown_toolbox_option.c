/* words the compiler must say: usre */
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

int main(void)
{
    tenon_toolbox *box = tenon_toolbox_new(.usre = NULL);

    tenon_toolbox_add(box, find_tool());
    tenon_toolbox_free(box);
    return 0;
}
