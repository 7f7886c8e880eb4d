/* meaning.c - what a model's cosines add to words. */
#include "docs/search/meaning.h"

#include <math.h>
#include <stdlib.h>

#define MEANING_PART 0.55 /* of the order; the rest is the words' */
#define TOP_LEAST    0.6  /* relevance of the best, when it is just above the floor */
#define TOP_MOST     0.95 /* and when it is half way from there to 1 */
#define WORDS_ALONE  0.8  /* of the words' relevance, for a piece that the model holds for unrelated */
#define WORDS_ASTRAY 0.6  /* the same, when it finds nothing at all that is related to the question */

/* A question near the floor is often about a neighbouring subject: its best counts in full only when it lies this far above, as a
 * part of what is left to 1, or when some piece has its words as well. */
#define MARGIN_FULL 0.5
#define WORDS_FULL  0.7

static int by_cosine(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;

    return (a > b) - (a < b);
}

double meaning_median(float *sample, size_t count)
{
    if (count == 0)
        return 0;
    qsort(sample, count, sizeof *sample, by_cosine);
    return (double)sample[count / 2];
}

double meaning_order(const struct meaning *meaning, const struct evidence *evidence)
{
    double words  = meaning->words > 0 ? evidence->saturated / meaning->words : 0;
    double spread = meaning->best - meaning->median;

    if (!evidence->has_cosine) /* not embedded yet */
        return words;
    return MEANING_PART * (spread > 0 ? fmax(evidence->cosine - meaning->median, 0) / spread : 0) +
           (1 - MEANING_PART) * words;
}

static double support_of(const struct meaning *meaning)
{
    double margin = (meaning->best - meaning->floor.cosine) / (1 - meaning->floor.cosine);
    double words  = score_relevance(&(struct evidence){ .saturated = meaning->words }, COSINE_MODEL);

    return fmin(fmax(margin / MARGIN_FULL, words / WORDS_FULL), 1);
}

double meaning_relevance(const struct meaning *meaning, const struct evidence *evidence)
{
    const struct floor *floor = &meaning->floor;
    struct evidence     alone = { .saturated = evidence->saturated };
    double              words = score_relevance(&alone, COSINE_MODEL), part, top;

    if (!evidence->has_cosine || !floor->is_known)
        return words;
    if (!floor->is_separable)
        return words;
    if (meaning->best <= floor->cosine || evidence->cosine <= floor->cosine)
        return words * (meaning->best <= floor->cosine ? WORDS_ASTRAY : WORDS_ALONE);
    part = (evidence->cosine - floor->cosine) / (meaning->best - floor->cosine);
    top  = TOP_LEAST +
          (TOP_MOST - TOP_LEAST) * fmin(2 * (meaning->best - floor->cosine) / (1 - floor->cosine), 1);
    part = part <= 0.5 ? part : 0.5 + (part - 0.5) * (top - 0.5) * 2;
    return fmax(words, part * support_of(meaning));
}
