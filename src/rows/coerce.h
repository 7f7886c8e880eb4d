/* coerce.h - one scalar from JSON: lossless coercion, type, clamp, constraints. What is wrong is reported at `at`,
 * whose node has the rules; true means that *out is good.
 */
#ifndef ROWS_COERCE_H
#define ROWS_COERCE_H

#include "model/coercions.h"
#include "model/location.h"

bool take_int(struct judge *judge, const struct place *at, yyjson_val *value, int64_t *out);
bool take_num(struct judge *judge, const struct place *at, yyjson_val *value, double *out);
bool take_bool(struct judge *judge, const struct place *at, yyjson_val *value, bool *out);
bool take_choice(struct judge *judge, const struct place *at, yyjson_val *value, int *out);
bool take_time(struct judge *judge, const struct place *at, yyjson_val *value, tenon_time *out);

/* Text that is followed by a NUL and contains none. */
bool take_text(struct judge *judge, const struct place *at, yyjson_val *value, struct slice *out);

/* Is `text` one of the words that stand for nothing where no text is wanted? */
bool take_is_placeholder(struct slice text);

/* Counts a value at `at` that was taken of another type (model/coercions.h). */
void take_coerced(struct judge *judge, const struct place *at, yyjson_val *from, struct slice to);

#endif
