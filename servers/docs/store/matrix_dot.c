/* matrix_dot.c - products of one vector with many rows, for the instructions that this machine has.
 *
 * 32 sums run beside each other, number i over the floats i, i + 32, ..., and are then added in pairs. Wider vectors do more
 * of them at once but never change the order. Products and sums are rounded one by one: fused ones would be as fast, as the
 * scan waits for memory, but differ between machines.
 */
#include "docs/store/matrix_dot.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* GCC keeps to it in ISO C */
#endif

#if defined __GNUC__

typedef float lanes __attribute__((vector_size(32), may_alias));
#define LANES 8

/* The same text for each kind of machine: a function that is inlined would be lowered for the least of them. */
#define DOT_BODY_                                                                                            \
    for (size_t i = 0; i < count; i++, rows += stride) {                                                     \
        const lanes *row = (const lanes *)__builtin_assume_aligned(rows, 64);                                \
        const lanes *by  = (const lanes *)__builtin_assume_aligned(vector, 64);                              \
        lanes        a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };                                             \
        for (size_t n = 0; n < stride / LANES; n += DOT_STEP / LANES) {                                      \
            a += row[n] * by[n];                                                                             \
            b += row[n + 1] * by[n + 1];                                                                     \
            c += row[n + 2] * by[n + 2];                                                                     \
            d += row[n + 3] * by[n + 3];                                                                     \
        }                                                                                                    \
        a += b;                                                                                              \
        c += d;                                                                                              \
        a += c;                                                                                              \
        out[i] = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));                          \
    }

static void dot_plain(const float *rows, size_t stride, size_t count, const float *vector, float *out)
{
    DOT_BODY_
}

#if defined                                 __x86_64__
__attribute__((target("avx2"))) static void dot_avx2(const float *rows, size_t stride, size_t count,
                                                     const float *vector, float *out)
{
    DOT_BODY_
}
#endif

#else

static void dot_plain(const float *rows, size_t stride, size_t count, const float *vector, float *out)
{
    for (size_t i = 0; i < count; i++, rows += stride) {
        float sum[DOT_STEP] = { 0 };

        for (size_t n = 0; n < stride; n += DOT_STEP)
            for (size_t k = 0; k < DOT_STEP; k++)
                sum[k] += rows[n + k] * vector[n + k];
        for (size_t k = 0; k < 8; k++)
            sum[k] = (sum[k] + sum[k + 8]) + (sum[k + 16] + sum[k + 24]);
        out[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

#endif

dot_fn dot_portable(void)
{
    return dot_plain;
}

dot_fn dot_choose(void)
{
#if defined __GNUC__ && defined __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return dot_avx2;
#endif
    return dot_plain;
}
