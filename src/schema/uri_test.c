/* uri_test.c - what is an absolute URI, and its scheme. */
#include "schema/uri.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void judges(void **state)
{
    static const struct { const char *text, *scheme; bool want; } cases[] = {
        { "https://example.com",                          "https",     true  },
        { "http://foo.bar/?baz=qux#quux",                 "http",      true  },
        { "HTTP://a",                                     "HTTP",      true  },
        { "http://u:p%40@host:8080/a/b;c=1?d=/?#e?/",     "http",      true  },
        { "http://host:",                                 "http",      true  },
        { "http://[::1]:80/",                             "http",      true  },
        { "http://[v1.a:b]/",                             "http",      true  },
        { "http://999.999.999.999/",                      "http",      true  },
        { "http://",                                      "http",      true  },
        { "file:///etc/hosts",                            "file",      true  },
        { "mailto:a@example.com",                         "mailto",    true  },
        { "urn:isbn:0451450523",                          "urn",       true  },
        { "tel:+1-816-555-1212",                          "tel",       true  },
        { "git+ssh://host/x",                             "git+ssh",   true  },
        { "a:",                                           "a",         true  },
        { "javascript:alert(1)",                          "javascript", true },
        { "//example.com",                                "",          false },
        { "/abc",                                         "",          false },
        { "abc",                                          "",          false },
        { "",                                             "",          false },
        { ":x",                                           "",          false },
        { "1http://a",                                    "",          false },
        { "ht_tp://a",                                    "",          false },
        { "http:// a",                                    "http",      false },
        { "http://a b",                                   "http",      false },
        { "http://a/\n",                                  "http",      false },
        { "http://a/\xc3\xa4",                            "http",      false },
        { "http://a/%",                                   "http",      false },
        { "http://a/%4",                                  "http",      false },
        { "http://a/%4g",                                 "http",      false },
        { "http://a/{x}",                                 "http",      false },
        { "http://a/\\x",                                 "http",      false },
        { "http://a/#b#c",                                "http",      false },
        { "http://a:b/",                                  "http",      false },
        { "http://a@b@c/",                                "http",      false },
        { "http://[::1/",                                 "http",      false },
        { "http://[::1]x/",                               "http",      false },
        { "http://[1.2.3.4]/",                            "http",      false },
        { "http://[v.a]/",                                "http",      false },
        { "http://[@a/",                                  "http",      false },
        { "http:/[::1]",                                  "http",      false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (uri_is_absolute(slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
        assert_true(slice_is(uri_scheme(slice_of(cases[i].text)), cases[i].scheme));
    }
    assert_false(uri_is_absolute(SLICE_LIT("http://a/\0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
