/* bind_test.c - presence, order of work, unknown names, own checks, any JSON, and the way back from a field. */
#include <stdio.h>
#include <string.h>

#include <tenon/group.h>
#include <tenon/json.h>

#include "support/judged.h"

typedef struct {
    int64_t     n;
    const char *s;
    bool        b;
} mixed_args;
TENON_ROWS(mixed_rows, mixed_args,
    TENON_INT (n, "N.", .required = true, .range = {1, 10}),
    TENON_STR (s, "S.", .len = {2, 4}),
    TENON_BOOL(b, "B."));
TENON_ROWS(spare_rows, mixed_args, TENON_INT(n, "N."), TENON_STR(s, "S."), TENON_BOOL(b, "B."));

/* Absent, null and value are told apart; null binds like absent; words for nothing are told. */
static void presence(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args; unsigned n, s, b; const char *messages; } cases[] = {
        { spare_rows, "{}", PRESENT_NOT, PRESENT_NOT, PRESENT_NOT, "" },
        { spare_rows, "{'n':null,'s':null,'b':null}", PRESENT_NULL, PRESENT_NULL, PRESENT_NULL, "" },
        { spare_rows, "{'n':0,'s':'x','b':false}", PRESENT_GIVEN, PRESENT_GIVEN, PRESENT_GIVEN, "" },
        { spare_rows, "{'n':'','s':' ','b':'\\t'}", PRESENT_NULL, PRESENT_NULL, PRESENT_NULL, "" },
        { spare_rows, "{'n':'none','s':'none','b':'Undefined'}", PRESENT_NULL, PRESENT_GIVEN, PRESENT_NULL,
          " + n 'none' was treated as not given + b 'Undefined' was treated as not given" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged     judged;
        struct tn_found   found;
        const mixed_args *args;
        unsigned          got[3];

        judged_open(&judged, cases[i].rows(), cases[i].args, NULL);
        args = judged.bound;
        assert_non_null(args);
        assert_true(tn_judge_locate(&judged.judge, &args->n, &found));
        got[0] = tn_judge_presence(&found);
        assert_true(tn_judge_locate(&judged.judge, &args->s, &found));
        got[1] = tn_judge_presence(&found);
        assert_true(tn_judge_locate(&judged.judge, &args->b, &found));
        got[2] = tn_judge_presence(&found);
        if (got[0] != cases[i].n || got[1] != cases[i].s || got[2] != cases[i].b)
            fail_msg("%s: %u %u %u", cases[i].args, got[0], got[1], got[2]);
        if (!strstr(judged_line(&judged), cases[i].messages) ||
            (cases[i].messages[0] == '\0' && judged.judge.messages.count > 0))
            fail_msg("%s: %s", cases[i].args, judged_line(&judged));
        judged_close(&judged);
    }
}

