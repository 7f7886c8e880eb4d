/* word.h - eight bytes of text at once. */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdint.h>
#include <string.h>

#define WORD       sizeof(uint64_t)
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte)) /* a word of eight of them */

static inline uint64_t tn_word_at(const char *at)
{
    uint64_t word;

    memcpy(&word, at, WORD);
    return word;
}

/* All of four to eight bytes: the first four and the last, which may overlap. */
static inline uint64_t tn_word_of(const char *at, size_t len)
{
    uint32_t first, last;

    memcpy(&first, at, sizeof first);
    memcpy(&last, at + len - sizeof last, sizeof last);
    return first | (uint64_t)last << 32;
}

/* The high bit of each byte that is zero, and nothing else. */
static inline uint64_t tn_word_zeros(uint64_t word)
{
    return ~(((word & EACH(0x7F)) + EACH(0x7F)) | word | EACH(0x7F));
}

/* The same on every machine: the first byte is the lowest. */
static inline uint64_t tn_word_in_order(const char *at)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(tn_word_at(at));
#else
    return tn_word_at(at);
#endif
}

#endif
