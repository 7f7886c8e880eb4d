/* matrix_dot.c - products of one vector with many rows, for the instructions that this machine has.
 *
 * 32 sums run beside each other, number i over the numbers i, i + 32, ..., and are then added in pairs. Wider vectors do more
 * of them at once but never change the order. Products and sums are rounded one by one: fused ones would be as fast, as the
 * scan waits for memory, but differ between machines. What is kept in 16 or 8 bits becomes a float exactly.
 */
#include "docs/store/matrix_dot.h"

#include "docs/store/matrix_half.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* GCC keeps to it in ISO C */
#endif

static float add_all(float sum[DOT_STEP])
{
    for (size_t k = 0; k < 8; k++)
        sum[k] = (sum[k] + sum[k + 8]) + (sum[k + 16] + sum[k + 24]);
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

static void half_plain(const uint16_t *rows, size_t stride, size_t count, const float *vector, float *out)
{
    for (size_t i = 0; i < count; i++, rows += stride) {
        float sum[DOT_STEP] = { 0 };

        for (size_t n = 0; n < stride; n += DOT_STEP)
            for (size_t k = 0; k < DOT_STEP; k++)
                sum[k] += half_value(rows[n + k]) * vector[n + k];
        out[i] = add_all(sum);
    }
}

static void byte_plain(const int8_t *rows, size_t stride, size_t count, const float *vector, float *out)
{
    for (size_t i = 0; i < count; i++, rows += stride) {
        float sum[DOT_STEP] = { 0 };

        for (size_t n = 0; n < stride; n += DOT_STEP)
            for (size_t k = 0; k < DOT_STEP; k++)
                sum[k] += (float)rows[n + k] * vector[n + k];
        out[i] = add_all(sum);
    }
}

#if defined __GNUC__ && defined __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <stdbool.h>

#define WIDE __attribute__((target("avx2,f16c")))

WIDE static float add_wide(__m256 a, __m256 b, __m256 c, __m256 d)
{
    float sum[8];

    _mm256_storeu_ps(sum, _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

WIDE static __m256 half_times(const uint16_t *row, const float *vector)
{
    return _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)row)), _mm256_loadu_ps(vector));
}

WIDE static __m256 byte_times(const int8_t *row, const float *vector)
{
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)row))),
                         _mm256_loadu_ps(vector));
}

WIDE static void half_wide(const uint16_t *rows, size_t stride, size_t count, const float *vector, float *out)
{
    for (size_t i = 0; i < count; i++, rows += stride) {
        __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;

        for (size_t n = 0; n < stride; n += DOT_STEP) {
            a = _mm256_add_ps(a, half_times(rows + n, vector + n));
            b = _mm256_add_ps(b, half_times(rows + n + 8, vector + n + 8));
            c = _mm256_add_ps(c, half_times(rows + n + 16, vector + n + 16));
            d = _mm256_add_ps(d, half_times(rows + n + 24, vector + n + 24));
        }
        out[i] = add_wide(a, b, c, d);
    }
}

WIDE static void byte_wide(const int8_t *rows, size_t stride, size_t count, const float *vector, float *out)
{
    for (size_t i = 0; i < count; i++, rows += stride) {
        __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;

        for (size_t n = 0; n < stride; n += DOT_STEP) {
            a = _mm256_add_ps(a, byte_times(rows + n, vector + n));
            b = _mm256_add_ps(b, byte_times(rows + n + 8, vector + n + 8));
            c = _mm256_add_ps(c, byte_times(rows + n + 16, vector + n + 16));
            d = _mm256_add_ps(d, byte_times(rows + n + 24, vector + n + 24));
        }
        out[i] = add_wide(a, b, c, d);
    }
}

/* Not every compiler knows the name of the second. */
static bool has_wide(void)
{
    unsigned a, b, c = 0, d;

    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

/* Asked once: on a virtual machine the answer comes from its host, which takes longer than the products of a hundred rows. */
static bool is_wide(void)
{
    static _Atomic(signed char) known; /* 0: not yet, 1: it is, -1: it is not */
    signed char                 now = atomic_load_explicit(&known, memory_order_relaxed);

    if (!now) {
        now = has_wide() ? 1 : -1;
        atomic_store_explicit(&known, now, memory_order_relaxed);
    }
    return now > 0;
}

dot_half_fn dot_half_choose(void)
{
    return is_wide() ? half_wide : half_plain;
}

dot_byte_fn dot_byte_choose(void)
{
    return is_wide() ? byte_wide : byte_plain;
}

#else

dot_half_fn dot_half_choose(void)
{
    return half_plain;
}

dot_byte_fn dot_byte_choose(void)
{
    return byte_plain;
}

#endif

dot_half_fn dot_half_portable(void)
{
    return half_plain;
}

dot_byte_fn dot_byte_portable(void)
{
    return byte_plain;
}
