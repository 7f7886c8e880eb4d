/* matrix_test.c - scanning finds what a plain search finds, whatever was put and dropped before. */
#include "docs/store/matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "docs/store/matrix_dot.h"
#include "docs/store/matrix_half.h"

#define IDS 300

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void random_vector(uint32_t *state, float *out, size_t dimensions)
{
    for (size_t i = 0; i < dimensions; i++)
        out[i] = (float)(next_random(state) & 0xff) / 128.0f - 1.0f;
}

static float plain_product(const float *a, const float *b, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)a[i] * (double)b[i];
    return (float)sum;
}

/* ---- The same order of sums on every machine ---- */

static void test_kernels_agree(void **state)
{
    static const size_t          strides[] = { 32, 64, 384, 1024, 4096 };
    _Alignas(64) static float    rows[3 * 4096], vector[4096];
    _Alignas(64) static uint16_t halves[3 * 4096];
    _Alignas(64) static int8_t   bytes[3 * 4096];
    float                        fast[3], portable[3];
    uint32_t                     random = 7;

    (void)state;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        random_vector(&random, rows, 3 * strides[i]);
        random_vector(&random, vector, strides[i]);
        for (size_t k = 0; k < 3 * strides[i]; k++) {
            halves[k] = half_of(rows[k]);
            bytes[k]  = (int8_t)(next_random(&random) & 0xff);
        }
        dot_half_choose()(halves, strides[i], 3, vector, fast);
        dot_half_portable()(halves, strides[i], 3, vector, portable);
        assert_memory_equal(fast, portable, sizeof fast);
        for (size_t row = 0; row < 3; row++)
            assert_true(fabsf(fast[row] - plain_product(rows + row * strides[i], vector, strides[i])) <
                        1e-2f);
        dot_byte_choose()(bytes, strides[i], 3, vector, fast);
        dot_byte_portable()(bytes, strides[i], 3, vector, portable);
        assert_memory_equal(fast, portable, sizeof fast);
    }
}

/* Every 16-bit float comes back as itself, and floats between two become the nearer one. */
static void test_halves(void **state)
{
    (void)state;
    for (uint32_t half = 0; half < 0x7c00u; half++) {
        float value = half_value((uint16_t)half), next = half_value((uint16_t)(half + 1));

        assert_int_equal(half_of(value), half);
        assert_int_equal(half_of(-value), half | 0x8000u);
        if (half + 1 < 0x7c00u) {
            assert_true(next > value);
            assert_int_equal(half_of(value + (next - value) * 0.49f), half);
            assert_int_equal(half_of(value + (next - value) * 0.5f), half + (half & 1));
            assert_int_equal(half_of(value + (next - value) * 0.51f), half + 1);
        }
    }
    assert_int_equal(half_of(1e30f), 0x7bff);
    assert_true(half_value(0x3c00) == 1.0f && half_value(0xc000) == -2.0f);
}

/* ---- Against a plain list, through many changes ---- */

struct model {
    bool   there[IDS];
    float *vectors;
};

static int better_first(const void *a, const void *b)
{
    const struct nearest *x = a, *y = b;

    if (x->cosine != y->cosine)
        return x->cosine > y->cosine ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static bool is_even(void *user, int64_t id)
{
    (void)user;
    return id % 2 == 0;
}

static void compare(const struct matrix *matrix, const struct model *model, const float *vector, size_t most,
                    bool even)
{
    struct nearest want[IDS], found[IDS];
    size_t         count = 0, got = matrix_scan(matrix, vector, most, even ? is_even : NULL, NULL, found);

    for (int id = 0; id < IDS; id++) {
        float cosine;

        assert_int_equal(matrix_cosine(matrix, id, vector, &cosine), model->there[id]);
        if (!model->there[id] || (even && id % 2))
            continue;
        assert_true(fabsf(cosine - plain_product(model->vectors + (size_t)id * matrix->dimensions, vector,
                                                 matrix->dimensions)) < 1e-2f);
        want[count++] = (struct nearest){ id, cosine };
    }
    qsort(want, count, sizeof *want, better_first);
    assert_int_equal(got, count < most ? count : most);
    for (size_t i = 0; i < got; i++) {
        assert_int_equal(found[i].id, want[i].id);
        assert_true(found[i].cosine == want[i].cosine);
    }
}

static void test_changes(void **state)
{
    static const size_t sizes[] = { 1, 31, 32, 33, 384 };

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct matrix matrix;
        struct model  model  = { .vectors = calloc(IDS * sizes[s], sizeof(float)) };
        uint32_t      random = 1;
        float         vector[384];

        assert_non_null(model.vectors);
        assert_true(matrix_init(&matrix, sizes[s], MATRIX_FLOAT16));
        compare(&matrix, &model, model.vectors, 5, false);
        for (int step = 0; step < 3000; step++) {
            int    id  = (int)(next_random(&random) % IDS);
            float *own = model.vectors + (size_t)id * sizes[s];

            if (next_random(&random) % 3) {
                random_vector(&random, own, sizes[s]);
                assert_true(matrix_put(&matrix, id, own));
                model.there[id] = true;
            } else {
                matrix_drop(&matrix, id);
                model.there[id] = false;
            }
            if (step % 100)
                continue;
            random_vector(&random, vector, sizes[s]);
            compare(&matrix, &model, vector, 1 + next_random(&random) % IDS, step % 200 == 0);
        }
        for (int id = 0; id < IDS; id++)
            matrix_drop(&matrix, id);
        assert_int_equal(matrix.count, 0);
        matrix_free(&matrix);
        free(model.vectors);
    }
}

