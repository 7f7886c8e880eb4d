/* matrix.h - vectors in memory, side by side, to be scanned: exact, and as fast as memory is.
 *
 * Rows are of 16-bit floats, which loses nothing that a search can see, or of 8-bit integers with a scale each, which is half of
 * that and changes about one in a hundred of the first ten. They are padded with zeros and aligned. Sums have one order on every
 * machine: the same vectors give the same cosines, to the last bit.
 */
#ifndef DOCS_STORE_MATRIX_H
#define DOCS_STORE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATRIX_DIMENSIONS_MAX ((size_t)4096)
#define MATRIX_ROWS_MAX       ((size_t)1 << 26)

enum matrix_form { MATRIX_FLOAT16, MATRIX_INT8 };

struct matrix {
    enum matrix_form form;
    size_t           dimensions;
    size_t           stride; /* numbers from one row to the next */
    size_t           row_bytes;
    size_t           count, room;
    unsigned char   *rows;   /* count * row_bytes, aligned to 64 bytes */
    float           *scales; /* of each row of MATRIX_INT8; NULL else */
    int64_t         *ids;    /* of each row */
    uint32_t        *places; /* which row an id has: open addressing, row + 1, 0 is free */
    size_t           place_count;
};

/* False for dimensions of 0 or more than MATRIX_DIMENSIONS_MAX. A matrix of zeros may be freed. */
bool matrix_init(struct matrix *matrix, size_t dimensions, enum matrix_form form);
/* The memory that it has. */
size_t matrix_bytes(const struct matrix *matrix);
void   matrix_free(struct matrix *matrix);

/* Room for `count` rows at once; false without memory, and nothing has changed. */
bool matrix_reserve(struct matrix *matrix, size_t count);
/* Adds it, or replaces the row of that id; false without memory. */
bool matrix_put(struct matrix *matrix, int64_t id, const float *vector);
/* False: there was no such row. */
bool matrix_drop(struct matrix *matrix, int64_t id);

struct nearest {
    int64_t id;
    float   cosine;
};

/* The `most` rows nearest to `vector`, best first, ties by id; how many there are. With `wanted` only rows for which it
 * says true; it is asked only about rows that would be among the best. */
size_t matrix_scan(const struct matrix *matrix, const float *vector, size_t most,
                   bool (*wanted)(void *user, int64_t id), void *user, struct nearest *out);
/* The cosines of at most `most` rows, spread evenly over all of them; how many. */
size_t matrix_sample(const struct matrix *matrix, const float *vector, size_t most, float *out);
/* The cosine of one row; false when there is none. */
bool matrix_cosine(const struct matrix *matrix, int64_t id, const float *vector, float *cosine);

#endif
