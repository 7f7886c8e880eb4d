/* cursor_test.c - following cursors, and refusing those of others. */
#include "answer/cursor.h"

#include <stdlib.h>

#include "support/answer.h"
#include "support/fault.h"

#define ITEMS 200

typedef struct {
    int64_t     id;
    const char *name;
} client;

TENON_ROWS(client_rows, client,
    TENON_INT(id,   "Id.", .required = true),
    TENON_STR(name, "Name.", .required = true));

typedef enum { OPEN, CLOSED } status;
static const char *const status_names[] = { "OPEN", "CLOSED" };

typedef struct {
    int64_t low, high;
} span;

TENON_ROWS(span_rows, span,
    TENON_INT(low,  "Low.",  .range = {1, 9}),
    TENON_INT(high, "High.", .range = {1, 9}));

typedef struct {
    const char  *name;
    status       status;
    span         span;
    tenon_cursor cursor;
} search_args;

struct plan {
    const char *name;
    bool        no_position, known, late;
};

static const char *position_of(tenon_call *call, const void *item)
{
    const struct plan *plan = tenon_user(call);

    return plan->no_position ? NULL : tenon_format(call, "id:%d", (int)((const client *)item)->id);
}

/* Items have the ids 1 to ITEMS; a position is the id of the item before. */
static tenon_outcome search(tenon_call *call, const search_args *args)
{
    const struct plan *plan  = tenon_user(call);
    const char        *from  = tenon_cursor_position(call);
    int64_t            first = *from ? atoi(from + 3) + 1 : 1, count = 0;
    client            *items = tenon_alloc(call, ITEMS * sizeof *items);
    tenon_outcome      outcome;

    for (int64_t id = first; items && id <= ITEMS && count < args->cursor.limit; id++)
        items[count++] = (client){ id, plan->name };
    outcome = tenon_ok_items(call, client_rows, items, (size_t)count,
                             plan->known ? ITEMS : TENON_TOTAL_UNKNOWN, first + count <= ITEMS, position_of);
    for (int i = 0; plan->late && i < 40; i++)
        tenon_message(call, "%d: a message that came late", i);
    return outcome;
}

#define SEARCH(fn)                                                                  \
    TENON_TOOL(fn, search_args,                                                     \
        TENON_INFO("Search.", .items = client_rows, .budget = 3000, .hints = 0),    \
        TENON_STR(name, "Name."),                                                   \
        TENON_ENUM(status, status_names, "Status."),                                \
        TENON_OBJECT(span, span_rows, "Span."),                                     \
        TENON_CURSOR(cursor))

SEARCH(search);

static tenon_outcome other(tenon_call *call, const search_args *args)
{
    return search(call, args);
}

SEARCH(other);

struct fixture {
    struct plan     plan;
    struct log_kept log;
    tenon_toolbox  *box;
    tenon_call     *call;
    char            cursor[2000];
};

