/* words the compiler must say: untill */
#include <tenon/tenon.h>

typedef struct {
    int from, until;
} span_args;

TENON_ROWS(span_rows, span_args,
    TENON_INT(from,  "From."),
    TENON_INT(until, "Until."),
    TENON_ORDERED(from, untill));
