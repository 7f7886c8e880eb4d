/* email_test.c - addresses with and without the characters of the world. */
#include "text/email.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define L10 "abcdefghij"
#define L60 L10 L10 L10 L10 L10 L10

static void judges(void **state)
{
    static const struct { bool (*asked)(struct tn_slice); const char *text; bool want; } cases[] = {
        { tn_email_is_address,       "ada@example.com",                                true  },
        { tn_email_is_address,       "\"a b\"@example.com",                            true  },
        { tn_email_is_address,       "a@[127.0.0.1]",                                  true  },
        { tn_email_is_address,       "a@[IPv6:::1]",                                   true  },
        { tn_email_is_address,       "",                                               false },
        { tn_email_is_address,       "@",                                              false },
        { tn_email_is_address,       "a",                                              false },
        { tn_email_is_address,       "a@",                                             false },
        { tn_email_is_address,       "@b",                                             false },
        { tn_email_is_address,       "\xc3\xa4@example.com",                           false },
        { tn_email_is_address,       "a@\xc3\xa4.de",                                  false },
        { tn_email_is_address,       "\"\xc3\xa4\"@example.com",                       false },
        { tn_email_is_address,       "a\xef\xbc\xa0" "b.com",                          false },
        { tn_email_is_international, "ada@example.com",                                true  },
        { tn_email_is_international, "\"a b\"@example.com",                            true  },
        { tn_email_is_international, "a@[127.0.0.1]",                                  true  },
        { tn_email_is_international, "\xec\x8b\xa4\xeb\xa1\x80@\xec\x8b\xa4\xeb\xa1\x80.\xed\x85\x8c\xec\x8a\xa4\xed\x8a\xb8", true  },
        { tn_email_is_international, "\xc3\xa4@example.com",                           true  },
        { tn_email_is_international, "\"\xc3\xa4 b\"@example.com",                     true  },
        { tn_email_is_international, "a@\xc3\xa4.de",                                  true  },
        { tn_email_is_international, "a@cafe\xcc\x81.com",                             true  },
        { tn_email_is_international, "\xc2\x85@example.com",                           true  },
        { tn_email_is_international, "\xef\xbf\xbf@example.com",                       true  },
        { tn_email_is_international, "\xf0\x9d\x95\x8f@example.com",                   true  },
        { tn_email_is_international, L60 "abcd@example.com",                           true  },
        { tn_email_is_international, L60 "\xc3\xa4" "ab@example.com",                  true  },
        { tn_email_is_international, "",                                               false },
        { tn_email_is_international, "2962",                                           false },
        { tn_email_is_international, "@",                                              false },
        { tn_email_is_international, "\xc3\xa4",                                       false },
        { tn_email_is_international, "\xc3\xa4@",                                      false },
        { tn_email_is_international, "@\xc3\xa4",                                      false },
        { tn_email_is_international, ".\xc3\xa4@b",                                    false },
        { tn_email_is_international, "\xc3\xa4..b@c",                                  false },
        { tn_email_is_international, "\xc3\xa4 b@c",                                   false },
        { tn_email_is_international, "a\xef\xbc\xa0" "b.com",                          false },
        { tn_email_is_international, "a@\xc3\xa4_b",                                   false },
        { tn_email_is_international, "a@-\xc3\xa4",                                    false },
        { tn_email_is_international, "a@\xc3\xa4..b",                                  false },
        { tn_email_is_international, "a\xff@b",                                        false },
        { tn_email_is_international, "a@\xff",                                         false },
        { tn_email_is_international, L60 "\xc3\xa4" "abc@example.com",                 false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
