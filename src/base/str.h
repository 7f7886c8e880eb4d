/* str.h - comparing and searching text; ASCII rules only, whatever the locale. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/word.h"

/* A length-counted piece of text that is not ours. */
struct tn_slice {
    const char *at;
    size_t      len;
};

#define SLICE_LIT(text) ((struct tn_slice){ "" text, sizeof(text) - 1 })

/* Inline, so that a literal costs neither its length nor a call. */
static inline bool tn_slice_is(struct tn_slice slice, const char *text)
{
    size_t len = strlen(text);

    return slice.len == len && (len == 0 || memcmp(slice.at, text, len) == 0);
}

static inline bool tn_slice_same(struct tn_slice a, struct tn_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool tn_str_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Without spaces (space, tab, CR, LF) on both sides. */
static inline struct tn_slice tn_slice_trim(struct tn_slice slice)
{
    while (slice.len > 0 && tn_str_blank(slice.at[slice.len - 1]))
        slice.len--;
    while (slice.len > 0 && tn_str_blank(slice.at[0])) {
        slice.at++;
        slice.len--;
    }
    return slice;
}

struct tn_slice tn_slice_of(const char *text); /* NULL gives an empty one */
bool            tn_slice_blank(struct tn_slice slice);
bool            tn_slice_fold_equal(struct tn_slice a, struct tn_slice b); /* A to Z as a to z */

/* Takes the part of `rest` before the next `mark`, and moves `rest` behind it. False when `rest` is used up;
 * "a,,b" gives "a", "", "b", and "" gives nothing, so that "a," gives only "a". */
bool tn_slice_split(struct tn_slice *rest, char mark, struct tn_slice *part);

/* Are `len` bytes the same? Without a call: names are short, and compared more often than anything else. */
static inline bool tn_str_same(const char *a, const char *b, size_t len)
{
    size_t i = 0;

    if (len < WORD / 2) {
        while (i < len && a[i] == b[i])
            i++;
        return i == len;
    }
    if (len < WORD)
        return tn_word_of(a, len) == tn_word_of(b, len);
    for (; i < len - WORD; i += WORD)
        if (tn_word_at(a + i) != tn_word_at(b + i))
            return false;
    return tn_word_at(a + len - WORD) == tn_word_at(b + len - WORD); /* it overlaps the one before */
}

/* How many edits (insert, delete, replace, swap of neighbours) make `a` out of `b`, letters compared without case
 * and '-', '_' and ' ' the same; `most` + 1 when there are more than `most`, which is STR_NEAR_MAX at most
 * (more counts as that). Texts longer than STR_NEAR_MAX are never near. */
#define STR_NEAR_MAX 64
unsigned tn_str_distance(struct tn_slice a, struct tn_slice b, unsigned most);

#endif
