/* score.h - how the calls of one tool went, and the mark that it gets. */
#ifndef CONTRACT_FUZZ_SCORE_H
#define CONTRACT_FUZZ_SCORE_H

#include "contract/fuzz/verdict.h"

struct tn_score {
    size_t counts[FUZZ_VERDICTS];
    size_t calls; /* that have a verdict; a leak is no call */
};

void tn_score_add(struct tn_score *score, enum tn_fuzz_verdict verdict);

/* Of 100: the part of the calls that went well, and never 100 when one did not; -1 without any call. */
int tn_score_mark(const struct tn_score *score);

#endif
