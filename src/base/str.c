/* str.c - comparing and searching text; ASCII rules only, whatever the locale. */
#include "base/str.h"

#include <string.h>

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* As str_distance compares it: without case, and one character for what people use between words. */
static void fold_name(unsigned char *to, struct slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = fold(name.at[i]);
        to[i]           = c == '-' || c == ' ' ? '_' : c;
    }
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

struct slice slice_of(const char *text)
{
    return text ? (struct slice){ text, strlen(text) } : (struct slice){ "", 0 };
}

bool slice_blank(struct slice slice)
{
    return slice_trim(slice).len == 0;
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

bool slice_fold_equal(struct slice a, struct slice b)
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
        return !words_differ(word_of(a.at, a.len), word_of(b.at, b.len));
    last = a.len - WORD; /* where the last word begins: it overlaps the one before */
    for (; i < last; i += WORD)
        if (words_differ(word_at(a.at + i), word_at(b.at + i)))
            return false;
    return !words_differ(word_at(a.at + last), word_at(b.at + last));
}

bool slice_split(struct slice *rest, char mark, struct slice *part)
{
    const char *found;
    size_t      taken;

    if (rest->len == 0)
        return false;
    found = memchr(rest->at, mark, rest->len);
    *part = (struct slice){ rest->at, found ? (size_t)(found - rest->at) : rest->len };
    taken = part->len + (found ? 1 : 0);
    *rest = (struct slice){ rest->at + taken, rest->len - taken };
    return true;
}

/* FNV-1a. */
uint32_t str_hash(const char *at, size_t len)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)at[i]) * 16777619u;
    return hash;
}

/* Optimal string alignment. Only the cells within `most` of the diagonal can hold a distance up to `most`; those
 * beside the band count as far. Three rows suffice, as a swap looks two rows back. Nothing near can follow a row
 * that holds nothing near: a swap from the row before it costs one more than that row's cell, and so does a
 * cell of this one. */
unsigned str_distance(struct slice a, struct slice b, unsigned most)
{
    unsigned char x[STR_NEAR_MAX], y[STR_NEAR_MAX];
    unsigned      rows[3][STR_NEAR_MAX + 1];
    unsigned     *before = rows[0], *last = rows[1], *row = rows[2];
    unsigned      far;

    most = least(most, STR_NEAR_MAX);
    far  = most + 1;
    if (a.len > STR_NEAR_MAX || b.len > STR_NEAR_MAX)
        return far;
    if ((a.len > b.len ? a.len - b.len : b.len - a.len) > most)
        return far;
    fold_name(x, a);
    fold_name(y, b);

    for (unsigned j = 0; j <= b.len; j++) {
        before[j] = far;
        last[j]   = least(j, far);
    }
    for (unsigned i = 1; i <= a.len; i++) {
        unsigned  from = i > most ? i - most : 1;
        unsigned  to   = least(i + most, (unsigned)b.len);
        unsigned  nearest;
        unsigned *reused;

        row[from - 1] = from == 1 ? least(i, far) : far;
        nearest       = row[from - 1];
        for (unsigned j = from; j <= to; j++) {
            unsigned d = last[j - 1] + (x[i - 1] != y[j - 1]);

            d = least(d, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                d = least(d, before[j - 2] + 1);
            row[j]  = least(d, far);
            nearest = least(nearest, row[j]);
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

/* Up to a third of a name may be wrong, and two letters of a short one. */
unsigned str_near(struct slice name)
{
    return (name.len < 6 ? 2 : (unsigned)(name.len / 3)) + 1;
}

bool str_nearer(struct slice candidate, struct slice name, unsigned *within)
{
    unsigned distance = *within > 0 ? str_distance(candidate, name, *within - 1) : 0;

    if (distance >= *within || distance >= candidate.len)
        return false;
    *within = distance;
    return true;
}
