/* plan_test.c - the plan binds what the binder would have bound, and leaves the rest to it. */
#include <stdio.h>
#include <string.h>

#include "rows/plan/plan.h"
#include "support/judged.h"

enum tone { TONE_LOW, TONE_HIGH };
static const char *const tone_names[] = { "low", "high", "a longer one" };

typedef struct {
    int32_t x;
} inner_args;
TENON_ROWS(inner_rows, inner_args, TENON_INT(x, "X.", .required = true, .range = { 0, 9 }));

static const char *is_even(tenon_check *check, const void *value)
{
    int32_t number;

    memcpy(&number, value, sizeof number);
    return number % 2 == 0 ? NULL
                           : tenon_check_format(check, "%s must be even", tenon_check_parameter(check));
}

typedef struct {
    const char *text, *coded, *id;
    tenon_str   sized;
    int16_t     half;
    int32_t     whole, even;
    uint32_t    natural;
    int64_t     large;
    float       single;
    double      number, share;
    bool        truth;
    uint8_t     tone;
    enum tone   pitch;
    tenon_strs  words, few, sole;
    tenon_ints  ints;
    tenon_nums  nums, sums;
    inner_args  inner;
    tenon_time  day;
} every_args;
TENON_ROWS(every_rows, every_args,
    TENON_STR (text,    "A.", .len = {2, 5}, .note = "The text was seen."),
    TENON_STR (coded,   "A.", .pattern = "^[a-z]+$", .example = "ab"),
    TENON_STR (id,      "A.", .blank_ok = true),
    TENON_STR (sized,   "A.", .alias = "size_d"),
    TENON_INT (half,    "A."),
    TENON_INT (whole,   "A.", .range = {-5, 5}, .def = 1, .default_note = "One whole."),
    TENON_INT (even,    "A.", .check = is_even, .example = "2"),
    TENON_INT (natural, "A."),
    TENON_INT (large,   "A.", .clamp = true, .range = {0, 1000}),
    TENON_NUM (single,  "A."),
    TENON_NUM (number,  "A."),
    TENON_NUM (share,   "A.", .range = {0, 1}),
    TENON_BOOL(truth,   "A."),
    TENON_ENUM(tone,    tone_names, "A.", .note = "The tone was seen."),
    TENON_ENUM(pitch,   tone_names, "A."),
    TENON_STRS(words,   "A.", .count = {1, 3}, .len = {1, 4}),
    TENON_STRS(few,     "A.", .comma = true),
    TENON_STRS(sole,    "A.", .unique = true),
    TENON_INTS(ints,    "A.", .range = {-9, 9}),
    TENON_NUMS(nums,    "A."),
    TENON_NUMS(sums,    "A.", .unique = true),
    TENON_OBJECT(inner, inner_rows, "A."),
    TENON_DATE(day,     "A."));

static const char *const values[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "0.0",
    "-0.0",
    "1",
    "-1",
    "2",
    "5",
    "6",
    "-5",
    "-6",
    "1.5",
    "1e2",
    "3.0",
    "40000",
    "-40000",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740992",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e400",
    "3.4e38",
    "4e38",
    "0.1",
    "''",
    "' '",
    "' a'",
    "'a'",
    "'ab'",
    "'abcde'",
    "'abcdef'",
    "'\\u00e9'",
    "'\\u0000'",
    "'a\\u0000b'",
    "'a\\nb'",
    "'none'",
    "'low'",
    "'LOW'",
    "'high'",
    "'a longer one'",
    "'\\u006cow'",
    "'5'",
    "'1.5'",
    "'true'",
    "'2025-01-15'",
    "'a,b'",
    "'[1,2]'",
    "'{\\'x\\':1}'",
    "[]",
    "[1]",
    "['a']",
    "['a','a']",
    "['a','']",
    "['a','b','c','d']",
    "['toolong']",
    "[1,2,-3]",
    "[0.0,-0.0]",
    "[1.5,2]",
    "[1,'2']",
    "[[1]]",
    "[null]",
    "[10]",
    "{}",
    "{'x':1}",
    "{'x':10}",
    "{'x':1,'y':2}",
    "{'x':1,'x':2}",
};

/* Text that may not be UTF-8 is not for the plan: that gives the same call without it. */
static void assert_same(const tenon_rows *rows, const char *args, struct tn_judge how)
{
    struct judged planned, unplanned;

    judged_open(&planned, rows, args, &how);
    how.check_utf8 = true;
    judged_open(&unplanned, rows, args, &how);
    if (strcmp(judged_line(&planned), judged_line(&unplanned)) != 0)
        fail_msg("%.500s\n    with: %s\n without: %s", args, judged_line(&planned), judged_line(&unplanned));
    assert_string_equal(judged_codes(&planned), judged_codes(&unplanned));
    assert_int_equal(planned.judge.coerced, unplanned.judge.coerced);
    assert_int_equal(planned.judge.reformed, unplanned.judge.reformed);
    assert_int_equal(planned.judge.clamped, unplanned.judge.clamped);
    assert_int_equal(planned.judge.root.presence != NULL, unplanned.judge.root.presence != NULL);
    if (planned.judge.root.presence)
        assert_memory_equal(planned.judge.root.presence, unplanned.judge.root.presence,
                            planned.shape->object->count);
    judged_close(&planned);
    judged_close(&unplanned);
}

static const struct tn_judge ways[] = {
    { 0 },
    { .strict = true },
    { .destructive = true },
    { .portable = true },
    { .portable = true, .destructive = true },
};

