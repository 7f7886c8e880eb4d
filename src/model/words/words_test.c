/* words_test.c - every code has its word and its sentence, and every message its words. */
#include "model/words/words.h"

#include <string.h>

#include "support/judged.h"
#include "text/path.h"

/* Every code has a short word for programs. */
static void codes(void **state)
{
    static const struct { enum tn_issue_code code; const char *want; } cases[] = {
        { ISSUE_REQUIRED, "required" },   { ISSUE_EMPTY, "empty" },         { ISSUE_NULL, "null" },
        { ISSUE_TYPE, "type" },           { ISSUE_RANGE, "range" },         { ISSUE_SHORT, "length" },
        { ISSUE_LONG, "length" },         { ISSUE_FEW, "count" },           { ISSUE_MANY, "count" },
        { ISSUE_REPEATED, "duplicates" }, { ISSUE_CHOICE, "enum" },         { ISSUE_PATTERN, "pattern" },
        { ISSUE_FORMAT, "format" },       { ISSUE_DATE, "date" },           { ISSUE_SECONDS, "date" },
        { ISSUE_PATH, "path" },           { ISSUE_JSON, "json" },           { ISSUE_TEXT, "text" },
        { ISSUE_KEY_TWICE, "repeated" },  { ISSUE_UNKNOWN, "unknown" },     { ISSUE_LIMIT, "limit" },
        { ISSUE_ORDER, "order" },         { ISSUE_TOGETHER, "together" },   { ISSUE_EXCLUSIVE, "exclusive" },
        { ISSUE_ANY_OF, "any_of" },       { ISSUE_REQUIRES, "requires" },   { ISSUE_CHECK, "check" },
        { ISSUE_OWN, "stale" },           { ISSUE_NEVER, "not_allowed" },   { ISSUE_CONST, "const" },
        { ISSUE_VALUES, "enum" },         { ISSUE_BOUND, "range" },         { ISSUE_MULTIPLE, "multiple" },
        { ISSUE_MEMBERS, "count" },       { ISSUE_CONTAINS, "contains" },   { ISSUE_NAME, "name" },
        { ISSUE_NO_BRANCH, "any_of" },    { ISSUE_BRANCHES, "one_of" },     { ISSUE_NOT, "not" },
    };

    (void)state;
    assert_int_equal(COUNT_OF(cases), ISSUE_OWN);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(tn_words_code(&(struct tn_issue){ .code = cases[i].code, .own_code = "stale" }),
                            cases[i].want);
}

enum level { LOW, HIGH };
static const char *const level_names[] = { "low", "high" };
typedef struct {
    int               a, b, c;
    double            x;
    bool              flag;
    const char       *s, *p, *q, *id, *url;
    enum level        e;
    tenon_time        t, u;
    tenon_ints        l;
    tenon_map         m;
    tenon_set         set;
    const tenon_json *j;
} every;

static const char *is_fine(tenon_check *check, const void *value)
{
    (void)check;
    return *(const int *)value == 7 ? "c must not be 7" : NULL;
}

TENON_ROWS(every_rows, every,
    TENON_INT      (a,    "D.", .required = true, .range = {1, 9}),
    TENON_INT      (b,    "D."),
    TENON_INT      (c,    "D.", .check = is_fine),
    TENON_NUM      (x,    "D."),
    TENON_BOOL     (flag, "D."),
    TENON_STR      (s,    "D.", .len = {2, 3}, .pattern = "^[a-z]*$", .example = "ab"),
    TENON_PATH     (p,    "D.", .ext = ".md,.txt,.rst"),
    TENON_STR      (q,    "D.", .format = "email"),
    TENON_ID       (id,   "D."),
    TENON_URL      (url,  "D.", .schemes = "https"),
    TENON_ENUM     (e,    level_names, "D."),
    TENON_DATE     (t,    "D."),
    TENON_TIMESTAMP(u,    "D."),
    TENON_INTS     (l,    "D.", .count = {1, 2}, .unique = true),
    TENON_MAP      (m,    "D."),
    TENON_ENUMS    (set,  level_names, "D.", .noun = "level"),
    TENON_JSON     (j,    "D."));

