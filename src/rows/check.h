/* check.h - rules of the program's own: over one value, over a struct. */
#ifndef ROWS_CHECK_H
#define ROWS_CHECK_H

#include "model/location.h"

/* Do all checks of the row hold for its bound field? Each that does not is reported. */
bool tn_checks_hold(struct tn_judge *judge, const struct tn_param *param, const struct tn_location *at,
                    yyjson_val *value, const void *field);

/* Runs one check over the struct at `base`, and reports it where the check says. */
void tn_check_struct(struct tn_judge *judge, const struct tn_object *object, const struct tn_hook *hook,
                     const struct tn_location *up, const char *base);

#endif
