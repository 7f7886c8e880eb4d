/* words the compiler must say: TENON_ANY_OF\(a, b, c, d, e, f, g\) is a rule over six fields at most */
#include <tenon/tenon.h>

typedef struct {
    int a, b, c, d, e, f, g;
} many_args;

TENON_ROWS(many_rows, many_args, TENON_INT(a, "A."), TENON_ANY_OF(a, b, c, d, e, f, g));
