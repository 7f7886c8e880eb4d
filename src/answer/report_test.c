/* report_test.c - grouping, what each record says, and the bounds of a report. */
#include "answer/report.h"

#include "support/answer.h"

struct bench {
    struct tn_arena  arena;
    struct tn_issues issues;
    struct tn_buf    out;
    tenon_answer     answer; /* {"status":..., as an envelope, so that assert_at works */
};

static void begin(struct bench *bench)
{
    *bench = (struct bench){ .issues = { .count = 0 } };
    tn_arena_init(&bench->arena, NULL, 0);
}

static struct tn_issue *add(struct bench *bench, const char *parameter, const char *text)
{
    struct tn_issue *issue = tn_issues_add(&bench->issues, &bench->arena);

    if (!issue)
        return NULL;
    issue->code      = ISSUE_OWN;
    issue->own_code  = "own";
    issue->parameter = tn_slice_of(parameter);
    issue->text      = tn_slice_of(text);
    return issue;
}

static void render(struct bench *bench, bool guarded)
{
    tn_buf_init(&bench->out, &bench->arena, 0, (size_t)1 << 20);
    tn_buf_lit(&bench->out, "{\"status\":\"ERROR\",\"error\":{\"code\":\"X\",\"details\":{");
    tn_report_write(&bench->out, tn_report_new(&bench->arena, &bench->issues, guarded));
    tn_buf_lit(&bench->out, "}},\"messages\":[],\"data\":null}");
    bench->answer = (tenon_answer){ tn_buf_end(&bench->out), bench->out.len, true, "X" };
}

static void groups_by_parameter(void **state)
{
    struct bench bench;

    (void)state;
    begin(&bench);
    add(&bench, "b", "b is \"odd\"");
    add(&bench, "a", "a is wrong");
    add(&bench, "b", "b is late");
    render(&bench, false);
    assert_at(&bench.answer, "/error/details",
              "{\"fieldErrors\":{\"b\":[\"b is \\\"odd\\\"\",\"b is late\"],\"a\":[\"a is "
              "wrong\"]},\"totalErrors\":3,"
              "\"issues\":[{\"parameter\":\"b\",\"code\":\"own\",\"message\":\"b is \\\"odd\\\"\"},"
              "{\"parameter\":\"a\",\"code\":\"own\",\"message\":\"a is wrong\"},"
              "{\"parameter\":\"b\",\"code\":\"own\",\"message\":\"b is late\"}]}");
    tn_arena_free(&bench.arena);
}

/* What lies in a parameter stands under its name, and its sentence says where it lies. */
static void groups_what_lies_in_a_parameter(void **state)
{
    static const struct tn_node node = { .kind     = TENON_KIND_STR,
                                         .expected = { "{\"type\":\"string\"}", 17 } };
    struct bench                bench;

    (void)state;
    begin(&bench);
    add(&bench, "/tags/0", "/tags/0 is odd");
    add(&bench, "tags", "tags are few");
    add(&bench, "/tags/1", "this one is late");
    add(&bench, "/a~1b/c", "/a~1b/c is odd");
    add(&bench, "x", "x is short")->addressed = &node;
    add(&bench, "x", "x is odd")->addressed   = &node;
    render(&bench, false);
    assert_at(
        &bench.answer, "/error/details/fieldErrors",
        "{\"tags\":[\"/tags/0 is odd\",\"tags are few\",\"/tags/1: this one is late\"],\"a/b\":[\"/a~1b/c "
        "is odd\"],\"x\":[\"x is short\",\"x is odd\"]}");
    assert_at(&bench.answer, "/error/details/issues/0",
              "{\"parameter\":\"/tags/0\",\"code\":\"own\",\"message\":\"/tags/0 is odd\"}");
    assert_at(&bench.answer, "/error/details/issues/4/expected", "{\"type\":\"string\"}");
    assert_at(&bench.answer, "/error/details/issues/5/expected", NULL); /* it was just said */
    tn_arena_free(&bench.arena);
}

