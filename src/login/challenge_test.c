/* challenge_test.c - challenges as servers send them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "login/inside.h"
#include "support/fault.h"

#define NONE "(none)"

static void finds_parameters(void **state)
{
    static const struct { const char *header, *name, *want; } cases[] = {
        { "Bearer scope=\"a b\"",                            "scope",  "a b"    },
        { "bearer SCOPE=a",                                  "scope",  "a"      },
        { "Bearer realm=\"x\", scope=\"a\", error=\"e\"",    "error",  "e"      },
        { "Basic scope=\"no\", Bearer scope=\"yes\"",        "scope",  "yes"    },
        { "Bearer realm=\"a\", Basic scope=\"no\"",          "scope",  NONE     },
        { "DPoP algs=\"ES256\", error=\"use_dpop_nonce\"",   "error",  "use_dpop_nonce" },
        { "Negotiate abc==, Bearer scope=a",                 "scope",  "a"      },
        { "Bearer scope = \"a\"",                            "scope",  "a"      },
        { "Bearer error_description=\"say, scope=x\", scope=y", "scope", "y"    },
        { "Bearer scope=\"a\\\"b\\\\c\"",                    "scope",  "a\"b\\c" },
        { "Bearer scope=\"not closed",                       "scope",  "not closed" },
        { "Bearer scope=\"a\\",                              "scope",  "a\\"    },
        { "Bearer scope=",                                   "scope",  ""       },
        { "Bearer scope=\"a\", scope=\"b\"",                 "scope",  "a"      },
        { "Bearer scope=\"a\x01" "b\"",                      "scope",  NONE     },
        { "Bearer scope=\"\xc3\xa9\"",                       "scope",  NONE     },
        { "Bearer",                                          "scope",  NONE     },
        { "scope=\"a\"",                                     "scope",  NONE     },
        { ",,= = \"\" ;; Bearer ,,scope=a",                  "scope",  "a"      },
        { "",                                                "scope",  NONE     },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = challenge_text(&arena, cases[i].header, cases[i].name);

        assert_string_equal(got ? got : NONE, cases[i].want);
    }
    tn_arena_free(&arena);
}

static void knows_schemes(void **state)
{
    static const struct { const char *header; bool want; } cases[] = {
        { "DPoP algs=\"ES256\"",      true  },
        { "Bearer, dpop",             true  },
        { "Bearer realm=\"DPoP\"",    false },
        { "DPoPx a=b",                false },
        { "Bearer realm=\"a, DPoP b\"", false },
        { "Bearer realm=\"a, DPoP\"",   false },
        { "Basic realm=\"a\\\", DPoP \", Bearer", false },
        { "Basic realm=\"a, b\",DPoP",  true  },
        { "Bearer dpop=1",            false },
        { "",                         false },
    };

    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (challenge_has_scheme(&arena, cases[i].header, "DPoP") != cases[i].want)
            fail_msg("%s", cases[i].header);
    tn_arena_free(&arena);
}

static void survives_refused_memory(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        const char     *got;

        tn_arena_init(&arena, &memory, 0);
        got = challenge_text(&arena, "Bearer scope=\"a b\"", "scope");
        assert_true(fault.refused ? !got : got && strcmp(got, "a b") == 0);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_parameters),
        cmocka_unit_test(knows_schemes),
        cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
