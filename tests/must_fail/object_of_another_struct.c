/* words the compiler must say: owner.*TENON_OBJECT needs the struct of its rows */
#include <tenon/tenon.h>

typedef struct {
    const char *name;
} person;

typedef struct {
    int wheels;
} car;

typedef struct {
    car owner;
} owner_args;

TENON_ROWS(person_rows, person, TENON_STR(name, "Who."));
TENON_ROWS(owner_rows, owner_args, TENON_OBJECT(owner, person_rows, "The owner."));
