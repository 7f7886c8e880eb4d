/* params_test.c - the public face of validation: a pure function, without any tool or server. */
#include <string.h>

#include <tenon/shape.h>

#include "base/utf8.h"
#include "model/issue.h"
#include "support/fault.h"
#include "support/judged.h"

typedef struct {
    const char *query;
    int         max_sources;
    double      min_score;
} find_args;
TENON_ROWS(find_rows, find_args,
    TENON_STR(query,       "What.", .required = true),
    TENON_INT(max_sources, "How many.", .range = {1, 10}, .def = 3),
    TENON_NUM(min_score,   "Least.", .range = {0, 1}, .def = 0.7, .clamp = true));

static void good_and_bad(void **state)
{
    tenon_shape     *shape  = tenon_shape_new(find_rows(), NULL);
    tenon_params    *params = tenon_params_new(shape);
    const char       good[] = "{\"query\":\"x\",\"max_sources\":\"4\",\"min_score\":7}";
    const char       bad[]  = "{\"max_sources\":100}";
    const find_args *args;

    (void)state;
    assert_null(tenon_shape_error(shape));
    args = tenon_params_bind(params, good, strlen(good));
    assert_non_null(args);
    assert_true(tenon_params_valid(params));
    assert_string_equal(args->query, "x");
    assert_int_equal(args->max_sources, 4);
    assert_true(args->min_score == 1.0);
    assert_int_equal(tenon_params_issue_count(params), 0);
    assert_null(tenon_params_issue(params, 0));
    assert_int_equal(tenon_params_message_count(params), 2);
    assert_string_equal(tenon_params_message(params, 0), "min_score adjusted from 7 to 1 (maximum allowed)");
    assert_string_equal(tenon_params_message(params, 1), "Converted max_sources from \"4\" to 4");
    assert_null(tenon_params_message(params, 2));

    assert_null(tenon_params_bind(params, bad, strlen(bad)));
    assert_false(tenon_params_valid(params));
    assert_false(tenon_params_failed(params));
    assert_int_equal(tenon_params_issue_count(params), 2);
    assert_string_equal(tenon_params_issue(params, 0)->parameter, "query");
    assert_string_equal(tenon_params_issue(params, 0)->code, "required");
    assert_string_equal(tenon_params_issue(params, 0)->text, "query is required");
    assert_string_equal(tenon_params_issue(params, 1)->parameter, "max_sources");
    assert_string_equal(tenon_params_issue(params, 1)->code, "range");
    assert_string_equal(tenon_params_issue(params, 1)->text, "max_sources must be between 1 and 10, got 100");
    assert_ptr_equal(tenon_params_issue(params, 1), tenon_params_issue(params, 1));
    assert_null(tenon_params_issue(params, 2));
    assert_int_equal(tenon_params_message_count(params), 0);
    tenon_params_free(params);
    tenon_shape_free(shape);
    tenon_params_free(NULL);
    tenon_shape_free(NULL);
}

/* The input is never changed, and need not end in a NUL. */
static void input_is_left_alone(void **state)
{
    tenon_shape  *shape  = tenon_shape_new(find_rows(), NULL);
    tenon_params *params = tenon_params_new(shape);
    char          json[] = "{\"query\":\"a\\u0041\\n\"}garbage";
    char          copy[sizeof json];

    (void)state;
    memcpy(copy, json, sizeof json);
    assert_non_null(tenon_params_bind(params, json, sizeof json - sizeof "garbage"));
    assert_memory_equal(copy, json, sizeof json);
    assert_null(tenon_params_bind(params, json, strlen(json)));
    assert_memory_equal(copy, json, sizeof json);
    assert_null(tenon_params_bind(params, "", 0));
    assert_int_equal(tenon_params_issue_count(params), 1);
    tenon_params_free(params);
    tenon_shape_free(shape);
}

typedef struct {
    int n;
} one_args;
TENON_ROWS(bad_rows, one_args, TENON_INT(n, "N.", .range = { 5, 1 }));

/* A shape with a mistake accepts nothing and publishes nothing. */
static void a_mistake_accepts_nothing(void **state)
{
    tenon_shape  *shape  = tenon_shape_new(bad_rows(), NULL);
    tenon_params *params = tenon_params_new(shape);
    size_t        len    = 7;

    (void)state;
    assert_string_equal(tenon_shape_error(shape), "bad_rows: parameter 'n': .range ends before it begins");
    assert_null(tenon_shape_schema(shape, TENON_SCHEMA_FULL, &len));
    assert_int_equal(len, 0);
    assert_null(tenon_shape_schema(shape, TENON_SCHEMA_PORTABLE, NULL));
    assert_null(tenon_params_bind(params, "{}", 2));
    assert_false(tenon_params_valid(params));
    tenon_params_free(params);
    tenon_shape_free(shape);
}

