/* example_test.c - a good value is made up for every kind, and a whole call of them. */
#include <string.h>

#include "rows/row_table.h"
#include "support/judged.h"

enum level { LOW, HIGH = 2 };
static const char *const level_names[] = { [LOW] = "low", [HIGH] = "high" };
typedef struct {
    double lat;
} point;
TENON_ROWS(point_rows, point, TENON_NUM(lat, "L.", .required = true, .range = { -90, 90 }));

typedef struct {
    const char *s, *p;
    int64_t     n;
    double      x;
    bool        b;
    enum level  e;
    tenon_time  t;
    tenon_strs  l;
    tenon_ints  i;
    tenon_nums  r;
    tenon_enums es;
    tenon_map   m;
    point       at;
    TENON_LIST_OF(point) points;
    const tenon_json *j;
} all;

#define ONE(name, ...) TENON_ROWS(name, all, __VA_ARGS__)
/* clang-format off */
ONE(str, TENON_STR(s, "D."));
ONE(str_short, TENON_STR(s, "D.", .len = {1, 2}));
ONE(str_long, TENON_STR(s, "D.", .len = {7, 9}));
ONE(str_email, TENON_STR(s, "D.", .format = "email"));
ONE(str_def, TENON_STR(s, "D.", .def = "mine"));
ONE(str_own, TENON_STR(s, "D.", .example = "a \"b\""));
ONE(path, TENON_PATH(p, "D.", .ext = ".txt,.md"));
ONE(abs_path, TENON_ABS_PATH(p, "D."));
ONE(uuid, TENON_UUID(s, "D."));
ONE(url, TENON_URL(s, "D.", .schemes = "ftp, http"));
ONE(id, TENON_ID(s, "D."));
ONE(integer, TENON_INT(n, "D."));
ONE(int_high, TENON_INT(n, "D.", .range = {5, 9}));
ONE(int_low, TENON_INT(n, "D.", .range = {TENON_NO_MIN, -5}));
ONE(int_zero, TENON_INT(n, "D.", .range = {0, 0}));
ONE(num, TENON_NUM(x, "D."));
ONE(num_low, TENON_NUM(x, "D.", .range = {TENON_NO_MIN, -0.5}));
ONE(num_wide, TENON_NUM(x, "D.", .range = {-1e308, 1e308}));
ONE(flag, TENON_BOOL(b, "D."));
ONE(choice, TENON_ENUM(e, level_names, "D."));
ONE(date, TENON_DATE(t, "D."));
ONE(stamp, TENON_TIMESTAMP(t, "D."));
ONE(strs, TENON_STRS(l, "D."));
ONE(strs_three, TENON_STRS(l, "D.", .count = {3, 4}, .unique = true, .len = {1, 5}));
ONE(strs_none, TENON_STRS(l, "D.", .count = {0, 0}));
ONE(ints, TENON_INTS(i, "D.", .count = {2, 3}, .unique = true, .range = {0, 1}));
ONE(ints_edge, TENON_INTS(i, "D.", .count = {3, 3}, .unique = true, .range = {INT64_MAX - 1, INT64_MAX}, .example = "[9223372036854775807]"));
ONE(nums, TENON_NUMS(r, "D.", .count = {2, 3}, .unique = true, .range = {0, 1}));
ONE(enums, TENON_ENUMS(es, level_names, "D.", .count = {2, 2}, .unique = true));
ONE(map, TENON_MAP(m, "D.", .count = {2, 3}));
ONE(object, TENON_OBJECT(at, point_rows, "D."));
ONE(objects, TENON_OBJECTS(points, point_rows, "D.", .count = {2, 2}));
ONE(json, TENON_JSON(j, "D."));
/* clang-format on */

static void one_of_every_kind(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *want; } cases[] = {
        { str, "\"text\"" },
        { str_short, "\"xt\"" },
        { str_long, "\"textxxx\"" },
        { str_email, NULL },
        { str_def, "\"mine\"" },
        { str_own, "\"a \\\"b\\\"\"" },
        { path, "\"notes/today.txt\"" },
        { abs_path, "\"/srv/notes/today.md\"" },
        { uuid, NULL },
        { url, "\"ftp://example.com/\"" },
        { id, "\"text\"" },
        { integer, "1" },
        { int_high, "5" },
        { int_low, "-5" },
        { int_zero, "0" },
        { num, "1" },
        { num_low, "-0.5" },
        { num_wide, "1" },
        { flag, "true" },
        { choice, "\"low\"" },
        { date, "\"2025-01-15\"" },
        { stamp, "\"2025-01-15T10:30:00Z\"" },
        { strs, "[\"text\"]" },
        { strs_three, "[\"text\",\"text2\",\"text3\"]" },
        { strs_none, "[]" },
        { ints, "[1,0]" },
        { nums, "[1,0.984375]" },
        { enums, "[\"low\",\"high\"]" },
        { map, "{\"name\":\"text\",\"name2\":\"text2\"}" },
        { object, "{\"lat\":1}" },
        { objects, "[{\"lat\":1},{\"lat\":1}]" },
        { json, "{}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_shape    *shape = tenon_shape_new(cases[i].rows(), NULL);
        struct tn_slice got;

        assert_non_null(shape);
        if (tenon_shape_error(shape)) {
            fail_msg("%s", tenon_shape_error(shape));
        } else {
            got = shape->object->params[0].node->example;
            if (cases[i].want && !tn_slice_is(got, cases[i].want))
                fail_msg("%s: %.*s", cases[i].rows()->name, (int)got.len, got.at);
            assert_true(got.len > 0);
        }
        tenon_shape_free(shape);
    }
    judged_mistake_is(
        ints_edge(),
        "ints_edge: parameter 'i': its example [9223372036854775807] does not pass: i must contain "
        "at least 3 items, got 1");
}

typedef struct {
    int a, b, c, d;
} args;
TENON_ROWS(plain_rows, args, TENON_INT(a, "A.", .required = true), TENON_INT(b, "B."));
TENON_ROWS(any_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_ANY_OF(b, a));
TENON_ROWS(chain_rows, args,
    TENON_INT(a, "A.", .required = true), TENON_INT(b, "B."), TENON_INT(c, "C."), TENON_INT(d, "D."),
    TENON_TOGETHER(c, d), TENON_REQUIRES(b, c), TENON_REQUIRES(a, b));
TENON_ROWS(own_rows, args, TENON_INT(a, "A.", .required = true, .example = "7"));

/* A whole call has what is required and what the rules ask for then, and nothing else. */
static void whole_calls(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *want; } cases[] = {
        { plain_rows, "{\"a\":1}" },
        { any_rows, "{\"b\":1}" },
        { chain_rows, "{\"a\":1,\"b\":1,\"c\":1,\"d\":1}" },
        { own_rows, "{\"a\":7}" },
        { str, "{}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_shape *shape = tenon_shape_new(cases[i].rows(), NULL);

        if (tenon_shape_error(shape))
            fail_msg("%s", tenon_shape_error(shape));
        else if (!tn_slice_is(shape->object->example, cases[i].want))
            fail_msg("%s: %s", cases[i].rows()->name, shape->object->example.at);
        tenon_shape_free(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_of_every_kind), cmocka_unit_test(whole_calls) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
