/* page_test.c - answers by page number: what they hold, what they say, and what the budget leaves of them. */
#include "answer/call.h"

#include <stdlib.h>

#include "support/answer.h"

typedef struct {
    const char *name;
} client;

TENON_ROWS(client_rows, client,
    TENON_STR(name, "Name.", .required = true));

typedef struct {
    tenon_page page;
} list_args;

struct plan {
    size_t      count; /* items to give, at most a page */
    int64_t     total;
    const char *name;
};

static tenon_outcome list(tenon_call *call, const list_args *args)
{
    struct plan *plan  = tenon_user(call);
    client      *items = tenon_alloc(call, plan->count * sizeof *items);

    for (size_t i = 0; i < plan->count; i++)
        items[i].name = plan->name;
    return tenon_ok_page(call, &args->page, client_rows, items, plan->count, plan->total);
}

TENON_TOOL(list, list_args,
    TENON_INFO("List clients.", .items = client_rows, .budget = 2000),
    TENON_PAGE(page));

struct fixture {
    struct plan    plan;
    tenon_toolbox *box;
    tenon_call    *call;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->box = tenon_toolbox_new(.user = &fixture->plan);
    tenon_toolbox_add(fixture->box, list_tool());
    fixture->call = tenon_call_new(fixture->box);
    *state        = fixture;
    return tenon_toolbox_error(fixture->box) ? -1 : 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    free(fixture);
    return 0;
}

static void answers_pages(void **state)
{
    struct fixture *fixture = *state;
    static const struct { const char *json; size_t count; int64_t total; const char *messages, *data; } cases[] = {
        { "{}", 2, 2, "[]",
          "{\"items\":[{\"name\":\"Ann\"},{\"name\":\"Ann\"}],\"page\":1,\"pageSize\":50,\"totalItems\":2,"
          "\"hasMorePages\":false}" },
        { "{\"pageSize\":2}", 2, 3, "[]",
          "{\"items\":[{\"name\":\"Ann\"},{\"name\":\"Ann\"}],\"page\":1,\"pageSize\":2,\"totalItems\":3,"
          "\"hasMorePages\":true}" },
        { "{\"pageSize\":1,\"page\":4}", 1, -1, "[]",
          "{\"items\":[{\"name\":\"Ann\"}],\"page\":4,\"pageSize\":1,\"totalItems\":null,\"hasMorePages\":true}" },
        { "{\"pageSize\":2,\"page\":4}", 1, -1, "[]",
          "{\"items\":[{\"name\":\"Ann\"}],\"page\":4,\"pageSize\":2,\"totalItems\":null,\"hasMorePages\":false}" },
        { "{}", 0, 0, "[\"No items match.\"]",
          "{\"items\":[],\"page\":1,\"pageSize\":50,\"totalItems\":0,\"hasMorePages\":false}" },
        { "{\"page\":7}", 0, 120, "[\"Page 7 is past the end: there are 3 pages (120 items).\"]",
          "{\"items\":[],\"page\":7,\"pageSize\":50,\"totalItems\":120,\"hasMorePages\":false}" },
        { "{\"page\":7}", 0, 1, "[\"Page 7 is past the end: there is 1 page (1 item).\"]",
          "{\"items\":[],\"page\":7,\"pageSize\":50,\"totalItems\":1,\"hasMorePages\":false}" },
        { "{\"page\":7}", 0, -1, "[\"Page 7 is past the end.\"]",
          "{\"items\":[],\"page\":7,\"pageSize\":50,\"totalItems\":null,\"hasMorePages\":false}" },
        { "{\"page\":9223372036854775807,\"pageSize\":0}", 0, 10,
          "[\"Invalid pageSize 0, using default 50\",\"Page 9223372036854775807 is past the end: there is 1 page (10 "
          "items).\"]",
          "{\"items\":[],\"page\":9223372036854775807,\"pageSize\":50,\"totalItems\":10,\"hasMorePages\":false}" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;

        fixture->plan = (struct plan){ cases[i].count, cases[i].total, "Ann" };
        answer        = run_tool(fixture->call, "list", cases[i].json);
        assert_at(answer, "/data", cases[i].data);
        assert_at(answer, "/messages", cases[i].messages);
    }
}

static size_t shown_in(const tenon_answer *answer)
{
    yyjson_doc *doc   = read_answer(answer);
    size_t      count = yyjson_arr_size(yyjson_doc_ptr_get(doc, "/data/items"));

    yyjson_doc_free(doc);
    return count;
}

/* Whatever is cut can be reached by doing what the message says. */
static void says_how_to_get_the_rest(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;

    fixture->plan = (struct plan){ 50, 120, "a name of forty bytes, which is not short" };
    answer        = run_tool(fixture->call, "list", "{\"page\":2}");
    assert_true(answer->len <= 2000);
    assert_int_equal(shown_in(answer), 33);
    assert_at(answer, "/messages",
              "[\"items: showing items 51-83 of 120; continue with page 3 and pageSize 33\"]");
    assert_at(answer, "/data/hasMorePages", "true");

    fixture->plan.count = 20;
    answer              = run_tool(fixture->call, "list", "{\"page\":3}");
    assert_int_equal(shown_in(answer), 20);
    assert_at(answer, "/messages", "[]");
    fixture->plan = (struct plan){ 50, TENON_TOTAL_UNKNOWN, "a name of forty bytes, which is not short" };
    answer        = run_tool(fixture->call, "list", "{}");
    assert_at(answer, "/messages", "[\"items: showing items 1-34; continue with page 2 and pageSize 34\"]");
}

static void cuts_a_single_item(void **state)
{
    static char         name[5000];
    struct fixture     *fixture = *state;
    const tenon_answer *answer;

    memset(name, 'n', sizeof name - 1);
    fixture->plan = (struct plan){ 3, 3, name };
    answer        = run_tool(fixture->call, "list", "{}");
    assert_true(answer->len <= 2000);
    assert_int_equal(shown_in(answer), 1);
    assert_at(answer, "/messages/0",
              "\"items: showing items 1-1 of 3; continue with page 2 and pageSize 1\"");
    assert_non_null(strstr(answer->json, "\"/items/0/name: the first 1,"));
    assert_non_null(strstr(answer->json, " of 4,999 characters are shown\""));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answers_pages),
        TEST(says_how_to_get_the_rest),
        TEST(cuts_a_single_item),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
