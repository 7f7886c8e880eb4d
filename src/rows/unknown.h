/* unknown.h - names that no row declares. */
#ifndef ROWS_UNKNOWN_H
#define ROWS_UNKNOWN_H

#include "rows/bind_form.h"

/* Judges the undeclared names of an object whose parameters were bound; its issues begin at `from`. */
void unknown_judge(struct judge *judge, const struct object *object, const struct form_names *names,
                   const uint8_t *presence, size_t from);

#endif
