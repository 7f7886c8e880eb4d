/* words the compiler must say: TENON_OFFSETS_1_ */
#include <tenon/tenon.h>

typedef struct {
    int from, until;
} span_args;

TENON_ROWS(span_rows, span_args,
    TENON_INT(from,  "From."),
    TENON_TOGETHER(from));
