/* utf8.c - UTF-8, eight bytes at a time where they are plain. */
#include "base/utf8.h"

#include "base/word.h"

static bool is_tail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* How many of the eight bytes begin a code point, that is, are not 10xxxxxx. */
static size_t starts_in(uint64_t word)
{
    uint64_t tails = (word >> 7) & ~(word >> 6) & EACH(1);

    return WORD - (size_t)((tails * EACH(1)) >> 56);
}

/* The length of the code point at `at`, which is not ASCII; 0 when it is not one. The second byte's range is what
 * excludes overlong forms (after E0, F0), surrogates (ED) and what is above U+10FFFF (F4). */
static size_t sequence_len(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0];
    unsigned char low = 0x80, high = 0xBF;
    size_t        len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;

    if (lead < 0xC2 || lead > 0xF4 || left < len)
        return 0;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    if (at[1] < low || at[1] > high)
        return 0;
    if (len > 2 && !is_tail(at[2]))
        return 0;
    if (len > 3 && !is_tail(at[3]))
        return 0;
    return len;
}

/* How many bytes at the beginning are ASCII, in steps of four words. */
static size_t plain_steps(const char *at, size_t len)
{
    size_t i = 0;

    for (; len - i >= 4 * WORD; i += 4 * WORD) {
        uint64_t all = tn_word_at(at + i) | tn_word_at(at + i + WORD) | tn_word_at(at + i + 2 * WORD) |
                       tn_word_at(at + i + 3 * WORD);

        if (all & EACH(0x80))
            break;
    }
    return i;
}

bool tn_utf8_valid(const char *at, size_t len)
{
    size_t i = plain_steps(at, len);

    while (i < len) {
        if (len - i >= WORD && (tn_word_at(at + i) & EACH(0x80)) == 0) {
            i += WORD;
        } else if ((unsigned char)at[i] < 0x80) {
            i++;
        } else {
            size_t taken = sequence_len((const unsigned char *)at + i, len - i);

            if (taken == 0)
                return false;
            i += taken;
        }
    }
    return true;
}

size_t tn_utf8_count(const char *at, size_t len)
{
    size_t count = 0, i = 0;

    for (; len - i >= WORD; i += WORD)
        count += starts_in(tn_word_at(at + i));
    for (; i < len; i++)
        count += !is_tail((unsigned char)at[i]);
    return count;
}

size_t tn_utf8_read(const char *at, size_t len, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)at;
    size_t               taken;

    if (len == 0)
        return 0;
    *code = bytes[0];
    if (bytes[0] < 0x80)
        return 1;
    taken = sequence_len(bytes, len);
    *code = bytes[0] & (0x7Fu >> taken);
    for (size_t i = 1; i < taken; i++)
        *code = *code << 6 | (bytes[i] & 0x3Fu);
    return taken;
}