/* Every problem is in the first answer, one issue for each parameter and cause, in the order of the rows. */
static void every_problem_at_once(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{}", "n is required" },
        { "{'n':''}", "n cannot be empty" },
        { "{'n':'none'}", "n is required" },
        { "{'n':0,'s':'x','b':'maybe'}",
          "n must be between 1 and 10, got 0 | s must be at least 2 characters | b must be true or false, got 'maybe'" },
        { "{'b':7,'s':true,'x':1}",
          "n is required | s must be a string, got true | b must be true or false, got 7 | unknown parameter 'x'. "
          "Valid parameters: n, s, b" },
        { "{'n':1,'n':2}", "n is given more than once" },
        { "{'n':1,'n':2,'n':99,'s':'abcde'}",
          "n is given more than once | n is given more than once | s must not exceed 4 characters" },
        { "[]", "arguments must be an object, got an array" },
        { "5", "arguments must be an object, got a number" },
        { "{'n':1", "arguments is not valid JSON: it is cut off (a bracket or a quote is not closed) at position 6" },
        { "{'n':1}}", "arguments is not valid JSON: text after the end of the value at position 7" },
        { "{'n':01}", "arguments is not valid JSON: invalid number at position 5" },
        { "{n:1}", "arguments is not valid JSON: names need double quotes at position 1" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(mixed_rows(), cases[i].args, cases[i].want);
}

/* Arguments: nothing and null mean {}, and one JSON text is read with a message. */
static void whole_arguments(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "", "{'n':0,'s':'','b':false}" },
        { " \n", "{'n':0,'s':'','b':false}" },
        { "null", "{'n':0,'s':'','b':false}" },
        { "{}", "{'n':0,'s':'','b':false}" },
        { "'{\\'n\\':5}'",
          "{'n':5,'s':'','b':false} + Parsed the arguments from one JSON text." },
        { "'[1]'", "arguments must be an object, got an array" },
        { "'\\'x\\''", "arguments must be an object, got a string" },
        { "'null'", "{'n':0,'s':'','b':false} + Parsed the arguments from one JSON text." },
        { "'{'", "arguments is not valid JSON: it is cut off (a bracket or a quote is not closed) at position 1" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(spare_rows(), cases[i].args, cases[i].want);
}

/* On a destructive tool a null or blank optional is an issue: dropping it could widen the call. */
static void destructive_calls(void **state)
{
    static const struct tn_judge how                         = { .destructive = true };
    static const struct { const char *args, *want; } cases[] = {
        { "{'n':1}", "{'n':1,'b':false}" },
        { "{'n':1,'s':null}", "s is null or blank: leave it out, or give a value" },
        { "{'n':1,'s':''}", "s is null or blank: leave it out, or give a value" },
        { "{'n':1,'b':'none'}", "b is null or blank: leave it out, or give a value" },
        { "{'n':null}", "n is required" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is_how(mixed_rows(), cases[i].args, &how, cases[i].want);
}

/* ---- Unknown names and aliases ------------------------------------------------------------------------------ */

typedef struct {
    int         max_sources;
    const char *query;
} find_args;
TENON_ROWS(find_rows, find_args,
    TENON_INT(max_sources, "M.", .alias = "maxSources, limit"),
    TENON_STR(query,       "Q."));
typedef struct {
    char unused;
} no_args;
static const tenon_rows no_rows = { .name        = "no_rows",
                                    .row_size    = sizeof(tenon_row),
                                    .struct_size = sizeof(no_args) };

static void unknown_names(void **state)
{
    static const struct { tenon_unknown unknown; const char *args, *want; } cases[] = {
        { TENON_UNKNOWN_REJECT, "{'max_source':3}",
          "unknown parameter 'max_source'; did you mean 'max_sources'? Valid parameters: max_sources, query" },
        { TENON_UNKNOWN_REJECT, "{'MAX-SOURCE':3}",
          "unknown parameter 'MAX-SOURCE'; did you mean 'max_sources'? Valid parameters: max_sources, query" },
        { TENON_UNKNOWN_REJECT, "{'max_source':3,'max_sources':4}",
          "unknown parameter 'max_source'. Valid parameters: max_sources, query" },
        { TENON_UNKNOWN_REJECT, "{'elephant':3,'qurey':''}",
          "unknown parameter 'elephant'. Valid parameters: max_sources, query | "
          "unknown parameter 'qurey'; did you mean 'query'?" },
        { TENON_UNKNOWN_REJECT, "{'':3}", "unknown parameter ''. Valid parameters: max_sources, query" },
        { TENON_UNKNOWN_REJECT, "{'a\\u0000\\n\xFF':3}",
          "unknown parameter 'a\\x00\\n\\xFF'. Valid parameters: max_sources, query" },
        { TENON_UNKNOWN_REJECT, "{'maxSources':3}", "{'max_sources':3,'query':''}" },
        { TENON_UNKNOWN_REJECT, "{'limit':3}", "{'max_sources':3,'query':''}" },
        { TENON_UNKNOWN_REJECT, "{'limit':3,'max_sources':4}", "limit is an alias of max_sources, which is given too" },
        { TENON_UNKNOWN_REJECT, "{'limit':'x'}", "max_sources must be an integer, got 'x'" },
        { TENON_UNKNOWN_MESSAGE, "{'elephant':3}",
          "{'max_sources':0,'query':''} + Ignored the unknown parameter 'elephant'" },
        { TENON_UNKNOWN_MESSAGE, "{'a\\u0000\\n\xFF':3}",
          "{'max_sources':0,'query':''} + Ignored the unknown parameter 'a\\x00\\n\\xFF'" },
        { TENON_UNKNOWN_IGNORE, "{'elephant':3,'query':'x'}", "{'max_sources':0,'query':'x'}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_judge how = { .unknown = cases[i].unknown };

        judged_is_how(find_rows(), cases[i].args, &how, cases[i].want);
    }
    judged_is(&no_rows, "{'x':1}", "unknown parameter 'x'. There are no parameters");
    judged_is(&no_rows, "{}", "{}");
    judged_codes_are(find_rows(), "{'/x':1}", "/~1x:unknown");
    judged_codes_are(find_rows(), "{'qery':1}", "qery:unknown~'query'");
}

/* A name of any length is told of, cut. */
static void long_unknown_name(void **state)
{
    static const struct tn_judge how = { .unknown = TENON_UNKNOWN_MESSAGE };
    char                         args[3100], want[200];

    (void)state;
    memcpy(args, "{'", 2);
    memset(args + 2, 'x', 3000);
    memcpy(args + 3002, "':1}", 5);
    snprintf(want, sizeof want, "{'max_sources':0,'query':''} + Ignored the unknown parameter '%.100s...'",
             args + 2);
    judged_is_how(find_rows(), args, &how, want);
    snprintf(want, sizeof want, "unknown parameter '%.100s...'. Valid parameters: max_sources, query",
             args + 2);
    judged_is(find_rows(), args, want);
}

/* ---- Defaults and notes --------------------------------------------------------------------------------------- */

enum colour { RED, GREEN };
static const char *const colour_names[] = { "red", "green" };
typedef struct {
    double lat;
    int    zoom;
} point;
typedef struct {
    int         n;
    bool        b;
    enum colour e;
    tenon_strs  l;
    point       at;
    tenon_time  t;
    tenon_map   m;
    const char *s;
} def_args;
TENON_ROWS(point_rows, point, TENON_NUM(lat, "L.", .required = true), TENON_INT(zoom, "Z.", .def = 3));
TENON_ROWS(def_rows, def_args,
    TENON_INT   (n, "N.", .range = {0, 9}, .def = 0, .default_note = "n is 0", .note = "n counts"),
    TENON_BOOL  (b, "B.", .def = false),
    TENON_ENUM  (e, colour_names, "E.", .def = GREEN),
    TENON_STRS  (l, "L.", .def = "[\"x\",\"y\"]", .default_note = "Using x, y"),
    TENON_OBJECT(at, point_rows, "A.", .def = "{\"lat\":1.5}"),
    TENON_DATE  (t, "T.", .def = "2025-01-15", .end_of_day = true),
    TENON_MAP   (m, "M.", .def = "{\"k\":\"v\"}"),
    TENON_STR   (s, "S.", .def = "text"));

/* A default of zero is a default; lists and objects have one; a message only where the row gives one. */
static void defaults_and_notes(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{}", "{'n':0,'b':false,'e':'green','l':['x','y'],'at':{'lat':1.5,'zoom':3},'t':'2025-01-15',"
                "'m':{'k':'v'},'s':'text'} + n is 0 + Using x, y" },
        { "{'n':null,'l':''}",
          "{'n':0,'b':false,'e':'green','l':['x','y'],'at':{'lat':1.5,'zoom':3},'t':'2025-01-15',"
          "'m':{'k':'v'},'s':'text'} + n is 0 + Using x, y" },
        { "{'n':0,'l':[],'at':{'lat':2},'m':{},'s':'q','e':'red','t':'2025-01-16T00:00:00Z'}",
          "{'n':0,'b':false,'e':'red','l':[],'at':{'lat':2,'zoom':3},'t':'2025-01-16','m':{},'s':'q'}"
          " + n counts" },
        { "{'n':10,'l':[]}", "n must be between 0 and 9, got 10" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(def_rows(), cases[i].args, cases[i].want);
}

/* ---- Own checks ------------------------------------------------------------------------------------------------ */

static const char *is_even(tenon_check *check, const void *value)
{
    int n;

    memcpy(&n, value, sizeof n);
    return n % 2 == 0 ? NULL : tenon_check_format(check, "must be even, got %d", n);
}

static const char *is_short(tenon_check *check, const void *value)
{
    const char *const *text = value;

    return strlen(*text) < 5 ? NULL : tenon_check_format(check, "too long: %s", *text);
}

typedef struct {
    int         n;
    const char *s;
} check_args;

static const char *sum_is_small(tenon_check *check, const void *value)
{
    const check_args *args = value;

    (void)check;
    return args->n < 50 ? NULL : "n and s together are too much";
}

TENON_ROWS(check_rows, check_args,
    TENON_INT  (n, "N.", .check = is_even, .example = "2", .range = {0, 100}),
    TENON_STR  (s, "S.", .check = is_short),
    TENON_CHECK(sum_is_small));

typedef struct {
    check_args in;
} nested_args;
TENON_ROWS(nested_rows, nested_args, TENON_OBJECT(in, check_rows, "I."));

/* Own checks run last: on values that are good, and over the struct when all of them are. */
static void own_checks(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { check_rows,  "{'n':4,'s':'abc'}", "{'n':4,'s':'abc'}" },
        { check_rows,  "{'n':3,'s':'abcdef'}", "n must be even, got 3 | too long: abcdef" },
        { check_rows,  "{'n':101}", "n must be between 0 and 100, got 101" },
        { check_rows,  "{'n':60}", "n and s together are too much" },
        { check_rows,  "{'n':61}", "n must be even, got 61" },
        { check_rows,  "{}", "{'n':0,'s':''}" },
        { nested_rows, "{'in':{'n':60}}", "n and s together are too much" },
        { nested_rows, "{'in':{'n':3}}", "/in/n must be even, got 3" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
    judged_codes_are(check_rows(), "{'n':3}", "n:check");
    judged_codes_are(check_rows(), "{'n':60}", "arguments:check");
    judged_codes_are(nested_rows(), "{'in':{'n':60}}", "in:check");
}

/* A check that fails with a long sentence still fails. */
static void long_checks_fail_too(void **state)
{
    char          args[4200];
    struct judged judged;

    (void)state;
    memcpy(args, "{'s':'", 6);
    for (size_t i = 6; i + 1 < 4100; i += 2)
        memcpy(args + i, "\xC3\xA4", 2);
    memcpy(args + 4100, "'}", 3);
    judged_open(&judged, check_rows(), args, NULL);
    assert_null(judged.bound);
    assert_int_equal(judged.judge.issues.total, 1);
    assert_true(judged.judge.issues.at[0].text.len <= ISSUE_TEXT_MAX);
    assert_true(judged.judge.issues.at[0].text.len > ISSUE_TEXT_MAX - 4);
    judged_close(&judged);
}

/* ---- Any JSON and secrets --------------------------------------------------------------------------------------- */

typedef struct {
    const tenon_json *j;
    const char       *s;
} json_args;
TENON_ROWS(json_rows, json_args, TENON_JSON(j, "J."), TENON_STR(s, "S."));

static void any_json(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'j':{'a':[1,{'b':null}]}}", "{'j':{'a':[1,{'b':null}]},'s':''}" },
        { "{'j':'{\\'a\\':1}'}", "{'j':{'a':1},'s':''}" },
        { "{'j':'\\'text\\''}", "{'j':'text','s':''}" },
        { "{'j':5}", "{'j':5,'s':''}" },
        { "{'j':'5'}", "{'j':5,'s':''}" },
        { "{'j':true}", "{'j':true,'s':''}" },
        { "{'j':null}", "{'s':''}" },
        { "{'j':'null'}", "{'s':''} + j 'null' was treated as not given" },
        { "{'j':'hello'}", "j is not valid JSON: it is plain text at position 0. Example: {}" },
        { "{'j':{'a':1,'a':2}}", "j has an object in it with the same key twice" },
        { "{'j':[[{'a':1,'a':2}]]}", "j has an object in it with the same key twice" },
        { "{'j':['\xFF']}", "j must be valid UTF-8" },
        { "{'j':[{'\xFF':1}]}", "j must be valid UTF-8" },
        { "{'j':{'a':1},'s':'\xFF'}", "s must be valid UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(json_rows(), cases[i].args, cases[i].want);
}

typedef struct {
    const char *user, *pass;
} login;
typedef struct {
    login in;
    TENON_LIST_OF(login) all;
    const char *key;
    bool        flag;
} secret_args;
TENON_ROWS(login_rows, login, TENON_STR(user, "U."), TENON_STR(pass, "P.", .secret = true));
TENON_ROWS(secret_rows, secret_args,
    TENON_OBJECT (in,  login_rows, "I."),
    TENON_OBJECTS(all, login_rows, "A."),
    TENON_STR    (key,  "K.", .secret = true, .len = {3, 9}),
    TENON_BOOL   (flag, "F.", .secret = true));

/* The values of secret rows are never repeated, nor is what holds them. */
static void secrets(void **state)
{
    static const struct { const char *args; } cases[] = {
        { "{'in':{'pass':7340}}" },
        { "{'in':[{'pass':'7340'}]}" },
        { "{'all':{'pass':'7340'}}" },
        { "{'all':{'pass':7340}}" },
        { "{'all':7340}" },
        { "{'key':7340}" },
        { "{'key':['7340']}" },
        { "{'key':'7340734073407340'}" },
        { "{'flag':'7340'}" },
        { "{'flag':7340}" },
        { "['7340']" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged judged;

        judged_open(&judged, secret_rows(), cases[i].args, NULL);
        if (strstr(judged_line(&judged), "7340") && !judged.bound)
            fail_msg("%s: %s", cases[i].args, judged_line(&judged));
        for (size_t k = 0; k < judged.judge.messages.count; k++)
            if (strstr(judged.judge.messages.at[k].at, "7340"))
                fail_msg("%s: %s", cases[i].args, judged.judge.messages.at[k].at);
        judged_close(&judged);
    }
    judged_is(secret_rows(), "{'flag':'true'}",
              "{'in':{'user':'','pass':''},'all':[],'flag':true} + Converted flag");
    judged_is(secret_rows(), "{'flag':'none'}",
              "{'in':{'user':'','pass':''},'all':[],'flag':false} + flag was treated as not given");
}

/* ---- Bounds and the way back -------------------------------------------------------------------------------------- */

static void limits(void **state)
{
    static const struct { struct tn_json_limits limits; const char *args, *want; } cases[] = {
        { { 20, 8, 99 }, "{'s':'123456789012345'}", "arguments are too long" },
        { { 99, 2, 99 }, "{'j':[[[1]]]}", "arguments are nested too deep" },
        { { 99, 8, 5 },  "{'j':[1,2,3,4]}", "arguments have too many values" },
        { { 99, 8, 99 }, "{'j':'[[[[[[[[[1]]]]]]]]]'}", "j is too long, too deep or has too many values" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_judge how = { .limits = cases[i].limits };

        judged_is_how(json_rows(), cases[i].args, &how, cases[i].want);
    }
}

/* At most 25 issues are kept; all are counted. */
static void many_issues_are_counted(void **state)
{
    char          args[1000] = "{";
    size_t        at         = 1;
    struct judged judged;

    (void)state;
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(args + at, sizeof args - at, "%s'u%d':1", i ? "," : "", i);
    memcpy(args + at, "}", 2);
    judged_open(&judged, find_rows(), args, NULL);
    assert_int_equal(judged.judge.issues.count, 25);
    assert_int_equal(judged.judge.issues.total, 60);
    judged_close(&judged);
}

typedef struct {
    int        before;
    tenon_page page;
    TENON_LIST_OF(point) points;
    point at;
} located_args;
TENON_ROWS(located_rows, located_args,
    TENON_INT    (before, "B."),
    TENON_PAGE   (page),
    TENON_OBJECTS(points, point_rows, "P."),
    TENON_OBJECT (at, point_rows, "A."));

typedef struct {
    const point *from, *to;
} maybe_args;
TENON_ROWS(maybe_rows, maybe_args,
    TENON_OBJECT(from, point_rows, "F."),
    TENON_OBJECT(to,   point_rows, "T.", .json_text = true, .example = "{\"lat\":1}"));

/* An object that is pointed to: NULL when it was not sent, its own defaults where it says nothing. */
static void pointed_objects(void **state)
{
    struct judged     judged;
    struct tn_found   found;
    const maybe_args *args;

    (void)state;
    judged_open(&judged, maybe_rows(), "{'to':'{\\\"lat\\\":2}'}", NULL);
    args = judged.bound;
    assert_non_null(args);
    assert_null(args->from);
    assert_non_null(args->to);
    assert_true(args->to->lat == 2);
    assert_int_equal(args->to->zoom, 3);
    assert_true(tn_judge_locate(&judged.judge, &args->to->lat, &found));
    judged_close(&judged);

    judged_open(&judged, maybe_rows(), "{'from':{'lat':'x'},'to':null}", NULL);
    assert_null(judged.bound);
    judged_close(&judged);
}

/* A pointer to a bound field leads back to its name or JSON Pointer. */
static void fields_lead_back(void **state)
{
    struct judged       judged;
    const located_args *args;
    struct tn_found     found;

    (void)state;
    judged_open(&judged, located_rows(),
                "{'pageSize':7,'points':[{'lat':1},{'lat':2,'zoom':4}],'at':{'lat':0}}", NULL);
    args = judged.bound;
    assert_non_null(args);
    {
        const struct { const void *field; const char *want; } cases[] = {
            { &args->before, "before" },
            { &args->page.page_size, "pageSize" },
            { &args->points, "points" },
            { &args->points.at[1].zoom, "/points/1/zoom" },
            { &args->points.at[0].lat, "/points/0/lat" },
            { &args->at.zoom, "/at/zoom" },
            { &args->page.offset, NULL },
            { &judged, NULL },
            { NULL, NULL },
        };

        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            struct tn_slice path;

            if (!tn_judge_locate(&judged.judge, cases[i].field, &found)) {
                assert_null(cases[i].want);
                continue;
            }
            assert_non_null(cases[i].want);
            path = tn_judge_path(&judged.arena, &found);
            assert_int_equal(path.len, strlen(cases[i].want));
            assert_memory_equal(path.at, cases[i].want, path.len);
        }
    }
    judged_close(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presence),
        cmocka_unit_test(every_problem_at_once),
        cmocka_unit_test(whole_arguments),
        cmocka_unit_test(destructive_calls),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(long_unknown_name),
        cmocka_unit_test(defaults_and_notes),
        cmocka_unit_test(own_checks),
        cmocka_unit_test(long_checks_fail_too),
        cmocka_unit_test(any_json),
        cmocka_unit_test(secrets),
        cmocka_unit_test(limits),
        cmocka_unit_test(many_issues_are_counted),
        cmocka_unit_test(pointed_objects),
        cmocka_unit_test(fields_lead_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
