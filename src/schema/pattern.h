/* pattern.h - ECMA-262 patterns on PCRE2, compiled once, matched within limits.
 *
 * A match that runs into one of the limits below is neither yes nor no: it is PATTERN_GAVE_UP, and the value is
 * refused, so that a pattern that can be made to backtrack ends quickly.
 */
#ifndef SCHEMA_PATTERN_H
#define SCHEMA_PATTERN_H

#include <tenon/base.h>

#include "base/str.h"

#define PATTERN_LEN_MAX     4096u
#define PATTERN_MATCH_LIMIT 1000000u  /* steps from one place to start at */
#define PATTERN_STEPS_MAX   20000000u /* and from all of them, unless each has ... */
#define PATTERN_STEPS_MIN   100u      /* ... no more than these */
#define PATTERN_HEAP_KIB    4096u
#define PATTERN_WHY_MAX     256u   /* bytes of the words that say why one cannot be used */
#define PATTERN_TEXT_MAX    32768u /* bytes, where a match may start anywhere and run on: n^2, uncounted */

struct pattern; /* immutable, shared by threads */
struct matcher; /* one thread's scratch space */

enum pattern_result { PATTERN_NO, PATTERN_YES, PATTERN_GAVE_UP, PATTERN_NO_MEMORY };

/* NULL when it cannot be compiled or memory is refused: `why` then says why (cut to its size), empty when memory was
 * refused. Only the machine code that PCRE2 makes, where it may, does not come from `memory`. */
struct pattern *pattern_new(const tenon_allocator *memory, struct slice text, char *why, size_t why_size);
void            pattern_free(struct pattern *pattern);

/* Is `text` a pattern by the rules of ECMA-262? Besides those of pattern_new, it may look behind for text of any
 * length, which PCRE2 cannot match. Memory for the time of the call comes from malloc. */
bool pattern_well_formed(struct slice text);

/* One matcher serves every pattern. NULL when memory is refused. */
struct matcher *matcher_new(const tenon_allocator *memory);
void            matcher_free(struct matcher *matcher);

/* Is there a match anywhere in `text` (valid UTF-8)? Allocates nothing once the matcher is warm. */
enum pattern_result pattern_match(const struct pattern *pattern, struct matcher *matcher, struct slice text);

#endif
