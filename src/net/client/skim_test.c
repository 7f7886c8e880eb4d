/* skim_test.c - which request a message answers, in every cut, broken and whole. */
#include "net/client/skim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void finds_what_is_answered(void **state)
{
    static const struct {
        const char *bytes;
        int64_t     want;
    } cases[] = {
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":", 7 },
        { "{\"jsonrpc\":\"2.0\",\"id\": 12 ,\"error\":oops", 12 },
        { "{\"result\":{\"id\":9,\"method\":\"x\"},\"id\":3}", 3 },
        { "{\"result\":[1,{\"id\":4}],\"x\":\"\\\"id\\\":5\",\"id\":6", 6 },
        { "{\"id\":7,\"method\":\"ping\",\"result\":1}", 0 },
        { "{\"id\":7}", 0 },
        { "{\"id\":\"7\",\"result\":{}}", 0 },
        { "{\"id\":-7,\"result\":{}}", 0 },
        { "{\"id\":7.5,\"result\":{}}", 7 },
        { "{\"id\":[7],\"result\":{}}", 0 },
        { "{\"id\":1234567890123456789012,\"result\":{}}", 123456789012345678 },
        { "{\"identity\":7,\"result\":{}}", 0 },
        { "npm warn {\"id\":1,\"result\"", 1 },
        { "id 7 result", 0 },
        { "[{\"id\":7,\"result\":1}]", 0 },
        { "}}}}]]\"", 0 },
        { "", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t cut = 1; cut <= strlen(cases[i].bytes) + 1; cut++) {
            struct tn_skim skim = { 0 };
            size_t         len  = strlen(cases[i].bytes);

            for (size_t at = 0; at < len; at += cut)
                tn_skim_bytes(&skim, cases[i].bytes + at, len - at < cut ? len - at : cut);
            assert_int_equal(tn_skim_answered(&skim), cases[i].want);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(finds_what_is_answered) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
