/* date_test.c - dates and timestamps: what is one, which moment it is, and how it is written. */
#include "text/date.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define NONE            INT64_MIN

static void parses_dates(void **state)
{
    static const struct { const char *text; int64_t ms; } cases[] = {
        { "1970-01-01",  0                        },
        { "1970-01-02",  DATE_DAY_MS              },
        { "2000-02-29",  INT64_C(951782400000)    },
        { "2000-03-01",  INT64_C(951868800000)    },
        { "2024-02-29",  INT64_C(1709164800000)   },
        { "2025-01-15",  INT64_C(1736899200000)   },
        { "9999-12-31",  INT64_C(253402214400000) },
        { "1969-12-31",  -DATE_DAY_MS             },
        { "1950-12-10",  INT64_C(-601516800000)   },
        { "1900-03-01",  INT64_C(-2203891200000)  },
        { "0001-01-01",  DATE_MIN_MS              },
        { "0000-01-01",  NONE },
        { "0000-12-31",  NONE },
        { "2025-02-29",  NONE },
        { "2025-02-30",  NONE },
        { "2100-02-29",  NONE },
        { "2025-04-31",  NONE },
        { "2025-00-10",  NONE },
        { "2025-13-01",  NONE },
        { "2025-01-00",  NONE },
        { "2025-1-15",   NONE },
        { "20250115",    NONE },
        { "2025/01/15",  NONE },
        { "2025-01-15 ", NONE },
        { " 2025-01-15", NONE },
        { "+2025-01-15", NONE },
        { "12025-01-15", NONE },
        { "2025-01-1",   NONE },
        { "2025-01",     NONE },
        { "2025-01-1\xd9\xa5", NONE },
        { "garbage",     NONE },
        { "",            NONE },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t ms = NONE;

        assert_int_equal(tn_date_parse(tn_slice_of(cases[i].text), &ms), cases[i].ms != NONE);
        assert_int_equal(ms, cases[i].ms);
    }
}

static void parses_timestamps(void **state)
{
    static const struct { const char *text; int64_t ms; } cases[] = {
        { "1970-01-01T00:00:00Z",              0                        },
        { "1970-01-01t00:00:00z",              0                        },
        { "1970-01-01 00:00:00Z",              0                        },
        { "1970-01-01T00:00:00.001Z",          1                        },
        { "1970-01-01T00:00:00.0019999Z",      1                        },
        { "1970-01-01T00:00:00.9Z",            900                      },
        { "1970-01-01T01:00:00+01:00",         0                        },
        { "1969-12-31T23:00:00-01:00",         0                        },
        { "1970-01-01T00:00:00-23:59",         INT64_C(86340000)        },
        { "2025-01-15T10:30:00+05:30",         INT64_C(1736917200000)   },
        { "1998-12-31T23:59:60Z",              INT64_C(915148799000)    },
        { "1998-12-31T23:59:60.5Z",            INT64_C(915148799500)    },
        { "1998-12-31T15:59:60-08:00",         INT64_C(915148799000)    },
        { "1999-01-01T00:29:60+00:30",         INT64_C(915148799000)    },
        { "9999-12-31T23:59:59.999Z",          DATE_MAX_MS              },
        { "9999-12-31T23:59:59-00:01",         NONE },
        { "1970-01-01T00:00:00+00:01",         -60000                   },
        { "1950-12-10T23:30:00.250-08:00",     INT64_C(-601403399750)   },
        { "0001-01-01T00:00:00Z",              DATE_MIN_MS              },
        { "0001-01-01T00:00:00+00:01",         NONE },
        { "1998-12-31T22:59:60Z",              NONE },
        { "1998-12-31T23:58:60Z",              NONE },
        { "1998-12-31T23:59:60+01:00",         NONE },
        { "1998-12-31T23:59:61Z",              NONE },
        { "2025-01-15T24:00:00Z",              NONE },
        { "2025-01-15T10:60:00Z",              NONE },
        { "2025-01-15T10:30:00",               NONE },
        { "2025-01-15T10:30Z",                 NONE },
        { "2025-01-15T10:30:00.Z",             NONE },
        { "2025-01-15T10:30:00,5Z",            NONE },
        { "2025-01-15T10:30:00+5:30",          NONE },
        { "2025-01-15T10:30:00+0530",          NONE },
        { "2025-01-15T10:30:00+24:00",         NONE },
        { "2025-01-15T10:30:00+00:60",         NONE },
        { "2025-01-15T10:30:00ZZ",             NONE },
        { "2025-01-15  10:30:00Z",             NONE },
        { "2025-01-15_10:30:00Z",              NONE },
        { "2025-02-30T10:30:00Z",              NONE },
        { "2025-01-15",                        NONE },
        { "",                                  NONE },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t ms = NONE;

        assert_int_equal(tn_timestamp_parse(tn_slice_of(cases[i].text), &ms), cases[i].ms != NONE);
        assert_int_equal(ms, cases[i].ms);
    }
}

