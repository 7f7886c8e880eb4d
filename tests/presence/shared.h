/* shared.h - rows in a header. */
#ifndef SHARED_H
#define SHARED_H

#include <tenon/rows.h>

typedef struct {
    const char *first;
    double      share;
} person;

TENON_ROWS(person_rows, person,
    TENON_STR(first, "First name.", .required = true, .len = {1, 80}),
    TENON_NUM(share, "Ownership in percent.", .range = {0, 100}, .def = 0));

#endif
