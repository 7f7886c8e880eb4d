/* guardrail_test.c - hosts and origins that are let in, and those that are not. */
#define _GNU_SOURCE
#include "net/auth/guardrail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct tn_settings plain;

static const struct tn_settings proxied = {
    .public_url    = "https://tools.example.com:8443/v1/mcp",
    .allow_hosts   = { { "Inner.example", "[fd00::5]", "10.0.0.7:80" }, 3 },
    .allow_origins = { { "https://app.example.org", "vscode-webview://abc" }, 2 },
};

static void hosts(void **state)
{
    static const struct { const struct tn_settings *settings; const char *bound, *host; bool want; } cases[] = {
        { &plain,   "127.0.0.1", "localhost",              true  },
        { &plain,   "127.0.0.1", "LocalHost:8080",         true  },
        { &plain,   "127.0.0.1", "127.0.0.1:1",            true  },
        { &plain,   "127.0.0.1", "[::1]:65535",            true  },
        { &plain,   "127.0.0.1", "[::1]",                  true  },
        { &plain,   "127.0.0.1", "[0:0:0:0:0:0:0:1]:80",   true  },
        { &plain,   "::1",       "127.0.0.1",              true  },
        { &plain,   "127.0.0.2", "127.0.0.2:9",            true  },
        { &plain,   "localhost", "localhost",              true  },
        { &plain,   "127.0.0.1", "",                       false },
        { &plain,   "127.0.0.1", "evil.example.com",       false },
        { &plain,   "127.0.0.1", "localhost.evil.example", false },
        { &plain,   "127.0.0.1", "localhost.",             false },
        { &plain,   "127.0.0.1", "localhost:",             false },
        { &plain,   "127.0.0.1", "localhost:70000",        false },
        { &plain,   "127.0.0.1", "localhost:80:80",        false },
        { &plain,   "127.0.0.1", "localhost:8x",           false },
        { &plain,   "127.0.0.1", "localhost:000080",       false },
        { &plain,   "127.0.0.1", "user@localhost",         false },
        { &plain,   "127.0.0.1", "localhost/",             false },
        { &plain,   "127.0.0.1", "::1",                    false },
        { &plain,   "127.0.0.1", "[::1",                   false },
        { &plain,   "127.0.0.1", "[::1]x",                 false },
        { &plain,   "127.0.0.1", "[::1%lo]",               false },
        { &plain,   "127.0.0.1", "[localhost]",            false },
        { &plain,   "127.0.0.1", "127.1",                  false },
        { &plain,   "127.0.0.1", "0x7f000001",             false },
        { &plain,   "127.0.0.1", "2130706433",             false },
        { &plain,   "192.0.2.5", "192.0.2.5:80",           true  },
        { &plain,   "192.0.2.5", "localhost",              false },
        { &plain,   "0.0.0.0",   "localhost:80",           true  },
        { &plain,   "0.0.0.0",   "0.0.0.0",                false },
        { &plain,   "::",        "[::]",                   false },
        { &plain,   "0.0.0.0",   "192.0.2.5",              false },
        { &proxied, "0.0.0.0",   "tools.example.com",      true  },
        { &proxied, "0.0.0.0",   "tools.example.com:443",  true  },
        { &proxied, "0.0.0.0",   "inner.EXAMPLE:1",        true  },
        { &proxied, "0.0.0.0",   "[fd00:0::5]",            true  },
        { &proxied, "0.0.0.0",   "10.0.0.7",               true  },
        { &proxied, "0.0.0.0",   "example.com",            false },
        { &proxied, "0.0.0.0",   "app.example.org",        false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_guardrail guardrail;

        tn_guardrail_init(&guardrail, cases[i].settings, tn_slice_of(cases[i].bound));
        if (tn_guardrail_allows_host(&guardrail, tn_slice_of(cases[i].host)) != cases[i].want)
            fail_msg("%s at %s", cases[i].host, cases[i].bound);
    }
}

/* The latest that was allowed is let in, and nothing that is only like it. */
static void hosts_again(void **state)
{
    static const struct { const char *host; bool want; } cases[] = {
        { "localhost:80", true },   { "localhost:80", true },  { "localhost:8x", false }, { "localhost:80", true },
        { "LOCALHOST:80", true },   { "localhost", true },     { "localhos", false },     { "localhost.", false },
        { "evil.example", false },  { "evil.example", false }, { "127.0.0.1", true },     { "127.0.0.2", false },
        { "127.0.0.1:12345", true }, { "", false },
    };
    char                long_one[80] = "localhost:80";
    struct tn_guardrail guardrail;

    (void)state;
    tn_guardrail_init(&guardrail, &plain, SLICE_LIT("127.0.0.1"));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_guardrail_allows_host(&guardrail, tn_slice_of(cases[i].host)) != cases[i].want)
            fail_msg("%s, case %zu", cases[i].host, i);
    assert_false(tn_guardrail_allows_host(&guardrail, (struct tn_slice){ long_one, sizeof long_one }));
}

