/* canonical.h - a JSON value in one form only, so that two texts can be compared by their hash; and the same value laid out
 * for people.
 *
 * Canonical is: members by the code points of their names, no spaces, strings with the shortest escapes, numbers in their
 * shortest exact form (number_form.h). Values must be read by tn_canonical_read(), which keeps every digit.
 */
#ifndef CONTRACT_CANONICAL_H
#define CONTRACT_CANONICAL_H

#include "base/buf.h"
#include "json/read.h"

#define CANONICAL_BYTES_MAX ((size_t)64 << 20)
#define CANONICAL_DEPTH_MAX ((size_t)100) /* of any text; less for a part that must fit into another */
#define HASH_LEN            ((size_t)64) /* in hexadecimal digits */

enum tn_canonical {
    CANONICAL_FINE,
    CANONICAL_SYNTAX, /* it is not JSON, or not within the bounds */
    CANONICAL_TWICE,  /* an object has a name twice */
    CANONICAL_TEXT,   /* it is not UTF-8 */
    CANONICAL_NUMBER, /* a number has an exponent that is too large */
    CANONICAL_MEMORY
};

/* Why, in words. */
const char *tn_canonical_why(enum tn_canonical fault);

/* Reads a text that is at most `depth` deep: every number as it is written. No name may come twice in an object; halves of
 * surrogate pairs are accepted as escapes. */
enum tn_canonical tn_canonical_read(struct tn_arena *arena, struct tn_slice text, size_t depth,
                                    yyjson_val **value);

/* Has no object inside a value that was read a name twice? */
enum tn_canonical tn_canonical_check(const tenon_allocator *memory, yyjson_val *value);

struct tn_canonical_member {
    struct tn_slice name;
    yyjson_val     *value;
};

/* Which of two names is first in canonical order: below 0, 0 or above. */
int tn_canonical_compare(struct tn_slice a, struct tn_slice b);

/* The members of an object in canonical order; NULL without memory. */
struct tn_canonical_member *tn_canonical_members(struct tn_arena *arena, yyjson_val *object);

enum tn_canonical tn_canonical_write(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value);

/* The same value on one line, members and digits as they came. */
void tn_canonical_line(struct tn_buf *out, yyjson_val *value);

/* The same value, one member a line, indented by `depth` steps but for its first line; arrays that fit into a line are on
 * one. With `sorted`, members are in canonical order. */
void tn_canonical_lay_out(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value, size_t depth,
                          bool sorted);

/* A string with its quotes and the shortest escapes; three bytes of half a surrogate pair as its escape. */
void tn_canonical_string(struct tn_buf *out, struct tn_slice text);

/* SHA-256 of bytes, in hexadecimal digits and a NUL. */
void tn_canonical_hash(struct tn_slice bytes, char hash[HASH_LEN + 1]);

#endif
