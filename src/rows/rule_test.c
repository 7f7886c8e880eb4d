/* rule_test.c - rules over several parameters: when they apply, whom they blame, what they suggest. */
#include "support/judged.h"

typedef struct {
    int        a, b;
    uint32_t   c;
    int16_t    d;
    double     x, y;
    float      f, g;
    tenon_time s, e, t;
} args;

TENON_ROWS(ints_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_ORDERED(a, b));
TENON_ROWS(mixed_rows, args, TENON_INT(c, "C."), TENON_INT(d, "D."), TENON_ORDERED(c, d));
TENON_ROWS(ranged_rows, args, TENON_INT(a, "A.", .range = { 5, 9 }), TENON_INT(b, "B.", .range = { 0, 9 }),
           TENON_ORDERED(a, b));
TENON_ROWS(nums_rows, args, TENON_NUM(x, "X."), TENON_NUM(y, "Y."), TENON_ORDERED(x, y));
TENON_ROWS(floats_rows, args, TENON_NUM(f, "F."), TENON_NUM(g, "G."), TENON_ORDERED(f, g));
TENON_ROWS(dates_rows, args,
    TENON_DATE(s, "S."), TENON_DATE(e, "E.", .end_of_day = true), TENON_TIMESTAMP(t, "T."), TENON_ORDERED(s, e),
    TENON_ORDERED(s, t));
TENON_ROWS(secret_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B.", .secret = true), TENON_ORDERED(a, b));
TENON_ROWS(together_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_INT(c, "C."),
           TENON_TOGETHER(a, b, c));
TENON_ROWS(exclusive_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_INT(c, "C."),
           TENON_EXCLUSIVE(a, b, c));
TENON_ROWS(any_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_ANY_OF(a, b));
TENON_ROWS(requires_rows, args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_INT(c, "C."),
           TENON_REQUIRES(a, b, c));
TENON_ROWS(six_rows, args,
    TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_INT(c, "C."), TENON_INT(d, "D."), TENON_NUM(x, "X."), TENON_NUM(y, "Y."),
    TENON_ANY_OF(a, b, c, d, x, y));

typedef struct {
    args in;
    TENON_LIST_OF(args) all;
} nest_args;
TENON_ROWS(nest_rows, nest_args, TENON_OBJECT(in, ints_rows, "I."), TENON_OBJECTS(all, any_rows, "A."));

/* Cross-field rules: ordered, together, exclusive, at least one, requires. */
static void rules(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { ints_rows, "{'a':1,'b':1}", "" },
        { ints_rows, "{'a':2}", "" },
        { ints_rows, "{'a':2,'b':null}", "" },
        { ints_rows, "{'a':2,'b':1}", "a:order~1" },
        { ints_rows, "{'A':2,'b':1}", "A:order~1" },
        { ints_rows, "{'a':2,'b':'x'}", "b:type" },
        { mixed_rows, "{'c':4294967295,'d':5}", "c:order~5" },
        { mixed_rows, "{'c':0,'d':-5}", "d:order~0" },
        { ranged_rows, "{'a':7,'b':6}", "a:order~6" },
        { ranged_rows, "{'a':7,'b':3}", "b:order~7" },
        { nums_rows, "{'x':0.5,'y':0.25}", "x:order~0.25" },
        { nums_rows, "{'x':0.25,'y':0.5}", "" },
        { floats_rows, "{'f':0.5,'g':0.25}", "f:order~0.25" },
        { dates_rows, "{'s':'2025-01-02','e':'2025-01-02'}", "" },
        { dates_rows, "{'s':'2025-01-02T23:00:00Z','e':'2025-01-02'}", "" },
        { dates_rows, "{'s':'2025-01-03','e':'2025-01-02'}", "s:order~'2025-01-02'" },
        { dates_rows, "{'s':'2025-01-03','t':'2025-01-02T10:00:00Z'}", "s:order~'2025-01-02'" },
        { dates_rows, "{'s':1736937000,'e':'2025-12-31'}", "s:date~1736937000000" },
        { dates_rows, "{'s':1736937000,'e':'2025-01-14'}", "s:date~'2025-01-14'" },
        { dates_rows, "{'s':'2025-01-01','e':'1736937000'}", "e:date~1736937000000" },
        { secret_rows, "{'a':2,'b':1}", "a:order" },
        { together_rows, "{}", "" },
        { together_rows, "{'a':1,'b':1,'c':1}", "" },
        { together_rows, "{'b':1}", "a:together c:together" },
        { together_rows, "{'a':1,'b':'x'}", "b:type c:together" },
        { together_rows, "{'a':null,'b':null}", "" },
        { exclusive_rows, "{}", "" },
        { exclusive_rows, "{'b':1}", "" },
        { exclusive_rows, "{'a':1,'b':1,'c':1}", "b:exclusive c:exclusive" },
        { exclusive_rows, "{'b':1,'c':null}", "" },
        { any_rows, "{'b':0}", "" },
        { any_rows, "{}", "a:any_of" },
        { any_rows, "{'a':null}", "a:any_of" },
        { any_rows, "{'a':'x'}", "a:type" },
        { requires_rows, "{'b':1}", "" },
        { requires_rows, "{'a':1,'b':1,'c':1}", "" },
        { requires_rows, "{'a':1}", "b:requires c:requires" },
        { six_rows, "{}", "a:any_of" },
        { six_rows, "{'y':0}", "" },
        { nest_rows, "{'in':{'a':2,'b':1},'all':[{'a':1},{}]}", "/in/a:order~1 /all/1/a:any_of" },
        { nest_rows, "{'in':'{\\'a\\':2,\\'b\\':1}'}", "in:order" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_codes_are(cases[i].rows(), cases[i].args, cases[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rules) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
