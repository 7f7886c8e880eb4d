/* buf_format_test.c - what is formatted here is what the C library makes of it. */
#include <limits.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"

static void check(const char *format, ...) TENON_PRINTF(1, 2);

/* Of every length that the text may have, only those that it fits in take it, and others nothing of it. */
static void check(const char *format, ...)
{
    struct tn_arena arena;
    va_list         args, again;
    char            want[500];
    int             len;

    va_start(args, format);
    va_copy(again, args);
    len = vsnprintf(want, sizeof want, format, again);
    va_end(again);
    assert_in_range(len, 0, sizeof want - 1);
    tn_arena_init(&arena, NULL, 0);
    for (size_t max = 0; max < (size_t)len + 3; max++) {
        struct tn_buf buf;

        tn_buf_init(&buf, &arena, 0, max + 2);
        tn_buf_lit(&buf, "> ");
        va_copy(again, args);
        tn_buf_addv(&buf, format, again);
        va_end(again);
        assert_int_equal(buf.failed, max < (size_t)len);
        assert_int_equal(buf.len, buf.failed ? 2 : (size_t)len + 2);
        tn_buf_lit(&buf, "");
        if (buf.failed)
            assert_null(tn_buf_room(&buf, 0));
        else
            assert_string_equal(tn_buf_end(&buf) + 2, want);
    }
    va_end(args);
    tn_arena_free(&arena);
}

static void formats_as_the_c_library_does(void **state)
{
    static const char long_text[] =
        "a text that is longer than the line that a format is given room for at first, so that "
        "the buffer has to grow once more before it fits";

    (void)state;
    check("%s", "");
    check("plain");
    check("%%, %c and %s", 'c', "text");
    check("%s: %d results at %s, %zu tags.", "invoices", 20, "high", (size_t)2);
    check("%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
    check("%u %u", 0U, UINT_MAX);
    check("%ld %ld %lu", LONG_MAX, LONG_MIN, ULONG_MAX);
    check("%lld %lld %llu", LLONG_MAX, LLONG_MIN, ULLONG_MAX);
    check("%zu %zu %zd", (size_t)0, SIZE_MAX, (ptrdiff_t)-1);
    check("%.*s|%.*s|%.*s", 2, "text", 9, "text", -1, "text");
    check("%s %s", long_text, long_text);
    check("%d then %05d, %-4s| %x %.3s %hhu", 7, 42, "ab", 255U, "abcdef", (unsigned char)200);
    check("%s %5s %s", long_text, long_text, long_text);
}

static void leaves_null_to_the_c_library(void **state)
{
    const char *volatile nothing = NULL;
    struct tn_arena arena;
    struct tn_buf   buf;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&buf, &arena, 0, 100);
    tn_buf_addf(&buf, "%d %s", 1, nothing);
    assert_string_equal(tn_buf_end(&buf), "1 (null)");
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_as_the_c_library_does),
        cmocka_unit_test(leaves_null_to_the_c_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
