/* row_options_test.c - an option counts when it is written, whatever its value, and not when it is not. */
#include "rows/row_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/group.h>

typedef struct {
    int x;
} inner;
TENON_ROWS(inner_rows, inner, TENON_INT(x, "X."));

static const char *const names[] = { "a", "b" };

typedef struct {
    const char       *text;
    tenon_time        time;
    int               number;
    double            real;
    bool              flag;
    int               choice;
    tenon_strs        strs;
    tenon_ints        ints;
    tenon_nums        nums;
    tenon_set         set;
    inner             object;
    tenon_map         map;
    const tenon_json *json;
    tenon_page        page;
    TENON_LIST_OF(inner) objects;
} every;

/* clang-format off */
TENON_ROWS(bare_rows, every,
    TENON_STR(text, "D."), TENON_PATH(text, "D."), TENON_ABS_PATH(text, "D."), TENON_UUID(text, "D."), TENON_URL(text, "D."),
    TENON_ID(text, "D."), TENON_DATE(time, "D."), TENON_TIMESTAMP(time, "D."), TENON_INT(number, "D."),
    TENON_NUM(real, "D."), TENON_BOOL(flag, "D."), TENON_ENUM(choice, names, "D."), TENON_STRS(strs, "D."),
    TENON_PATHS(strs, "D."), TENON_INTS(ints, "D."), TENON_NUMS(nums, "D."), TENON_ENUMS(set, names, "D."),
    TENON_OBJECT(object, inner_rows, "D."), TENON_OBJECTS(objects, inner_rows, "D."), TENON_MAP(map, "D."),
    TENON_JSON(json, "D."), TENON_PAGE(page));

TENON_ROWS(zero_rows, every,
    TENON_STR(text, "D.", .def = ""), TENON_DATE(time, "D.", .def = ""), TENON_INT(number, "D.", .range = {0, 0}, .def = 0),
    TENON_NUM(real, "D.", .def = 0, .range = {0, 0}), TENON_BOOL(flag, "D.", .def = false),
    TENON_ENUM(choice, names, "D.", .def = 0), TENON_STRS(strs, "D.", .def = ""), TENON_INTS(ints, "D.", .def = ""),
    TENON_NUMS(nums, "D.", .def = ""), TENON_ENUMS(set, names, "D.", .def = ""),
    TENON_OBJECT(object, inner_rows, "D.", .def = ""), TENON_MAP(map, "D.", .def = ""), TENON_JSON(json, "D.", .def = ""));

TENON_ROWS(none_rows, every,
    TENON_STR(text, "D.", .def = NULL), TENON_INT(number, "D.", .def = TENON_NO_DEFAULT_INT),
    TENON_NUM(real, "D.", .def = TENON_NO_DEFAULT_NUM), TENON_BOOL(flag, "D.", .def = TENON_NO_DEFAULT_BOOL),
    TENON_ENUM(choice, names, "D.", .def = TENON_NO_DEFAULT_ENUM), TENON_JSON(json, "D.", .def = NULL));

TENON_ROWS(half_rows, every, TENON_INT(number, "D.", .range[1] = 5), TENON_NUM(real, "D.", .range[0] = 0));
/* clang-format on */

static void expect_defaults(const tenon_rows *rows, bool want)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->at[i].kind != TENON_KIND_GROUP && tn_row_has_default(&rows->at[i]) != want)
            fail_msg("%s, row %zu (%s)", rows->name, i, rows->at[i].field);
}

static void what_is_written_counts(void **state)
{
    (void)state;
    expect_defaults(bare_rows(), false);
    expect_defaults(zero_rows(), true);
    expect_defaults(none_rows(), false);
    for (size_t i = 0; i < zero_rows()->count; i++) {
        const tenon_row *row = &zero_rows()->at[i];

        assert_int_equal(tn_row_has_range(row), row->kind == TENON_KIND_INT || row->kind == TENON_KIND_NUM);
    }
    for (size_t i = 0; i < bare_rows()->count; i++)
        assert_false(tn_row_has_range(&bare_rows()->at[i]));
}

static void the_other_end_stays_open(void **state)
{
    const tenon_row *row = half_rows()->at;

    (void)state;
    assert_true(row[0].rule.integer.range[0] == TENON_NO_MIN && row[0].rule.integer.range[1] == 5);
    assert_true(row[1].rule.number.range[0] == 0 && row[1].rule.number.range[1] == (double)TENON_NO_MAX);
    assert_true(tn_row_has_range(&row[0]) && tn_row_has_range(&row[1]));
}

/* A row that is made while a program runs begins as its macro begins. */
static void init_is_what_the_macro_presets(void **state)
{
    (void)state;
    for (size_t i = 0; i < bare_rows()->count; i++) {
        const tenon_row *row = &bare_rows()->at[i];
        tenon_row        made;

        memset(&made, 0xA5, sizeof made);
        tenon_row_init(&made, (tenon_kind)row->kind);
        made.field   = row->field;
        made.offset  = row->offset;
        made.size    = row->size;
        made.flavour = row->flavour;
        if (row->kind == TENON_KIND_GROUP) {
            made.rule.group.rows  = row->rule.group.rows;
            made.rule.group.tuned = row->rule.group.tuned;
        } else {
            made.rule.any.doc = row->rule.any.doc;
        }
        if (row->kind == TENON_KIND_ENUM || row->kind == TENON_KIND_ENUMS) {
            made.rule.choice.names      = row->rule.choice.names; /* both have them in one place */
            made.rule.choice.name_count = row->rule.choice.name_count;
        }
        if (row->kind == TENON_KIND_OBJECT || row->kind == TENON_KIND_OBJECTS)
            made.rule.object.rows = row->rule.object.rows;
        if (memcmp(&made, row, sizeof made) != 0)
            fail_msg("kind %d", row->kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_counts),
        cmocka_unit_test(the_other_end_stays_open),
        cmocka_unit_test(init_is_what_the_macro_presets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
