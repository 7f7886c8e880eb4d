/* matrix_half.h - numbers of 16 and of 8 bits: how vectors are kept in memory. */
#ifndef DOCS_STORE_MATRIX_HALF_H
#define DOCS_STORE_MATRIX_HALF_H

#include <stdint.h>
#include <string.h>

/* IEEE binary16 of a float, rounded to the nearest, ties to even; what is too large is the largest. */
static inline uint16_t half_of(float value)
{
    uint32_t bits, sign, rest;
    float    scaled;

    memcpy(&bits, &value, sizeof bits);
    sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits >= 0x477ff000u) /* 65520, infinities and what is not a number */
        return (uint16_t)(sign | (bits > 0x7f800000u ? 0x7e00u : 0x7bffu));
    if (bits <
        0x38800000u) { /* below the least normal one: the processor's own rounding, at the right place */
        memcpy(&scaled, &bits, sizeof scaled);
        scaled += 0.5f;
        memcpy(&bits, &scaled, sizeof bits);
        return (uint16_t)(sign | (bits - 0x3f000000u));
    }
    rest = bits & 0x1fffu;
    bits = (bits - 0x38000000u) >> 13;
    return (uint16_t)(sign | (bits + (rest > 0x1000u || (rest == 0x1000u && (bits & 1u)))));
}

/* Exact, for every finite one. */
static inline float half_value(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7fffu) << 13, sign = (uint32_t)(half & 0x8000u) << 16;
    float    value;

    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
