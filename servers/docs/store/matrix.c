/* matrix.c - vectors in memory, side by side, to be scanned.
 *
 * Dropping a row moves the last one into its place, so that the scan never meets a hole. Which row an id has is kept beside,
 * in a table that stays at most half full.
 */
#include "docs/store/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "docs/store/matrix_dot.h"
#include "docs/store/matrix_half.h"

#define ALIGNMENT  64
#define ROOM_FIRST 64
#define BLOCK      128 /* rows whose products are computed before they are compared */
#define PLACES_MIN 128

bool matrix_init(struct matrix *matrix, size_t dimensions, enum matrix_form form)
{
    *matrix = (struct matrix){ .dimensions = dimensions, .form = form };
    if (!dimensions || dimensions > MATRIX_DIMENSIONS_MAX)
        return false;
    matrix->stride    = (dimensions + DOT_STEP - 1) / DOT_STEP * DOT_STEP;
    matrix->row_bytes = matrix->stride * (form == MATRIX_INT8 ? sizeof(int8_t) : sizeof(uint16_t));
    return true;
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->rows);
    free(matrix->scales);
    free(matrix->ids);
    free(matrix->places);
    *matrix = (struct matrix){ 0 };
}

size_t matrix_bytes(const struct matrix *matrix)
{
    return matrix->room *
               (matrix->row_bytes + sizeof *matrix->ids + (matrix->scales ? sizeof *matrix->scales : 0)) +
           matrix->place_count * sizeof *matrix->places;
}

/* ---- Which row an id has ---- */

static size_t hash_of(int64_t id)
{
    uint64_t h = (uint64_t)id;

    h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h ^ h >> 29);
}

/* Where the id is, or would be. */
static size_t place_of(const struct matrix *matrix, int64_t id)
{
    size_t mask = matrix->place_count - 1;
    size_t i    = hash_of(id) & mask;

    while (matrix->places[i] && matrix->ids[matrix->places[i] - 1] != id)
        i = (i + 1) & mask;
    return i;
}

/* Takes a place out and moves back those that were pushed on by it, so that no search ends early. */
static void close_place(struct matrix *matrix, size_t hole)
{
    size_t mask = matrix->place_count - 1;

    for (size_t i = (hole + 1) & mask; matrix->places[i]; i = (i + 1) & mask) {
        size_t home = hash_of(matrix->ids[matrix->places[i] - 1]) & mask;

        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        matrix->places[hole] = matrix->places[i];
        hole                 = i;
    }
    matrix->places[hole] = 0;
}

static bool reserve_places(struct matrix *matrix, size_t count)
{
    size_t    wanted = matrix->place_count ? matrix->place_count : PLACES_MIN;
    uint32_t *places;

    while (wanted < count * 2)
        wanted *= 2;
    if (wanted == matrix->place_count)
        return true;
    places = calloc(wanted, sizeof *places);
    if (!places)
        return false;
    free(matrix->places);
    matrix->places      = places;
    matrix->place_count = wanted;
    for (size_t row = 0; row < matrix->count; row++)
        places[place_of(matrix, matrix->ids[row])] = (uint32_t)(row + 1);
    return true;
}

/* ---- Rows ---- */

static bool reserve_scales(struct matrix *matrix, size_t count)
{
    float *scales = matrix->form == MATRIX_INT8 ? realloc(matrix->scales, count * sizeof *scales) : NULL;

    if (scales)
        matrix->scales = scales;
    return scales || matrix->form != MATRIX_INT8;
}

