/* host_test.c - names and addresses of hosts. */
#include "text/host.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define L10 "abcdefghij"
#define L63 L10 L10 L10 L10 L10 L10 "abc"

static void judges(void **state)
{
    static const struct { bool (*asked)(struct tn_slice); const char *text; bool want; } cases[] = {
        { tn_host_is_name, "localhost",                          true  },
        { tn_host_is_name, "www.Example.com",                    true  },
        { tn_host_is_name, "1host.2",                            true  },
        { tn_host_is_name, "a--b.xn--9n2bp8q",                   true  },
        { tn_host_is_name, L63 ".com",                           true  },
        { tn_host_is_name, L63 "." L63 "." L63 "." L10 L10 L10 L10 L10 L10 "a", true  },
        { tn_host_is_name, L63 "." L63 "." L63 "." L10 L10 L10 L10 L10 L10 "ab", false },
        { tn_host_is_name, L63 "d.com",                          false },
        { tn_host_is_name, "",                                   false },
        { tn_host_is_name, ".",                                  false },
        { tn_host_is_name, ".a",                                 false },
        { tn_host_is_name, "a.",                                 false },
        { tn_host_is_name, "a..b",                               false },
        { tn_host_is_name, "-a",                                 false },
        { tn_host_is_name, "a-.b",                               false },
        { tn_host_is_name, "a_b",                                false },
        { tn_host_is_name, "a b",                                false },
        { tn_host_is_name, "a\n",                                false },
        { tn_host_is_name, "\xc3\xa4.de",                        false },
        { tn_host_is_wide_name, "\xc3\xa4.de",                   true  },
        { tn_host_is_wide_name, "-\xc3\xa4.de",                  false },
        { tn_host_is_wide_name, "\xc3\xa4_.de",                  false },
        { tn_host_is_ipv4, "0.0.0.0",                            true  },
        { tn_host_is_ipv4, "192.168.10.255",                     true  },
        { tn_host_is_ipv4, "256.1.1.1",                          false },
        { tn_host_is_ipv4, "1.2.3",                              false },
        { tn_host_is_ipv4, "1.2.3.4.5",                          false },
        { tn_host_is_ipv4, "1.2.3.04",                           false },
        { tn_host_is_ipv4, "1.2.3.4.",                           false },
        { tn_host_is_ipv4, ".1.2.3",                             false },
        { tn_host_is_ipv4, "1..3.4",                             false },
        { tn_host_is_ipv4, "1.2.3.4 ",                           false },
        { tn_host_is_ipv4, "+1.2.3.4",                           false },
        { tn_host_is_ipv4, "0x7f.0.0.1",                         false },
        { tn_host_is_ipv4, "",                                   false },
        { tn_host_is_ipv6, "::",                                 true  },
        { tn_host_is_ipv6, "::1",                                true  },
        { tn_host_is_ipv6, "1::",                                true  },
        { tn_host_is_ipv6, "2001:db8::FF00:42:8329",             true  },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7:8",                    true  },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7::",                    true  },
        { tn_host_is_ipv6, "::ffff:192.168.0.1",                 true  },
        { tn_host_is_ipv6, "1:2:3:4:5:6:1.2.3.4",                true  },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7:8::",                  false },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7:1.2.3.4",              false },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7",                      false },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7:8:9",                  false },
        { tn_host_is_ipv6, "1::2::3",                            false },
        { tn_host_is_ipv6, ":::1",                               false },
        { tn_host_is_ipv6, "1:::2",                              false },
        { tn_host_is_ipv6, ":1::2",                              false },
        { tn_host_is_ipv6, "1::2:",                              false },
        { tn_host_is_ipv6, ":1:2:3:4:5:6:7",                     false },
        { tn_host_is_ipv6, "1:2:3:4:5:6:7:",                     false },
        { tn_host_is_ipv6, "12345::",                            false },
        { tn_host_is_ipv6, "1.2.3.4::",                          false },
        { tn_host_is_ipv6, "::1.2.3.4:5",                        false },
        { tn_host_is_ipv6, "::1.2.3.400",                        false },
        { tn_host_is_ipv6, "fe80::1%eth0",                       false },
        { tn_host_is_ipv6, "[::1]",                              false },
        { tn_host_is_ipv6, "1.2.3.4",                            false },
        { tn_host_is_ipv6, "::g",                                false },
        { tn_host_is_ipv6, ":",                                  false },
        { tn_host_is_ipv6, "",                                   false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
}

static void sees_nul_as_a_character(void **state)
{
    (void)state;
    assert_false(tn_host_is_name(SLICE_LIT("a\0")));
    assert_false(tn_host_is_ipv4(SLICE_LIT("1.2.3.4\0.evil.com")));
    assert_false(tn_host_is_ipv6(SLICE_LIT("::1\0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
        cmocka_unit_test(sees_nul_as_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
