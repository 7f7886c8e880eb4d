/* pointer_test.c - what is a JSON Pointer. */
#include "schema/pointer.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void judges(void **state)
{
    static const struct { bool (*asked)(struct slice); const char *text; bool want; } cases[] = {
        { pointer_well_formed,          "",           true  },
        { pointer_well_formed,          "/",          true  },
        { pointer_well_formed,          "//",         true  },
        { pointer_well_formed,          "/a",         true  },
        { pointer_well_formed,          "/a/0",       true  },
        { pointer_well_formed,          "/a~0b~1c",   true  },
        { pointer_well_formed,          "/ ",         true  },
        { pointer_well_formed,          "/\xc3\xa4",  true  },
        { pointer_well_formed,          "/a\"b\\c",   true  },
        { pointer_well_formed,          "/~01",       true  },
        { pointer_well_formed,          "/-",         true  },
        { pointer_well_formed,          "a",          false },
        { pointer_well_formed,          "#",          false },
        { pointer_well_formed,          "#/a",        false },
        { pointer_well_formed,          "/~",         false },
        { pointer_well_formed,          "/~2",        false },
        { pointer_well_formed,          "/a~",        false },
        { pointer_well_formed,          "/a/~/b",     false },
        { pointer_well_formed,          "~0",         false },
        { pointer_well_formed,          " /a",        false },
        { pointer_relative_well_formed, "0",          true  },
        { pointer_relative_well_formed, "1",          true  },
        { pointer_relative_well_formed, "10",         true  },
        { pointer_relative_well_formed, "120/a/b",    true  },
        { pointer_relative_well_formed, "0#",         true  },
        { pointer_relative_well_formed, "12#",        true  },
        { pointer_relative_well_formed, "0/",         true  },
        { pointer_relative_well_formed, "0//",        true  },
        { pointer_relative_well_formed, "0/~0~1",     true  },
        { pointer_relative_well_formed, "",           false },
        { pointer_relative_well_formed, "/",          false },
        { pointer_relative_well_formed, "/a",         false },
        { pointer_relative_well_formed, "#",          false },
        { pointer_relative_well_formed, "01",         false },
        { pointer_relative_well_formed, "00",         false },
        { pointer_relative_well_formed, "01#",        false },
        { pointer_relative_well_formed, "-1",         false },
        { pointer_relative_well_formed, "+1",         false },
        { pointer_relative_well_formed, "1a",         false },
        { pointer_relative_well_formed, "0##",        false },
        { pointer_relative_well_formed, "0#/a",       false },
        { pointer_relative_well_formed, "0/~2",       false },
        { pointer_relative_well_formed, "0/a~",       false },
        { pointer_relative_well_formed, "1\n",        false },
        { pointer_relative_well_formed, " 1",         false },
        { pointer_relative_well_formed, "\xd9\xa1/a", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
