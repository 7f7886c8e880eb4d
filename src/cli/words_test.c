/* words_test.c - command lines and their words. */
#include "cli/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

static void splits(void **state)
{
    static const struct { const char *line, *want; } cases[] = {
        { "a",                     "[a]"            },
        { " a  b\tc ",             "[a][b][c]"      },
        { "'a b' \"c d\"e",        "[a b][c de]"    },
        { "a\\ b '\\' \"\\\"\"", "[a b][\\][\"]" },
        { "'' \"\"",               "[][]"           },
        { "a'b'c",                 "[abc]"          },
        { "a \\",                "[a][\\]"      },
        { "$HOME *",              "[$HOME][*]"    },
        { "",                      "it is empty"    },
        { " \t",                   "it is empty"    },
        { "a 'b",                  "a quote is not closed" },
        { "a \"b\\\"",           "a quote is not closed" },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why;
        char        got[200] = "";
        char      **words    = words_split(&arena, cases[i].line, &why);

        for (; words && *words; words++) {
            strcat(got, "[");
            strcat(got, *words);
            strcat(got, "]");
        }
        assert_string_equal(*got ? got : why, cases[i].want);
    }
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        const char     *why;

        tn_arena_init(&arena, &memory, 0);
        if (!words_split(&arena, "a 'b c'", &why))
            assert_string_equal(why, "out of memory");
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
