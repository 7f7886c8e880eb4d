/* words the compiler must say: page.*TENON_GROUP needs the struct of its rows */
#include <tenon/tenon.h>

typedef struct {
    const char *name;
} person;

typedef struct {
    int wheels;
} car;

typedef struct {
    car page;
} page_args;

TENON_ROWS(page_rows, page_args, TENON_PAGE(page));
