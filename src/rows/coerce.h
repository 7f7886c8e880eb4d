/* coerce.h - one scalar from JSON: lossless coercion, type, clamp, constraints. What is wrong is reported at `at`,
 * whose node has the rules; true means that *out is good.
 */
#ifndef ROWS_COERCE_H
#define ROWS_COERCE_H

#include "model/coercions.h"
#include "model/location.h"

bool tn_coerce_int(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int64_t *out);
bool tn_coerce_num(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, double *out);
bool tn_coerce_bool(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, bool *out);
bool tn_coerce_choice(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int *out);
bool tn_coerce_time(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, tenon_time *out);

/* Text that is followed by a NUL and contains none. */
bool tn_coerce_text(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                    struct tn_slice *out);

/* Refuses what is no date or timestamp, and says which rule it breaks; `text` is empty when it is no text. */
bool tn_coerce_refuse_date(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                           struct tn_slice text);

/* Counts a value at `at` that was taken of another type (model/coercions.h). */
void tn_coerce_report(struct tn_judge *judge, const struct tn_location *at, yyjson_val *from,
                      struct tn_slice to);

#endif
