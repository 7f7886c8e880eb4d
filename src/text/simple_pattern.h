/* simple_pattern.h - patterns that need no engine: a row of characters and classes, each a number of times.
 *
 * Most patterns in schemas are of this kind: ^[a-z][a-z0-9_]*$, ^\d{4}-\d{2}$, ^https://, ^.+$. They are matched in
 * one pass over the text, whatever its length, without a step back: a part that may repeat must differ from what
 * follows it in one character. So is a choice of texts, ^(cpu|memory)$. What is not so plain is left to the engine.
 *
 * What it buys, counted by callgrind: with the pattern ^[a-z][a-z0-9_-]*$ for the two short tags of the call of bench/mcp,
 * PCRE2's machine code takes 325 instructions more for each of them, which is 5 % of the call in memory (13,355 instead of
 * 12,705) and 3 % of it over HTTP.
 */
#ifndef TEXT_SIMPLE_PATTERN_H
#define TEXT_SIMPLE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define SIMPLE_PARTS_MAX   24
#define SIMPLE_RANGES_MAX  48
#define SIMPLE_LITERAL_MAX 128
#define SIMPLE_REPEAT_MAX  65535u

struct tn_simple_range {
    uint32_t first, last;
};

/* Characters: a bit for each of ASCII; of the others those in the ranges, or those in none of them. */
struct tn_simple_set {
    uint64_t ascii[2];
    uint16_t range, range_count; /* in the pattern's ranges */
    bool     inverted;
};

/* Text as it is, `len` bytes from `literal` on, whose first character is `set`; or, when `len` is 0, characters of
 * the set. */
struct tn_simple_part {
    struct tn_simple_set set;
    uint32_t             min, max; /* UINT32_MAX: no bound */
    uint16_t             literal, len;
};

struct tn_simple_pattern {
    bool                   from_start, to_end;
    bool                   choice; /* the parts are texts, one of which is the whole */
    uint16_t               count, range_count, literal_len;
    struct tn_simple_part  parts[SIMPLE_PARTS_MAX];
    struct tn_simple_range ranges[SIMPLE_RANGES_MAX];
    char                   literal[SIMPLE_LITERAL_MAX];
};

/* False when `text` is not simple, which says nothing of its being well-formed; a simple one is. */
bool tn_simple_pattern_read(struct tn_simple_pattern *pattern, struct tn_slice text);

/* The text that a pattern is, beside its anchors: at the start, at the end, or both. False when it is anything else. */
bool tn_simple_pattern_is_text(const struct tn_simple_pattern *pattern, struct tn_slice *text);

/* A text of at least `least` characters that matches, as far as its parts may be repeated; plain letters and digits where they
 * do. Returns its length, which is 0 when it does not fit into `room` bytes, and of a choice, which only its author can make. */
size_t tn_simple_pattern_write(const struct tn_simple_pattern *pattern, size_t least, char *out, size_t room);

/* Is there a match anywhere in `text` (valid UTF-8)? The same answer as ECMA-262's. */
bool tn_simple_pattern_match(const struct tn_simple_pattern *pattern, struct tn_slice text);

#endif
