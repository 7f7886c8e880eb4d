/* matrix_dot.h - products of one vector with many rows, for the instructions that this machine has. */
#ifndef DOCS_STORE_MATRIX_DOT_H
#define DOCS_STORE_MATRIX_DOT_H

#include <stddef.h>

#define DOT_STEP ((size_t)32) /* rows are a multiple of so many floats long, and aligned to 64 bytes */

/* out[i] = the product of `vector` and the row at rows + i * stride. */
typedef void (*dot_fn)(const float *rows, size_t stride, size_t count, const float *vector, float *out);

/* The fastest for this machine. All of them add in the same order and round each product, so that all agree. */
dot_fn dot_choose(void);
dot_fn dot_portable(void);

#endif
