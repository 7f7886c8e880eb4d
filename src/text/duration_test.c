/* duration_test.c - what is a duration. */
#include "text/duration.h"

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
        { duration_well_formed, "P1Y2M3DT4H5M6S",            true  },
        { duration_well_formed, "P4DT12H30M5S",              true  },
        { duration_well_formed, "P1Y",                       true  },
        { duration_well_formed, "P1Y2M",                     true  },
        { duration_well_formed, "P1M",                       true  },
        { duration_well_formed, "P1M2D",                     true  },
        { duration_well_formed, "P1D",                       true  },
        { duration_well_formed, "P0D",                       true  },
        { duration_well_formed, "P01D",                      true  },
        { duration_well_formed, "P2W",                       true  },
        { duration_well_formed, "PT36H",                     true  },
        { duration_well_formed, "PT1H2M",                    true  },
        { duration_well_formed, "PT1M",                      true  },
        { duration_well_formed, "PT1M2S",                    true  },
        { duration_well_formed, "PT0S",                      true  },
        { duration_well_formed, "P1DT12H",                   true  },
        { duration_well_formed, "P99999999999999999999999D", true  },
        { duration_well_formed, "",                          false },
        { duration_well_formed, "P",                         false },
        { duration_well_formed, "PT",                        false },
        { duration_well_formed, "P1",                        false },
        { duration_well_formed, "1D",                        false },
        { duration_well_formed, "p1d",                       false },
        { duration_well_formed, "P1d",                       false },
        { duration_well_formed, "P1YT",                      false },
        { duration_well_formed, "PT1D",                      false },
        { duration_well_formed, "P2S",                       false },
        { duration_well_formed, "P2D1Y",                     false },
        { duration_well_formed, "P1Y2D",                     false },
        { duration_well_formed, "P1D1D",                     false },
        { duration_well_formed, "P1D2H",                     false },
        { duration_well_formed, "PT1H2S",                    false },
        { duration_well_formed, "PT1S1H",                    false },
        { duration_well_formed, "P1Y2W",                     false },
        { duration_well_formed, "P1W1D",                     false },
        { duration_well_formed, "P1WT1H",                    false },
        { duration_well_formed, "PT1W",                      false },
        { duration_well_formed, "P-1D",                      false },
        { duration_well_formed, "-P1D",                      false },
        { duration_well_formed, "+P1D",                      false },
        { duration_well_formed, "PT0.5S",                    false },
        { duration_well_formed, "PT0,5S",                    false },
        { duration_well_formed, " P1D",                      false },
        { duration_well_formed, "P1D ",                      false },
        { duration_well_formed, "P1D\n",                     false },
        { duration_well_formed, "P1D2T3H",                   false },
        { duration_well_formed, "P1e2D",                     false },
        { duration_well_formed, "P\xe0\xa7\xa8Y",            false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
    assert_false(duration_well_formed(SLICE_LIT("P1\0")));
    assert_false(duration_well_formed(SLICE_LIT("P1D\0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
