/* ending_test.c - several outcomes in one run: the one that is returned is answered, as it was when it was made. */
#include "answer/call.h"

#include <stdlib.h>

#include "support/answer.h"
#include "support/fault.h"

typedef struct {
    int64_t number;
} thing;

TENON_ROWS(thing_rows, thing, TENON_INT(number, "Its number.", .required = true));

typedef struct {
    int        how;
    tenon_page page;
} end_args;

static tenon_outcome kept; /* of an earlier run, or of another call */

static tenon_outcome after_success(tenon_call *call)
{
    tenon_outcome outcome = tenon_ok_data(call, thing_rows, &(thing){ 1 });

    tenon_ok_data(call, thing_rows, &(thing){ 2 });
    tenon_fail(call, TENON_CODE_TIMEOUT, NULL);
    return outcome;
}

static tenon_outcome after_failure(tenon_call *call)
{
    tenon_outcome outcome;

    tenon_detail_int(call, "a", 1);
    outcome = tenon_fail(call, TENON_CODE_CONFLICT, "first");
    tenon_ok_data(call, thing_rows, &(thing){ 2 });
    tenon_detail_int(call, "a", 2);
    tenon_detail_int(call, "b", 3);
    tenon_fail(call, TENON_CODE_NOT_FOUND, "second");
    tenon_detail_int(call, "c", 4);
    return outcome;
}

static tenon_outcome middle_failure(tenon_call *call)
{
    tenon_outcome outcome;

    tenon_detail_int(call, "a", 1);
    tenon_fail(call, TENON_CODE_CONFLICT, "first");
    tenon_detail_int(call, "a", 2);
    outcome = tenon_fail(call, TENON_CODE_NOT_FOUND, "second");
    tenon_fail(call, TENON_CODE_DENIED, "third");
    tenon_detail_int(call, "a", 3);
    return outcome;
}

static tenon_outcome with_issues(tenon_call *call)
{
    tenon_outcome outcome;

    tenon_issue_add(call, NULL, "one", "one is wrong");
    outcome = tenon_invalid(call);
    tenon_issue_add(call, NULL, "two", "two is wrong");
    tenon_invalid(call);
    return outcome;
}

static tenon_outcome end(tenon_call *call, const end_args *args)
{
    switch (args->how) {
    case 1: return after_success(call);
    case 2: return after_failure(call);
    case 3: return middle_failure(call);
    case 4: return with_issues(call);
    case 5: return kept;
    case 6: return (tenon_outcome){ 0 };
    default: kept = tenon_ok_data(call, thing_rows, &(thing){ 7 }); return kept;
    }
}

TENON_TOOL(end, end_args,
    TENON_INFO("End somehow.", .result = thing_rows),
    TENON_INT(how, "How.", .range = {0, 9}));

/* A page says that it is empty; a failure that is returned instead does not. */
static tenon_outcome list(tenon_call *call, const end_args *args)
{
    tenon_outcome empty;

    if (args->how == 3)
        tenon_message(call, "There are no things in winter.");
    if (args->how == 4)
        tenon_fact(call, "Searched %d shelves", 2);
    assert_int_equal(tenon_elapsed_ms(call), 0); /* it is not blocking: the clock was not read */
    empty = tenon_ok_page(call, &args->page, thing_rows, &(thing){ 0 }, (size_t)0, 0);
    if (args->how == 1)
        return tenon_fail(call, TENON_CODE_UNAVAILABLE, "gone");
    if (args->how == 2)
        tenon_fail(call, TENON_CODE_UNAVAILABLE, "gone");
    return empty;
}

TENON_TOOL(list, end_args,
    TENON_INFO("List things.", .items = thing_rows),
    TENON_INT (how,  "How.", .range = {0, 9}),
    TENON_PAGE(page));

