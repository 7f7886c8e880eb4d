/* budget_test.c - every answer fits its budget, whatever the data, and every cut is said. */
#include "answer/budget.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "support/answer.h"

#define BUDGET 2000

struct plan {
    char  *json; /* NULL: text */
    char  *text;
    size_t messages;
};

static tenon_outcome give(tenon_call *call)
{
    struct plan *plan = tenon_user(call);

    for (size_t i = 0; i < plan->messages; i++)
        tenon_message(call, "%zu: a message that takes about fifty bytes or so", i);
    if (plan->json)
        return tenon_ok_json(call, plan->json, strlen(plan->json));
    tenon_text(call, "%s", plan->text);
    return tenon_ok(call);
}

TENON_TOOL0(give, TENON_INFO("Give.", .budget = BUDGET));

struct fixture {
    struct plan    plan;
    tenon_toolbox *box;
    tenon_call    *call;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->box = tenon_toolbox_new(.user = &fixture->plan);
    tenon_toolbox_add(fixture->box, give_tool());
    fixture->call = tenon_call_new(fixture->box);
    *state        = fixture;
    return tenon_toolbox_error(fixture->box) ? -1 : 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    free(fixture->plan.json);
    free(fixture->plan.text);
    free(fixture);
    return 0;
}

/* `before`, then `piece` repeated, then `after`. */
static char *repeat(const char *before, const char *piece, size_t count, const char *after)
{
    size_t len  = strlen(before) + strlen(piece) * count + strlen(after) + 1;
    char  *text = malloc(len), *to = text;

    to += sprintf(to, "%s", before);
    for (size_t i = 0; i < count; i++)
        to += sprintf(to, "%s", piece);
    sprintf(to, "%s", after);
    return text;
}

