/* search_score.c - what a piece is worth for a question.
 *
 * Words: each word of the question weighs by how rare it is; a piece gets a part of the weight that grows with how often it
 * says the word, as in BM25, but of what a perfect piece would get: so it means the same for a short question and a long
 * one. A word that no piece has weighs most, and nobody gets it: that is what makes a question off-topic.
 *
 * The relevance is a logistic curve over the logarithms of the two kinds of evidence. Its constants come from
 * bench/docs/fit.py; docs/search.md tells how. None of them is changed by what is searched.
 */
#include "docs/search_score.h"

#include <math.h>

/* Words. */
#define SATURATION   1.2 /* how often a word must be said to count half */
#define LENGTH_PART  0.9 /* of the saturation that grows with the piece's length */
#define RARE_PRIOR                                                                                           \
    30 /* pieces that a collection is taken to have besides its own, without the words: else a
                          * word would mean nothing in a collection of three */
#define LENGTH_PRIOR 100 /* words of each of those */
#define RARITY_POWER 1.3
#define UNKNOWN_PART 1.5 /* of its weight, for a word that no piece has: the question is about something else */

/* From evidence to relevance: bench/docs/fit.py prints these lines. */
#define WORDS_FLOOR    0.05
#define COSINE_FLOOR   0.1
#define BOTH_CONSTANT  3.057
#define BOTH_WORDS     1.493
#define BOTH_COSINE    0.998
#define WORDS_CONSTANT 2.396
#define WORDS_WORDS    1.902

/* A model's cosines: unrelated texts have about MODEL_NOTHING. What is nearer than MODEL_HALF is relevant even when it
 * shares no word with the question. */
#define MODEL_NOTHING 0.30
#define MODEL_SCALE   0.70 /* from there to 1, in cosines of the embedded provider */
#define MODEL_HALF    0.62
#define MODEL_SLOPE   14.0

static double weight_of(double pieces, double with)
{
    double rarity = log(1 + (pieces + RARE_PRIOR - with + 0.5) / (with + 0.5));

    return pow(rarity, RARITY_POWER) * (with > 0 ? 1 : UNKNOWN_PART);
}

void score_question(struct score_query *query, const struct query_words *words,
                    const struct postings *postings)
{
    double pieces = (double)postings->pieces, total = 0;

    query->usual_length = ((double)postings->length + (double)LENGTH_PRIOR * RARE_PRIOR) /
                          (pieces + RARE_PRIOR);
    for (size_t i = 0; i < words->count; i++) {
        query->weights[i] = weight_of(pieces, (double)postings->with[i]) * words->times[i];
        total += query->weights[i];
    }
    for (size_t i = 0; i < words->count; i++)
        query->weights[i] /= total;
}

struct evidence score_words(const struct score_query *query, const struct postings *postings,
                            const struct posting_row *row)
{
    struct evidence evidence = { 0 };
    double          half;

    if (!row)
        return evidence;
    half = SATURATION * (1 - LENGTH_PART + LENGTH_PART * row->length / query->usual_length);
    for (const struct posting *at = postings->at + row->first, *end = at + row->count; at < end; at++)
        evidence.saturated += query->weights[at->word] * at->times / (at->times + half);
    return evidence;
}

static double logistic(double at)
{
    return 1 / (1 + exp(-at));
}

double score_relevance(const struct evidence *evidence, enum cosine_kind kind)
{
    double words  = log(evidence->saturated + WORDS_FLOOR);
    double cosine = evidence->cosine;
    double relevance, alone;

    if (!evidence->has_cosine)
        return logistic(WORDS_CONSTANT + WORDS_WORDS * words);
    if (kind == COSINE_MODEL)
        cosine = (cosine - MODEL_NOTHING) * MODEL_SCALE / (1 - MODEL_NOTHING);
    relevance = logistic(BOTH_CONSTANT + BOTH_WORDS * words +
                         BOTH_COSINE * log(fmax(cosine, 0) + COSINE_FLOOR));
    if (kind == COSINE_EMBEDDED)
        return relevance;
    alone = logistic(MODEL_SLOPE * (evidence->cosine - MODEL_HALF));
    return fmax(relevance, alone);
}