struct fixture {
    struct log_kept log;
    struct tn_fault fault;
    tenon_allocator memory;
    tenon_toolbox  *box;
    tenon_call     *call, *other;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->memory = tn_fault_allocator(&fixture->fault);
    fixture->box = tenon_toolbox_new(.memory = &fixture->memory, .log = keep_log, .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, end_tool());
    tenon_toolbox_add(fixture->box, list_tool());
    assert_null(tenon_toolbox_error(fixture->box));
    fixture->call  = tenon_call_new(fixture->box);
    fixture->other = tenon_call_new(fixture->box);
    *state         = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->call);
    tenon_call_free(fixture->other);
    tenon_toolbox_free(fixture->box);
    assert_int_equal(fixture->fault.blocks, 0);
    free(fixture);
    return 0;
}

static const struct { const char *tool, *args, *code, *pointer, *want; } cases[] = {
    { "end",  "{\"how\":1}", NULL,         "/data",                   "{\"number\":1}" },
    { "end",  "{\"how\":2}", "CONFLICT",   "/error/message",          "\"first\"" },
    { "end",  "{\"how\":2}", "CONFLICT",   "/error/details",          "{\"a\":1}" },
    { "end",  "{\"how\":3}", "NOT_FOUND",  "/error/details",          "{\"a\":2}" },
    { "end",  "{\"how\":4}", "VALIDATION_ERROR", "/error/message",    "\"Validation failed: 1 error\"" },
    { "end",  "{\"how\":4}", "VALIDATION_ERROR", "/error/details/totalErrors", "1" },
    { "end",  "{\"how\":4}", "VALIDATION_ERROR", "/error/details/fieldErrors", "{\"arguments\":[\"one is wrong\"]}" },
    { "end",  "{\"how\":6}", "INTERNAL_ERROR",   "/data",             "null" },
    { "list", "{\"how\":0}", NULL,          "/messages",              "[\"No items match.\"]" },
    { "list", "{\"how\":1}", "UNAVAILABLE", "/messages",              "[]" },
    { "list", "{\"how\":2}", NULL,          "/messages",              "[\"No items match.\"]" },
    { "list", "{\"how\":4}", NULL,          "/messages",              "[\"Searched 2 shelves.\",\"No items match.\"]" },
    { "list", "{\"how\":3}", NULL,          "/messages",              "[\"There are no things in winter.\"]" },
};

static void answers_what_is_returned(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run_tool(fixture->call, cases[i].tool, cases[i].args);

        if (cases[i].code)
            assert_string_equal(answer->code, cases[i].code);
        assert_int_equal(answer->is_error, cases[i].code != NULL);
        assert_at(answer, cases[i].pointer, cases[i].want);
    }
}

static void refuses_outcomes_of_others(void **state)
{
    struct fixture *fixture = *state;

    assert_false(run_tool(fixture->call, "end", "{\"how\":0}")->is_error);
    assert_string_equal(run_tool(fixture->call, "end", "{\"how\":5}")->code, TENON_CODE_INTERNAL_ERROR);
    assert_non_null(strstr(fixture->log.text, "outcome"));
    assert_false(run_tool(fixture->call, "end", "{\"how\":0}")->is_error);
    assert_string_equal(run_tool(fixture->other, "end", "{\"how\":5}")->code, TENON_CODE_INTERNAL_ERROR);
}

static void answers_when_memory_is_refused(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture->fault.refused = true;
        for (size_t nth = 1; fixture->fault.refused; nth++) {
            tenon_call *call = tenon_call_new(fixture->box); /* with nothing kept from before */

            fixture->fault.requests  = 0;
            fixture->fault.refused   = false;
            fixture->fault.refuse_at = nth;
            run_tool(call, cases[i].tool, cases[i].args);
            fixture->fault.refuse_at = 0;
            if (fixture->fault.refused)
                assert_string_equal(call->answer.code, TENON_CODE_INTERNAL_ERROR);
            tenon_call_free(call);
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answers_what_is_returned),
        TEST(refuses_outcomes_of_others),
        TEST(answers_when_memory_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