#define LONG_NAME "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
static const char *const long_names[] = {
    LONG_NAME "01", LONG_NAME "02", LONG_NAME "03", LONG_NAME "04", LONG_NAME "05", LONG_NAME "06",
    LONG_NAME "07", LONG_NAME "08", LONG_NAME "09", LONG_NAME "10", LONG_NAME "11", LONG_NAME "12",
    LONG_NAME "13", LONG_NAME "14", LONG_NAME "15", LONG_NAME "16", LONG_NAME "17", LONG_NAME "18",
    LONG_NAME "19", LONG_NAME "20", LONG_NAME "21", LONG_NAME "22", LONG_NAME "23", LONG_NAME "24",
    LONG_NAME "25", LONG_NAME "26", LONG_NAME "27", LONG_NAME "28", LONG_NAME "29", LONG_NAME "30",
    LONG_NAME "31", LONG_NAME "32", LONG_NAME "33", LONG_NAME "34", LONG_NAME "35", LONG_NAME "36",
    LONG_NAME "37", LONG_NAME "38", LONG_NAME "39", LONG_NAME "40", LONG_NAME "41", LONG_NAME "42",
    LONG_NAME "43", LONG_NAME "44", LONG_NAME "45", LONG_NAME "46", LONG_NAME "47", LONG_NAME "48",
    LONG_NAME "49",
};
typedef struct {
    int         e;
    const char *s;
} long_args;
static const char *is_never_good(tenon_check *check, const void *value)
{
    static char text[5000];

    (void)check;
    if (strcmp(*(const char *const *)value, "text") == 0)
        return NULL;
    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xC3\xA4", 2);
    return text;
}
TENON_ROWS(long_rows, long_args, TENON_ENUM(e, long_names, "E."), TENON_STR(s, "S.", .check = is_never_good));

/* However long a sentence would be, there is one, and it is cut between code points. */
static void long_sentences_are_cut(void **state)
{
    tenon_shape  *shape  = tenon_shape_new(long_rows(), NULL);
    tenon_params *params = tenon_params_new(shape);
    const char    bad[]  = "{\"e\":\"x\",\"s\":\"y\"}";

    (void)state;
    assert_null(tenon_shape_error(shape));
    assert_null(tenon_params_bind(params, bad, strlen(bad)));
    assert_int_equal(tenon_params_issue_count(params), 2);
    for (size_t i = 0; i < 2; i++) {
        const char *text = tenon_params_issue(params, i)->text;

        assert_true(strlen(text) <= ISSUE_TEXT_MAX && strlen(text) > ISSUE_TEXT_MAX - 4);
        assert_true(tn_utf8_valid(text, strlen(text)));
    }
    tenon_params_free(params);
    tenon_shape_free(shape);
}

/* Want of memory is told as such: neither struct nor issues, also while sentences are made. */
static void refused_memory_is_told(void **state)
{
    const char bad[] = "{\"max_sources\":100}";

    (void)state;
    for (size_t nth = 1;; nth++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_shape    *shape  = tenon_shape_new(find_rows(), &memory);
        tenon_params   *params = tenon_params_new(shape);
        bool            done;

        fault.requests    = 0;
        fault.refuse_at   = nth;
        fault.refuse_rest = true;
        tenon_params_bind(params, bad, strlen(bad));
        if (tenon_params_issue_count(params) > 0 && tenon_params_issue(params, 0))
            assert_string_equal(tenon_params_issue(params, 0)->text, "query is required");
        else
            assert_true(tenon_params_failed(params));
        if (tenon_params_failed(params)) {
            assert_int_equal(tenon_params_issue_count(params), 0);
            assert_int_equal(tenon_params_message_count(params), 0);
            assert_false(tenon_params_valid(params));
        }
        done = !fault.refused;
        tenon_params_free(params);
        tenon_shape_free(shape);
        assert_int_equal(fault.blocks, 0);
        if (done)
            return;
    }
}

/* The same input gives the same bytes. */
static void always_the_same(void **state)
{
    tenon_shape *a = tenon_shape_new(find_rows(), NULL), *b = tenon_shape_new(find_rows(), NULL);

    (void)state;
    for (int form = TENON_SCHEMA_FULL; form <= TENON_SCHEMA_PORTABLE; form++)
        assert_string_equal(tenon_shape_schema(a, (tenon_schema_form)form, NULL),
                            tenon_shape_schema(b, (tenon_schema_form)form, NULL));
    tenon_shape_free(a);
    tenon_shape_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_and_bad),
        cmocka_unit_test(input_is_left_alone),
        cmocka_unit_test(a_mistake_accepts_nothing),
        cmocka_unit_test(long_sentences_are_cut),
        cmocka_unit_test(refused_memory_is_told),
        cmocka_unit_test(always_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
