/* row_read_test.c - rows with something that this library does not know, and structs without unused bytes at their ends. */
#include "rows/row_read.h"

#include <string.h>

#include <tenon/tenon.h>

#include "support/judged.h"

/* A member that is added later must not land in bytes that an earlier library takes for padding. */
#define NO_TAIL(T, last) \
    _Static_assert(sizeof(T) == offsetof(T, last) + sizeof(((T *)0)->last), #T " has unused bytes at its end")
NO_TAIL(tenon_text_options, header);
NO_TAIL(tenon_int_options, header);
NO_TAIL(tenon_num_options, spare_);
NO_TAIL(tenon_bool_options, header);
NO_TAIL(tenon_enum_options, header);
NO_TAIL(tenon_enums_options, spare_);
NO_TAIL(tenon_strs_options, spare_);
NO_TAIL(tenon_ints_options, spare_);
NO_TAIL(tenon_nums_options, spare_);
NO_TAIL(tenon_object_options, spare_);
NO_TAIL(tenon_time_options, spare_);
NO_TAIL(tenon_group_options, max);
NO_TAIL(tenon_fields_rule, offset);
NO_TAIL(tenon_rows, reserved_);
NO_TAIL(tenon_info, icon_size);
NO_TAIL(tenon_icon, theme);
NO_TAIL(tenon_toolbox_options, reserved_);
NO_TAIL(tenon_server_options, icon_size);
NO_TAIL(tenon_resource_options, icon_size);
NO_TAIL(tenon_skill_options, file_size);
NO_TAIL(tenon_skill_file, mime);
NO_TAIL(tenon_schema_options, load_user);
NO_TAIL(tenon_schemas_options, reserved_);
_Static_assert(offsetof(tenon_row, rule) ==
                   offsetof(tenon_row, reserved_) + sizeof(((tenon_row *)0)->reserved_),
               "a row has unused bytes before its rule");

typedef struct {
    int    a;
    double b;
} pair_args;

TENON_ROWS(pair_rows, pair_args, TENON_INT(a, "A.", .def = 1), TENON_NUM(b, "B.", .range = { 0, 1 }));

/* The table with one byte changed that no option of this library has. */
static void refuses_what_it_does_not_know(void **state)
{
    static const struct { size_t row, at; const char *name; } cases[] = {
        { 0, offsetof(tenon_row, reserved_), "a" },
        { 0, offsetof(tenon_row, rule.any.reserved_) + 4, "a" },
        { 0, offsetof(tenon_row, rule.any.more_) + 8, "a" },
        { 0, offsetof(tenon_row, rule) + sizeof(tenon_int_options), "a" },
        { 0, sizeof(tenon_row) - 1, "a" },
        { 1, offsetof(tenon_row, rule.number.spare_), "b" },
        { 1, sizeof(tenon_row) - 1, "b" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_row  rows[2];
        tenon_rows table = *pair_rows();
        char       want[200];

        memcpy(rows, table.at, sizeof rows);
        table.at    = rows;
        table.count = 2;
        judged_mistake_is(&table, NULL);
        ((char *)&rows[cases[i].row])[cases[i].at] = 1;
        snprintf(want, sizeof want,
                 "pair_rows: parameter '%s': it has an option that this version of the library does not know",
                 cases[i].name);
        judged_mistake_is(&table, want);
    }
}

/* A table with the stride of a later or an earlier program. */
static void walks_with_the_stride_of_the_program(void **state)
{
    static const long steps[] = { -8, 0, 8, 64 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        char       room[3 * (sizeof(tenon_row) + 64)] __attribute__((aligned(8)));
        tenon_rows table = *pair_rows();
        size_t     size  = (size_t)((long)sizeof(tenon_row) + steps[i]);

        memset(room, 0, sizeof room);
        for (size_t j = 0; j < 2; j++)
            memcpy(room + j * size, &pair_rows()->at[j], size < sizeof(tenon_row) ? size : sizeof(tenon_row));
        table.at       = (const void *)room;
        table.count    = 2;
        table.row_size = size;
        judged_mistake_is(&table, NULL);
        if (steps[i] > 0) {
            room[size - 1] = 1;
            judged_mistake_is(
                &table,
                "pair_rows: parameter 'a': it has an option that this version of the library does not know");
        }
    }
}

static void refuses_tables_that_cannot_be_walked(void **state)
{
    tenon_rows table = *pair_rows();

    (void)state;
    table.row_size = 0;
    judged_mistake_is(&table, "pair_rows: its rows were compiled with TENON_LINT, for the compiler only");
    table.row_size = sizeof(tenon_row) + 1;
    judged_mistake_is(&table, "pair_rows: its rows were compiled with another version of Tenon's headers");
    table.row_size = 16;
    judged_mistake_is(&table, "pair_rows: its rows were compiled with another version of Tenon's headers");
    table.row_size     = sizeof(tenon_row);
    table.reserved_[1] = &table;
    judged_mistake_is(&table, "pair_rows: it has an option that this version of the library does not know");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_it_does_not_know),
        cmocka_unit_test(walks_with_the_stride_of_the_program),
        cmocka_unit_test(refuses_tables_that_cannot_be_walked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
