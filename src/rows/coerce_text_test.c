/* coerce_text_test.c - text and the kinds of text: lengths, patterns, formats, paths, uuids, urls, identifiers. */
#include <string.h>

#include "model/spell.h"
#include "rows/coerce.h"
#include "support/judged.h"

typedef struct {
    const char *s;
} text_args;
typedef struct {
    tenon_str s;
} counted_args;

TENON_ROWS(plain_rows, text_args, TENON_STR(s, "S."));
TENON_ROWS(counted_rows, counted_args, TENON_STR(s, "S."));
TENON_ROWS(must_rows, text_args, TENON_STR(s, "S.", .required = true, .len = { 1, 5 }));
TENON_ROWS(len_rows, text_args, TENON_STR(s, "S.", .len = { 3, 5 }));
TENON_ROWS(blank_rows, text_args, TENON_STR(s, "S.", .required = true, .blank_ok = true));
TENON_ROWS(pattern_rows, text_args,
    TENON_STR(s, "S.", .pattern = "^[a-z]+[0-9]$", .example = "a1", .len = {0, 40}));
TENON_ROWS(email_rows, text_args, TENON_STR(s, "S.", .format = "email"));
TENON_ROWS(said_rows, text_args,
    TENON_STR(s, "S.", .pattern = "^[A-Z]+$", .pattern_text = "three to five capitals", .example = "ABC", .len = {3, 5}));
TENON_ROWS(hidden_rows, text_args,
    TENON_STR(s, "S.", .pattern = "^sk-", .example = "sk-1", .len = {3, 60}, .secret = true));
TENON_ROWS(both_rows, text_args,
    TENON_STR(s, "S.", .pattern = "x", .format = "hostname", .len = {3, 9}, .example = "x.de"));

