/* row_options_test.c - options are found where they are written, and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rows/row_options.h"

static void finds_designators_only(void **state)
{
    static const struct {
        const char *text, *option;
        bool        want;
    } cases[] = {
        { ".doc = \"How many.\", .range = {1, 10}, .def = 3", "range", true },
        { ".doc = \"How many.\", .range = {1, 10}, .def = 3", "def", true },
        { ".doc = \"How many.\", .default_note = \"x\"", "def", false },
        { ".doc = \"Say .def = 3 or , .def = 4\"", "def", false },
        { ".doc = \"A \\\" quote, .def = 3\"", "def", false },
        { ".doc = \"A backslash \\\\\", .def = 3", "def", true },
        { ".doc = \"x\", .range = {limits.def, 4}", "def", false },
        { ".doc = \"x\", .range = {0, config .def}", "def", false },
        { ".doc = \"x\", .def = other .len", "len", false },
        { ".doc = \"x\", .def = ','", "def", true },
        { ".doc = \"x\", .example = \"',\", .len = {1, 2}", "len", true },
        { "", "def", false },
        { ".doc = \"unfinished", "def", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (tn_row_options_has(cases[i].text, cases[i].option) != cases[i].want)
            fail_msg("'%s' in: %s", cases[i].option, cases[i].text);
    assert_false(tn_row_options_has(NULL, "def"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(finds_designators_only) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
