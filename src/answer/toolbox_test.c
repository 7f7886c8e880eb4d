/* toolbox_test.c - adding tools: names, mistakes, schemas, and finding one of thousands. */
#include "answer/toolbox.h"

#include <stdlib.h>

#include "support/answer.h"
#include "support/fault.h"

typedef struct {
    int days;
} days_args;

TENON_ROWS(days_rows, days_args,
    TENON_INT(days, "Days.", .required = true, .range = {1, 14}));

TENON_ROWS(broken_rows, days_args,
    TENON_INT(days, "Days.", .range = {1, 14}, .def = 99));

static tenon_outcome wait_days(tenon_call *call, const days_args *args)
{
    return tenon_ok_data(call, days_rows, args);
}

TENON_TOOL(wait_days, days_args,
    TENON_INFO("Wait.", .name = "wait-days", .title = "Waiting", .hints = TENON_READ_ONLY, .result = days_rows),
    TENON_INT(days, "Days.", .required = true, .range = {1, 14}));

static tenon_outcome list_days(tenon_call *call, const tenon_page *page)
{
    return tenon_ok_page(call, page, days_rows, (days_args *)NULL, 0, 0);
}

TENON_TOOL(list_days, tenon_page,
    TENON_INFO("List.", .items = days_rows),
    TENON_INT(page, "Page."),
    TENON_INT(page_size, "Size."));

static tenon_outcome nothing(tenon_call *call)
{
    return tenon_ok(call);
}

TENON_TOOL0(nothing, TENON_INFO("Do nothing."));

static void publishes(void **state)
{
    tenon_toolbox         *box = tenon_toolbox_new();
    const tenon_tool_view *view;

    (void)state;
    assert_int_equal(tenon_toolbox_add(box, wait_days_tool()), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, nothing_tool()), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, list_days_tool()), TENON_OK);
    assert_null(tenon_toolbox_error(box));
    assert_int_equal(tenon_toolbox_count(box), 3);
    assert_null(tenon_toolbox_tool(box, 3));
    assert_null(tenon_toolbox_find(box, "wait_days"));
    view = tenon_toolbox_find(box, "wait-days");
    assert_ptr_equal(view, tenon_toolbox_tool(box, 0));
    assert_string_equal(view->title, "Waiting");
    assert_int_equal(view->hints, TENON_READ_ONLY);
    assert_non_null(strstr(view->input, "\"maximum\":14"));
    assert_string_equal(
        view->output, "{\"type\":\"object\",\"properties\":{\"status\":{\"type\":\"string\",\"enum\":["
                      "\"SUCCESS\",\"ERROR\"]},"
                      "\"error\":{\"type\":[\"object\",\"null\"],\"properties\":{\"code\":{\"type\":"
                      "\"string\"},\"message\":"
                      "{\"type\":\"string\"},\"details\":{\"type\":\"object\"}},\"required\":[\"code\","
                      "\"message\",\"details\"]},"
                      "\"messages\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"data\":{\"type\":["
                      "\"object\",\"null\"],"
                      "\"properties\":{\"days\":{\"type\":\"integer\",\"description\":\"Days.\",\"minimum\":"
                      "1,\"maximum\":14}},"
                      "\"required\":[\"days\"]}},\"required\":[\"status\",\"error\",\"messages\",\"data\"]}");
    for (size_t i = 0; i < 3; i++) {
        const char *texts[] = { tenon_toolbox_tool(box, i)->input, tenon_toolbox_tool(box, i)->portable_input,
                                tenon_toolbox_tool(box, i)->output };

        for (size_t k = 0; k < COUNT_OF(texts); k++) {
            yyjson_doc *doc = yyjson_read(texts[k], strlen(texts[k]), 0);

            assert_non_null(doc);
            yyjson_doc_free(doc);
        }
    }
    assert_non_null(strstr(tenon_toolbox_tool(box, 2)->output, "hasMorePages"));
    tenon_toolbox_free(box);
}

typedef struct {
    const char *region;
} region_args;

