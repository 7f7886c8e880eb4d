/* unknown.h - names that no row declares. */
#ifndef ROWS_UNKNOWN_H
#define ROWS_UNKNOWN_H

#include "rows/bind_form.h"

/* Judges the undeclared names of an object whose parameters were bound; its issues begin at `from`. */
void tn_unknown_judge(struct tn_judge *judge, const struct tn_object *object,
                      const struct tn_form_names *names, const uint8_t *presence, size_t from);

#endif
