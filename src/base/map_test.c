/* map_test.c - the value of a key. */
#include <string.h>

#include <tenon/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void gets(void **state)
{
    static const tenon_pair pairs[] = { { "Host", "example.org" }, { "", "empty" }, { "host", "other" } };
    static const tenon_map  map     = { COUNT_OF(pairs), pairs };
    static const tenon_map  none    = { 0, NULL };
    static const struct { const char *key, *want; } cases[] = {
        { "Host", "example.org" },
        { "host", "other" },
        { "", "empty" },
        { "Hos", NULL },
        { "Hosts", NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = tenon_map_get(&map, cases[i].key);

        if (cases[i].want)
            assert_string_equal(got, cases[i].want);
        else
            assert_null(got);
        assert_null(tenon_map_get(&none, cases[i].key));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