/* ---- Corners ---- */

static void test_ties_by_id(void **state)
{
    static const int64_t ids[]  = { 9, INT64_MAX, -3, 4, INT64_MIN, 0, 7 };
    static const int64_t want[] = { INT64_MIN, -3, 0, 4, 7, 9, INT64_MAX };
    struct matrix        matrix;
    struct nearest       found[7];

    (void)state;
    assert_true(matrix_init(&matrix, 2, MATRIX_FLOAT16));
    for (size_t i = 0; i < 7; i++)
        assert_true(matrix_put(&matrix, ids[i], (float[]){ 1, 0 }));
    for (size_t most = 1; most <= 7; most++) {
        assert_int_equal(matrix_scan(&matrix, (float[]){ 1, 0 }, most, NULL, NULL, found), most);
        for (size_t i = 0; i < most; i++)
            assert_true(found[i].id == want[i]);
    }
    assert_int_equal(matrix_scan(&matrix, (float[]){ 1, 0 }, 0, NULL, NULL, found), 0);
    matrix_free(&matrix);
}

static void test_not_a_number(void **state)
{
    struct matrix  matrix;
    struct nearest found[3];

    (void)state;
    assert_true(matrix_init(&matrix, 2, MATRIX_FLOAT16));
    assert_true(matrix_put(&matrix, 1, (float[]){ NAN, 0 }));
    assert_true(matrix_put(&matrix, 2, (float[]){ -1, 0 }));
    assert_true(matrix_put(&matrix, 3, (float[]){ NAN, 0 }));
    assert_int_equal(matrix_scan(&matrix, (float[]){ 1, 0 }, 3, NULL, NULL, found), 1);
    assert_int_equal(found[0].id, 2);
    matrix_free(&matrix);
}

static void test_bounds(void **state)
{
    struct matrix matrix;
    float         cosine;

    (void)state;
    assert_false(matrix_init(&matrix, 0, MATRIX_FLOAT16));
    assert_false(matrix_init(&matrix, MATRIX_DIMENSIONS_MAX + 1, MATRIX_FLOAT16));
    assert_true(matrix_init(&matrix, MATRIX_DIMENSIONS_MAX, MATRIX_FLOAT16));
    assert_false(matrix_reserve(&matrix, MATRIX_ROWS_MAX + 1));
    assert_false(matrix_cosine(&matrix, 1, (float[MATRIX_DIMENSIONS_MAX]){ 1 }, &cosine));
    matrix_drop(&matrix, 1);
    assert_true(matrix_put(&matrix, 1, (float[MATRIX_DIMENSIONS_MAX]){ 0.5f }));
    assert_true(matrix_cosine(&matrix, 1, (float[MATRIX_DIMENSIONS_MAX]){ 0.5f }, &cosine));
    assert_true(cosine == 0.25f);
    matrix_free(&matrix);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_agree), cmocka_unit_test(test_halves),
        cmocka_unit_test(test_changes),       cmocka_unit_test(test_ties_by_id),
        cmocka_unit_test(test_not_a_number),  cmocka_unit_test(test_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
