/* bind.h - validating JSON by a model and binding it to a struct: a pure function of declaration and arguments.
 *
 * The order of work for each parameter: presence, wire form (JSON text, comma list), lossless coercion, type, clamp,
 * constraints, own check; then rules over several parameters; then unknown names. Every problem is found.
 */
#ifndef ROWS_BIND_H
#define ROWS_BIND_H

#include "model/judge.h"

/* Judges and binds. The struct, or NULL when there are issues or memory was refused (judge->arena->failed). */
const void *tn_bind_text(struct tn_judge *judge, const struct tn_object *object, const char *json,
                         size_t len);
const void *tn_bind_args(struct tn_judge *judge, const struct tn_object *object, yyjson_val *args);

/* Judges one JSON value by one node and binds it to `out`, for defaults and examples. */
bool tn_bind_alone(struct tn_judge *judge, const struct tn_param *param, const char *json, size_t len,
                   void *out);

#endif
