/* secret_test.c - which members are never repeated. */
#include "text/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void knows_names(void **state)
{
    static const struct { const char *name; bool want; } cases[] = {
        { "authorization", true  }, { "Authorization", true  }, { " COOKIE ",  true  }, { "X-Api-Key", true  },
        { "client_secret", true  }, { "author",        false }, { "tokens",    false }, { "",          false },
        { "passwords",     false }, { "api key",       true  }, { "accessToken",   true  }, { "api_key", true },
        { "client--Secret", true }, { "x-auth-token-", false }, { "_token", false }, { "toke", false }, { "secret_", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_secret_is_key(tn_slice_of(cases[i].name)) != cases[i].want)
            fail_msg("'%s'", cases[i].name);
}

static void looks_inside(void **state)
{
    static const struct { const char *json; size_t most; bool want; } cases[] = {
        { "{\"token\":1}",                        100, true  },
        { "{\"a\":[{\"b\":{\"Password\":\"x\"}}]}", 100, true  },
        { "[\"token\"]",                          100, false },
        { "\"token\"",                            100, false },
        { "\"{\\\"token\\\":1}\"",                100, true  },
        { "[\" {'TOKEN': 1\"]",                   100, true  },
        { "\"{\\\"accessToken\\\":1}\"",          100, true  },
        { "\"a {\\\"token\\\":1}\"",              100, false },
        { "{\"a\":1,\"b\":2,\"c\":3,\"token\":4}", 3,   false }, /* no echo comes so far */
        { "{\"a\":1,\"b\":2,\"c\":3,\"token\":4}", 4,   true  },
        { "[]",                                   100, false },
        { "null",                                 100, false },
        { "7",                                    0,   false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_doc *doc = yyjson_read(cases[i].json, strlen(cases[i].json), 0);

        if (tn_secret_is_in(yyjson_doc_get_root(doc), cases[i].most) != cases[i].want)
            fail_msg("%s", cases[i].json);
        yyjson_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(knows_names), cmocka_unit_test(looks_inside) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