static void every_value_of_every_kind(void **state)
{
    const tenon_rows *rows = every_rows();
    char              args[256];

    (void)state;
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < COUNT_OF(values); k++)
            for (size_t way = 0; way < COUNT_OF(ways); way++) {
                snprintf(args, sizeof args, "{'%s':%s}", rows->at[i].field, values[k]);
                assert_same(rows, args, ways[way]);
            }
}

/* Whatever the order, and whatever else is there. */
static void every_order(void **state)
{
    static const char *const calls[] = {
        "{}",
        "{'text':'abc','half':3,'number':0.5,'truth':true,'pitch':'high','words':['a','b']}",
        "{'words':['a','b'],'pitch':'high','truth':true,'number':0.5,'half':3,'text':'abc'}",
        "{'half':3,'text':'abc','tone':'low','half':4}",
        "{'half':3,'half':'x','half':true,'text':'abc','text':'abc'}",
        "{'size_d':'a','sized':'b'}",
        "{'sized':'a','size_d':'b','size_d':'c'}",
        "{'size_d':'a','nothing':1,'half':3}",
        "{'HALF':3,'Text':'abc','truth':'yes'}",
        "{'arguments':{'half':3,'text':'abc','half':4}}",
        "{'arguments':{'half':3,'TEXT':'abc'}}",
        "{'arguments':{'half':3,'other':'abc'}}",
        "{'whole':9,'half':99999,'tone':'loud','words':[],'inner':{},'day':'x','even':3,'unknown':1}",
        "'{\\'half\\':3,\\'text\\':\\'abc\\'}'",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        for (size_t way = 0; way < COUNT_OF(ways); way++)
            assert_same(every_rows(), calls[i], ways[way]);
}

/* Which values are plain, so that calls like most are not put off. */
static void what_is_plain(void **state)
{
    static const struct { const char *args; size_t put_off; } cases[] = {
        { "{'sized':'a b','half':-3,'natural':4294967295,'large':1000,'single':0.5,'number':3,'share':0,'truth':false}", 0 },
        { "{'tone':'low','pitch':'a longer one','words':['a','b','c'],'few':['x'],'ints':[-9,9],'nums':[1,2.5]}", 0 },
        { "{'text':'abcde','id':'x','size_d':'b'}", 0 },
        { "{'coded':'ab','even':2,'sole':['a'],'inner':{'x':1},'day':'2025-01-15'}", 5 },
        { "{'half':'3','truth':'true','tone':'LOW','words':[],'ints':[10]}", 5 },
        { "{'id':'','sized':' a','share':1.5,'natural':-1,'large':1001}", 5 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged     judged;
        yyjson_val       *given[COUNT_OF(values)];
        uint8_t           presence[COUNT_OF(values)] = { 0 };
        struct tn_members members                    = { .given = given, .presence = presence };
        every_args        args;
        yyjson_doc       *doc;
        char              json[256];

        judged_open(&judged, every_rows(), "{}", NULL);
        snprintf(json, sizeof json, "%s", cases[i].args);
        for (char *at = json; *at; at++)
            *at = *at == '\'' ? '"' : *at;
        doc = yyjson_read(json, strlen(json), 0);
        assert_non_null(doc);
        members.value = yyjson_doc_get_root(doc);
        tn_plan_bind(&judged.arena, judged.shape->object, (char *)&args, false, &members);
        if (members.put_off != cases[i].put_off || members.unknown > 0 || members.repeated > 0)
            fail_msg("%s: %zu were put off", cases[i].args, members.put_off);
        yyjson_doc_free(doc);
        judged_close(&judged);
    }
}

/* More parameters than a word has bits. */
#define TEN(T, at) T(at##0) T(at##1) T(at##2) T(at##3) T(at##4) T(at##5) T(at##6) T(at##7) T(at##8) T(at##9)
#define EIGHTY(T)  TEN(T, 1) TEN(T, 2) TEN(T, 3) TEN(T, 4) TEN(T, 5) TEN(T, 6) TEN(T, 7) TEN(T, 8)
#define FIELD(n)   int32_t p##n;
#define ROW(n)     TENON_INT(p##n, "P.", .range = { 0, 99 }),
typedef struct {
    EIGHTY(FIELD)
    int32_t last;
} wide_args;
TENON_ROWS(wide_rows, wide_args, EIGHTY(ROW) TENON_INT(last, "L.", .required = true));

static void many_parameters(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'p88':1}", "last is required" },
        { "{'p88':100,'p10':100,'last':1,'last':2}", "last is given more than once | p10 must be between 0 and 99, got 100 | "
                                                     "p88 must be between 0 and 99, got 100" },
    };
    struct judged judged;
    char          args[2048] = "{'last':7";
    size_t        len        = strlen(args);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(wide_rows(), cases[i].args, cases[i].want);
    for (int n = 89; n >= 10; n--)
        len += (size_t)snprintf(args + len, sizeof args - len, ",'p%d':%d", n, n);
    snprintf(args + len, sizeof args - len, "}");
    judged_open(&judged, wide_rows(), args, NULL);
    assert_non_null(judged.bound);
    for (int n = 10; n <= 89; n++)
        assert_int_equal(((const int32_t *)judged.bound)[n - 10], n);
    assert_int_equal(((const wide_args *)judged.bound)->last, 7);
    judged_close(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_of_every_kind),
        cmocka_unit_test(every_order),
        cmocka_unit_test(what_is_plain),
        cmocka_unit_test(many_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
