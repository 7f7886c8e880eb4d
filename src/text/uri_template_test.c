/* uri_template_test.c - what is a URI template. */
#include "text/uri_template.h"

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
        { tn_uri_template_well_formed, "",                                     true  },
        { tn_uri_template_well_formed, "a",                                    true  },
        { tn_uri_template_well_formed, "http://example.com/d/{term:1}/{term}", true  },
        { tn_uri_template_well_formed, "{a}",                                  true  },
        { tn_uri_template_well_formed, "{a,b}",                                true  },
        { tn_uri_template_well_formed, "{a.b}",                                true  },
        { tn_uri_template_well_formed, "{a_b}",                                true  },
        { tn_uri_template_well_formed, "{%41}",                                true  },
        { tn_uri_template_well_formed, "{a%41.b}",                             true  },
        { tn_uri_template_well_formed, "{+a}",                                 true  },
        { tn_uri_template_well_formed, "{#a}",                                 true  },
        { tn_uri_template_well_formed, "{.a}",                                 true  },
        { tn_uri_template_well_formed, "{/a}",                                 true  },
        { tn_uri_template_well_formed, "{;a}",                                 true  },
        { tn_uri_template_well_formed, "{?a,b*}",                              true  },
        { tn_uri_template_well_formed, "{&a}",                                 true  },
        { tn_uri_template_well_formed, "{=a}",                                 true  },
        { tn_uri_template_well_formed, "{|a}",                                 true  },
        { tn_uri_template_well_formed, "{!a}",                                 true  },
        { tn_uri_template_well_formed, "{@a}",                                 true  },
        { tn_uri_template_well_formed, "{,a}",                                 true  },
        { tn_uri_template_well_formed, "{a*}",                                 true  },
        { tn_uri_template_well_formed, "{a:1}",                                true  },
        { tn_uri_template_well_formed, "{a:9999}",                             true  },
        { tn_uri_template_well_formed, "{a:3,b*,c}",                           true  },
        { tn_uri_template_well_formed, "a%41b",                                true  },
        { tn_uri_template_well_formed, "a'b",                                  true  },
        { tn_uri_template_well_formed, "a\xc3\xa4" "b",                        true  },
        { tn_uri_template_well_formed, "a\xf0\x9f\x98\x80" "b",                true  },
        { tn_uri_template_well_formed, "a\xee\x80\x80" "b",                    true  },
        { tn_uri_template_well_formed, "{a}{b}",                               true  },
        { tn_uri_template_well_formed, "[]#?&;=,!@$()*+-._~:/",                true  },
        { tn_uri_template_well_formed, "{",                                    false },
        { tn_uri_template_well_formed, "}",                                    false },
        { tn_uri_template_well_formed, "{}",                                   false },
        { tn_uri_template_well_formed, "{a",                                   false },
        { tn_uri_template_well_formed, "a}",                                   false },
        { tn_uri_template_well_formed, "{{a}}",                                false },
        { tn_uri_template_well_formed, "{a{b}}",                               false },
        { tn_uri_template_well_formed, "{+}",                                  false },
        { tn_uri_template_well_formed, "{a,}",                                 false },
        { tn_uri_template_well_formed, "{,}",                                  false },
        { tn_uri_template_well_formed, "{a,,b}",                               false },
        { tn_uri_template_well_formed, "{,+a}",                                false },
        { tn_uri_template_well_formed, "{++a}",                                false },
        { tn_uri_template_well_formed, "{a..b}",                               false },
        { tn_uri_template_well_formed, "{.}",                                  false },
        { tn_uri_template_well_formed, "{a.}",                                 false },
        { tn_uri_template_well_formed, "{a:}",                                 false },
        { tn_uri_template_well_formed, "{a:0}",                                false },
        { tn_uri_template_well_formed, "{a:01}",                               false },
        { tn_uri_template_well_formed, "{a:10000}",                            false },
        { tn_uri_template_well_formed, "{a:1*}",                               false },
        { tn_uri_template_well_formed, "{a*:1}",                               false },
        { tn_uri_template_well_formed, "{a**}",                                false },
        { tn_uri_template_well_formed, "{a=b}",                                false },
        { tn_uri_template_well_formed, "{a b}",                                false },
        { tn_uri_template_well_formed, "{\xc3\xa4}",                           false },
        { tn_uri_template_well_formed, "{%4}",                                 false },
        { tn_uri_template_well_formed, "{%zz}",                                false },
        { tn_uri_template_well_formed, "%",                                    false },
        { tn_uri_template_well_formed, "a%4",                                  false },
        { tn_uri_template_well_formed, "a%zz",                                 false },
        { tn_uri_template_well_formed, "a b",                                  false },
        { tn_uri_template_well_formed, "a\"b",                                 false },
        { tn_uri_template_well_formed, "a<b",                                  false },
        { tn_uri_template_well_formed, "a>b",                                  false },
        { tn_uri_template_well_formed, "a\\b",                                 false },
        { tn_uri_template_well_formed, "a^b",                                  false },
        { tn_uri_template_well_formed, "a`b",                                  false },
        { tn_uri_template_well_formed, "a|b",                                  false },
        { tn_uri_template_well_formed, "a\nb",                                 false },
        { tn_uri_template_well_formed, "a\x7f" "b",                            false },
        { tn_uri_template_well_formed, "\xc2\x80",                             false },
        { tn_uri_template_well_formed, "a\xff",                                false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
    assert_false(tn_uri_template_well_formed(SLICE_LIT("a\0")));
    assert_false(tn_uri_template_well_formed(SLICE_LIT("{\0a}")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
