/* number_fuzz.c - exact numbers: order, equality and division agree with each other.
 *
 * The input is a JSON document, of which the numbers in the outermost array are compared, each with each.
 */
#include <stdlib.h>
#include <string.h>

#include "json/read.h"
#include "model/json_equal.h"
#include "text/decimal.h"

#define NUMBERS_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_pair(yyjson_val *a, yyjson_val *b)
{
    yyjson_val zero  = { .tag = YYJSON_TYPE_NUM };
    int        order = tn_decimal_compare(a, b);

    must(tn_decimal_compare(b, a) == -order);
    must(order != 0 || tn_decimal_hash(a) == tn_decimal_hash(b));
    must(order != 0 || tn_decimal_is_integer(a) == tn_decimal_is_integer(b));
    if (tn_decimal_compare(b, &zero) <= 0)
        return;
    must(order != 0 || tn_decimal_multiple(a, b));
    /* Nothing between zero and the divisor is a multiple of it. */
    must(order >= 0 || tn_decimal_compare(a, &zero) <= 0 || !tn_decimal_multiple(a, b));
}

static void check_triple(yyjson_val *a, yyjson_val *b, yyjson_val *c)
{
    must(tn_decimal_compare(a, b) > 0 || tn_decimal_compare(b, c) > 0 || tn_decimal_compare(a, c) <= 0);
}

/* The numbers of an array. */
static size_t collect(yyjson_val *array, yyjson_val *out)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *item;
    size_t          count = 0;

    while (count < NUMBERS_MAX && (item = yyjson_arr_iter_next(&items))) {
        if (yyjson_is_num(item) || yyjson_is_raw(item)) {
            out[count] = *item;
            count++;
        }
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct tn_json_limits limits = { .bytes = 4096, .depth = 16, .nodes = 1000 };
    struct tn_arena             arena;
    struct tn_json_text         text;
    yyjson_val                  numbers[NUMBERS_MAX];
    size_t                      count;

    tn_arena_init(&arena, NULL, 0);
    text = tn_json_read(&arena, (const char *)data, len, &limits);
    if (text.root) {
        must(tn_json_equal(&arena, text.root, text.root));
        tn_json_equal_repeated(&arena, text.root);
        count = collect(text.root, numbers);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++) {
                check_pair(&numbers[i], &numbers[j]);
                for (size_t k = 0; k < count; k++)
                    check_triple(&numbers[i], &numbers[j], &numbers[k]);
            }
    }
    must(!arena.failed);
    tn_arena_free(&arena);
    return 0;
}
