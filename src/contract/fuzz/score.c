/* score.c - marks. */
#include "contract/fuzz/score.h"

void tn_score_add(struct tn_score *score, enum tn_fuzz_verdict verdict)
{
    score->counts[verdict]++;
    score->calls += verdict != FUZZ_LEAK;
}

int tn_score_mark(const struct tn_score *score)
{
    size_t good = score->counts[FUZZ_FINE] + score->counts[FUZZ_NAMED];
    int    mark;

    if (score->calls == 0)
        return -1;
    mark = (int)(good * 100 / score->calls);
    return mark == 100 && score->counts[FUZZ_LEAK] > 0 ? 99 : mark;
}