bool matrix_reserve(struct matrix *matrix, size_t count)
{
    int64_t       *ids;
    unsigned char *rows;
    size_t         bytes;

    if (count <= matrix->room)
        return true;
    if (count > MATRIX_ROWS_MAX || !reserve_places(matrix, count) || !reserve_scales(matrix, count))
        return false;
    ids = realloc(matrix->ids, count * sizeof *ids);
    if (!ids)
        return false;
    matrix->ids = ids;
    bytes       = (count * matrix->row_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    rows        = aligned_alloc(ALIGNMENT, bytes);
    if (!rows)
        return false;
    if (matrix->count)
        memcpy(rows, matrix->rows, matrix->count * matrix->row_bytes);
    free(matrix->rows);
    matrix->rows = rows;
    matrix->room = count;
    return true;
}

static void *row_at(const struct matrix *matrix, size_t row)
{
    return matrix->rows + row * matrix->row_bytes;
}

/* The largest number of a row is 127. */
static void set_bytes(struct matrix *matrix, size_t row, const float *vector)
{
    int8_t *out  = row_at(matrix, row);
    float   most = 0;

    for (size_t i = 0; i < matrix->dimensions; i++)
        most = fabsf(vector[i]) > most ? fabsf(vector[i]) : most;
    memset(out, 0, matrix->row_bytes);
    matrix->scales[row] = most / INT8_MAX;
    for (size_t i = 0; i < matrix->dimensions && most > 0; i++)
        out[i] = (int8_t)lrintf(vector[i] / most * INT8_MAX);
}

static void set_row(struct matrix *matrix, size_t row, const float *vector)
{
    uint16_t *out = row_at(matrix, row);

    if (matrix->form == MATRIX_INT8) {
        set_bytes(matrix, row, vector);
        return;
    }
    memset(out, 0, matrix->row_bytes);
    for (size_t i = 0; i < matrix->dimensions; i++)
        out[i] = half_of(vector[i]);
}

/* The question as it is multiplied: padded like the rows. */
static void set_question(const struct matrix *matrix, float *out, const float *vector)
{
    memcpy(out, vector, matrix->dimensions * sizeof *out);
    memset(out + matrix->dimensions, 0, (matrix->stride - matrix->dimensions) * sizeof *out);
}

static void multiply(const struct matrix *matrix, size_t first, size_t count, const float *question,
                     float *out)
{
    if (matrix->form == MATRIX_FLOAT16) {
        dot_half_choose()(row_at(matrix, first), matrix->stride, count, question, out);
        return;
    }
    dot_byte_choose()(row_at(matrix, first), matrix->stride, count, question, out);
    for (size_t i = 0; i < count; i++)
        out[i] *= matrix->scales[first + i];
}

bool matrix_put(struct matrix *matrix, int64_t id, const float *vector)
{
    size_t row = matrix->count;

    if (matrix->place_count && matrix->places[place_of(matrix, id)])
        row = matrix->places[place_of(matrix, id)] - 1;
    if (row == matrix->room && !matrix_reserve(matrix, row ? row + row / 2 : ROOM_FIRST))
        return false;
    if (row == matrix->count) {
        matrix->places[place_of(matrix, id)] = (uint32_t)(row + 1);
        matrix->ids[row]                     = id;
        matrix->count++;
    }
    set_row(matrix, row, vector);
    return true;
}

bool matrix_drop(struct matrix *matrix, int64_t id)
{
    size_t place, row, last;

    if (!matrix->count)
        return false;
    place = place_of(matrix, id);
    if (!matrix->places[place])
        return false;
    row  = matrix->places[place] - 1;
    last = matrix->count - 1;
    close_place(matrix, place);
    if (row != last) {
        matrix->places[place_of(matrix, matrix->ids[last])] = (uint32_t)(row + 1);
        matrix->ids[row]                                    = matrix->ids[last];
        memcpy(row_at(matrix, row), row_at(matrix, last), matrix->row_bytes);
        if (matrix->scales)
            matrix->scales[row] = matrix->scales[last];
    }
    matrix->count = last;
    return true;
}

/* ---- The nearest: a heap with the worst of the best on top ---- */

static bool is_worse(const struct nearest *a, const struct nearest *b)
{
    return a->cosine < b->cosine || (a->cosine == b->cosine && a->id > b->id);
}

static void sink(struct nearest *heap, size_t count, size_t at)
{
    struct nearest moved = heap[at];

    for (size_t child; (child = at * 2 + 1) < count; at = child) {
        if (child + 1 < count && is_worse(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse(&heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static void rise(struct nearest *heap, size_t at)
{
    struct nearest moved = heap[at];

    for (; at && is_worse(&moved, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

static void sort_best_first(struct nearest *heap, size_t count)
{
    while (count > 1) {
        struct nearest worst = heap[0];

        heap[0]     = heap[--count];
        heap[count] = worst;
        sink(heap, count, 0);
    }
}

size_t matrix_scan(const struct matrix *matrix, const float *vector, size_t most,
                   bool (*wanted)(void *user, int64_t id), void *user, struct nearest *out)
{
    _Alignas(ALIGNMENT) float aligned[MATRIX_DIMENSIONS_MAX];
    float                     products[BLOCK];
    size_t                    count = 0;

    if (!most || !matrix->count)
        return 0;
    set_question(matrix, aligned, vector);
    for (size_t begin = 0; begin < matrix->count; begin += BLOCK) {
        size_t rows = matrix->count - begin < BLOCK ? matrix->count - begin : BLOCK;

        multiply(matrix, begin, rows, aligned, products);
        for (size_t i = 0; i < rows; i++) {
            struct nearest found = { matrix->ids[begin + i], products[i] };

            if (!(count < most ? found.cosine == found.cosine : is_worse(&out[0], &found)))
                continue; /* also what is not a number */
            if (wanted && !wanted(user, found.id))
                continue;
            out[count < most ? count : 0] = found;
            if (count < most)
                rise(out, count++);
            else
                sink(out, count, 0);
        }
    }
    sort_best_first(out, count);
    return count;
}

size_t matrix_sample(const struct matrix *matrix, const float *vector, size_t most, float *out)
{
    _Alignas(ALIGNMENT) float aligned[MATRIX_DIMENSIONS_MAX];
    size_t                    step = most ? (matrix->count + most - 1) / most : 0, count = 0;

    if (!step)
        return 0;
    set_question(matrix, aligned, vector);
    for (size_t row = 0; row < matrix->count; row += step)
        multiply(matrix, row, 1, aligned, &out[count++]);
    return count;
}

bool matrix_cosine(const struct matrix *matrix, int64_t id, const float *vector, float *cosine)
{
    _Alignas(ALIGNMENT) float aligned[MATRIX_DIMENSIONS_MAX];
    size_t                    place;

    if (!matrix->count)
        return false;
    place = place_of(matrix, id);
    if (!matrix->places[place])
        return false;
    set_question(matrix, aligned, vector);
    multiply(matrix, matrix->places[place] - 1, 1, aligned, cosine);
    return true;
}
