/* written_test.c - data that a handler writes value by value: answered whole, or not at all. */
#include <stdlib.h>

#include "answer/call.h"
#include "support/answer.h"
#include "support/fault.h"

#define LONG ((size_t)1 << 20)

typedef struct {
    int how;
} write_args;

static void write_much(tenon_writer *w)
{
    char *text = calloc(1, LONG);

    memset(text, 'a', LONG - 1);
    tenon_write_array(w, "much");
    for (int i = 0; i < 17; i++)
        tenon_write_str(w, NULL, text);
    tenon_write_end(w);
    free(text);
}

static tenon_outcome compose(tenon_call *call, const write_args *args)
{
    tenon_writer *w = args->how == 1 ? tenon_writer_new(NULL, LONG) : tenon_call_writer(call);
    tenon_outcome outcome;

    if (args->how == 2)
        tenon_write_array(w, NULL);
    else
        tenon_write_object(w, NULL);
    if (args->how == 3)
        tenon_write_null(w, NULL);
    else if (args->how == 4)
        write_much(w);
    else if (args->how != 2)
        tenon_write_str(w, "city", "Oslo");
    if (args->how != 5)
        tenon_write_end(w);
    outcome = tenon_ok_written(call, w);
    tenon_write_null(w, NULL); /* changes nothing of what was made */
    tenon_writer_free(w);
    return outcome;
}

TENON_TOOL(compose, write_args,
    TENON_INFO("Write.", .budget = 100000000),
    TENON_INT(how, "How.", .required = true));

static tenon_outcome judged(tenon_call *call, const write_args *args)
{
    tenon_writer *w = tenon_call_writer(call);

    tenon_write_object(w, NULL);
    tenon_write_int(w, "n", args->how);
    tenon_write_end(w);
    return tenon_ok_written(call, w);
}

TENON_TOOL(judged, write_args,
    TENON_INFO("Write what a schema allows.",
               .result_schema = "{\"type\":\"object\",\"properties\":{\"n\":{\"maximum\":5}}}"),
    TENON_INT(how, "How.", .required = true));

TENON_ROWS(declared_rows, write_args, TENON_INT(how, "How."));

static tenon_outcome declared(tenon_call *call, const write_args *args)
{
    return compose(call, args);
}

TENON_TOOL(declared, write_args,
    TENON_INFO("Write in place of what is declared.", .result = declared_rows),
    TENON_INT(how, "How.", .required = true));

struct fixture {
    struct log_kept log;
    struct tn_fault fault;
    tenon_allocator memory;
    tenon_toolbox  *box;
    tenon_call     *call;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->memory = tn_fault_allocator(&fixture->fault);
    fixture->box = tenon_toolbox_new(.memory = &fixture->memory, .log = keep_log, .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, compose_tool());
    tenon_toolbox_add(fixture->box, judged_tool());
    tenon_toolbox_add(fixture->box, declared_tool());
    assert_null(tenon_toolbox_error(fixture->box));
    fixture->call = tenon_call_new(fixture->box);
    *state        = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    assert_int_equal(fixture->fault.blocks, 0);
    free(fixture);
    return 0;
}

static void answers_what_was_written(void **state)
{
    struct fixture *fixture = *state;

    for (int how = 0; how < 2; how++)
        assert_at(run_tool(fixture->call, "compose", how ? "{\"how\":1}" : "{\"how\":0}"), "/data",
                  "{\"city\":\"Oslo\"}");
    assert_at(run_tool(fixture->call, "judged", "{\"how\":4}"), "/data", "{\"n\":4}");
    assert_int_equal(fixture->log.count, 0);
}

static void a_mistake_is_not_answered(void **state)
{
    static const struct { const char *tool, *args, *code, *logged; } cases[] = {
        { "compose",  "{\"how\":2}", "INTERNAL_ERROR", "it is not an object"                 },
        { "compose",  "{\"how\":3}", "INTERNAL_ERROR", "a value in an object needs a key"    },
        { "compose",  "{\"how\":4}", "LIMIT_EXCEEDED", NULL                                  },
        { "compose",  "{\"how\":5}", "INTERNAL_ERROR", "an object or an array was not ended" },
        { "judged",   "{\"how\":6}", "INTERNAL_ERROR", "n"                                   },
        { "declared", "{\"how\":0}", "INTERNAL_ERROR", "tenon_ok_data"                       },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tenon_answer *answer = run_tool(fixture->call, cases[i].tool, cases[i].args);

        assert_string_equal(answer->code, cases[i].code);
        if (cases[i].logged)
            assert_non_null(strstr(fixture->log.text, cases[i].logged));
    }
}

static void survives_every_refusal(void **state)
{
    struct fixture *fixture = *state;

    for (size_t n = 1;; n++) {
        const tenon_answer *answer;
        bool                refused;

        tenon_call_free(fixture->call);
        fixture->call  = tenon_call_new(fixture->box);
        fixture->fault = (struct tn_fault){ .refuse_at = n,
                                            .blocks    = fixture->fault.blocks,
                                            .bytes     = fixture->fault.bytes };
        answer         = run_tool(fixture->call, "compose", "{\"how\":0}");
        refused        = fixture->fault.refused;

        fixture->fault.refuse_at = 0;
        if (!refused) {
            assert_at(answer, "/data", "{\"city\":\"Oslo\"}");
            return;
        }
        assert_string_equal(answer->code, TENON_CODE_INTERNAL_ERROR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_what_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mistake_is_not_answered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_every_refusal, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