static int set_up(void **state)
{
    static const unsigned char key[TENON_KEY_LEN] = { 1, 2, 3 };
    struct fixture            *fixture            = calloc(1, sizeof *fixture);

    fixture->plan = (struct plan){ "Ann", false, true, false };
    fixture->box  = tenon_toolbox_new(.user = &fixture->plan, .key = key, .log = keep_log,
                                      .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, search_tool());
    tenon_toolbox_add(fixture->box, other_tool());
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

/* Runs with `json`, in which %s is the cursor that was kept, and keeps the next one. */
static const tenon_answer *step(struct fixture *fixture, const char *tool, const char *json)
{
    char                text[4000];
    const tenon_answer *answer;
    yyjson_doc         *doc;
    const char         *place = strstr(json, "%s");

    if (place)
        snprintf(text, sizeof text, "%.*s%s%s", (int)(place - json), json, fixture->cursor, place + 2);
    else
        snprintf(text, sizeof text, "%s", json);
    answer = run_tool(fixture->call, tool, text);
    doc    = read_answer(answer);
    if (!answer->is_error) {
        const char *next = yyjson_get_str(yyjson_doc_ptr_get(doc, "/data/nextCursor"));

        snprintf(fixture->cursor, sizeof fixture->cursor, "%s", next ? next : "");
    }
    yyjson_doc_free(doc);
    return answer;
}

static void follows(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer  = step(fixture, "search", "{\"limit\":2}");

    assert_at(answer, "/data/items", "[{\"id\":1,\"name\":\"Ann\"},{\"id\":2,\"name\":\"Ann\"}]");
    assert_at(answer, "/data/limit", "2");
    assert_at(answer, "/data/totalItems", "200");
    assert_at(answer, "/data/hasMore", "true");
    assert_at(answer, "/messages", "[]");
    answer = step(fixture, "search", "{\"cursor\":\"%s\",\"limit\":1}");
    assert_at(answer, "/data/items", "[{\"id\":3,\"name\":\"Ann\"}]");
    answer = step(fixture, "search", "{\"cursor\":\"%s\"}");
    assert_at(answer, "/data/items/0/id", "4");
}

/* Every item once, although the budget cuts each answer. */
static void reaches_every_item(void **state)
{
    struct fixture *fixture = *state;
    int64_t         seen    = 0;
    int             answers = 0;

    fixture->plan.name = "a name that is neither short nor long";
    do {
        const tenon_answer *answer = step(fixture, "search",
                                          seen ? "{\"limit\":100,\"cursor\":\"%s\"}" : "{\"limit\":100}");
        yyjson_doc         *doc    = read_answer(answer);
        yyjson_val         *items  = yyjson_doc_ptr_get(doc, "/data/items"), *item;
        size_t              i, max;

        assert_true(answer->len <= 3000);
        yyjson_arr_foreach(items, i, max, item)
            assert_int_equal(yyjson_get_sint(yyjson_obj_get(item, "id")), ++seen);
        if (++answers == 1) {
            assert_int_equal(
                strncmp(yyjson_get_str(yyjson_doc_ptr_get(doc, "/messages/0")), "showing items 1-", 16), 0);
            assert_non_null(strstr(yyjson_get_str(yyjson_doc_ptr_get(doc, "/messages/0")), fixture->cursor));
        }
        yyjson_doc_free(doc);
    } while (*fixture->cursor);
    assert_int_equal(seen, ITEMS);
    assert_true(answers > 3);
}

static void does_not_care_about_form(void **state)
{
    static const struct { const char *json; } same[] = {
        { "{\"cursor\":\"%s\",\"status\":\"closed\",\"name\":\"A\",\"span\":{\"low\":3}}" },
        { "{\"span\":\"{\\\"low\\\":3}\",\"name\":\"A\",\"status\":\" CLOSED\",\"limit\":7,\"cursor\":\"%s\"}" },
        { "\"{\\\"name\\\":\\\"A\\\",\\\"status\\\":\\\"CLOSED\\\",\\\"span\\\":{\\\"low\\\":3},"
          "\\\"cursor\\\":\\\"%s\\\"}\"" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(same); i++) {
        step(fixture, "search", "{\"name\":\"A\",\"status\":\"CLOSED\",\"span\":{\"low\":3},\"limit\":2}");
        assert_at(step(fixture, "search", same[i].json), "/data/items/0/id", "3");
    }
}

static void refuses_what_is_not_its_own(void **state)
{
    static const struct { const char *tool, *json; char change; } cases[] = {
        { "search", "{\"cursor\":\"%s\",\"name\":\"B\"}",                    0   },
        { "search", "{\"cursor\":\"%s\"}",                                   0   },
        { "search", "{\"cursor\":\"%s\",\"name\":\"A\",\"status\":\"OPEN\"}", 0  },
        { "search", "{\"cursor\":\"%s\",\"name\":\"A\",\"span\":{\"low\":1}}", 0 },
        { "other",  "{\"cursor\":\"%s\",\"name\":\"A\"}",                    0   },
        { "search", "{\"cursor\":\"%sA\",\"name\":\"A\"}",                   0   },
        { "search", "{\"cursor\":\"%s==\",\"name\":\"A\"}",                  0   },
        { "search", "{\"cursor\":\"AA%s\",\"name\":\"A\"}",                  0   },
        { "search", "{\"cursor\":\"%s\",\"name\":\"A\"}",                    'x' },
        { "search", "{\"cursor\":\"!\"}",                                    0   },
        { "search", "{\"cursor\":\"AQ\"}",                                   0   },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;

        step(fixture, "search", "{\"name\":\"A\",\"limit\":2}");
        assert_at(step(fixture, "search", "{\"name\":\"A\",\"limit\":2,\"cursor\":\"%s\"}"),
                  "/data/items/0/id", "3");
        if (cases[i].change)
            fixture->cursor[4] = fixture->cursor[4] == cases[i].change ? 'y' : cases[i].change;
        answer = step(fixture, cases[i].tool, cases[i].json);
        assert_at(answer, "/error/details/fieldErrors",
                  "{\"cursor\":[\"cursor does not belong to this query; leave it out to start from the "
                  "beginning\"]}");
        assert_at(answer, "/error/details/issues/0/code", "\"cursor\"");
        assert_at(answer, "/error/details/issues/0/suggestion", "null");
    }
}

/* Another caller's cursor is refused like a made-up one, also when a caller is named like a tool. */
static void binds_to_its_caller(void **state)
{
    static const char *const callers[] = { "", "ann", "bob", "an", "search", "other", "\"", "@" };
    struct fixture          *fixture   = *state;

    for (size_t made = 0; made < COUNT_OF(callers); made++) {
        for (size_t used = 0; used < COUNT_OF(callers); used++) {
            const tenon_answer *answer;

            fixture->call->caller = tn_slice_of(callers[made]);
            step(fixture, "search", "{\"name\":\"A\",\"limit\":2}");
            fixture->call->caller = tn_slice_of(callers[used]);
            answer                = step(fixture, "search", "{\"name\":\"A\",\"limit\":2,\"cursor\":\"%s\"}");
            if (made == used)
                assert_at(answer, "/data/items/0/id", "3");
            else
                assert_at(answer, "/error/details/issues/0/code", "\"cursor\"");
        }
    }
    fixture->call->caller = (struct tn_slice){ NULL, 0 };
}

static tenon_call *call_with_keys(struct fixture *fixture, const unsigned char *key,
                                  const unsigned char *old_key)
{
    tenon_toolbox *box = tenon_toolbox_new(.user = &fixture->plan, .key = key, .old_key = old_key);

    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    tenon_toolbox_add(box, search_tool());
    fixture->box  = box;
    fixture->call = tenon_call_new(box);
    return fixture->call;
}

/* A cursor goes on working while its key is the old one, and no longer. */
static void rotates_keys(void **state)
{
    static const unsigned char a[TENON_KEY_LEN] = { 1 }, b[TENON_KEY_LEN] = { 2 }, c[TENON_KEY_LEN] = { 3 };
    static const struct { const unsigned char *key, *old_key; bool believed; } cases[] = {
        { a, NULL, true  }, { b, a, true  }, { a,    b, true },
        { b, NULL, false }, { c, b, false }, { NULL, a, true },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;

        assert_non_null(call_with_keys(fixture, a, NULL));
        step(fixture, "search", "{\"limit\":2}");
        assert_non_null(call_with_keys(fixture, cases[i].key, cases[i].old_key));
        answer = step(fixture, "search", "{\"cursor\":\"%s\",\"limit\":2}");
        assert_int_equal(answer->is_error, !cases[i].believed);
    }
    /* What is made now is the first key's. */
    assert_non_null(call_with_keys(fixture, b, a));
    step(fixture, "search", "{\"limit\":2}");
    assert_non_null(call_with_keys(fixture, a, NULL));
    assert_true(step(fixture, "search", "{\"cursor\":\"%s\"}")->is_error);
}

/* The first member of an object need not be there for the object to count. */
static void binds_to_what_is_in_objects(void **state)
{
    static const char *const others[] = { "{\"high\":4}", "{\"low\":3,\"high\":3}", "{}", "null" };
    struct fixture          *fixture  = *state;
    char                     json[200];

    for (size_t i = 0; i < COUNT_OF(others); i++) {
        step(fixture, "search", "{\"span\":{\"high\":3},\"limit\":2}");
        assert_at(step(fixture, "search", "{\"cursor\":\"%s\",\"span\":{\"high\":3},\"limit\":2}"),
                  "/data/items/0/id", "3");
        snprintf(json, sizeof json, "{\"cursor\":\"%%s\",\"span\":%s}", others[i]);
        assert_at(step(fixture, "search", json), "/error/details/issues/0/code", "\"cursor\"");
    }
}

/* No cursor, however long, makes more than an issue. */
static void bounds_cursors(void **state)
{
    struct fixture *fixture = *state;
    char            text[9000];
    int             len = snprintf(text, sizeof text, "{\"cursor\":\"");

    memset(text + len, 'A', 8000);
    snprintf(text + len + 8000, sizeof text - (size_t)len - 8000, "\"}");
    assert_string_equal(run_tool(fixture->call, "search", text)->code, TENON_CODE_VALIDATION_ERROR);
}

static void asks_for_positions(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.no_position = true;
    assert_string_equal(run_tool(fixture->call, "search", "{\"limit\":2}")->code, TENON_CODE_INTERNAL_ERROR);
    assert_non_null(strstr(fixture->log.text, "position"));
    assert_non_null(tenon_toolbox_find(fixture->box, "search")->output);
    assert_non_null(strstr(tenon_toolbox_find(fixture->box, "search")->output, "nextCursor"));
}

/* What is said after the list was cut to fit has to fit itself. */
static void bounds_late_messages(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;

    fixture->plan.late = true;
    fixture->plan.name = "a name that is neither short nor long";
    answer             = step(fixture, "search", "{\"limit\":100}");
    assert_false(answer->is_error);
    assert_true(answer->len <= 3000);
    assert_non_null(strstr(answer->json, "more messages are not shown."));
}

static size_t run_everything(size_t refuse_at)
{
    struct tn_fault fault   = { .refuse_at = refuse_at };
    tenon_allocator memory  = tn_fault_allocator(&fault);
    struct fixture  fixture = { .plan = { "a name that is neither short nor long", false, true, false } };

    fixture.box = tenon_toolbox_new(.user = &fixture.plan, .memory = &memory, .log = keep_log,
                                    .log_user = &fixture.log);
    tenon_toolbox_add(fixture.box, search_tool());
    fixture.call = !tenon_toolbox_error(fixture.box) ? tenon_call_new(fixture.box) : NULL;
    for (int i = 0; fixture.call && i < 3; i++) {
        step(&fixture, "search", "{\"limit\":100,\"name\":\"n\",\"span\":{\"low\":1}}");
        step(&fixture, "search", "{\"limit\":100,\"name\":\"n\",\"span\":{\"low\":1},\"cursor\":\"%s\"}");
    }
    tenon_call_free(fixture.call);
    tenon_toolbox_free(fixture.box);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.requests;
}

static void survives_every_refusal(void **state)
{
    size_t most = run_everything(0);

    (void)state;
    for (size_t i = 1; i <= most; i++)
        run_everything(i);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(follows),
        TEST(reaches_every_item),
        TEST(does_not_care_about_form),
        TEST(refuses_what_is_not_its_own),
        TEST(binds_to_its_caller),
        TEST(rotates_keys),
        TEST(binds_to_what_is_in_objects),
        TEST(bounds_cursors),
        TEST(asks_for_positions),
        TEST(bounds_late_messages),
        cmocka_unit_test(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
