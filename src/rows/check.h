/* check.h - rules of the program's own: over one value, over a struct. */
#ifndef ROWS_CHECK_H
#define ROWS_CHECK_H

#include "model/location.h"

/* Do all checks of the row hold for its bound field? Each that does not is reported. */
bool checks_hold(struct judge *judge, const struct param *param, const struct place *at, yyjson_val *value,
                 const void *field);

/* Runs one check over the struct at `base`, and reports it where the check says. */
void check_struct(struct judge *judge, const struct object *object, const struct hook *hook,
                  const struct place *up, const char *base);

#endif
