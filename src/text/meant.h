/* meant.h - which of several names was probably meant by an unknown one.
 *
 * A search: begin with the name, try every candidate, ask for the one that was found. It answers for parameters, for
 * members of schema documents and for values of enums, so that all of them guess alike. Where two candidates are as
 * likely, nothing is found: a wrong guess costs a caller more than none.
 */
#ifndef TEXT_MEANT_H
#define TEXT_MEANT_H

#include "base/str.h"

#define MEANT_WORDS_MAX 8

struct tn_meant_words {
    char            letters[STR_NEAR_MAX]; /* lower case, without what stands between words */
    struct tn_slice at[MEANT_WORDS_MAX];
    size_t          len, count; /* of the letters; of the words */
};

struct tn_meant {
    struct tn_slice       name;
    struct tn_meant_words words;
    unsigned              rank;     /* of the best so far, the least is the best */
    uint32_t              synonyms; /* a bit for each group of common names that the name is in */
    bool                  negates;  /* has it a word that turns the meaning round? */
    bool                  none;     /* the best is no answer: taken already, or one of several */
    size_t                best;
};

/* With `names`, of parameters: common names for the same thing are known. */
void tn_meant_begin(struct tn_meant *meant, struct tn_slice name, bool names);

/* True when none before was likelier. If it is there already, tn_meant_refuse() says so. */
bool tn_meant_try(struct tn_meant *meant, struct tn_slice candidate, size_t index);

/* Is the likeliest so far nearly the same letters? Then that name is meant even when its value is wrong. */
bool tn_meant_is_close(const struct tn_meant *meant);

/* The likeliest so far is none that may be offered. */
void tn_meant_refuse(struct tn_meant *meant);

/* The index of the candidate that was probably meant. */
bool tn_meant_found(const struct tn_meant *meant, size_t *index);

#endif
