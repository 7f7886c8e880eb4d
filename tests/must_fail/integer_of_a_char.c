/* words the compiler must say: letter.*TENON_INT needs an integer type of 16 to 64 bits */
#include <tenon/tenon.h>

typedef struct {
    char letter;
} letter_args;

TENON_ROWS(letter_rows, letter_args, TENON_INT(letter, "Which."));
