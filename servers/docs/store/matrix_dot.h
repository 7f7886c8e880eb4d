/* matrix_dot.h - products of one vector with many rows, for the instructions that this machine has. */
#ifndef DOCS_STORE_MATRIX_DOT_H
#define DOCS_STORE_MATRIX_DOT_H

#include <stddef.h>
#include <stdint.h>

#define DOT_STEP ((size_t)32) /* rows are a multiple of so many numbers long, and aligned to 32 bytes */

/* out[i] = the product of `vector` and the row at rows + i * stride: of 16-bit floats, or of 8-bit integers. */
typedef void (*dot_half_fn)(const uint16_t *rows, size_t stride, size_t count, const float *vector,
                            float *out);
typedef void (*dot_byte_fn)(const int8_t *rows, size_t stride, size_t count, const float *vector, float *out);

/* The fastest for this machine. All of them add in the same order and round each product, so that all agree. */
dot_half_fn dot_half_choose(void);
dot_half_fn dot_half_portable(void);
dot_byte_fn dot_byte_choose(void);
dot_byte_fn dot_byte_portable(void);

#endif
