/* control.c - the program without a mistake, of which the others here are spoilt copies. */
#include <tenon/tenon.h>

typedef struct {
    const char *query;
    int         limit;
    double      threshold;
    bool        snippets;
} find_args;

static const int five = 5;

static const char *multiple_of(tenon_check *check, const void *value)
{
    return *(const int *)value % *(const int *)tenon_check_argument(check) ? "no" : NULL;
}

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    tenon_text(call, "%d notes about %s", args->limit, args->query);
    return tenon_ok(call);
}

TENON_TOOL(find, find_args,
    TENON_INFO("Find notes.", .hints = TENON_READ_ONLY),
    TENON_STR (query,     "What to look for.",          .required = true, .len = {1, 100}),
    TENON_INT (limit,     "How many notes to return.",  .range = {1, 10}, .def = 5,
               .checks = TENON_CHECKS(TENON_WITH(multiple_of, &five), TENON_WITH(multiple_of, &five))),
    TENON_NUM (threshold, "Least similarity.",          .range = {0, 1},  .def = 0.7),
    TENON_BOOL(snippets,  "Include the matching text.", .def = true));
