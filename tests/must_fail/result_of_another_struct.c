/* words the compiler must say: _Generic|generic association */
#include <tenon/tenon.h>

typedef struct {
    const char *name;
} person;

typedef struct {
    int wheels;
} car;

TENON_ROWS(person_rows, person, TENON_STR(name, "Who."));

static tenon_outcome look(tenon_call *call)
{
    car mine = { 4 };

    return tenon_ok_data(call, person_rows, &mine);
}

TENON_TOOL0(look, TENON_INFO("Look.", .result = person_rows));
