/* idn_test.c - names of hosts in Unicode and encoded: contexts, directions, lengths. */
#include "text/idn.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define L10 "abcdefghij"
#define L60 L10 L10 L10 L10 L10 L10
#define U10 "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"

#ifdef TENON_IDN2

static void judges_names(void **state)
{
    static const struct { const char *text; bool want; } cases[] = {
        { "example.com",                                      true  },
        { "EXAMPLE.com",                                      true  },
        { "a--b.1host",                                       true  },
        { "b\xc3\xbc" "cher.de",                              true  },
        { "\xec\x8b\xa4\xeb\xa1\x80.\xed\x85\x8c\xec\x8a\xa4\xed\x8a\xb8", true },
        { "xn--bcher-kva.de",                                 true  },
        { "XN--BCHER-KVA.de",                                 true  },
        { "a\xe3\x80\x82" "b\xef\xbc\x8e" "c\xef\xbd\xa1" "d", true },
        { L60 "abc",                                          true  },
        { L60 "abcd",                                         false },
        { L60 "." L60 "." L60 "." L60 ".abcdefghi",           true  },
        { L60 "." L60 "." L60 "." L60 ".abcdefghij",          false },
        { U10 U10 U10 "." U10 U10 U10,                        true  },
        { U10 U10 U10 U10 U10 U10,                            false },
        { "",                                                 false },
        { ".",                                                false },
        { "\xe3\x80\x82",                                     false },
        { ".a",                                               false },
        { "a.",                                               false },
        { "a..b",                                             false },
        { "a\xe3\x80\x82",                                    false },
        { "-a",                                               false },
        { "a-",                                               false },
        { "a_b",                                              false },
        { "a b",                                              false },
        { "-\xc3\xbc",                                        false },
        { "\xc3\xbc-",                                        false },
        { "\xc3\x9c" "ber.de",                                false }, /* would have to be mapped */
        { "cafe\xcc\x81.com",                                 false }, /* is not composed */
        { "\xcc\x80" "a",                                     false },
        { "\xe2\x98\x83.net",                                 false },
        { "a\xc2\xb7l",                                       false },
        { "l\xc2\xb7l",                                       true  },
        { "\xce\xb1\xcd\xb5\xce\xb2",                         true  },
        { "\xce\xb1\xcd\xb5",                                 false },
        { "\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8d\xe0\xa4\xb7", true  },
        { "\xe0\xa4\x95\xe2\x80\x8d\xe0\xa4\xb7",             false },
        { "\xd8\xa8\xd9\x8a\xe2\x80\x8c\xd8\xa8\xd9\x8a",     true  },
        /* From right to left. */
        { "\xd7\x90.com",                                     true  },
        { "\xd7\x90" "0.com",                                 true  },
        { "\xd7\x90-\xd7\x91",                                true  },
        { "\xd8\xa8\xd9\x8e.com",                             true  }, /* ends in a mark */
        { "\xd9\x8a\xd9\xa0",                                 true  },
        { "0a.\xd7\x90",                                      false },
        { "0a.xn--4db",                                       false },
        { "a0.\xd7\x90",                                      true  },
        { "0\xd8\xa7",                                        false },
        { "a\xd7\x90",                                        false },
        { "\xd7\x90" "a",                                     false },
        { "\xd7\x90" "0\xd9\xa0",                             false },
        { "0.\xdb\xb0" "0",                                   true  },
        { "\xd7\x90\xe0\xa5\x81.com",                         true  }, /* a mark of another script */
        { "\xe0\xa4\x95\xe0\xa5\x81.\xd7\x90",               true  },
        { "a\xca\xb9.\xd7\x90",                               false }, /* ends in a neutral letter */
        { "a\xca\xb9.com",                                   true  },
        /* Encoded. */
        { "xn--X",                                            false },
        { "xn--",                                             false },
        { "xn--example-",                                     false },
        { "xn---9uc",                                         false },
        { "xn--7a",                                           false },
        { "xn--0ca24w",                                       false },
        { "xn--al-0ea",                                       false },
        { "xn--ll-0ea",                                       true  },
        { "a\xff",                                            false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_idn_is_name(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
    assert_false(tn_idn_is_name(SLICE_LIT("\xc3\xbc\0")));
    assert_false(tn_idn_is_name(SLICE_LIT("a\0b")));
}

static void looks_into_encoded_labels(void **state)
{
    static const struct { const char *text; bool want; } cases[] = {
        { "xn--9n2bp8q.xn--9t4b11yi5a", true  },
        { "a.xn--ll-0ea.b",             true  },
        { "a.xn--al-0ea.b",             false },
        { "a.XN--al-0ea.b",             false },
        { "xn--X",                      false },
        { "xn-a",                       true  },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_idn_is_ascii_name(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
}

#endif

static void judges_ascii_names(void **state)
{
    static const struct { const char *text; bool want; } cases[] = {
        { "example.com",     true  },
        { "EXAMPLE.com",     true  },
        { "1host.a--b.ab--c", true },
        { "",                false },
        { "a.",              false },
        { "a_b",             false },
        { "\xc3\xbc.de",     false },
        { "a\xe3\x80\x82" "b", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_idn_is_ascii_name(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TENON_IDN2
        cmocka_unit_test(judges_names),
        cmocka_unit_test(looks_into_encoded_labels),
#endif
        cmocka_unit_test(judges_ascii_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
