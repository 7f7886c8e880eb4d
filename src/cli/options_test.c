/* options_test.c - every way to write an option, right and wrong. */
#include "cli/options.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define WORDS_MAX       6

static const struct option table[] = {
    { "output", '\0', "FORM", "how" },
    { "repair", '\0', NULL, "mend" },
    { "help", 'h', NULL, "this" },
};

/* Writes what options_next said of each: "1" or "0=value" for rows, "'operand'", "why". */
static void read_all(char **words, char *out, size_t room)
{
    struct options options = { .table = table, .table_count = (int)COUNT_OF(table), .arguments = words };
    size_t         len     = 0;
    int            row;

    while (options.count < WORDS_MAX && words[options.count])
        options.count++;
    out[0] = '\0';
    while ((row = options_next(&options)) != OPTION_END) {
        const char *gap = len ? " " : "";

        if (row == OPTION_WRONG) {
            snprintf(out + len, room - len, "%s%s", gap, options.why);
            return;
        }
        if (row == OPTION_OPERAND)
            len += (size_t)snprintf(out + len, room - len, "%s'%s'", gap, options.value);
        else
            len += (size_t)snprintf(out + len, room - len, "%s%d%s%s", gap, row, options.value ? "=" : "",
                                    options.value ? options.value : "");
    }
}

static void reads_arguments(void **state)
{
    static const struct { const char *words[WORDS_MAX], *want; } cases[] = {
        { { NULL },                               ""                                                   },
        { { "a", "b" },                           "'a' 'b'"                                            },
        { { "--output", "flag", "a" },            "0=flag 'a'"                                         },
        { { "--output=flag", "a" },               "0=flag 'a'"                                         },
        { { "--output=", "a" },                   "0= 'a'"                                             },
        { { "--output=a=b" },                     "0=a=b"                                              },
        { { "--output", "--repair" },             "0=--repair"                                         },
        { { "a", "--repair", "b" },               "'a' 1 'b'"                                          },
        { { "-", "--", "-", "--repair", "--" },   "'-' '-' '--repair' '--'"                            },
        { { "-h" },                               "2"                                                  },
        { { "" },                                 "''"                                                 },
        { { "--output" },                         "--output needs a value: --output FORM"              },
        { { "--repair=yes" },                     "--repair takes no value"                            },
        { { "a", "--ouput", "x" },                "'a' there is no option --ouput (did you mean --output?)" },
        { { "--reparr=1" },                       "there is no option --reparr (did you mean --repair?)" },
        { { "--zzzzzzzz" },                       "there is no option --zzzzzzzz"                      },
        { { "--=x" },                             "there is no option --"                              },
        { { "-x" },                               "there is no option -x"                              },
        { { "-hh" },                              "there is no option -hh"                             },
    };
    char out[1000], *words[WORDS_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        memcpy(words, cases[i].words, sizeof words);
        read_all(words, out, sizeof out);
        assert_string_equal(out, cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads_arguments) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