static void origins(void **state)
{
    static const struct { const struct tn_settings *settings; const char *origin; bool want; } cases[] = {
        { &plain,   "http://localhost",                     true  },
        { &plain,   "http://localhost:3000",                true  },
        { &plain,   "https://127.0.0.1:1",                  true  },
        { &plain,   "http://[::1]:80",                      true  },
        { &plain,   "",                                     false },
        { &plain,   "null",                                 false },
        { &plain,   "localhost",                            false },
        { &plain,   "localhost:3000",                       false },
        { &plain,   "http://",                              false },
        { &plain,   "http:/localhost",                      false },
        { &plain,   "://localhost",                         false },
        { &plain,   "http://localhost/",                    false },
        { &plain,   "http://localhost/path",                false },
        { &plain,   "http://user@localhost",                false },
        { &plain,   "http://localhost http://evil.example", false },
        { &plain,   "http://evil.example.com",              false },
        { &plain,   "http://localhost.evil.example",        false },
        { &plain,   "ftp://localhost",                      false },
        { &plain,   "chrome-extension://localhost",         false },
        { &proxied, "https://tools.example.com",            true  },
        { &proxied, "https://app.example.org",              true  },
        { &proxied, "HTTPS://APP.example.org",              true  },
        { &proxied, "http://app.example.org",               false },
        { &proxied, "https://app.example.org:8443",         false },
        { &proxied, "vscode-webview://abc",                 true  },
        { &proxied, "vscode-webview://abcd",                false },
    };
    struct tn_guardrail guardrail;
    char                long_one[ORIGIN_LEN_MAX + 50];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tn_guardrail_init(&guardrail, cases[i].settings, SLICE_LIT("127.0.0.1"));
        if (tn_guardrail_allows_origin(&guardrail, tn_slice_of(cases[i].origin)) != cases[i].want)
            fail_msg("%s", cases[i].origin);
    }
    memset(long_one, 'a', sizeof long_one);
    memcpy(long_one, "http://", 7);
    assert_false(tn_guardrail_allows_origin(&guardrail, (struct tn_slice){ long_one, sizeof long_one }));
    assert_false(tn_guardrail_allows_origin(&guardrail, (struct tn_slice){ NULL, 0 }));
    assert_false(tn_guardrail_allows_host(&guardrail, (struct tn_slice){ NULL, 0 }));
}

/* As many as the settings hold, and those that are always there. */
static void full(void **state)
{
    struct tn_settings  settings = { .public_url = "http://last.example" };
    struct tn_guardrail guardrail;

    (void)state;
    for (size_t i = 0; i < SETTINGS_LIST_MAX; i++)
        settings.allow_hosts.at[settings.allow_hosts.count++] = "a.example";
    tn_guardrail_init(&guardrail, &settings, SLICE_LIT("127.0.0.3"));
    assert_true(tn_guardrail_allows_host(&guardrail, SLICE_LIT("last.example")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts),
        cmocka_unit_test(hosts_again),
        cmocka_unit_test(origins),
        cmocka_unit_test(full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