static void sees_nul_as_a_character(void **state)
{
    int64_t ms;

    (void)state;
    assert_false(tn_date_parse((struct tn_slice){ "2025-01-15\0", 11 }, &ms));
    assert_false(tn_timestamp_parse((struct tn_slice){ "2025-01-15\0"
                                                       "10:30:00Z",
                                                       20 },
                                    &ms));
    assert_false(tn_timestamp_parse((struct tn_slice){ "2025-01-15T10:30:00\0", 20 }, &ms));
}

static void formats(void **state)
{
    static const struct { int64_t ms; const char *date, *timestamp; } cases[] = {
        { 0,                      "1970-01-01", "1970-01-01T00:00:00Z"     },
        { 1,                      "1970-01-01", "1970-01-01T00:00:00.001Z" },
        { DATE_DAY_MS - 1,        "1970-01-01", "1970-01-01T23:59:59.999Z" },
        { INT64_C(951782400000),  "2000-02-29", "2000-02-29T00:00:00Z"     },
        { INT64_C(1736917200500), "2025-01-15", "2025-01-15T05:00:00.500Z" },
        { DATE_MAX_MS,            "9999-12-31", "9999-12-31T23:59:59.999Z" },
        { -1,                     "1969-12-31", "1969-12-31T23:59:59.999Z" },
        { -DATE_DAY_MS,           "1969-12-31", "1969-12-31T00:00:00Z"     },
        { INT64_C(-601403399750), "1950-12-11", "1950-12-11T07:30:00.250Z" },
        { DATE_MIN_MS,            "0001-01-01", "0001-01-01T00:00:00Z"     },
        { INT64_MIN,              "0001-01-01", "0001-01-01T00:00:00Z"     },
        { INT64_MAX,              "9999-12-31", "9999-12-31T23:59:59.999Z" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char date[DATE_TEXT_LEN + 1], timestamp[TIMESTAMP_TEXT_LEN + 1];

        tn_date_format(cases[i].ms, date);
        tn_timestamp_format(cases[i].ms, timestamp);
        assert_string_equal(date, cases[i].date);
        assert_string_equal(timestamp, cases[i].timestamp);
    }
}

static void every_day_reads_back(void **state)
{
    char last[DATE_TEXT_LEN + 1] = "";

    (void)state;
    for (int64_t ms = DATE_MIN_MS; ms <= DATE_MAX_MS; ms += DATE_DAY_MS) {
        char    text[DATE_TEXT_LEN + 1];
        int64_t back = NONE;

        tn_date_format(ms, text);
        assert_true(tn_date_parse(tn_slice_of(text), &back));
        assert_int_equal(back, ms);
        assert_true(strcmp(last, text) < 0);
        memcpy(last, text, sizeof last);
    }
}

static void knows_what_is_well_formed(void **state)
{
    static const struct { bool (*asked)(struct tn_slice); const char *text; bool want; } cases[] = {
        { tn_date_well_formed,      "0000-02-29",                 true  },
        { tn_date_well_formed,      "1066-10-14",                 true  },
        { tn_date_well_formed,      "1900-02-29",                 false },
        { tn_date_well_formed,      "2025-01-15T",                false },
        { tn_time_well_formed,      "08:30:06Z",                  true  },
        { tn_time_well_formed,      "08:30:06.283185Z",           true  },
        { tn_time_well_formed,      "23:59:60z",                  true  },
        { tn_time_well_formed,      "01:29:60+01:30",             true  },
        { tn_time_well_formed,      "22:59:60Z",                  false },
        { tn_time_well_formed,      "08:30:06",                   false },
        { tn_time_well_formed,      "8:30:06Z",                   false },
        { tn_timestamp_well_formed, "0001-01-01T00:00:00+23:59",  true  },
        { tn_timestamp_well_formed, "2025-01-15 00:00:00Z",       false },
        { tn_timestamp_well_formed, "2025-01-15T00:00:00",        false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(cases[i].asked(tn_slice_of(cases[i].text)), cases[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_dates),
        cmocka_unit_test(parses_timestamps),
        cmocka_unit_test(sees_nul_as_a_character),
        cmocka_unit_test(formats),
        cmocka_unit_test(every_day_reads_back),
        cmocka_unit_test(knows_what_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
