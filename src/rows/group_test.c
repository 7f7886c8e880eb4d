/* group_test.c - pages: the offset is exact, and never past the end of 64 bits. */
#include <tenon/group.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void derives_the_offset(void **state)
{
    static const struct { int64_t page, size, offset; } cases[] = {
        { 1,             50,  0                     },
        { 2,             50,  50                    },
        { 3,             1,   2                     },
        { INT64_MAX,     1,   INT64_MAX - 1         },
        { INT64_MAX,     2,   INT64_MAX             },
        { INT64_MAX,     100, INT64_MAX             },
        { 92233720368547759, 100, INT64_C(9223372036854775800) },
        { 92233720368547760, 100, INT64_MAX         },
        { 1,             0,   0                     },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tenon_page page = { .page = cases[i].page, .page_size = cases[i].size };

        tenon_page_derive(&page);
        assert_int_equal(page.offset, cases[i].offset);
        assert_int_equal(page.limit, cases[i].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(derives_the_offset) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
