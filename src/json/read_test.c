/* read_test.c - what is read, what is refused and where, and how little memory a hostile text may take. */
#include "json/read.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct tn_json_limits roomy = { .bytes = SIZE_MAX, .depth = 64, .nodes = SIZE_MAX };

static void reads(void **state)
{
    static const struct {
        const char *text;
        yyjson_type type;
        size_t      nodes;
    } cases[] = {
        { "null", YYJSON_TYPE_NULL, 1 },
        { " true ", YYJSON_TYPE_BOOL, 1 },
        { "-0", YYJSON_TYPE_NUM, 1 },
        { "18446744073709551615", YYJSON_TYPE_NUM, 1 },
        { "18446744073709551616", YYJSON_TYPE_RAW, 1 },
        { "-9223372036854775809", YYJSON_TYPE_RAW, 1 },
        { "1e309", YYJSON_TYPE_RAW, 1 },
        { "1e-400", YYJSON_TYPE_NUM, 1 },
        { "\"\\u0000\"", YYJSON_TYPE_STR, 1 },
        { "[]", YYJSON_TYPE_ARR, 1 },
        { "{\"a\":[1,2,{}],\"a\":null}", YYJSON_TYPE_OBJ, 8 },
        { "{\n  \"a\": [\n    1\n  ]\n}", YYJSON_TYPE_OBJ, 4 },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_json_text read = tn_json_read(&arena, cases[i].text, strlen(cases[i].text), &roomy);

        assert_int_equal(read.fault, JSON_FINE);
        assert_int_equal(yyjson_get_type(read.root), cases[i].type);
        assert_int_equal(read.nodes, cases[i].nodes);
        assert_false(read.bad_utf8);
    }
    tn_arena_free(&arena);
}

static void says_what_is_wrong_and_where(void **state)
{
    static const struct {
        const char *text;
        size_t      len;
        const char *what;
        size_t      at;
    } cases[] = {
#define CASE(text, what, at) { text, sizeof(text) - 1, what, at }
        CASE("", "unexpected end", 0),
        CASE("{\"a\":1", "unexpected end", 6),
        CASE("[1,2", "unexpected end", 4),
        CASE("[1 2]", "unexpected character", 3),
        CASE("{a:1}", "unexpected character", 1),
        CASE("{'a':1}", "unexpected character", 1),
        CASE("[NaN]", "unexpected character", 1),
        CASE("[1] // done", "text after the end of the value", 4),
        CASE("{} {}", "text after the end of the value", 3),
        CASE("1\0", "text after the end of the value", 1),
        CASE("[1,]", "trailing comma", 2),
        CASE("{\"a\":1,}", "trailing comma", 6),
        CASE("[01]", "invalid number", 1),
        CASE("[-]", "invalid number", 2),
        CASE("[1.]", "invalid number", 3),
        CASE("[+1]", "unexpected character", 1),
        CASE("[trux]", "invalid literal", 1),
        CASE("[\"\\x\"]", "invalid string", 3),
        CASE("[\"a\nb\"]", "control character in a string", 3),
        CASE("[\"a\0b\"]", "control character in a string", 3),
        CASE("[\"\xff\\\"\n\"]", "control character in a string", 5),
        CASE("[\"\\ud80\"]", "invalid string", 2),
        CASE("[\"\\ud800\"", "unexpected end", 9),
        CASE("[\"\\ud800\", x]", "unexpected character", 11),
        CASE("[\"\\ud800\\ud800\",\"\\udc00\", x]", "unexpected character", 26),
        CASE("[\"\\ud800\\x\"]", "invalid string", 9),
        CASE("[\"\\udc00\x01\"]", "control character in a string", 8),
        CASE("[\"\\ud800\", \"\x01\"]", "control character in a string", 12),
        CASE("[\"\xff\", \"\\x\"]", "invalid string", 8),
        CASE("\xef\xbb\xbf{}", "unexpected character", 0),
#undef CASE
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_json_text read = tn_json_read(&arena, cases[i].text, cases[i].len, &roomy);

        assert_int_equal(read.fault, JSON_SYNTAX);
        assert_null(read.root);
        assert_string_equal(read.what, cases[i].what);
        assert_int_equal(read.at, cases[i].at);
    }
    tn_arena_free(&arena);
}

