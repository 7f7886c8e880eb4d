#!/usr/bin/env python3
"""Fits the curve from evidence to relevance (servers/docs/search/score.c), and prints its constants.

    docs features CISI | fit.py

Only the odd questions are used; the even ones are there to judge. A logistic regression over the logarithms of the two kinds
of evidence gives the probability that a document is relevant. Then two points are set: what is right one time in four
(HALF) is 0.5, and what is right two times in five (SURE) is 0.7. Judges of this collection name few of the documents
that share a question's words; a document on its subject that they leave out is an error here, which it would not be to a
reader who asked."""
import math
import sys

WORDS_FLOOR, COSINE_FLOOR = 0.05, 0.1
HALF, SURE = 0.25, 0.4  # chances that become 0.5 and 0.7
RIDGE = 1.0


def logit(chance):
    return math.log(chance / (1 - chance))


def solve(matrix, right):
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def fit(samples):
    """Newton's method; `samples` are pairs of a vector and whether it is relevant."""
    size = len(samples[0][0])
    weights = [-4.0] + [0.0] * (size - 1)
    for _ in range(30):
        gradient = [0.0] * size
        hessian = [[0.0] * size for _ in range(size)]
        for vector, relevant in samples:
            chance = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, vector))))
            error, spread = relevant - chance, chance * (1 - chance)
            for a in range(size):
                gradient[a] += error * vector[a]
                for b in range(size):
                    hessian[a][b] += spread * vector[a] * vector[b]
        for a in range(1, size):
            gradient[a] -= RIDGE * weights[a]
            hessian[a][a] += RIDGE
        step = solve(hessian, gradient)
        weights = [w + s for w, s in zip(weights, step)]
        if max(map(abs, step)) < 1e-9:
            break
    return weights


def stretched(weights):
    """The weights after which HALF is 0.5 and SURE is 0.7."""
    slope = logit(0.7) / (logit(SURE) - logit(HALF))
    return [slope * (weights[0] - logit(HALF))] + [slope * w for w in weights[1:]]


def main():
    both, words = [], []
    for line in sys.stdin:
        question, relevant, saturated, cosine = line.split()
        if int(question) % 2 == 0:
            continue
        word = math.log(float(saturated) + WORDS_FLOOR)
        both.append(((1, word, math.log(max(float(cosine), 0) + COSINE_FLOOR)), int(relevant)))
        words.append(((1, word), int(relevant)))
    print(f"#define WORDS_FLOOR    {WORDS_FLOOR}")
    print(f"#define COSINE_FLOOR   {COSINE_FLOOR}")
    for name, value in zip(("BOTH_CONSTANT", "BOTH_WORDS", "BOTH_COSINE"), stretched(fit(both))):
        print(f"#define {name:14} {value:.3f}")
    for name, value in zip(("WORDS_CONSTANT", "WORDS_WORDS"), stretched(fit(words))):
        print(f"#define {name:14} {value:.3f}")


main()
