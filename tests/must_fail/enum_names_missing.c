/* words the compiler must say: needs a description|at least one argument */
#include <tenon/tenon.h>

enum colour { RED, GREEN };

typedef struct {
    enum colour colour;
} colour_args;

TENON_ROWS(colour_rows, colour_args, TENON_ENUM(colour, "Which."));
