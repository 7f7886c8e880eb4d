/* format_test.c - the table of formats, and those that have no file of their own. */
#include "text/format.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define L10 "abcdefghij"
#define L60 L10 L10 L10 L10 L10 L10

static void knows_its_formats(void **state)
{
    static const struct { const char *name; bool empty; } cases[] = {
        { "email",         false }, { "idn-email",             false }, { "hostname",     false },
        { "ipv4",          false }, { "ipv6",                  false }, { "uri",          false },
        { "uri-reference", true  }, { "iri",                   false }, { "iri-reference", true },
        { "uri-template",  true  }, { "uuid",                  false }, { "date",         false },
        { "date-time",     false }, { "time",                  false }, { "duration",     false },
        { "json-pointer",  true  }, { "relative-json-pointer", false }, { "regex",        true  },
#ifdef TENON_IDN2
        { "idn-hostname",  false },
#endif
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct tn_format *format = tn_format_find(cases[i].name);

        assert_non_null(format);
        assert_string_equal(format->name, cases[i].name);
        assert_true(format->accepts(tn_slice_of(format->example)));
        assert_int_equal(format->accepts(tn_slice_of("")), cases[i].empty);
        assert_true(strncmp(format->article, "a ", 2) == 0 || strncmp(format->article, "an ", 3) == 0);
    }
    assert_null(tn_format_find("color"));
    assert_null(tn_format_find("Email"));
    assert_null(tn_format_find(""));
}

static void judges(void **state)
{
    static const struct { const char *format, *text; bool want; } cases[] = {
        { "email",     "joe.bloggs@example.com",                true  },
        { "email",     "a@localhost",                           true  },
        { "email",     "te~st+tag@example.com",                 true  },
        { "email",     "\"joe bloggs\"@example.com",            true  },
        { "email",     "\"a\\\"b@c\"@example.com",              true  },
        { "email",     "\"\"@example.com",                      true  },
        { "email",     "a@[127.0.0.1]",                         true  },
        { "email",     "a@[IPv6:::1]",                          true  },
        { "email",     L60 "abcd@example.com",                  true  },
        { "email",     L60 "abcde@example.com",                 false },
        { "email",     "2962",                                  false },
        { "email",     "@example.com",                          false },
        { "email",     "a@",                                    false },
        { "email",     "a",                                     false },
        { "email",     ".a@example.com",                        false },
        { "email",     "a.@example.com",                        false },
        { "email",     "a..b@example.com",                      false },
        { "email",     "a b@example.com",                       false },
        { "email",     "a@b@c",                                 false },
        { "email",     "a@b,c@d",                               false },
        { "email",     "A <a@example.com>",                     false },
        { "email",     "\"a@example.com",                       false },
        { "email",     "\"a\"b@example.com",                    false },
        { "email",     "\"a\"",                                 false },
        { "email",     "\"a\\",                                 false },
        { "email",     "\"a\nb\"@example.com",                  false },
        { "email",     "a@[127.0.0.300]",                       false },
        { "email",     "a@[::1]",                               false },
        { "email",     "a@[",                                   false },
        { "email",     "a@exa_mple.com",                        false },
        { "email",     "\xc3\xa4@example.com",                  false },
        { "uuid",      "2EB8AA08-aa98-11ea-B4Aa-73B441D16380",  true  },
        { "uuid",      "00000000-0000-0000-0000-000000000000",  true  },
        { "uuid",      "2eb8aa08-aa98-11ea-b4aa-73b441d1638",   false },
        { "uuid",      "2eb8aa08-aa98-11ea-b4aa-73b441d163800", false },
        { "uuid",      "2eb8aa08aa98-11ea-b4aa-73b441d1-6380",  false },
        { "uuid",      "2eb8aa08-aa98-11ea-b4ga-73b441d16380",  false },
        { "uuid",      "{eb8aa08-aa98-11ea-b4aa-73b441d1638}",  false },
        { "date",      "0001-01-01",                            true  },
        { "date",      "2025-02-30",                            false },
        { "date-time", "1850-06-19T08:30:06Z",                  true  },
        { "date-time", "2025-01-15 10:30:00Z",                  false },
        { "time",      "08:30:06+00:20",                        true  },
        { "time",      "08:30:06",                              false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_format_find(cases[i].format)->accepts(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("%s: '%s' is judged wrongly", cases[i].format, cases[i].text);
}

static void finds_schemes(void **state)
{
    (void)state;
    assert_true(tn_slice_is(tn_format_scheme(tn_slice_of("https://example.com")), "https"));
    assert_true(tn_slice_is(tn_format_scheme(tn_slice_of("example.com")), ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_its_formats),
        cmocka_unit_test(judges),
        cmocka_unit_test(finds_schemes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