TENON_ROWS(ruled_rows, every,
    TENON_INT(a, "D."), TENON_INT(b, "D."), TENON_INT(c, "D."), TENON_NUM(x, "D."),
    TENON_DATE(t, "D."), TENON_TIMESTAMP(u, "D."),
    TENON_ORDERED(a, b), TENON_ORDERED(t, u), TENON_TOGETHER(b, c), TENON_EXCLUSIVE(c, x), TENON_ANY_OF(a, x, t),
    TENON_REQUIRES(t, u, a));

/* Every sentence, as a caller sees it. */
static void sentences(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { every_rows, "{}", "a is required" },
        { every_rows, "{'a':''}", "a cannot be empty" },
        { every_rows, "{'a':true}", "a must be an integer, got true" },
        { every_rows, "{'a':1,'x':[]}", "x must be a number, got []" },
        { every_rows, "{'a':1,'flag':2}", "flag must be true or false, got 2" },
        { every_rows, "{'a':1,'s':2}", "s must be a string, got 2" },
        { every_rows, "{'a':1,'m':2}", "m must be an object of strings, got a number" },
        { every_rows, "{'a':1,'l':{}}", "l must be an array of integers, got {}" },
        { every_rows, "{'a':0}", "a must be between 1 and 9, got 0" },
        { every_rows, "{'a':1,'c':7}", "c must not be 7" },
        { every_rows, "{'a':1,'s':'a'}", "s must be at least 2 characters" },
        { every_rows, "{'a':1,'s':'abcd'}", "s must not exceed 3 characters" },
        { every_rows, "{'a':1,'s':'AB'}", "s must match the pattern ^[a-z]*$, got 'AB'" },
        { every_rows, "{'a':1,'l':[]}", "l must contain at least 1 items, got 0" },
        { every_rows, "{'a':1,'l':[1,2,3]}", "l must not exceed 2 items, got 3" },
        { every_rows, "{'a':1,'l':[1,1]}", "l contains duplicate values" },
        { every_rows, "{'a':1,'e':'z'}", "e must be one of: low, high. Got: z" },
        { every_rows, "{'a':1,'set':['z']}", "Invalid level 'z'. Valid: low, high. Example: 'low,high'" },
        { every_rows, "{'a':1,'q':'z'}", "q must be an email address, got 'z'" },
        { every_rows, "{'a':1,'id':'a b'}", "id must be an identifier (letters, digits, '_', '.' and '-'), got 'a b'" },
        { every_rows, "{'a':1,'url':'ftp://x'}", "url must be an absolute URI that begins with https:, got 'ftp://x'" },
        { every_rows, "{'a':1,'t':'z'}", "Invalid date 'z'. Expected ISO format (YYYY-MM-DD) like '2025-01-15'" },
        { every_rows, "{'a':1,'u':'z'}",
          "Invalid timestamp 'z'. Expected RFC 3339 format with an offset like '2025-01-15T10:30:00Z'" },
        { every_rows, "{'a':1,'t':5}",
          "Invalid date 5: as milliseconds since 1970 it is too small and looks like seconds. Expected milliseconds, or "
          "ISO format (YYYY-MM-DD) like '2025-01-15'" },
        { every_rows, "{'a':1,'p':'a.pdf'}", "p must end in .md, .txt or .rst" },
        { every_rows, "{'a':1,'p':'../a.md'}", "p contains invalid path traversal sequence" },
        { every_rows, "{'a':1,'j':'{'}", "j is not valid JSON: it is cut off (a bracket or a quote is not closed) at position 1. Example: {}" },
        { every_rows, "{'a':1,'s':'a\\u0000'}", "s must not contain NUL characters" },
        { every_rows, "{'a':1,'a':1}", "a is given more than once" },
        { ruled_rows, "{'y':1,'a':1}", "unknown parameter 'y'. Valid parameters: a, b, c, x, t, u" },
        { ruled_rows, "{'a':2,'b':1,'c':1}", "Invalid range: a must not be greater than b" },
        { ruled_rows, "{'a':1,'t':'2025-01-02','u':'2025-01-01T00:00:00Z'}",
          "Invalid date range: t must be before u. Example: t='2025-01-01', u='2025-12-31'" },
        { ruled_rows, "{'a':1,'b':1}", "c is required together with b" },
        { ruled_rows, "{'a':1,'b':1,'c':1,'x':1}", "x cannot be used together with c" },
        { ruled_rows, "{}", "at least one of these is required: a, x, t" },
        { ruled_rows, "{'t':'2025-01-02'}", "u is required when there is t | a is required when there is t" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* Every fault of a path's text has a sentence of its own. */
static void paths(void **state)
{
    static const struct { enum tn_path_fault fault; const char *want; } cases[] = {
        { PATH_TRAVERSAL, "p contains invalid path traversal sequence" },
        { PATH_DRIVE, "p must not begin with a drive letter" },
        { PATH_UNC, "p must not be a network path" },
        { PATH_ABSOLUTE, "p must be a relative path, got absolute path" },
        { PATH_RELATIVE, "p must be an absolute path" },
        { PATH_BACKSLASH, "p must use '/' between names, got a backslash" },
        { PATH_CONTROL, "p must not contain control characters" },
        { PATH_ENCODED, "p must not contain percent-encoded dots or separators" },
        { PATH_LONG, "p must not exceed 4095 bytes, nor 255 in one name" },
        { PATH_NOTHING, "p must name a file" },
        { PATH_EXTENSION, "p must end in .md" },
    };
    struct tn_node  node = { .kind = TENON_KIND_PATH, .text = { .ext = ".md" } };
    struct tn_arena arena;

    (void)state;
    assert_int_equal(COUNT_OF(cases), PATH_EXTENSION);
    assert_int_equal(PATH_LEN_MAX, 4095);
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_issue issue = {
            .code = ISSUE_PATH, .label = { "p", 1 }, .node = &node, .count = cases[i].fault
        };
        struct tn_buf out;

        tn_buf_init(&out, &arena, 0, 200);
        tn_words_issue(&out, &issue);
        assert_string_equal(tn_buf_end(&out), cases[i].want);
    }
    tn_arena_free(&arena);
}

/* Of many names fifty stand in a sentence, and the rest are counted. */
static void many_names(void **state)
{
    struct tn_slice  names[60];
    struct tn_choice choice = { names, COUNT_OF(names), false, NULL };
    struct tn_node   node   = { .kind = TENON_KIND_ENUM, .choice = &choice };
    struct tn_issue  issue  = { .code = ISSUE_CHOICE, .label = { "e", 1 }, .node = &node };
    yyjson_val       value  = { 0 };
    struct tn_arena  arena;
    struct tn_buf    out;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        names[i] = i % 20 == 7 ? (struct tn_slice){ NULL, 0 } : SLICE_LIT("x");
    yyjson_set_strn(&value, "y", 1);
    issue.received = &value;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&out, &arena, 0, 2000);
    tn_words_issue(&out, &issue);
    assert_non_null(strstr(tn_buf_end(&out), "x, x and 7 more. Got: y"));
    tn_arena_free(&arena);
}