static void says_what_applies(void **state)
{
    static const struct tn_node plain    = { .kind     = TENON_KIND_STR,
                                             .expected = { "{\"type\":\"string\"}", 17 },
                                             .example  = { "\"x\"", 3 } };
    static const struct tn_node secret   = { .kind = TENON_KIND_STR, .secret = true };
    static const char           values[] = "[5,\"text\",{\"password\":\"hunter2\"},\"long\"]";
    yyjson_doc                 *doc      = yyjson_read(values, sizeof values - 1, 0);
    yyjson_val                 *list     = yyjson_doc_get_root(doc);
    char                        many[400], digits[400];
    struct bench                bench;
    struct tn_issue            *issue;
    yyjson_val                  long_value = { 0 }, long_number = { 0 };

    (void)state;
    memset(many, 'm', sizeof many);
    memset(digits, '9', sizeof digits);
    yyjson_set_strn(&long_value, many, sizeof many);
    yyjson_set_raw(&long_number, digits, sizeof digits);
    begin(&bench);
    issue            = add(&bench, "a", "a");
    issue->addressed = issue->node = &plain;
    issue->required                = true;
    issue->received                = yyjson_arr_get(list, 1);
    issue                          = add(&bench, "b", "b");
    issue->addressed = issue->node = &plain;
    issue->suggestion              = SLICE_LIT("7");
    issue->received                = &long_value;
    issue                          = add(&bench, "c", "c");
    issue->addressed = issue->node  = &secret;
    issue->received                 = yyjson_arr_get(list, 0);
    issue                           = add(&bench, "d", "d");
    issue->received                 = yyjson_arr_get(list, 2);
    issue                           = add(&bench, "e", "e");
    issue->got                      = SLICE_LIT("piece");
    issue->node                     = &plain;
    add(&bench, "f", "f")->received = &long_number;
    render(&bench, true);
    assert_non_null(strstr(bench.answer.json, "\"999"));
    assert_non_null(strstr(bench.answer.json, "999...\""));
    assert_at(&bench.answer, "/error/details/issues/0",
              "{\"parameter\":\"a\",\"required\":true,\"code\":\"own\",\"message\":\"a\",\"received\":"
              "\"text\",\"expected\":{"
              "\"type\":"
              "\"string\"},\"example\":\"x\"}");
    assert_at(&bench.answer, "/error/details/issues/1/suggestion", "7");
    assert_at(&bench.answer, "/error/details/issues/1/example", NULL);
    assert_at(&bench.answer, "/error/details/issues/2/received", "\"(a number)\"");
    assert_at(&bench.answer, "/error/details/issues/3/received", "\"(an object)\"");
    assert_at(&bench.answer, "/error/details/issues/4/received", "\"piece\"");
    assert_null(strstr(bench.answer.json, "hunter2"));
    assert_true(strstr(bench.answer.json, "mmm\\\"") == NULL);
    assert_non_null(strstr(bench.answer.json, "mmm..."));
    render(&bench, false);
    assert_at(&bench.answer, "/error/details/issues/3/received", "{\"password\":\"hunter2\"}");
    tn_arena_free(&bench.arena);
    yyjson_doc_free(doc);
}

/* For a reader: what the sentences do not say. */
static void is_brief(void **state)
{
    static const struct tn_node node = { .kind     = TENON_KIND_STR,
                                         .expected = { "{\"type\":\"string\"}", 17 },
                                         .example  = { "\"x\"", 3 } };
    struct bench                bench;
    struct tn_report           *report;

    (void)state;
    begin(&bench);
    add(&bench, "a", "a is odd");
    add(&bench, "/b/0", "/b/0 is late")->suggestion = SLICE_LIT("7");
    add(&bench, "c", "c is short")->addressed       = &node;
    add(&bench, "c", "c is odd")->addressed         = &node; /* its example was just shown */
    bench.issues.total                              = 9;
    report                                          = tn_report_new(&bench.arena, &bench.issues, false);
    tn_buf_init(&bench.out, &bench.arena, 0, (size_t)1 << 20);
    tn_report_write_brief(&bench.out, report);
    assert_string_equal(tn_buf_end(&bench.out),
                        "\"fieldErrors\":{\"a\":[\"a is odd\"],\"b\":[\"/b/0 is late\"],\"c\":[\"c is "
                        "short\",\"c is odd\"]},\"totalErrors\":9,\"issues\":[{\"parameter\":\"/b/0\","
                        "\"suggestion\":7},{\"parameter\":\"c\",\"example\":\"x\"}],\"note\":\"5 more errors "
                        "are not shown; fix these first.\"");
    tn_arena_free(&bench.arena);
}

static void stays_within_bounds(void **state)
{
    static const struct { size_t issues, text; size_t shown; const char *note; } cases[] = {
        { 25, 10,    25, NULL                                                  },
        { 26, 10,    25, "\"1 more error is not shown; fix these first.\""     },
        { 40, 10,    25, "\"15 more errors are not shown; fix these first.\""  },
        { 9,  1500,  2,  "\"7 more errors are not shown; fix these first.\""   },
        { 3,  60000, 2,  "\"1 more error is not shown; fix these first.\""     },
        { 1,  90000, 1,  NULL                                                  },
    };
    static char text[100000];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct bench bench;
        char         name[16];
        yyjson_doc  *doc;

        memset(text, 't', sizeof text);
        text[cases[i].text] = '\0';
        begin(&bench);
        for (size_t k = 0; k < cases[i].issues; k++) {
            struct tn_issue *issue;

            snprintf(name, sizeof name, "p%zu", k % 7);
            issue = add(&bench, tn_arena_copy(&bench.arena, name, strlen(name)), text);
            assert_int_equal(!issue, k >= ISSUES_MAX);
        }
        render(&bench, false);
        assert_true(bench.answer.len < REPORT_LEN_MAX + 400);
        doc = read_answer(&bench.answer);
        assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/error/details/issues")), cases[i].shown);
        assert_int_equal(yyjson_get_uint(yyjson_doc_ptr_get(doc, "/error/details/totalErrors")),
                         cases[i].issues);
        yyjson_doc_free(doc);
        assert_at(&bench.answer, "/error/details/note", cases[i].note);
        tn_arena_free(&bench.arena);
    }
}

/* A name that the caller made up is as long as the caller likes. */
static void cuts_long_names(void **state)
{
    static char  name[100000];
    struct bench bench;

    (void)state;
    memset(name, 'n', sizeof name - 1);
    begin(&bench);
    add(&bench, name, "unknown");
    render(&bench, false);
    assert_true(bench.answer.len < 600);
    yyjson_doc_free(read_answer(&bench.answer));
    tn_arena_free(&bench.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_by_parameter), cmocka_unit_test(groups_what_lies_in_a_parameter),
        cmocka_unit_test(says_what_applies),   cmocka_unit_test(stays_within_bounds),
        cmocka_unit_test(cuts_long_names),     cmocka_unit_test(is_brief),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
