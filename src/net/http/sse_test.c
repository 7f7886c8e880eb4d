/* sse_test.c - the bytes of events. */
#include "net/http/sse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void events(void **state)
{
    static const struct { const char *id, *data, *want; } cases[] = {
        { "",    "{}",        "data: {}\n\n"                 },
        { "1-7", "{\"a\":1}", "id: 1-7\ndata: {\"a\":1}\n\n" },
        { "",    "",          "data: \n\n"                   },
        { "1-0", "",          "id: 1-0\ndata: \n\n"          },
        { "",    "a\nb",      "data: a\ndata: b\n\n"         },
        { "",    "a\r\nb",    "data: a\ndata: b\n\n"         },
        { "",    "a\rb",      "data: a\ndata: b\n\n"         },
        { "",    "a\n\nb",    "data: a\ndata: \ndata: b\n\n" },
        { "",    "a\n",       "data: a\ndata: \n\n"          },
        { "",    "\r\n\r",    "data: \ndata: \ndata: \n\n"   },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf out;

        tn_buf_init(&out, &arena, 0, 1000);
        tn_sse_event(&out, tn_slice_of(cases[i].id), tn_slice_of(cases[i].data));
        assert_string_equal(tn_buf_end(&out), cases[i].want);
        if (!strpbrk(cases[i].data, "\r\n"))
            assert_int_equal(out.len, tn_sse_event_len(tn_slice_of(cases[i].id), tn_slice_of(cases[i].data)));
    }
    tn_arena_free(&arena);
}

static void retries(void **state)
{
    static const struct { const char *id; int ms; const char *want; } cases[] = {
        { "",    500,  "retry: 500\n\n"                   },
        { "1-0", 1000, "id: 1-0\nretry: 1000\ndata: \n\n" },
        { "",    -1,   "retry: 0\n\n"                     },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf out;

        tn_buf_init(&out, &arena, 0, 1000);
        tn_sse_retry(&out, tn_slice_of(cases[i].id), cases[i].ms);
        assert_string_equal(tn_buf_end(&out), cases[i].want);
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events),
        cmocka_unit_test(retries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
