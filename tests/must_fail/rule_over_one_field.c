/* words the compiler must say: TENON_TOGETHER\(from\) is a rule over two fields or more */
#include <tenon/tenon.h>

typedef struct {
    int from, until;
} span_args;

TENON_ROWS(span_rows, span_args,
    TENON_INT(from,  "From."),
    TENON_TOGETHER(from));
