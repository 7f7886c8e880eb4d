/* words the compiler must say: colour_names */
#include <tenon/tenon.h>

enum colour { RED, GREEN };

typedef struct {
    enum colour colour;
} colour_args;

TENON_ROWS(colour_rows, colour_args, TENON_ENUM(colour, colour_names, "Which."));
