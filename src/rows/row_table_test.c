/* row_table_test.c - tables into objects: names, aliases, groups, rules, nesting; and the mistakes that are in them. */
#include <string.h>

#include <tenon/group.h>

#include "rows/row_table.h"
#include "support/judged.h"

typedef struct {
    int         a, b;
    const char *s;
} pair_args;

TENON_ROWS(good_rows, pair_args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_ORDERED(a, b));
TENON_ROWS(same_rows, pair_args, TENON_INT(a, "A."), TENON_INT(a, "A again."));
TENON_ROWS(same_key_rows, pair_args, TENON_INT(a, "A."), TENON_INT(b, "B.", .key = "a"));
TENON_ROWS(same_alias_rows, pair_args, TENON_INT(a, "A.", .alias = "x"), TENON_INT(b, "B.", .alias = "y,x"));
TENON_ROWS(own_alias_rows, pair_args, TENON_INT(a, "A.", .alias = "a"));
TENON_ROWS(alias_name_rows, pair_args, TENON_INT(a, "A.", .alias = "b"), TENON_INT(b, "B."));
TENON_ROWS(blank_alias_rows, pair_args, TENON_INT(a, "A.", .alias = "x, ,y"));
TENON_ROWS(bad_key_rows, pair_args, TENON_INT(a, "A.", .key = "a b"));
TENON_ROWS(empty_key_rows, pair_args, TENON_INT(a, "A.", .key = ""));
TENON_ROWS(long_key_rows, pair_args,
    TENON_INT(a, "A.", .key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
TENON_ROWS(no_field_rows, pair_args, TENON_INT(a, "A."), TENON_TOGETHER(a, b));
TENON_ROWS(later_rows, pair_args, TENON_INT(a, "A."), TENON_TOGETHER(a, b), TENON_INT(b, "B."));
TENON_ROWS(twice_rows, pair_args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_EXCLUSIVE(a, b, a));
TENON_ROWS(order_kind_rows, pair_args, TENON_INT(a, "A."), TENON_STR(s, "S."), TENON_ORDERED(a, s));
TENON_ROWS(order_text_rows, pair_args, TENON_STR(s, "S."), TENON_INT(a, "A."), TENON_ORDERED(s, a));

typedef struct {
    tenon_page       page;
    tenon_time_range time;
    int              n;
} group_args;
TENON_ROWS(group_rows, group_args, TENON_PAGE(page), TENON_TIME_RANGE(time), TENON_INT(n, "N."));
TENON_ROWS(keys_rows, group_args, TENON_TIME_RANGE(time, .keys = "after, before"),
           TENON_PAGE(page, .keys = "p,size"));
TENON_ROWS(few_keys_rows, group_args, TENON_TIME_RANGE(time, .keys = "after"));
TENON_ROWS(many_keys_rows, group_args, TENON_TIME_RANGE(time, .keys = "a,b,c"));
TENON_ROWS(clash_rows, group_args, TENON_PAGE(page), TENON_INT(n, "N.", .key = "pageSize"));
TENON_ROWS(tuned_rows, group_args, TENON_PAGE(page, .max = 20));
TENON_ROWS(tuned_zero_rows, group_args, TENON_PAGE(page, .max = 0));
TENON_ROWS(tuned_low_rows, group_args, TENON_PAGE(page, .max = -5));
TENON_ROWS(tuned_high_rows, group_args, TENON_PAGE(page, .max = 500));
TENON_ROWS(tuned_nothing_rows, group_args, TENON_GROUP(page, tenon_page_rows, .tuned = "size", .max = 5));
TENON_ROWS(tuned_time_rows, group_args,
           TENON_GROUP(time, tenon_time_range_rows, .tuned = "startDate", .max = 5));
TENON_ROWS(max_alone_rows, group_args, TENON_GROUP(page, tenon_page_rows, .max = 5));

typedef struct {
    int64_t n;
} bad_group;
typedef struct {
    bad_group g;
} bad_group_args;
TENON_ROWS(bad_group_rows, bad_group, TENON_INT(n, "N.", .range = { 1, 10 }, .def = 50));
TENON_ROWS(holds_bad_rows, bad_group_args, TENON_GROUP(g, bad_group_rows));

typedef struct tree tree;
struct tree {
    TENON_LIST_OF(tree) kids;
};
static const tenon_rows *tree_rows(void);
typedef tree             tree_rows_of_;
static const tenon_rows *tree_rows(void)
{
    typedef tree            tenon_self_;
    static const tenon_row  rows_[] = { TENON_OBJECTS(kids, tree_rows, "Kids.") };
    static const tenon_rows table_  = TENON_TABLE_("tree_rows", rows_, tree);

    return &table_;
}

static const tenon_rows *old_rows(void)
{
    static tenon_rows old;

    old          = *good_rows();
    old.row_size = 8;
    return &old;
}

static const tenon_rows *future_rows(void)
{
    static tenon_row  row;
    static tenon_rows table;

    row      = good_rows()->at[0];
    row.kind = 200;
    table    = (tenon_rows){ .name        = "future_rows",
                             .at          = &row,
                             .count       = 1,
                             .row_size    = sizeof row,
                             .struct_size = sizeof(pair_args) };
    return &table;
}

/* Rows that contradict each other are refused with the names of table and parameter. */
static void mistakes_between_rows(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *want; } cases[] = {
        { good_rows, NULL },
        { same_rows, "same_rows: parameter 'a': the name 'a' is used twice" },
        { same_key_rows, "same_key_rows: parameter 'a': the name 'a' is used twice" },
        { same_alias_rows, "same_alias_rows: parameter 'b': the name 'x' is used twice" },
        { own_alias_rows, "own_alias_rows: parameter 'a': the name 'a' is used twice" },
        { alias_name_rows, "alias_name_rows: parameter 'b': the name 'b' is used twice" },
        { blank_alias_rows, "blank_alias_rows: parameter 'a': '' is not a valid name: use 1 to 64 of A-Z a-z 0-9 _ . -" },
        { bad_key_rows, "bad_key_rows: parameter 'a b': 'a b' is not a valid name: use 1 to 64 of A-Z a-z 0-9 _ . -" },
        { empty_key_rows, "empty_key_rows: parameter '': '' is not a valid name: use 1 to 64 of A-Z a-z 0-9 _ . -" },
        { long_key_rows, "long_key_rows: parameter 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': "
                         "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is not a valid name: use 1 to 64 "
                         "of A-Z a-z 0-9 _ . -" },
        { no_field_rows, "no_field_rows: the rule over (a, b) names a field that no row before it declares" },
        { later_rows, "later_rows: the rule over (a, b) names a field that no row before it declares" },
        { twice_rows, "twice_rows: the rule over (a, b, a) names a field twice" },
        { order_kind_rows, "order_kind_rows: TENON_ORDERED(a, s) needs two numbers of one kind, or two moments" },
        { order_text_rows, "order_text_rows: TENON_ORDERED(s, a) needs two numbers of one kind, or two moments" },
        { group_rows, NULL },
        { keys_rows, NULL },
        { few_keys_rows, "few_keys_rows: parameter 'time': the group has 2 rows, and .keys names 1" },
        { many_keys_rows, "many_keys_rows: parameter 'time': the group has 2 rows, and .keys names 3" },
        { clash_rows, "clash_rows: parameter 'pageSize': the name 'pageSize' is used twice" },
        { tuned_rows, NULL },
        { tuned_zero_rows, "tuned_zero_rows: parameter 'pageSize': the group's .max is below its .range" },
        { tuned_low_rows, "tuned_low_rows: parameter 'pageSize': the group's .max is below its .range" },
        { tuned_high_rows, "tuned_high_rows: parameter 'pageSize': the group's .max is above its .range" },
        { tuned_nothing_rows, "tuned_nothing_rows: parameter 'page': the group has no integer row 'size' to tune" },
        { tuned_time_rows, "tuned_time_rows: parameter 'time': the group has no integer row 'startDate' to tune" },
        { max_alone_rows, "max_alone_rows: parameter 'page': .max needs .tuned, the row that it is for" },
        { holds_bad_rows, "holds_bad_rows: parameter 'n': its default 50 does not pass: n must be between 1 and 10, got 50" },
        { tree_rows, "tree_rows: parameter 'kids': its rows nest too deep (do they contain themselves?)" },
        { old_rows, "good_rows: its rows were compiled with another version of Tenon's headers" },
        { future_rows, "future_rows: parameter 'a': it is of a kind that this library does not know" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_mistake_is(cases[i].rows(), cases[i].want);
}

typedef struct {
    tenon_page       page;
    tenon_time_range time;
} paged_args;
TENON_ROWS(paged_rows, paged_args, TENON_PAGE(page, .max = 20),
           TENON_TIME_RANGE(time, .keys = "after,before"));

/* Groups are flattened into the call, with their own rules, derived values, names and a lower maximum. */
static void groups(void **state)
{
    static const struct { const char *args, *want; int64_t offset; } cases[] = {
        { "{}", "{'page':1,'pageSize':20}", 0 },
        { "{'page':3,'pageSize':10}", "{'page':3,'pageSize':10}", 20 },
        { "{'pageSize':200}",
          "{'page':1,'pageSize':20} + Requested pageSize 200 exceeds maximum 20, capped to 20", 0 },
        { "{'pageSize':0,'page':-5}", "{'page':1,'pageSize':20} + Invalid page number -5, using page 1"
                                      " + Invalid pageSize 0, using default 20", 0 },
        { "{'page':9223372036854775807}", "{'page':9223372036854775807,'pageSize':20}", INT64_MAX },
        { "{'page':99999999999999999999}",
          "{'page':9223372036854775807,'pageSize':20} + page adjusted from 99999999999999999999 to 9223372036854775807 "
          "(maximum allowed)", INT64_MAX },
        { "{'after':'2025-01-02','before':'2025-01-02'}", "{'page':1,'pageSize':20,'after':'2025-01-02','before':'2025-01-02'}", 0 },
        { "{'after':'2025-01-03','before':'2025-01-02'}",
          "Invalid date range: after must be before before. Example: after='2025-01-01', before='2025-12-31'", 0 },
        { "{'startDate':'2025-01-03'}", "unknown parameter 'startDate'; did you mean 'after'? Valid parameters: page, pageSize, after, before", 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged     judged;
        const paged_args *args;

        judged_is(paged_rows(), cases[i].args, cases[i].want);
        judged_open(&judged, paged_rows(), cases[i].args, NULL);
        args = judged.bound;
        if (args && (args->page.offset != cases[i].offset || args->page.limit != args->page.page_size))
            fail_msg("%s: offset %lld", cases[i].args, (long long)args->page.offset);
        judged_close(&judged);
    }
}

/* What a struct holds when nothing was sent: text that is never NULL, and an inner struct's own defaults. */
static void nothing_was_sent(void **state)
{
    struct judged    judged;
    const pair_args *args;

    (void)state;
    judged_open(&judged, good_rows(), "{}", NULL);
    args = judged.bound;
    assert_int_equal(args->a, 0);
    assert_null(args->s); /* no row speaks for it */
    judged_close(&judged);
}

/* The names of an object, its aliases and what they lead to. */
static void names_lead_to_rows(void **state)
{
    tenon_shape *shape = tenon_shape_new(paged_rows(), NULL);

    (void)state;
    assert_int_equal(shape->object->count, 4);
    assert_int_equal(tn_object_find(shape->object, "before", 6), 3);
    assert_int_equal(tn_object_find(shape->object, "end", 3), PARAM_NONE);
    assert_string_equal(shape->object->params[1].group, "tenon_page_rows");
    assert_int_equal(shape->object->rule_count, 1);
    assert_int_equal(shape->object->hook_count, 1);
    tenon_shape_free(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_between_rows),
        cmocka_unit_test(groups),
        cmocka_unit_test(nothing_was_sent),
        cmocka_unit_test(names_lead_to_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
