/* urls_test.c - addresses that are compared, queries that browsers bring, and how near an address is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "login/inside.h"

#define NONE "(none)"

static void covers(void **state)
{
    static const struct { const char *resource, *url; bool want; } cases[] = {
        { "https://a.example/mcp",       "https://a.example/mcp",        true  },
        { "https://a.example",           "https://a.example/mcp",        true  },
        { "https://a.example/",          "https://a.example/mcp/x",      true  },
        { "https://a.example/mcp/",      "https://a.example/mcp",        true  },
        { "https://A.example:443/mcp",   "https://a.example/mcp",        true  },
        { "https://a.example/mc",        "https://a.example/mcp",        false },
        { "https://a.example/mcp/x",     "https://a.example/mcp",        false },
        { "https://a.example/MCP",       "https://a.example/mcp",        false },
        { "https://a.example:444/mcp",   "https://a.example/mcp",        false },
        { "http://a.example/mcp",        "https://a.example/mcp",        false },
        { "https://a.example.evil/mcp",  "https://a.example/mcp",        false },
        { "https://a.example/x/../mcp",  "https://a.example/mcp",        true  },
        { "https://a.example/mcp?x",     "https://a.example/mcp",        false },
        { "https://a.example/mcp#x",     "https://a.example/mcp",        false },
        { "a.example/mcp",               "https://a.example/mcp",        false },
        { "",                            "https://a.example/mcp",        false },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (urls_cover(&arena, cases[i].resource, cases[i].url) != cases[i].want)
            fail_msg("%s and %s", cases[i].resource, cases[i].url);
    tn_arena_free(&arena);
}

static void reads_queries(void **state)
{
    static const struct { const char *query, *name, *want; } cases[] = {
        { "code=a&state=b",     "state", "b"   },
        { "code=a%20b+c",       "code",  "a b c" },
        { "code=",              "code",  ""    },
        { "xcode=a",            "code",  NONE  },
        { "code",               "code",  NONE  },
        { "code=a&code=b",      "code",  NONE  },
        { "code=%",             "code",  NONE  },
        { "code=%4",            "code",  NONE  },
        { "code=%zz",           "code",  NONE  },
        { "code=%00",           "code",  NONE  },
        { "code=%0d%0aX",       "code",  NONE  },
        { "code=%41",           "code",  "A"   },
        { "",                   "code",  NONE  },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = query_text(&arena, cases[i].query, cases[i].name);

        assert_string_equal(got ? got : NONE, cases[i].want);
    }
    tn_arena_free(&arena);
}

static void knows_how_near(void **state)
{
    static const struct { const char *address; enum tn_nearness want; } cases[] = {
        { "127.0.0.1",            NEAR_LOOPBACK }, { "127.9.9.9",       NEAR_LOOPBACK }, { "::1",       NEAR_LOOPBACK },
        { "0.0.0.0",              NEAR_LOOPBACK }, { "::",              NEAR_LOOPBACK }, { "::ffff:127.0.0.1", NEAR_LOOPBACK },
        { "10.1.2.3",             NEAR_PRIVATE  }, { "172.16.0.1",      NEAR_PRIVATE  }, { "172.31.9.9", NEAR_PRIVATE },
        { "192.168.1.1",          NEAR_PRIVATE  }, { "169.254.169.254", NEAR_LINK     }, { "100.64.0.1", NEAR_PRIVATE },
        { "fd00::1",              NEAR_PRIVATE  }, { "fe80::1",         NEAR_LINK     }, { "::ffff:10.0.0.1", NEAR_PRIVATE },
        { "64:ff9b::a9fe:a9fe",   NEAR_LINK     }, { "172.32.0.1",      NEAR_PUBLIC   }, { "8.8.8.8",    NEAR_PUBLIC },
        { "fec0::1",              NEAR_PRIVATE  }, { "febf::1",         NEAR_LINK     }, { "::ffff:169.254.1.1", NEAR_LINK },
        { "2001:db8::1",          NEAR_PUBLIC   }, { "no address",      NEAR_PUBLIC   }, { "",           NEAR_PUBLIC },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (tn_nearness_of(cases[i].address) != cases[i].want)
            fail_msg("%s", cases[i].address);
}

/* A document on this machine is not fetched for a server that is elsewhere. */
static void does_not_reach_nearer(void **state)
{
    static const struct { const char *url; enum tn_nearness nearest; bool refused; } cases[] = {
        { "http://127.0.0.1:1/",          NEAR_PUBLIC,   true  },
        { "http://127.0.0.1:1/",          NEAR_PRIVATE,  true  },
        { "http://127.0.0.1:1/",          NEAR_LINK,     true  },
        { "http://127.0.0.1:1/",          NEAR_LOOPBACK, false },
        { "http://127.0.0.1:1/",          NEAR_ANY,      false },
        { "https://169.254.169.254/",     NEAR_PUBLIC,   true  },
        { "https://169.254.169.254/",     NEAR_PRIVATE,  true  },
        { "https://169.254.169.254/",     NEAR_LOOPBACK, true  },
        { "https://[fe80::1]/",           NEAR_LOOPBACK, true  },
        { "https://10.0.0.1/",            NEAR_PUBLIC,   true  },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tn_document_request request = { .url        = cases[i].url,
                                               .nearest    = cases[i].nearest,
                                               .timeout_ms = 2000 };
        struct tn_document_answer  answer;
        char                       why[FETCH_WHY_MAX];

        assert_false(tn_document_send(&arena, &request, &answer, why));
        if ((strstr(why, "nearer to this machine") != NULL) != cases[i].refused)
            fail_msg("%s: %s", cases[i].url, why);
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers),
        cmocka_unit_test(reads_queries),
        cmocka_unit_test(knows_how_near),
        cmocka_unit_test(does_not_reach_nearer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
