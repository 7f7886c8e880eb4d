/* words the compiler must say: name.*TENON_STR needs a .*const char */
#include <tenon/tenon.h>

typedef struct {
    char name[20];
} name_args;

TENON_ROWS(name_rows, name_args, TENON_STR(name, "Which."));
