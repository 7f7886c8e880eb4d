/* matrix.h - vectors in memory, side by side, to be scanned: exact, and as fast as memory is. */
#ifndef DOCS_MATRIX_H
#define DOCS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct matrix {
    size_t   dimensions;
    size_t   count, room;
    float   *rows; /* count * dimensions, aligned for SIMD */
    int64_t *ids;  /* of each row */
};

bool matrix_init(struct matrix *matrix, size_t dimensions);
void matrix_free(struct matrix *matrix);
bool matrix_put(struct matrix *matrix, int64_t id, const float *vector); /* adds it, or replaces the row of that id */
void matrix_drop(struct matrix *matrix, int64_t id);

struct nearest {
    int64_t id;
    float   cosine;
};

/* The `most` rows nearest to `vector`, best first, ties by id; how many there are. With `wanted` only rows for which it
 * says true. */
size_t matrix_scan(const struct matrix *matrix, const float *vector, size_t most,
                   bool (*wanted)(void *user, int64_t id), void *user, struct nearest *out);
/* The cosine of one row; false when there is none. */
bool matrix_cosine(const struct matrix *matrix, int64_t id, const float *vector, float *cosine);

#endif