static tenon_outcome deploy(tenon_call *call, const region_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(deploy, region_args,
    TENON_INFO("Deploy."),
    TENON_STR(region, "Where.", .header = "Region"));

static tenon_outcome move(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(
    move, TENON_INFO("Move."),
    "{\"type\":\"object\",\"properties\":{\"shard\":{\"type\":\"integer\",\"x-mcp-header\":\"Shard\"}},"
    "\"required\":[\"shard\"],\"additionalProperties\":false}");

static void finds_headers(void **state)
{
    tenon_toolbox        *box = tenon_toolbox_new(), *portable;
    const struct tn_tool *tool;
    tenon_tool            wrong = *move_tool();

    (void)state;
    assert_int_equal(tenon_toolbox_add(box, deploy_tool()), TENON_OK);
    tool = tn_toolbox_lookup(box, "deploy");
    assert_int_equal(tool->header_count, 1);
    assert_true(tn_slice_is(tool->headers[0].header, "Region"));
    assert_true(tn_slice_is(tool->headers[0].pointer, "/region"));
    assert_non_null(strstr(tenon_toolbox_find(box, "deploy")->input, "\"x-mcp-header\":\"Region\""));
    assert_null(strstr(tenon_toolbox_find(box, "deploy")->portable_input, "x-mcp-header"));
    assert_int_equal(tenon_toolbox_add(box, move_tool()), TENON_OK);
    tool = tn_toolbox_lookup(box, "move");
    assert_int_equal(tool->header_count, 1);
    assert_int_equal(tool->headers[0].kind, HEADER_INTEGER);
    assert_null(tenon_toolbox_find(box, "move")->portable_input); /* a document is not rewritten */
    portable = tenon_toolbox_new(.portable = true);
    assert_int_equal(tenon_toolbox_add(portable, deploy_tool()), TENON_OK);
    assert_int_equal(tenon_toolbox_add(portable, move_tool()), TENON_OK);
    assert_int_equal(tn_toolbox_lookup(portable, "deploy")->header_count,
                     0); /* what is not published is not expected */
    assert_int_equal(tn_toolbox_lookup(portable, "move")->header_count, 1);
    tenon_toolbox_free(portable);
    wrong.info.name = "wrong";
    wrong.schema =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}";
    assert_int_equal(tenon_toolbox_add(box, &wrong), TENON_E_DECLARATION);
    assert_string_equal(tenon_toolbox_error(box),
                        "tool 'wrong', input schema: #/properties/a: a header is only for "
                        "the types string, integer and boolean");
    tenon_toolbox_free(box);
}

static void publishes_no_output_when_told(void **state)
{
    tenon_toolbox *box = tenon_toolbox_new(.no_output = true);

    (void)state;
    assert_int_equal(tenon_toolbox_add(box, wait_days_tool()), TENON_OK);
    assert_null(tenon_toolbox_tool(box, 0)->output);
    tenon_toolbox_free(box);
}

static void checks_data_by_its_rows(void **state)
{
    struct log_kept log  = { .count = 0 };
    tenon_toolbox  *box  = tenon_toolbox_new(.log = keep_log, .log_user = &log);
    tenon_call     *call = tenon_call_new(box);

    (void)state;
    tenon_toolbox_add(box, wait_days_tool());
    assert_at(run_tool(call, "wait-days", "{\"days\":4}"), "/data", "{\"days\":4}");
    assert_int_equal(log.count, 0);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

/* Copies of a tool with one thing wrong. */
static void tells_mistakes(void **state)
{
    static const char too_long[] = "a2345678901234567890123456789012345678901234567890123456789012345";
    tenon_tool        wrong[10];
    const char       *wants[10] = {
              "tool 'wait days': a name is 1 to 64 of A-Z, a-z, 0-9, '_', '.' and '-'",
              "a name is 1 to 64",
              "tool 'wait-days': it has no description",
              "tool 'wait-days': it has no handler",
              "tool 'wait_days': it was compiled with headers of another version",
              "tool 'wait-days': its rows were compiled with another version of Tenon's headers",
              "tool 'wait-days': .result and .items exclude each other",
              "tool 'wait-days': .budget is 10, and must be at least 1024",
              "tool 'wait-days', .result: parameter 'days': ",
              "tool 'nothing' was added twice",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        wrong[i] = *wait_days_tool();
    wrong[0].info.name     = "wait days";
    wrong[1].info.name     = too_long;
    wrong[2].info.doc      = " ";
    wrong[3].run           = NULL;
    wrong[4].info_size     = 8;
    wrong[5].rows.row_size = 8;
    wrong[6].info.items    = days_rows;
    wrong[7].info.budget   = 10;
    wrong[8].info.result   = broken_rows;
    wrong[9].info.name     = "nothing";
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        tenon_toolbox *box = tenon_toolbox_new();

        assert_int_equal(tenon_toolbox_add(box, nothing_tool()), TENON_OK);
        assert_int_equal(tenon_toolbox_add(box, &wrong[i]), TENON_E_DECLARATION);
        if (!strstr(tenon_toolbox_error(box), wants[i]))
            fail_msg("%s, wanted %s", tenon_toolbox_error(box), wants[i]);
        assert_int_equal(tenon_toolbox_add(box, NULL), TENON_E_DECLARATION);
        assert_non_null(strstr(tenon_toolbox_error(box), wants[i])); /* the first stays */
        assert_int_equal(tenon_toolbox_count(box), 1);
        tenon_toolbox_free(box);
    }
    assert_int_equal(tenon_toolbox_add(NULL, nothing_tool()), TENON_E_NOMEM);
    assert_string_equal(tenon_toolbox_error(NULL), "out of memory");
    tenon_toolbox_free(NULL);
    tenon_call_free(NULL);
}

static void tells_mistakes_of_options(void **state)
{
    static const tenon_error good[]  = { { "A", "x", false }, { "B_2", "y", true } };
    static const tenon_error twice[] = { { "A", "x", false }, { "A", "y", false } };
    static const tenon_error ours[]  = { { "NOT_FOUND", "x", false } };
    static const tenon_error lower[] = { { "Not_found", "x", false } };
    static const tenon_error empty[] = { { "A", "", false } };
    static const struct { const tenon_error *errors; size_t count, budget; const char *want; } cases[] = {
        { good,  2, 0,    NULL                                             },
        { NULL,  0, 1024, NULL                                             },
        { NULL,  0, 1023, "toolbox: .budget is 1023, and must be at least 1024" },
        { twice, 2, 0,    "error 'A': there are two of that code"          },
        { ours,  1, 0,    "error 'NOT_FOUND': there are two of that code"  },
        { lower, 1, 0,    "error 'Not_found': a code is a capital letter, then up to 63 of A-Z, 0-9 and '_'" },
        { empty, 1, 0,    "error 'A': it has no text"                      },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_toolbox *box = tenon_toolbox_new(.errors = cases[i].errors, .error_count = cases[i].count,
                                               .budget = cases[i].budget);

        if (cases[i].want)
            assert_string_equal(tenon_toolbox_error(box), cases[i].want);
        else
            assert_null(tenon_toolbox_error(box));
        tenon_toolbox_free(box);
    }
}

/* A program that was compiled with fewer options than the library knows. */
static void reads_short_options(void **state)
{
    tenon_toolbox_options options = { .size = offsetof(tenon_toolbox_options, unknown), .budget = 1 };
    tenon_toolbox        *box     = tenon_toolbox_new_(&options);

    (void)state;
    assert_null(tenon_toolbox_error(box));
    assert_int_equal(box->options.budget, TENON_BUDGET);
    tenon_toolbox_free(box);
    box = tenon_toolbox_new_(NULL);
    assert_null(tenon_toolbox_error(box));
    tenon_toolbox_free(box);
}

#define MANY 3000

static void finds_one_of_thousands(void **state)
{
    tenon_toolbox *box   = tenon_toolbox_new();
    tenon_tool    *tools = calloc(MANY, sizeof *tools);
    char(*names)[16]     = calloc(MANY, sizeof *names);

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "tool.%zu", i);
        tools[i]           = *nothing_tool();
        tools[i].info.name = names[i];
        assert_int_equal(tenon_toolbox_add(box, &tools[i]), TENON_OK);
    }
    for (size_t i = 0; i < MANY; i++)
        assert_ptr_equal(tenon_toolbox_find(box, names[i]), tenon_toolbox_tool(box, i));
    assert_null(tenon_toolbox_find(box, "tool.x"));
    tenon_toolbox_free(box);
    free(tools);
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(publishes),
        cmocka_unit_test(finds_headers),
        cmocka_unit_test(publishes_no_output_when_told),
        cmocka_unit_test(checks_data_by_its_rows),
        cmocka_unit_test(tells_mistakes),
        cmocka_unit_test(tells_mistakes_of_options),
        cmocka_unit_test(reads_short_options),
        cmocka_unit_test(finds_one_of_thousands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
