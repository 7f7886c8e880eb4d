/* compare_schema.h - between the files of the comparison: schemas of arguments and of results. */
#ifndef CONTRACT_COMPARE_SCHEMA_H
#define CONTRACT_COMPARE_SCHEMA_H

#include "contract/compare.h"

/* One definition that is being compared. */
struct tn_compared {
    struct tn_comparison *comparison;
    enum tn_kind          kind;
    struct tn_slice       name;
};

/* One more row; NULL without memory. `what` is a format. */
struct tn_difference *tn_compare_add(const struct tn_compared *compared, enum tn_class class_,
                                     struct tn_slice place, const char *what, ...) TENON_PRINTF(4, 5);

/* Takes steps of the comparison's work; false when none are left. */
bool tn_compare_spend(const struct tn_compared *compared, size_t steps);

/* Are two parts the same in canonical form? Either may be NULL. */
bool tn_compare_same(const struct tn_compared *compared, yyjson_val *a, yyjson_val *b);

/* Either may be NULL. */
void tn_compare_input(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after);
void tn_compare_output(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after);

/* Arguments that a schema accepts, as JSON; or empty. */
struct tn_slice tn_compare_plain_call(const struct tn_compared *compared, yyjson_val *schema);

#endif
