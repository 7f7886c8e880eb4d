/* marks_test.c - by what findings are known again, and the numbers of catalogues in what real scanners write. */
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "appsec/marks.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void finds_numbers_of_weaknesses(void **state)
{
    static const struct { const char *text, *catalogue, *want; } cases[] = {
        { "external/cwe/cwe-089",              NULL,    "CWE-89"  },
        { "CWE-95: Improper Neutralization",   NULL,    "CWE-95"  },
        { "cwe_22",                            NULL,    "CWE-22"  },
        { "CWE 1004",                          NULL,    "CWE-1004" },
        { "cwe:0",                             NULL,    "CWE-0"   },
        { "a CWEs and CWE-7",                  NULL,    "CWE-7"   },
        { "327",                               "CWE",   "CWE-327" },
        { "CWE-327",                           "cwe",   "CWE-327" },
        { "327",                               "OWASP", NULL      },
        { "327",                               NULL,    NULL      },
        { "327x",                              "CWE",   NULL      },
        { "subcwe-5",                          NULL,    NULL      },
        { "CWE-",                              NULL,    NULL      },
        { "CWE--5",                            NULL,    NULL      },
        { "CWE-123456",                        NULL,    NULL      },
        { "security",                          NULL,    NULL      },
        { "",                                  "CWE",   NULL      },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char out[CWE_SIZE] = "";

        if (mark_cwe(cases[i].text, cases[i].catalogue, out) != (cases[i].want != NULL) ||
            strcmp(out, cases[i].want ? cases[i].want : "") != 0)
            fail_msg("%s: %s", cases[i].text, out);
    }
}

static void finds_advisories(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "CVE-2021-44228",      "CVE-2021-44228"      },
        { "cve-2021-44228",      "CVE-2021-44228"      },
        { "GHSA-jfh8-c2jp-5v3q", "GHSA-jfh8-c2jp-5v3q" },
        { "ghsa-JFH8-C2JP-5V3Q", "GHSA-jfh8-c2jp-5v3q" },
        { "PYSEC-2021-66",       "PYSEC-2021-66"       },
        { "RUSTSEC-2020-0001",   "RUSTSEC-2020-0001"   },
        { "GO-2022-0969",        "GO-2022-0969"        },
        { "GHSA-jfh8-c2jp-5v3",  NULL },
        { "GHSA-jfh8-c2jp-5v3qq", NULL },
        { "CVE-2021-",           NULL },
        { "CVE-21-44228",        NULL },
        { "CVE-2021-44228 ",     NULL },
        { "CVE-2021-1234567890123", NULL },
        { "ABCDEFGHIJK-2021-1",  NULL },
        { "log4shell",           NULL },
        { "",                    NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char out[ADVISORY_SIZE] = "";

        if (mark_advisory(cases[i].text, out) != (cases[i].want != NULL) ||
            strcmp(out, cases[i].want ? cases[i].want : "") != 0)
            fail_msg("%s: %s", cases[i].text, out);
    }
}

/* The same code is known again, whatever its spaces and its place. */
static void knows_lines_again(void **state)
{
    static const struct { const char *a; int64_t a_line; const char *b; int64_t b_line; bool same; } cases[] = {
        { "eval(x)",                     3, "  eval( x )\r\n",            9, true  },
        { "eval(x)",                     3, "eval(y)",                    3, false },
        { "11: a\n12: eval(x)\n13: b",  12, "20: c\n21: eval(x)\n22: d", 21, true  },
        { "11: a\n12: eval(x)\n13: b",  12, "20: c\n21: eval(y)\n22: b", 21, false },
        { "11: a\n12: eval(x)\n13: b",  99, "20: a\n21: eval(x)\n22: b", 99, true  }, /* no such line: all of them */
        { "a\nb",                        1, "b\na",                       1, false },
        { "12:",                        12, "13:",                       13, true  },
        { "1234567890: a",               1, "1234567891: a",              1, false }, /* too long for a line's number */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if ((mark_line(cases[i].a, cases[i].a_line) == mark_line(cases[i].b, cases[i].b_line)) !=
            cases[i].same)
            fail_msg("%s | %s", cases[i].a, cases[i].b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_numbers_of_weaknesses),
        cmocka_unit_test(finds_advisories),
        cmocka_unit_test(knows_lines_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