static void cuts_and_says_so(void **state)
{
    static const struct { const char *before, *piece; size_t count; const char *after, *begin, *end; } cases[] = {
        { "{\"a\":1,\"list\":[0", ",{\"x\":\"yyyyyyyyyy\"}", 500, "]}", "list: showing items 1-",
          " of 501; narrow the call or ask for a smaller page" },
        { "{\"deep\":{\"er\":[[0", ",1234567", 800, "]]}}", "/deep/er/0: showing items 1-",
          " of 801; narrow the call or ask for a smaller page" },
        { "{\"s\":\"", "abc\\n", 1000, "\"}", "s: the first 1,", " of 4,000 characters are shown" },
        { "{\"s\":\"", "\xF0\x9F\x98\x80", 2000, "\"}", "s: the first 404", " of 2,000 characters are shown" },
        { "{\"s\":\"", "\\u0001", 2000, "\"}", "s: the first 2", " of 2,000 characters are shown" },
        { "{\"a/b\":{\"c~d\":\"", "x", 5000, "\"}}", "/a~1b/c~0d: the first 1,", " of 5,000 characters are shown" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;
        yyjson_doc         *doc;
        const char         *message;

        fixture->plan.json = repeat(cases[i].before, cases[i].piece, cases[i].count, cases[i].after);
        answer             = run_tool(fixture->call, "give", "{}");
        doc                = read_answer(answer);
        message            = yyjson_get_str(yyjson_doc_ptr_get(doc, "/messages/0"));
        assert_true(answer->len <= BUDGET);
        assert_true(answer->len > BUDGET - 500);
        assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")), 1);
        if (strncmp(message, cases[i].begin, strlen(cases[i].begin)) != 0 || !strstr(message, cases[i].end))
            fail_msg("%s", message);
        assert_true(tn_utf8_valid(answer->json, answer->len));
        yyjson_doc_free(doc);
        free(fixture->plan.json);
        fixture->plan.json = NULL;
    }
}

static void cuts_text(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.text = repeat("", "a line of text ", 400, "");
    assert_true(run_tool(fixture->call, "give", "{}")->len <= BUDGET);
    assert_non_null(strstr(fixture->call->answer.json, "\"text: the first 1,"));
}

/* An item that is itself too long, and then a second text beside it. */
static void cuts_again(void **state)
{
    struct fixture     *fixture = *state;
    char               *inner   = repeat("{\"list\":[{\"a\":\"", "a", 3000, "\",\"b\":\"");
    const tenon_answer *answer;

    fixture->plan.json = repeat(inner, "b", 3000, "\"},1]}");
    answer             = run_tool(fixture->call, "give", "{}");
    assert_true(answer->len <= BUDGET);
    assert_at(answer, "/messages/0",
              "\"list: showing items 1-1 of 2; narrow the call or ask for a smaller page\"");
    assert_non_null(strstr(answer->json, "/list/0/a: the first "));
    assert_non_null(strstr(answer->json, "/list/0/b: the first "));
    free(inner);
}

static void gives_up_on_many_small_members(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;
    size_t              len = 0;

    fixture->plan.json = malloc(100000);
    for (int i = 0; i < 1000; i++)
        len += (size_t)sprintf(fixture->plan.json + len, "%c\"key%d\":%d", i ? ',' : '{', i, i);
    sprintf(fixture->plan.json + len, "}");
    answer = run_tool(fixture->call, "give", "{}");
    assert_string_equal(answer->code, TENON_CODE_LIMIT_EXCEEDED);
    assert_at(answer, "/error/message",
              "\"The answer is longer than 2,000 bytes and cannot be shortened. Narrow the call.\"");
}

/* Messages have their own share. */
static void bounds_messages(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;
    yyjson_doc         *doc;
    yyjson_val         *messages;

    for (size_t count = 0; count < 60; count++) {
        fixture->plan.messages = count;
        fixture->plan.text     = repeat("", "text ", 1000, "");
        answer                 = run_tool(fixture->call, "give", "{}");
        assert_false(answer->is_error);
        assert_true(answer->len <= BUDGET);
        doc      = read_answer(answer);
        messages = yyjson_doc_ptr_get(doc, "/messages");
        if (count > 20)
            assert_non_null(
                strstr(yyjson_get_str(yyjson_arr_get_last(messages)), "more messages are not shown."));
        yyjson_doc_free(doc);
        free(fixture->plan.text);
        fixture->plan.text = NULL;
    }
}

/* ---- Whatever comes ------------------------------------------------------------------------------------- */

struct maker {
    uint32_t seed;
    char    *to, *end;
};

static uint32_t draw(struct maker *maker, uint32_t below)
{
    maker->seed = maker->seed * 1664525u + 1013904223u;
    return (maker->seed >> 8) % below;
}

static void put(struct maker *maker, const char *text)
{
    maker->to += snprintf(maker->to, (size_t)(maker->end - maker->to), "%s", text);
}

/* Some JSON value; `left` bounds how deep it goes. */
static void make_value(struct maker *maker, unsigned left)
{
    static const char *const pieces[] = { "x",    "\\n",       "\\u0007", "\xC3\xA9", "\xF0\x9F\x98\x80",
                                          "\\\"", "long long " };
    uint32_t                 kind     = maker->end - maker->to < 2000 ? 0 : draw(maker, left ? 4 : 2);
    uint32_t                 count    = draw(maker, draw(maker, 8) ? 12 : 120);

    if (kind == 0) {
        put(maker, "12345.25");
    } else if (kind == 1) {
        put(maker, "\"");
        for (uint32_t i = 0; i < count * 4; i++)
            put(maker, pieces[draw(maker, COUNT_OF(pieces))]);
        put(maker, "\"");
    } else {
        put(maker, kind == 2 ? "[" : "{");
        for (uint32_t i = 0; i < count && maker->end - maker->to > 6000; i++) {
            char key[24];

            snprintf(key, sizeof key, "%s\"key %u\":", i ? "," : "", i);
            put(maker, kind == 3 ? key : i ? "," : "");
            make_value(maker, left - 1);
        }
        put(maker, kind == 2 ? "]" : "}");
    }
}

static void fits_whatever_comes(void **state)
{
    struct fixture *fixture = *state;
    size_t          cut = 0, refused = 0;

    fixture->plan.json = malloc(100000);
    for (uint32_t i = 0; i < 1500; i++) {
        struct maker        maker = { i, fixture->plan.json, fixture->plan.json + 60000 };
        const tenon_answer *answer;
        yyjson_doc         *doc;

        put(&maker, "{\"data\":");
        make_value(&maker, 1 + i % 6);
        put(&maker, ",\"more\":");
        make_value(&maker, 1 + i % 3);
        put(&maker, "}");
        fixture->plan.messages = i % 5;
        answer                 = run_tool(fixture->call, "give", "{}");
        doc                    = read_answer(answer);
        assert_true(answer->len <= BUDGET);
        if (answer->is_error) {
            assert_string_equal(answer->code, TENON_CODE_LIMIT_EXCEEDED);
            assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")), i % 5);
        }
        refused += answer->is_error;
        cut += yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")) > i % 5;
        if (yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")) == i % 5 && !answer->is_error)
            assert_non_null(strstr(answer->json, fixture->plan.json)); /* nothing is left out in silence */
        yyjson_doc_free(doc);
    }
    assert_true(cut > 200);
    assert_true(refused < 500);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cuts_and_says_so), TEST(cuts_text),
        TEST(cuts_again),       TEST(gives_up_on_many_small_members),
        TEST(bounds_messages),  TEST(fits_whatever_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
