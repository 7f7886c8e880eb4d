/* pattern.h - ECMA-262 patterns on PCRE2, compiled once, matched within limits.
 *
 * A match takes steps from what its caller gives it, by what it really does: ways that it tries, and bytes that it passes
 * (a step is about as long as looking at one value; 10 to 50 ns). PCRE2's own limit would not do: it counts anew from
 * each place where a match may start, and passes any number of characters in one. A match that runs out of steps is
 * neither yes nor no: it is PATTERN_GAVE_UP, and the value is refused.
 */
#ifndef TEXT_PATTERN_H
#define TEXT_PATTERN_H

#include <tenon/base.h>

#include "base/str.h"

#define PATTERN_LEN_MAX     65536u
#define PATTERN_MATCH_LIMIT 10000000u /* PCRE2's count from one place, which steps end long before */
#define PATTERN_HEAP_KIB    4096u
#define PATTERN_WHY_MAX     256u /* bytes of the words that say why one cannot be used */

/* What one match takes of the steps. */
#define PATTERN_STEPS_BEGIN   4   /* to begin with the engine; 1 without */
#define PATTERN_BYTES_OF_STEP 16  /* that are passed by what repeats */
#define PATTERN_SIMPLE_BYTES  256 /* of a simple pattern's text */
#define PATTERN_RUN_OF_STEP   32  /* characters in a row, from one place to start at or to go on from */

/* Steps for all patterns of one judgement of rows: each text brings some with it. No match takes more than half of what
 * is left, so that one bad text does not make the others unknown. */
#define PATTERN_STEPS_MIN      ((size_t)100000)
#define PATTERN_STEPS_PER_BYTE ((size_t)32)

struct pattern; /* immutable, shared by threads */
struct matcher; /* one thread's scratch space */

enum tn_pattern_result { PATTERN_NO, PATTERN_YES, PATTERN_GAVE_UP, PATTERN_NO_MEMORY };

/* NULL when it cannot be compiled or memory is refused: `why` then says why (cut to its size), empty when memory was
 * refused. Only the machine code that PCRE2 makes, where it may, does not come from `memory`. */
struct pattern *tn_pattern_new(const tenon_allocator *memory, struct tn_slice text, char *why,
                               size_t why_size);
void            tn_pattern_free(struct pattern *pattern);

/* The same without machine code, which takes longer than all else: for one that is matched once or twice. */
struct pattern *tn_pattern_try(const tenon_allocator *memory, struct tn_slice text, char *why,
                               size_t why_size);

/* Is `text` a pattern by the rules of ECMA-262? Besides those of pattern_new, it may look behind for text of any
 * length, which PCRE2 cannot match. Memory for the time of the call comes from malloc. */
bool tn_pattern_well_formed(struct tn_slice text);

/* One matcher serves every pattern. NULL when memory is refused. */
struct matcher *tn_matcher_new(const tenon_allocator *memory);
void            tn_matcher_free(struct matcher *matcher);

/* Is there a match anywhere in `text` (valid UTF-8)? Takes what it needs of `steps`, or all. Allocates nothing once the
 * matcher is warm. */
enum tn_pattern_result tn_pattern_match(const struct pattern *pattern, struct matcher *matcher,
                                        struct tn_slice text, size_t *steps);

/* Is no matcher needed for it? */
bool tn_pattern_is_simple(const struct pattern *pattern);

/* A pattern that is only text, at the start of what it matches, at its end, or both: "^x-". The text is the pattern's. */
struct tn_pattern_text {
    struct tn_slice text;
    bool            from_start, to_end;
};

/* When it is not one, `out` has no text. */
bool tn_pattern_is_text(const struct pattern *pattern, struct tn_pattern_text *out);

/* Matches it; there is a text. */
static inline bool tn_pattern_text_fits(const struct tn_pattern_text *pattern, struct tn_slice name)
{
    size_t len = pattern->text.len;

    if (name.len < len || (pattern->from_start && pattern->to_end && name.len != len))
        return false;
    return tn_str_same(pattern->from_start ? name.at : name.at + (name.len - len), pattern->text.at, len);
}

/* What the patterns of one judgement may take, and took. Starts as zeros. */
struct tn_pattern_steps {
    size_t bytes; /* of the texts so far */
    size_t spent;
};

/* The same, with the steps of a judgement. */
enum tn_pattern_result tn_pattern_match_within(const struct pattern *pattern, struct matcher *matcher,
                                               struct tn_slice text, struct tn_pattern_steps *within);

#endif
