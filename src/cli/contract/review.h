/* review.h - what was found of upstreams, for people and for programs. */
#ifndef CLI_CONTRACT_REVIEW_H
#define CLI_CONTRACT_REVIEW_H

#include "cli/contract/target.h"

/* Digits of a hash that are shown, and that an approval must repeat: nobody can make another definition that begins so. */
#define HASH_SHOWN ((size_t)16)

/* One line for each definition that is not as it was approved, and what was found in it. */
void review_print(const struct targets *targets, const struct target *target, const struct tn_review *review);

/* Every change in full, as lines with - and +. */
void review_print_diff(struct targets *targets, const struct target *target, const struct tn_review *review);

/* The same as members of a JSON array. */
void review_json(struct tn_buf *out, struct targets *targets, const struct target *target,
                 const struct tn_review *review);

/* Is the one that the call names, if it names one? */
bool review_is_meant(const struct target *target, const struct tn_reviewed *one);

#endif
