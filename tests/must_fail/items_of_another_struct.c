/* words the compiler must say: _Generic|generic association */
#include <tenon/tenon.h>

typedef struct {
    const char *name;
} person;

typedef struct {
    int wheels;
} car;

TENON_ROWS(person_rows, person, TENON_STR(name, "Who."));

typedef struct {
    tenon_page page;
} page_args;

static tenon_outcome look(tenon_call *call, const page_args *args)
{
    static const car cars[2];

    return tenon_ok_page(call, &args->page, person_rows, cars, 2, 2);
}

TENON_TOOL(look, page_args, TENON_INFO("Look.", .items = person_rows), TENON_PAGE(page));