/* A sentence is cut between code points. */
static void cuts(void **state)
{
    char text[ISSUE_TEXT_MAX + 10];

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(tn_words_cut("abc", 3), 3);
    assert_int_equal(tn_words_cut(NULL, 0), 0);
    assert_int_equal(tn_words_cut(text, sizeof text), ISSUE_TEXT_MAX);
    memcpy(text + ISSUE_TEXT_MAX - 2, "\xF0\x9F\x98\x80", 4);
    assert_int_equal(tn_words_cut(text, sizeof text), ISSUE_TEXT_MAX - 2);
}

/* Sentences that repeat the value say so, that no record does it again. */
static void received(void **state)
{
    static const struct { enum tn_issue_code code; bool want; } cases[] = {
        { ISSUE_TYPE, true },  { ISSUE_RANGE, true },  { ISSUE_CHOICE, true },   { ISSUE_DATE, true },
        { ISSUE_SHORT, false }, { ISSUE_MANY, false }, { ISSUE_REQUIRED, false }, { ISSUE_PATH, false },
        { ISSUE_JSON, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(tn_words_says_received(&(struct tn_issue){ .code = cases[i].code }), cases[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes),      cmocka_unit_test(sentences), cmocka_unit_test(paths),
        cmocka_unit_test(many_names), cmocka_unit_test(cuts),      cmocka_unit_test(received),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
