/* meant.h - which of several names was probably meant by one that is none of them.
 *
 * A search: begin with the name, try every candidate, ask for the one that was found. It answers for parameters, for
 * members of schema documents and for values of enums, so that all of them guess alike. Where two candidates are as
 * likely, nothing is found: a wrong guess costs a caller more than none.
 */
#ifndef TEXT_MEANT_H
#define TEXT_MEANT_H

#include "base/str.h"

#define MEANT_WORDS_MAX 8

struct meant_words {
    char         letters[STR_NEAR_MAX]; /* lower case, without what stands between words */
    struct slice at[MEANT_WORDS_MAX];
    size_t       len, count; /* of the letters; of the words */
};

struct meant {
    struct slice       name;
    struct meant_words words;
    unsigned           rank;  /* of the best so far, the least is the best */
    bool               names; /* of parameters: common names for the same thing are known */
    bool               none;  /* the best is no answer: taken already, or one of several */
    size_t             best;
};

void meant_begin(struct meant *meant, struct slice name, bool names);

/* True when none before was likelier. If it is there already, meant_refuse() says so. */
bool meant_try(struct meant *meant, struct slice candidate, size_t index);

/* Is the likeliest so far nearly the same letters? Then that name is meant even when its value is wrong. */
bool meant_is_close(const struct meant *meant);

/* The likeliest so far is none that may be offered. */
void meant_refuse(struct meant *meant);

/* The index of the candidate that was probably meant. */
bool meant_found(const struct meant *meant, size_t *index);

#endif