/* A string is never parsed nor coerced; lengths are code points; what is blank is absent. */
static void text(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { plain_rows,   "{'s':'x'}", "{'s':'x'}" },
        { plain_rows,   "{'s':' x '}", "{'s':' x '}" },
        { plain_rows,   "{'s':'[1,2]'}", "{'s':'[1,2]'}" },
        { plain_rows,   "{'s':'{}'}", "{'s':'{}'}" },
        { plain_rows,   "{'s':'true'}", "{'s':'true'}" },
        { plain_rows,   "{'s':'null'}", "{'s':'null'}" },
        { plain_rows,   "{'s':'none'}", "{'s':'none'}" },
        { plain_rows,   "{'s':'007'}", "{'s':'007'}" },
        { plain_rows,   "{'s':5}", "s must be a string, got 5" },
        { plain_rows,   "{'s':5.5}", "s must be a string, got 5.5" },
        { plain_rows,   "{'s':true}", "s must be a string, got true" },
        { plain_rows,   "{'s':['a','b']}", "s must be a string, got ['a','b']" },
        { plain_rows,   "{'s':{'a':1}}", "s must be a string, got {'a':1}" },
        { plain_rows,   "{'s':null}", "{'s':''}" },
        { plain_rows,   "{'s':''}", "{'s':''}" },
        { plain_rows,   "{'s':' \\t\\n'}", "{'s':''}" },
        { plain_rows,   "{}", "{'s':''}" },
        { plain_rows,   "{'s':'a\\u0000b'}", "s must not contain NUL characters" },
        { counted_rows, "{'s':'abc'}", "{'s':'abc'}" },
        { counted_rows, "{}", "{'s':''}" },
        { must_rows,    "{}", "s is required" },
        { must_rows,    "{'s':null}", "s is required" },
        { must_rows,    "{'s':''}", "s cannot be empty" },
        { must_rows,    "{'s':'   '}", "s cannot be empty" },
        { must_rows,    "{'s':'123456'}", "s must not exceed 5 characters" },
        { must_rows,    "{'s':'\xC3\xA4\xC3\xB6\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80'}",
          "{'s':'\xC3\xA4\xC3\xB6\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80'}" },
        { must_rows,    "{'s':'\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80'}",
          "s must not exceed 5 characters" },
        { len_rows,     "{'s':'ab'}", "s must be at least 3 characters" },
        { len_rows,     "{'s':'\xF0\x9F\x98\x80\xF0\x9F\x98\x80'}", "s must be at least 3 characters" },
        { len_rows,     "{'s':'abc'}", "{'s':'abc'}" },
        { len_rows,     "{}", "{}" },
        { blank_rows,   "{'s':'  '}", "{'s':'  '}" },
        { blank_rows,   "{'s':''}", "{'s':''}" },
        { blank_rows,   "{'s':null}", "s is required" },
        { pattern_rows, "{'s':'abc7'}", "{'s':'abc7'}" },
        { pattern_rows, "{'s':'abc'}", "s must match the pattern ^[a-z]+[0-9]$, got 'abc'" },
        { pattern_rows, "{'s':'abc7\\n'}", "s must match the pattern ^[a-z]+[0-9]$, got 'abc7\\n'" },
        { email_rows,   "{'s':'a@b.de'}", "{'s':'a@b.de'}" },
        { email_rows,   "{'s':'a@'}", "s must be an email address, got 'a@'" },
        { hidden_rows,  "{'s':'pk-secret'}", "s must match the pattern ^sk-, got a string" },
        { hidden_rows,  "{'s':17}", "s must be a string, got a number" },
        { hidden_rows,  "{'s':'sk'}", "s must be at least 3 characters | s must match the pattern ^sk-, got a string" },
        { said_rows,    "{'s':'ab'}", "s must be at least 3 characters | s must be three to five capitals, got 'ab'" },
        { said_rows,    "{'s':'ABCDEF'}", "s must not exceed 5 characters" },
        { said_rows,    "{'s':'abcdef'}", "s must not exceed 5 characters | s must be three to five capitals, got 'abcdef'" },
        { both_rows,    "{'s':'x.de'}", "{'s':'x.de'}" },
        { both_rows,    "{'s':'y.de'}", "s must match the pattern x, got 'y.de'" },
        { both_rows,    "{'s':'x y z'}", "s must be a host name, got 'x y z'" },
        { both_rows,    "{'s':'x2345.6789.0'}", "s must not exceed 9 characters" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* Invalid UTF-8 is an issue of the parameter it stands in, and so is half a surrogate pair. */
static void text_that_is_no_text(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'s':'a\xFFz'}", "s must be valid UTF-8" },
        { "{'s':'\xC0\x80'}", "s must be valid UTF-8" },
        { "{'s':'\xED\xA0\x80'}", "s must be valid UTF-8" },
        { "{'s':'\\ud800'}", "s must be valid UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(plain_rows(), cases[i].args, cases[i].want);
}

TENON_ROWS(path_rows, text_args, TENON_PATH(s, "S."));
TENON_ROWS(md_rows, text_args, TENON_PATH(s, "S.", .ext = ".md, .txt"));
TENON_ROWS(abs_rows, text_args, TENON_ABS_PATH(s, "S."));

/* Paths: each fault has its own sentence, and what is fine is normalised. */
static void paths(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { path_rows, "{'s':'docs/a.md'}", "{'s':'docs/a.md'}" },
        { path_rows, "{'s':'./docs//a/./b/'}", "{'s':'docs/a/b'}" },
        { path_rows, "{'s':'v1..v2.md'}", "{'s':'v1..v2.md'}" },
        { path_rows, "{'s':'...md'}", "{'s':'...md'}" },
        { path_rows, "{'s':'a b/\xC3\xA4.md'}", "{'s':'a b/\xC3\xA4.md'}" },
        { path_rows, "{'s':'../../../etc/passwd'}", "s contains invalid path traversal sequence" },
        { path_rows, "{'s':'a/../b'}", "s contains invalid path traversal sequence" },
        { path_rows, "{'s':'..'}", "s contains invalid path traversal sequence" },
        { path_rows, "{'s':'/etc/passwd'}", "s must be a relative path, got absolute path" },
        { path_rows, "{'s':'a\\\\b'}", "s must use '/' between names, got a backslash" },
        { path_rows, "{'s':'C:/x'}", "s must not begin with a drive letter" },
        { path_rows, "{'s':'\\\\\\\\host\\\\share'}", "s must not be a network path" },
        { path_rows, "{'s':'a\\tb'}", "s must not contain control characters" },
        { path_rows, "{'s':'%2e%2e/x'}", "s must not contain percent-encoded dots or separators" },
        { path_rows, "{'s':'a\\u0000b'}", "s must not contain NUL characters" },
        { path_rows, "{'s':7}", "s must be a string, got 7" },
        { md_rows,   "{'s':'a.MD'}", "{'s':'a.MD'}" },
        { md_rows,   "{'s':'a.pdf'}", "s must end in .md or .txt" },
        { md_rows,   "{'s':'.'}", "s must name a file" },
        { abs_rows,  "{'s':'/a//b/./c'}", "{'s':'/a/b/c'}" },
        { abs_rows,  "{'s':'a/b'}", "s must be an absolute path" },
        { abs_rows,  "{'s':'/a/../b'}", "s contains invalid path traversal sequence" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

TENON_ROWS(uuid_rows, text_args, TENON_UUID(s, "S."));
TENON_ROWS(url_rows, text_args, TENON_URL(s, "S."));
TENON_ROWS(web_rows, text_args, TENON_URL(s, "S.", .schemes = "https, http"));
TENON_ROWS(id_rows, text_args, TENON_ID(s, "S.", .len = { 2, 8 }));

static void forms(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { uuid_rows, "{'s':'123e4567-e89b-12d3-a456-426614174000'}", "{'s':'123e4567-e89b-12d3-a456-426614174000'}" },
        { uuid_rows, "{'s':'123E4567-E89B-12D3-A456-426614174000'}", "{'s':'123e4567-e89b-12d3-a456-426614174000'}" },
        { uuid_rows, "{'s':'123e4567'}", "s must be a UUID, got '123e4567'" },
        { url_rows,  "{'s':'ftp://a/b'}", "{'s':'ftp://a/b'}" },
        { url_rows,  "{'s':'a/b'}", "s must be an absolute URI, got 'a/b'" },
        { web_rows,  "{'s':'HTTPS://a.de/'}", "{'s':'HTTPS://a.de/'}" },
        { web_rows,  "{'s':'ftp://a/b'}", "s must be an absolute URI that begins with https: or http:, got 'ftp://a/b'" },
        { web_rows,  "{'s':'javascript:alert(1)'}",
          "s must be an absolute URI that begins with https: or http:, got 'javascript:alert(1)'" },
        { id_rows,   "{'s':'_a.b-9'}", "{'s':'_a.b-9'}" },
        { id_rows,   "{'s':'.ab'}", "s must be an identifier (letters, digits, '_', '.' and '-'), got '.ab'" },
        { id_rows,   "{'s':'a b'}", "s must be an identifier (letters, digits, '_', '.' and '-'), got 'a b'" },
        { id_rows,   "{'s':'\xC3\xA4z'}", "s must be an identifier (letters, digits, '_', '.' and '-'), got '\xC3\xA4z'" },
        { id_rows,   "{'s':'a'}", "s must be at least 2 characters" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* An echoed value is escaped and cut at 100 characters. */
static void echoes_are_short_and_escaped(void **state)
{
    char args[400], want[400];

    (void)state;
    memcpy(args, "{'s':'", 6);
    memset(args + 6, 'Z', 300);
    memcpy(args + 306, "'}", 3);
    judged_is(pattern_rows(), args,
              "s must not exceed 40 characters | s must match the pattern ^[a-z]+[0-9]$, got "
              "'ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ"
              "ZZZZZZZ"
              "...'");
    memcpy(want, "s must be an email address, got '", 33);
    memset(want + 33, 'Z', 100);
    memcpy(want + 133, "...'", 5);
    judged_is(email_rows(), args, want);
    judged_is(email_rows(), "{'s':'\\u001b[2J\\u202E\\n'}",
              "s must be an email address, got '\\x1B[2J\\u{202E}\\n'");
}

TENON_ROWS(slow_rows, text_args, TENON_STR(s, "S.", .pattern = "^(a+)+$", .example = "a"));

/* A pattern that is made to backtrack ends quickly, and the value is refused. */
static void patterns_end(void **state)
{
    char          args[128];
    struct judged judged;

    (void)state;
    memcpy(args, "{'s':'", 6);
    memset(args + 6, 'a', 40);
    memcpy(args + 46, "!'}", 4);
    judged_open(&judged, slow_rows(), args, NULL);
    assert_int_equal(judged.judge.issues.total, 1);
    assert_int_equal(judged.judge.issues.at[0].code, ISSUE_PATTERN);
    judged_close(&judged);
}

static void words_for_nothing(void **state)
{
    static const struct { const char *text; bool want; } cases[] = {
        { "null", true }, { "NULL", true }, { " None ", true }, { "undefined", true },
        { "nil", false }, { "", false },    { "nul", false },   { "n/a", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_spell_is_nothing(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("%s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(text_that_is_no_text),
        cmocka_unit_test(paths),
        cmocka_unit_test(forms),
        cmocka_unit_test(echoes_are_short_and_escaped),
        cmocka_unit_test(patterns_end),
        cmocka_unit_test(words_for_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
