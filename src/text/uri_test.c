/* uri_test.c - what is a URI, an IRI or a reference, and the scheme. */
#include "text/uri.h"

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
        if (tn_uri_is_absolute(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
        assert_true(tn_slice_is(tn_uri_scheme(tn_slice_of(cases[i].text)), cases[i].scheme));
    }
    assert_false(tn_uri_is_absolute(SLICE_LIT("http://a/\0")));
}

static void judges_references(void **state)
{
    static const struct { const char *text; bool uri, iri, uri_reference, iri_reference; } cases[] = {
        { "",                                 false, false, true,  true  },
        { "a",                                false, false, true,  true  },
        { "/a/b",                             false, false, true,  true  },
        { "//a:80/b",                         false, false, true,  true  },
        { "?a=b",                             false, false, true,  true  },
        { "#a",                               false, false, true,  true  },
        { "../a?b#c",                         false, false, true,  true  },
        { "./a:b",                            false, false, true,  true  },
        { "a/b:c",                            false, false, true,  true  },
        { "http://a/b?c#d",                   true,  true,  true,  true  },
        { "urn:a:b",                          true,  true,  true,  true  },
        { "1a:b",                             false, false, false, false },
        { ":a",                               false, false, false, false },
        { "a b",                              false, false, false, false },
        { "a\\b",                             false, false, false, false },
        { "#a#b",                             false, false, false, false },
        { "//[::1",                           false, false, false, false },
        { "//a:b",                            false, false, false, false },
        { "a%zz",                             false, false, false, false },
        { "/\xc3\xa4",                        false, false, false, true  },
        { "\xc3\xa4:b",                       false, false, false, false },
        { "http://\xc3\xa4@\xc3\xb6.de/\xc3\xbc?\xc3\x9f#\xe2\x82\xac", false, true, false, true },
        { "http://a/\xf0\x90\x8c\x80",        false, true,  false, true  },
        { "http://a/?\xee\x80\x80",            false, true,  false, true  }, /* private use */
        { "http://a/\xee\x80\x80",             false, false, false, false },
        { "http://a/#\xf3\xb0\x80\x80",        false, false, false, false },
        { "http://a/?\xf3\xb0\x80\x80",        false, true,  false, true  },
        { "http://a/\xc2\x9f",                false, false, false, false }, /* a control */
        { "http://a/\xef\xb7\x90",            false, false, false, false }, /* no character */
        { "http://a/\xf0\x9f\xbf\xbe",        false, false, false, false },
        { "http://a/\xf3\xa0\x80\x81",        false, false, false, false }, /* a tag */
        { "http://a/\xff",                    false, false, false, false },
        { "http://[\xc3\xa4]/",               false, false, false, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice text = tn_slice_of(cases[i].text);

        if (tn_uri_is_absolute(text) != cases[i].uri || tn_iri_is_absolute(text) != cases[i].iri ||
            tn_uri_is_reference(text) != cases[i].uri_reference ||
            tn_iri_is_reference(text) != cases[i].iri_reference)
            fail_msg("'%s' is judged wrongly", cases[i].text);
    }
    assert_false(tn_iri_is_reference(SLICE_LIT("a\0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
        cmocka_unit_test(judges_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
