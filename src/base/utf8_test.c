/* utf8_test.c - every short sequence against a decoder that is plain, and the boundaries of the long ones. */
#include "base/utf8.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static size_t reference_len(unsigned char lead)
{
    if (lead >> 7 == 0)
        return 1;
    if (lead >> 5 == 6)
        return 2;
    if (lead >> 4 == 14)
        return 3;
    return lead >> 3 == 30 ? 4 : 0;
}

/* Decodes by arithmetic and compares with the shortest form. */
static bool reference_valid(const unsigned char *at, size_t len)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

    for (size_t i = 0; i < len;) {
        size_t   size = reference_len(at[i]);
        uint32_t code;

        if (size == 0 || size > len - i)
            return false;
        code = size == 1 ? at[i] : at[i] & (0xFFu >> (size + 1));
        for (size_t n = 1; n < size; n++) {
            if (at[i + n] >> 6 != 2)
                return false;
            code = code << 6 | (at[i + n] & 0x3F);
        }
        if (code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
            return false;
        i += size;
    }
    return true;
}

static bool valid(const unsigned char *at, size_t len)
{
    return tn_utf8_valid((const char *)at, len);
}

static void agrees_on_all_short_sequences(void **state)
{
    unsigned long wrong = 0, good = 0;

    (void)state;
    for (uint32_t n = 0; n < 1u << 24; n++) {
        unsigned char bytes[3] = { (unsigned char)(n >> 16), (unsigned char)(n >> 8), (unsigned char)n };

        for (size_t len = 1; len <= 3; len++)
            wrong += valid(bytes, len) != reference_valid(bytes, len);
        good += valid(bytes, 3);
    }
    assert_int_equal(wrong, 0);
    /* A A A, 2 A, A 2 and 3, where 2 stands for 0x780 code points and 3 for 0x10000 - 0x800 - 0x800. */
    assert_int_equal(good, 0x80 * 0x80 * 0x80 + 2 * 0x80 * 0x780 + 0xF000);
}

static void agrees_on_the_boundaries_of_four_bytes(void **state)
{
    static const unsigned char edges[] = { 0x00, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0,
                                           0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF };
    const size_t               count   = COUNT_OF(edges);

    (void)state;
    for (unsigned lead = 0; lead < 256; lead++)
        for (size_t n = 0; n < count * count * count; n++) {
            unsigned char bytes[4] = { (unsigned char)lead, edges[n % count], edges[n / count % count],
                                       edges[n / count / count] };

            assert_int_equal(valid(bytes, 4), reference_valid(bytes, 4));
        }
}

static void judges(void **state)
{
    static const struct { const char *text; bool valid; } cases[] = {
        { "",                     true  },
        { "plain ASCII, longer",  true  },
        { "\xC2\x80",             true  },
        { "\xC1\xBF",             false }, /* overlong */
        { "\xE0\x9F\xBF",         false },
        { "\xE0\xA0\x80",         true  },
        { "\xED\x9F\xBF",         true  },
        { "\xED\xA0\x80",         false }, /* a surrogate */
        { "\xED\xBF\xBF",         false },
        { "\xEE\x80\x80",         true  },
        { "\xEF\xBF\xBF",         true  },
        { "\xF0\x8F\xBF\xBF",     false },
        { "\xF0\x90\x80\x80",     true  },
        { "\xF4\x8F\xBF\xBF",     true  },
        { "\xF4\x90\x80\x80",     false }, /* U+110000 */
        { "\xF5\x80\x80\x80",     false },
        { "\xF8\x88\x80\x80\x80", false },
        { "\x80",                 false },
        { "\xC3",                 false },
        { "\xE2\x82",             false },
        { "\xF0\x9F\x98",         false },
        { "\xF0\x9F\x98\x80",     true  },
        { "\xFE",                 false },
        { "\xFF",                 false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t before = 0; before < 20; before++)
            for (size_t after = 0; after < 20; after++) {
                char   bytes[64];
                size_t len = strlen(cases[i].text);

                memset(bytes, 'x', sizeof bytes);
                memcpy(bytes + before, cases[i].text, len);
                assert_int_equal(tn_utf8_valid(bytes, before + len + after), cases[i].valid);
            }
    assert_true(tn_utf8_valid("a\0b", 3));
}

static void counts_code_points(void **state)
{
    static const char *const pieces[] = { "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80" };
    uint32_t                 random   = 1;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        char   text[200];
        size_t len = 0, count;

        random = random * 1664525u + 1013904223u;
        count  = random >> 16 & 31;
        for (size_t i = 0; i < count; i++) {
            const char *piece;

            random = random * 1664525u + 1013904223u;
            piece  = pieces[round % 3 ? random >> 30 : 0];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
        assert_int_equal(tn_utf8_count(text, len), count);
    }
}

static void reads_code_points(void **state)
{
    static const struct { const char *text; size_t taken; uint32_t code; } cases[] = {
        { "",                 0, 0        },
        { "a",                1, 'a'      },
        { "\x7f" "a",         1, 0x7F     },
        { "\xc2\x80",         2, 0x80     },
        { "\xdf\xbf" "a",     2, 0x7FF    },
        { "\xe0\xa0\x80",     3, 0x800    },
        { "\xef\xbf\xbf",     3, 0xFFFF   },
        { "\xf0\x90\x80\x80", 4, 0x10000  },
        { "\xf4\x8f\xbf\xbf", 4, 0x10FFFF },
        { "\x80",             0, 0        },
        { "\xc3",             0, 0        },
        { "\xed\xa0\x80",     0, 0        },
        { "\xf4\x90\x80\x80", 0, 0        },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t code = 0;

        assert_int_equal(tn_utf8_read(cases[i].text, strlen(cases[i].text), &code), cases[i].taken);
        if (cases[i].taken > 0)
            assert_int_equal(code, cases[i].code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_all_short_sequences),
        cmocka_unit_test(agrees_on_the_boundaries_of_four_bytes),
        cmocka_unit_test(judges),
        cmocka_unit_test(counts_code_points),
        cmocka_unit_test(reads_code_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