static void lets_bad_utf8_through_with_a_mark(void **state)
{
    static const struct { const char *text; size_t at; const char *read; } cases[] = {
        { "[\"\xff\"]",                       2,  "\xff"                             },
        { "[\"\xc0\xaf\"]",                   2,  "\xc0\xaf"                         },
        { "[\"\xed\xa0\x80\"]",               2,  "\xed\xa0\x80"                     },
        { "[\"ab\x80\"]",                     4,  "ab\x80"                           },
        { "[\"\xf4\x90\x80\x80\"]",           2,  "\xf4\x90\x80\x80"                 },
        { "[\"a\\ud83d\"]",                   3,  "a\xed\xa0\xbd"                    },
        { "[\"\\uDE00a\"]",                   2,  "\xed\xb8\x80"  "a"                },
        { "[\"\\ud83d\\ud83d\"]",            2,  "\xed\xa0\xbd\xed\xa0\xbd"         },
        { "[\"\\ud83d\\u0041\"]",            2,  "\xed\xa0\xbd"  "A"                },
        { "[\"\\ud83d\\ude00\\ude00\"]",     14, "\xf0\x9f\x98\x80\xed\xb8\x80"     },
        { "[\"\\\\ud83d\\u0041\\ud83d\\n\"]", 15, "\\ud83dA\xed\xa0\xbd\n"           },
        { "[\"\\ud83d\xff\"]",               2,  "\xed\xa0\xbd\xff"                 },
        { "[\"\xff\\ud83d\"]",               2,  "\xff\xed\xa0\xbd"                 },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_json_text read = tn_json_read(&arena, cases[i].text, strlen(cases[i].text), &roomy);
        yyjson_val         *text = yyjson_arr_get_first(read.root);

        assert_int_equal(read.fault, JSON_FINE);
        assert_true(read.bad_utf8);
        assert_int_equal(read.at, cases[i].at);
        assert_string_equal(yyjson_get_str(text), cases[i].read);
        assert_false(tn_utf8_valid(yyjson_get_str(text), yyjson_get_len(text)));
    }
    tn_arena_free(&arena);
}

static void keeps_its_limits(void **state)
{
    static const struct {
        const char           *text;
        struct tn_json_limits limits; /* bytes, depth, nodes */
        enum tn_json_fault    want;
    } cases[] = {
        { "[1]", { 3, 9, 9 }, JSON_FINE },
        { "[1]", { 2, 9, 9 }, JSON_TOO_LONG },
        { "1", { 9, 0, 1 }, JSON_FINE },
        { "[]", { 9, 0, 1 }, JSON_TOO_DEEP },
        { "[1,[2],3]", { 9, 1, 9 }, JSON_TOO_DEEP },
        { "[1,[2],3]", { 9, 2, 9 }, JSON_FINE },
        { "[[],[],[]]", { 99, 2, 9 }, JSON_FINE },
        { "[[],[[]],[]]", { 99, 2, 9 }, JSON_TOO_DEEP },
        { "{\"a\":{\"b\":{}}}", { 99, 2, 9 }, JSON_TOO_DEEP },
        { "{\"a\":{\"b\":{}}}", { 99, 3, 9 }, JSON_FINE },
        { "[1,2,3]", { 9, 9, 4 }, JSON_FINE },
        { "[1,2,3]", { 9, 9, 3 }, JSON_TOO_MANY },
        { "{\"a\":1}", { 9, 9, 2 }, JSON_TOO_MANY },
        { "[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]", { 99, 9, 3 }, JSON_TOO_MANY },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_json_text read = tn_json_read(&arena, cases[i].text, strlen(cases[i].text),
                                                &cases[i].limits);

        assert_int_equal(read.fault, cases[i].want);
        assert_int_equal(read.root != NULL, cases[i].want == JSON_FINE);
    }
    tn_arena_free(&arena);
}

/* A million bytes made of one piece, in an arena that allows `times` bytes for each of them. */
static enum tn_json_fault read_repeated(const char *first, const char *piece, const char *last, size_t times,
                                        const struct tn_json_limits *limits)
{
    enum { LEN = 1000000 };
    struct tn_arena    texts, arena;
    struct tn_buf      text;
    enum tn_json_fault fault;

    tn_arena_init(&texts, NULL, 0);
    tn_arena_init(&arena, NULL, LEN * times);
    tn_buf_init(&text, &texts, LEN, LEN);
    tn_buf_text(&text, first);
    while (text.len + strlen(piece) + strlen(last) <= LEN)
        tn_buf_text(&text, piece);
    tn_buf_text(&text, last);
    fault = tn_json_read(&arena, text.at, text.len, limits).fault;
    tn_arena_free(&arena);
    tn_arena_free(&texts);
    return fault;
}

