/* str.c - comparing and searching text; ASCII rules only, whatever the locale. */
#include "base/str.h"

#include <string.h>

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* As str_distance compares it: without case, and one character for what people use between words. A bit for each that is in
 * it; some share one. */
static uint64_t fold_name(unsigned char *to, struct tn_slice name)
{
    uint64_t letters = 0;

    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = fold(name.at[i]);
        to[i]           = c == '-' || c == ' ' ? '_' : c;
        letters |= UINT64_C(1) << to[i] % 64;
    }
    return letters;
}

static bool has_more_bits(uint64_t bits, unsigned than)
{
    for (; bits != 0 && than > 0; than--)
        bits &= bits - 1;
    return bits != 0;
}

static unsigned str_least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

struct tn_slice tn_slice_of(const char *text)
{
    return text ? (struct tn_slice){ text, strlen(text) } : (struct tn_slice){ "", 0 };
}

bool tn_slice_blank(struct tn_slice slice)
{
    return tn_slice_trim(slice).len == 0;
}

/* Do eight characters differ in more than case? Where they differ in the bit of case alone, both must be letters: a byte of
 * 7 bits plus (0x80 - 'a') has its highest bit from 'a' on, and plus (0x7f - 'z') from the one behind 'z' on. */
static bool words_differ(uint64_t a, uint64_t b)
{
    uint64_t other = a ^ b, small, letters;

    if (other == 0)
        return false;
    if (other & ~EACH(0x20))
        return true;
    small   = (a | EACH(0x20)) & EACH(0x7f);
    letters = ((small + EACH(0x80 - 'a')) ^ (small + EACH(0x7f - 'z'))) & ~a;
    return other << 2 & ~letters;
}

bool tn_slice_fold_equal(struct tn_slice a, struct tn_slice b)
{
    size_t i = 0, last;

    if (a.len != b.len)
        return false;
    if (a.len < WORD / 2) {
        while (i < a.len && fold(a.at[i]) == fold(b.at[i]))
            i++;
        return i == a.len;
    }
    if (a.len <= WORD)
        return !words_differ(tn_word_of(a.at, a.len), tn_word_of(b.at, b.len));
    last = a.len - WORD; /* where the last word begins: it overlaps the one before */
    for (; i < last; i += WORD)
        if (words_differ(tn_word_at(a.at + i), tn_word_at(b.at + i)))
            return false;
    return !words_differ(tn_word_at(a.at + last), tn_word_at(b.at + last));
}

bool tn_slice_split(struct tn_slice *rest, char mark, struct tn_slice *part)
{
    const char *found;
    size_t      taken;

    if (rest->len == 0)
        return false;
    found = memchr(rest->at, mark, rest->len);
    *part = (struct tn_slice){ rest->at, found ? (size_t)(found - rest->at) : rest->len };
    taken = part->len + (found ? 1 : 0);
    *rest = (struct tn_slice){ rest->at + taken, rest->len - taken };
    return true;
}

/* Optimal string alignment. Only the cells within `most` of the diagonal can hold a distance up to `most`; those
 * beside the band count as far. Three rows suffice, as a swap looks two rows back. Nothing near can follow a row
 * that holds nothing near: a swap from the row before it costs one more than that row's cell, and so does a
 * cell of this one. */
unsigned tn_str_distance(struct tn_slice a, struct tn_slice b, unsigned most)
{
    unsigned char x[STR_NEAR_MAX], y[STR_NEAR_MAX];
    unsigned      rows[3][STR_NEAR_MAX + 1];
    unsigned     *before = rows[0], *last = rows[1], *row = rows[2];
    uint64_t      in_a, in_b;
    unsigned      far;

    most = str_least(most, STR_NEAR_MAX);
    far  = most + 1;
    if (a.len > STR_NEAR_MAX || b.len > STR_NEAR_MAX)
        return far;
    if ((a.len > b.len ? a.len - b.len : b.len - a.len) > most)
        return far;
    in_a = fold_name(x, a);
    in_b = fold_name(y, b);
    if (has_more_bits(in_a & ~in_b, most) || has_more_bits(in_b & ~in_a, most))
        return far; /* each letter that only one of them has takes an edit */

    for (unsigned j = 0; j <= b.len; j++) {
        before[j] = far;
        last[j]   = str_least(j, far);
    }
    for (unsigned i = 1; i <= a.len; i++) {
        unsigned  from = i > most ? i - most : 1;
        unsigned  to   = str_least(i + most, (unsigned)b.len);
        unsigned  nearest;
        unsigned *reused;

        row[from - 1] = from == 1 ? str_least(i, far) : far;
        nearest       = row[from - 1];
        for (unsigned j = from; j <= to; j++) {
            unsigned d = last[j - 1] + (x[i - 1] != y[j - 1]);

            d = str_least(d, str_least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                d = str_least(d, before[j - 2] + 1);
            row[j]  = str_least(d, far);
            nearest = str_least(nearest, row[j]);
        }
        if (to < b.len)
            row[to + 1] = far;
        if (nearest > most)
            return far;

        reused = before;
        before = last;
        last   = row;
        row    = reused;
    }
    return last[b.len];
}
