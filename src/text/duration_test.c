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
    static const struct { bool (*asked)(struct tn_slice); const char *text; bool want; } cases[] = {
        { tn_duration_well_formed, "P1Y2M3DT4H5M6S",            true  },
        { tn_duration_well_formed, "P4DT12H30M5S",              true  },
        { tn_duration_well_formed, "P1Y",                       true  },
        { tn_duration_well_formed, "P1Y2M",                     true  },
        { tn_duration_well_formed, "P1M",                       true  },
        { tn_duration_well_formed, "P1M2D",                     true  },
        { tn_duration_well_formed, "P1D",                       true  },
        { tn_duration_well_formed, "P0D",                       true  },
        { tn_duration_well_formed, "P01D",                      true  },
        { tn_duration_well_formed, "P2W",                       true  },
        { tn_duration_well_formed, "PT36H",                     true  },
        { tn_duration_well_formed, "PT1H2M",                    true  },
        { tn_duration_well_formed, "PT1M",                      true  },
        { tn_duration_well_formed, "PT1M2S",                    true  },
        { tn_duration_well_formed, "PT0S",                      true  },
        { tn_duration_well_formed, "P1DT12H",                   true  },
        { tn_duration_well_formed, "P99999999999999999999999D", true  },
        { tn_duration_well_formed, "",                          false },
        { tn_duration_well_formed, "P",                         false },
        { tn_duration_well_formed, "PT",                        false },
        { tn_duration_well_formed, "P1",                        false },
        { tn_duration_well_formed, "1D",                        false },
        { tn_duration_well_formed, "p1d",                       false },
        { tn_duration_well_formed, "P1d",                       false },
        { tn_duration_well_formed, "P1YT",                      false },
        { tn_duration_well_formed, "PT1D",                      false },
        { tn_duration_well_formed, "P2S",                       false },
        { tn_duration_well_formed, "P2D1Y",                     false },
        { tn_duration_well_formed, "P1Y2D",                     false },
        { tn_duration_well_formed, "P1D1D",                     false },
        { tn_duration_well_formed, "P1D2H",                     false },
        { tn_duration_well_formed, "PT1H2S",                    false },
        { tn_duration_well_formed, "PT1S1H",                    false },
        { tn_duration_well_formed, "P1Y2W",                     false },
        { tn_duration_well_formed, "P1W1D",                     false },
        { tn_duration_well_formed, "P1WT1H",                    false },
        { tn_duration_well_formed, "PT1W",                      false },
        { tn_duration_well_formed, "P-1D",                      false },
        { tn_duration_well_formed, "-P1D",                      false },
        { tn_duration_well_formed, "+P1D",                      false },
        { tn_duration_well_formed, "PT0.5S",                    false },
        { tn_duration_well_formed, "PT0,5S",                    false },
        { tn_duration_well_formed, " P1D",                      false },
        { tn_duration_well_formed, "P1D ",                      false },
        { tn_duration_well_formed, "P1D\n",                     false },
        { tn_duration_well_formed, "P1D2T3H",                   false },
        { tn_duration_well_formed, "P1e2D",                     false },
        { tn_duration_well_formed, "P\xe0\xa7\xa8Y",            false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
    assert_false(tn_duration_well_formed(SLICE_LIT("P1\0")));
    assert_false(tn_duration_well_formed(SLICE_LIT("P1D\0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
