/* regex_ecma.h - ECMA-262 patterns (Unicode mode) in the words of PCRE2, with places to count at.
 *
 * What a match costs is what it tries. Each way that it may take, and come back from, begins or ends at a callout: at the
 * start of every alternative, and after everything that may repeat more or less often. Between two of them there is
 * no more than a run of characters, whose length is known here, and what one repeated character took, which its
 * callout sees.
 */
#ifndef TEXT_REGEX_ECMA_H
#define TEXT_REGEX_ECMA_H

#include "base/buf.h"
#include "base/str.h"

/* Bytes that a pattern can take in PCRE2's words for each of its own. */
#define ECMA_GROWTH_MAX 100

struct tn_regex_ecma_result {
    const char *why;        /* static; NULL when it was written */
    size_t      run;        /* characters that are matched between two callouts, at most */
    bool        references; /* to what a group matched, which is of any length */
};

/* Writes `text` so that PCRE2, with UTF but without UCP, matches what ECMA-262 would. What only PCRE2 knows (verbs,
 * recursion, atomic groups, possessive quantifiers, \A, \K, ...) is refused; what is plain wrong is left to PCRE2. */
struct tn_regex_ecma_result tn_regex_ecma_write(struct tn_buf *out, struct tn_slice text);

#endif
