/* words the compiler must say: people.*TENON_OBJECTS needs */
#include <tenon/tenon.h>

typedef struct {
    const char *name;
} person;

typedef struct {
    int wheels;
} car;

typedef struct {
    TENON_LIST_OF(car) people;
} list_args;

TENON_ROWS(person_rows, person, TENON_STR(name, "Who."));
TENON_ROWS(list_rows, list_args, TENON_OBJECTS(people, person_rows, "Everyone."));
