/* clean_test.c - what hides is left out, what languages need stays, and cuts are between characters. */
#include "docs/markdown/clean.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ZWJ             "\xe2\x80\x8d"
#define ZWNJ            "\xe2\x80\x8c"
#define VS16            "\xef\xb8\x8f"
#define HEART           "\xe2\x9d\xa4"
#define MAN             "\xf0\x9f\x91\xa8"

static void cleans(void **state)
{
    static const struct { const char *text; size_t len; const char *want; } cases[] = {
#define CASE(text, want) { text, sizeof(text) - 1, want }
        CASE("", ""),
        CASE("a\tb\nc", "a\tb\nc"),
        CASE("a\r\nb\rc\r\n", "a\nb\nc\n"),
        CASE("a\0b\x01\x07\x7f" "c", "abc"),
        CASE("gr\xc3\xbc\xc3\x9f \xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x98\x80"),
        /* not UTF-8 */
        CASE("a\xff\x62\xc3", "ab"), CASE("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80x", "x"), CASE("\xe2\x82", ""),
        /* directions and the invisible */
        CASE("a\xe2\x80\xae" "b\xe2\x80\xac\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f" "c", "abc"),
        CASE("i\xc2\xadg\xe2\x80\x8bn\xe2\x81\xa0o\xef\xbb\xbfre", "ignore"),
        CASE("a\xf3\xa0\x81\xa1\xf3\xa0\x84\x80z", "az"), /* tags, selectors */
        CASE("a\xe1\x85\x9f\xe3\x85\xa4\xef\xbe\xa0z", "az"),
        CASE("a\xef\xb7\x90\xef\xbf\xbe\xef\xbf\xbf\xf4\x8f\xbf\xbfz", "az"),
        CASE("a\xe2\x80\xa8z\xe2\x80\xa9", "a\nz\n"), CASE("a\xc2\x85z", "az"),
        /* joiners and selectors */
        CASE("a" ZWJ "b" ZWNJ, "ab"), CASE(MAN ZWJ HEART VS16 ZWJ MAN, MAN ZWJ HEART VS16 ZWJ MAN),
        CASE(MAN ZWJ ZWJ ZWJ MAN, MAN ZWJ MAN), CASE("\xd9\x85" ZWNJ "\xd8\xae", "\xd9\x85" ZWNJ "\xd8\xae"),
        CASE(HEART VS16 VS16 VS16, HEART VS16), CASE("a" VS16, "a"), CASE(HEART "\xef\xb8\x80", HEART),
        /* escapes */
        CASE("\x1b[31mred\x1b[0m", "red"), CASE("a\x1b[1;2;3Hb", "ab"), CASE("a\xc2\x9b" "31mb", "ab"),
        CASE("a\x1b]0;title\x07" "b", "ab"), CASE("a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c", "abc"),
        CASE("a\x1bPq\x1b\\b", "ab"), CASE("a\x1b(Bb\x1b" "7c\x1b", "abc"), CASE("a\x1b]hidden\nb", "ahidden\nb"),
        CASE("a\x1b[31", "a31"), CASE("a\x1b[\x1b[31mb", "ab"), CASE("\x1b", ""),
#undef CASE
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *text = malloc(cases[i].len + 1), *out = malloc(cases[i].len + 1),
             *again = malloc(cases[i].len + 1);
        size_t len;

        memcpy(text, cases[i].text, cases[i].len);
        len = clean_text(out, text, cases[i].len, 1000);
        assert_string_equal(out, cases[i].want);
        assert_int_equal(len, strlen(cases[i].want));
        assert_int_equal(clean_text(again, out, len, 1000), len);
        free(text);
        free(out);
        free(again);
    }
}

static void cuts_between_characters(void **state)
{
    static const struct { size_t most; const char *want; } cases[] = {
        { 0, "" }, { 1, "\xe2\x82\xac" }, { 2, "\xe2\x82\xac\xf0\x9f\x98\x80" }, { 3, "\xe2\x82\xac\xf0\x9f\x98\x80z" },
        { 9, "\xe2\x82\xac\xf0\x9f\x98\x80z" },
    };
    const char *text = "\xe2\x80\xae\xe2\x82\xac\xf0\x9f\x98\x80z";
    char        out[64];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        clean_text(out, text, strlen(text), cases[i].most);
        assert_string_equal(out, cases[i].want);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(cleans),
                                               cmocka_unit_test(cuts_between_characters) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