static void spends_little_on_large_texts(void **state)
{
    static const struct tn_json_limits few    = { .bytes = SIZE_MAX, .depth = 64, .nodes = 10000 };
    static const struct tn_json_limits deeper = { .bytes = SIZE_MAX, .depth = SIZE_MAX, .nodes = SIZE_MAX };
    static const struct {
        const char                  *first, *piece, *last;
        size_t                       times;
        const struct tn_json_limits *limits;
        enum tn_json_fault           want;
    } cases[] = {
        { "\"", "a", "\"", 4, &roomy, JSON_FINE },   { "[1", ",1", "]", 17, &roomy, JSON_FINE },
        { "[1", ",1", "]", 4, &few, JSON_TOO_MANY }, { "[1", ",1", "]", 3, &roomy, JSON_NO_MEMORY },
        { "[1", ",1", "", 17, &roomy, JSON_SYNTAX }, { "[", "[", "", 17, &roomy, JSON_TOO_DEEP },
        { "[", "[", "", 4, &few, JSON_TOO_MANY },    { "[", "[", "", 32, &deeper, JSON_SYNTAX },
        { "[0", ",[]", "]", 17, &roomy, JSON_FINE }, { "[0", ",{}", ",", 17, &roomy, JSON_SYNTAX },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(read_repeated(cases[i].first, cases[i].piece, cases[i].last, cases[i].times,
                                       cases[i].limits),
                         cases[i].want);
}

static void gives_back_what_a_large_text_left_over(void **state)
{
    enum { LEN = 100000 };
    struct tn_arena arena;
    char            text[LEN], *before;

    (void)state;
    memset(text, 'a', LEN);
    text[0] = text[LEN - 1] = '"';
    tn_arena_init(&arena, NULL, 0);
    tn_arena_take(&arena, 8 * LEN, 1);
    tn_arena_reset(&arena);
    before = arena.next;
    assert_int_equal(tn_json_read(&arena, text, LEN, &roomy).fault, JSON_FINE);
    assert_in_range(arena.next - before, LEN, LEN + 256);
    tn_arena_free(&arena);
}

static void reads_one_number(void **state)
{
    static const struct {
        const char *text;
        yyjson_type type;
    } cases[] = {
        { "0", YYJSON_TYPE_NUM },     { "-12", YYJSON_TYPE_NUM },
        { "2.50", YYJSON_TYPE_NUM },  { "1e3", YYJSON_TYPE_NUM },
        { "1E+3", YYJSON_TYPE_NUM },  { "99999999999999999999", YYJSON_TYPE_RAW },
        { "1e999", YYJSON_TYPE_RAW }, { "", YYJSON_TYPE_NONE },
        { "007", YYJSON_TYPE_NONE },  { "+1", YYJSON_TYPE_NONE },
        { ".5", YYJSON_TYPE_NONE },   { "1.", YYJSON_TYPE_NONE },
        { " 1", YYJSON_TYPE_NONE },   { "1 ", YYJSON_TYPE_NONE },
        { "0x10", YYJSON_TYPE_NONE }, { "1,2", YYJSON_TYPE_NONE },
        { "1 2", YYJSON_TYPE_NONE },  { "-", YYJSON_TYPE_NONE },
        { "[1]", YYJSON_TYPE_NONE },  { "Infinity", YYJSON_TYPE_NONE },
        { "1e", YYJSON_TYPE_NONE },   { "nan", YYJSON_TYPE_NONE },
        { "--1", YYJSON_TYPE_NONE },  { "123e4567-e89b", YYJSON_TYPE_NONE },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_val *value = tn_json_read_number(&arena, cases[i].text, strlen(cases[i].text));
        assert_int_equal(yyjson_get_type(value), cases[i].type);
    }
    assert_null(tn_json_read_number(&arena,
                                    "1\0"
                                    "2",
                                    3));
    assert_false(arena.failed);
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    static const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = 2, .nodes = SIZE_MAX };
    char                               text[20001];

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "1,"[i % 2 == 0];
    text[0]               = '[';
    text[sizeof text - 1] = ']';
    for (size_t n = 1;; n++) {
        struct tn_fault    fault  = { .refuse_at = n };
        tenon_allocator    memory = tn_fault_allocator(&fault);
        enum tn_json_fault found;
        struct tn_arena    arena;

        tn_arena_init(&arena, &memory, 0);
        found = tn_json_read(&arena, text, sizeof text, &limits).fault;
        assert_int_equal(found, fault.refused ? JSON_NO_MEMORY : JSON_FINE);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(says_what_is_wrong_and_where),
        cmocka_unit_test(lets_bad_utf8_through_with_a_mark),
        cmocka_unit_test(keeps_its_limits),
        cmocka_unit_test(spends_little_on_large_texts),
        cmocka_unit_test(gives_back_what_a_large_text_left_over),
        cmocka_unit_test(reads_one_number),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
