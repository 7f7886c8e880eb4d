/* call_test.c - whole calls: what comes back, in steady state and when every allocation is refused in turn. */
#include "answer/call.h"

#include <stdlib.h>

#include "support/answer.h"
#include "support/fault.h"

typedef enum { LOW, MIDDLE, HIGH } level;
static const char *const level_names[] = { "LOW", "MIDDLE", "HIGH" };

typedef struct {
    const char *city, *note, *token;
    int         days;
    level       level;
    tenon_strs  tags;
    tenon_page  page;
} visit_args;

typedef struct {
    const char *name;
    int64_t     age;
} client;

TENON_ROWS(client_rows, client,
    TENON_STR(name, "Name.", .required = true),
    TENON_INT(age,  "Age."));

/* What the handlers below are told to do. */
struct plan {
    int          how;
    tenon_root  *root;
    const char  *seen;
    tenon_source source;
};

static tenon_outcome visit(tenon_call *call, const visit_args *args)
{
    static const char *const names[] = { "a", "b" };
    struct plan             *plan    = tenon_user(call);
    client                  *clients = tenon_alloc(call, 3 * sizeof *clients);
    tenon_outcome            outcome = { 0 };
    int                      fd;

    plan->seen = tenon_format(call, "%s %d", args->city, args->days);
    tenon_message(call, "Visited %s", args->city);
    tenon_text(call, "never shown");
    tenon_detail(call, "city", "%s", args->city);
    tenon_detail_int(call, "days", args->days);
    tenon_detail_strs(call, "names", names, 2);
    for (int i = 0; clients && i < 3; i++)
        clients[i] = (client){ "Ann", i };
    switch (plan->how) {
    case 0: return tenon_ok_page(call, &args->page, client_rows, clients, clients ? (size_t)3 : 0, 3);
    case 1: return tenon_fail(call, "NO_ROOM", NULL);
    case 2:
        tenon_issue_suggest(call, &args->days, "full", " 5 ", "days must be another number than %d",
                            args->days);
        tenon_issue_add(call, NULL, "closed", "the whole city is closed");
        return tenon_invalid(call);
    case 3: tenon_open(call, plan->root, "../etc/passwd", TENON_READ, &fd, &outcome); return outcome;
    case 4: return tenon_internal(call, "password %s", "hunter2");
    default: return outcome;
    }
}

TENON_TOOL(visit, visit_args,
    TENON_INFO("Visit a city.", .items = client_rows),
    TENON_STR  (city,  "A city.", .required = true, .len = {2, 20}),
    TENON_STR  (note,  "A note."),
    TENON_STR  (token, "A token.", .secret = true, .len = {8, 20}),
    TENON_INT  (days,  "Days.", .range = {1, 14}, .def = 3),
    TENON_ENUM (level, level_names, "Level.", .def = LOW, .default_note = "Looking at low levels."),
    TENON_STRS (tags,  "Tags.", .count = {0, 3}),
    TENON_PAGE (page));

static tenon_outcome hello(tenon_call *call)
{
    struct plan *plan = tenon_user(call);

    if (plan->how == 1) {
        tenon_text(call, "one \"quoted\"");
        tenon_text(call, "two");
    }
    if (plan->how == 2) {
        tenon_outcome ok = tenon_ok(call);

        tenon_fail(call, TENON_CODE_TIMEOUT, NULL);
        return ok;
    }
    if (plan->how == 3)
        return tenon_ok_json(call, "{\"a\":[1,2]}", 11);
    if (plan->how == 4)
        return tenon_ok_json(call, "[1]", 3);
    if (plan->how == 5)
        return tenon_fail(call, "UNHEARD_OF", "x");
    if (plan->how == 6)
        return tenon_invalid(call);
    if (plan->how == 7)
        return tenon_fail(call, TENON_CODE_VALIDATION_ERROR, "the %s is wrong", "moon");
    if (plan->how == 8)
        return tenon_fail(call, TENON_CODE_INTERNAL_ERROR, "secret %s", "path");
    if (plan->how == 9)
        for (int i = 0; i < 60; i++)
            tenon_message(call, "message %d", i);
    return tenon_ok(call);
}

TENON_TOOL0(hello, TENON_INFO("Say hello."));

static const tenon_error errors[] = {
    { "NO_ROOM", "No room in {city} for {days} days; ask for one of {names}, or {nothing}.", true },
};

struct fixture {
    struct plan     plan;
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
    fixture->box    = tenon_toolbox_new(.user = &fixture->plan, .memory = &fixture->memory, .errors = errors,
                                        .error_count = COUNT_OF(errors), .log = keep_log,
                                        .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, visit_tool());
    tenon_toolbox_add(fixture->box, hello_tool());
    assert_null(tenon_toolbox_error(fixture->box));
    fixture->call = tenon_call_new(fixture->box);
    *state        = fixture;
    return tenon_root_new("/", NULL, &fixture->plan.root) == TENON_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_root_free(fixture->plan.root);
    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    assert_int_equal(fixture->fault.blocks, 0);
    assert_int_equal(fixture->fault.bytes, 0);
    free(fixture);
    return 0;
}

static void answers_exactly(void **state)
{
    struct fixture *fixture                                    = *state;
    static const struct { int how; const char *want; } cases[] = {
        { 0, "{\"status\":\"SUCCESS\",\"error\":null,\"messages\":[],\"data\":{}}" },
        { 1, "{\"status\":\"SUCCESS\",\"error\":null,\"messages\":[],\"data\":{\"text\":\"one \\\"quoted\\\"\\ntwo\"}}" },
        { 2, "{\"status\":\"SUCCESS\",\"error\":null,\"messages\":[],\"data\":{}}" },
        { 3, "{\"status\":\"SUCCESS\",\"error\":null,\"messages\":[],\"data\":{\"a\":[1,2]}}" },
        { 7, "{\"status\":\"ERROR\",\"error\":{\"code\":\"VALIDATION_ERROR\",\"message\":\"Validation failed: 1 error\","
             "\"details\":{\"fieldErrors\":{\"arguments\":[\"the moon is wrong\"]},\"totalErrors\":1,\"issues\":[{"
             "\"parameter\":\"arguments\",\"code\":\"invalid\",\"message\":\"the moon is wrong\"}]}},\"messages\":[],\"data\":null}" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;

        fixture->plan.how = cases[i].how;
        answer            = run_tool(fixture->call, "hello", "{}");
        assert_string_equal(answer->json, cases[i].want);
        yyjson_doc_free(read_answer(answer));
    }
    assert_int_equal(fixture->log.count, 0);
}

/* Nothing internal is told, and the log has the same reference. */
static void hides_what_is_inside(void **state)
{
    struct fixture *fixture                                      = *state;
    static const struct { int how; const char *logged; } cases[] = {
        { 4, "not a valid JSON object" },
        { 5, "UNHEARD_OF"                },
        { 6, "without an issue"          },
        { 8, "secret path"               },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;
        yyjson_doc         *doc;
        const char         *reference;

        fixture->plan.how = cases[i].how;
        answer            = run_tool(fixture->call, "hello", "{}");
        doc               = read_answer(answer);
        assert_string_equal(answer->code, TENON_CODE_INTERNAL_ERROR);
        reference = yyjson_get_str(yyjson_doc_ptr_get(doc, "/error/details/reference"));
        assert_int_equal(strlen(reference), REFERENCE_LEN);
        assert_non_null(strstr(fixture->log.text, reference));
        assert_non_null(strstr(fixture->log.text, cases[i].logged));
        assert_null(strstr(answer->json, cases[i].logged));
        assert_non_null(strstr(yyjson_get_str(yyjson_doc_ptr_get(doc, "/error/message")), reference));
        assert_int_equal(fixture->log.count, i + 1);
        yyjson_doc_free(doc);
    }
    fixture->plan.how = 4;
    assert_null(strstr(run_tool(fixture->call, "visit", "{\"city\":\"Rome\"}")->json, "hunter2"));
    assert_at(&fixture->call->answer, "/error/details/city", NULL);
    assert_at(&fixture->call->answer, "/messages/1", "\"Visited Rome\"");
}

/* Which default was taken means nothing once the call is refused; what was adjusted is still said. */
static void refused_calls_have_no_notes_of_defaults(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{\"city\":\"Rome\",\"page\":-5}",
          "[\"Invalid page number -5, using page 1\",\"Looking at low levels.\",\"Visited Rome\"]" },
        { "{\"city\":\"\",\"page\":-5}", "[\"Invalid page number -5, using page 1\"]" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_at(run_tool(fixture->call, "visit", cases[i].args), "/messages", cases[i].want);
    fixture->plan.how = 2;
    assert_at(run_tool(fixture->call, "visit", cases[0].args), "/messages",
              "[\"Invalid page number -5, using page 1\",\"Visited Rome\"]");
}

static void refuses_an_outcome_made_by_hand(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.how = 99;
    assert_string_equal(run_tool(fixture->call, "visit", "{\"city\":\"Rome\"}")->code,
                        TENON_CODE_INTERNAL_ERROR);
    assert_non_null(strstr(fixture->log.text, "outcome"));
}

static void fails_by_the_table(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;

    fixture->plan.how = 1;
    answer            = run_tool(fixture->call, "visit", "{\"city\":\"Rome\",\"days\":\"2\"}");
    assert_string_equal(answer->code, "NO_ROOM");
    assert_at(answer, "/error/message", "\"No room in Rome for 2 days; ask for one of a, b, or {nothing}.\"");
    assert_at(answer, "/error/details",
              "{\"city\":\"Rome\",\"days\":2,\"names\":[\"a\",\"b\"],\"retryable\":true}");
    assert_non_null(strstr(fixture->log.text, "{nothing}"));
    assert_int_equal(tenon_call_coerced(fixture->call), 1);

    fixture->plan.how = 3;
    answer            = run_tool(fixture->call, "visit", "{\"city\":\"Rome\"}");
    assert_string_equal(answer->code, TENON_CODE_DENIED);
    assert_at(
        answer, "/error/message",
        "\"'../etc/passwd' may not be opened: only files beneath '/' are allowed. Use a path inside it.\"");
}

static void adds_issues_of_the_handler(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;

    fixture->plan.how = 2;
    answer            = run_tool(fixture->call, "visit", "{\"city\":\"Rome\",\"days\":7}");
    assert_string_equal(answer->code, TENON_CODE_VALIDATION_ERROR);
    assert_at(answer, "/error/message", "\"Validation failed: 2 errors\"");
    assert_at(
        answer, "/error/details/fieldErrors",
        "{\"days\":[\"days must be another number than 7\"],\"arguments\":[\"the whole city is closed\"]}");
    assert_at(answer, "/error/details/issues/0/suggestion", "5");
    assert_at(answer, "/error/details/issues/0/code", "\"full\"");
    assert_at(answer, "/error/details/issues/1",
              "{\"parameter\":\"arguments\",\"code\":\"closed\",\"message\":\"the whole city is closed\"}");
    assert_at(answer, "/messages", "[\"Visited Rome\"]");
}

static void never_echoes_a_secret(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer  = run_tool(fixture->call, "visit",
                                           "{\"city\":\"Rome\",\"token\":\"hunter2\"}");

    assert_null(strstr(answer->json, "hunter2"));
    assert_at(answer, "/error/details/issues/0/received", "\"(a string)\"");
}

static void counts_messages_it_does_not_show(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;
    yyjson_doc         *doc;

    fixture->plan.how = 9;
    answer            = run_tool(fixture->call, "hello", "");
    doc               = read_answer(answer);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")), 51);
    yyjson_doc_free(doc);
    assert_at(answer, "/messages/49", "\"message 49\"");
    assert_at(answer, "/messages/50", "\"10 more messages are not shown.\"");
}

static void knows_no_other_tools(void **state)
{
    struct fixture *fixture = *state;

    assert_null(run_tool(fixture->call, "goodbye", "{}"));
    assert_null(run_tool(fixture->call, "", "{}"));
    assert_null(tenon_call_run(fixture->call, NULL, NULL, 0));
    assert_non_null(tenon_call_run(fixture->call, "hello", NULL, 0));
}

static const char *const valid_json =
    "{\"city\":\"Rome\",\"days\":\"4\",\"level\":\"high\",\"tags\":[\"a\",\"b\"],"
    "\"note\":\"n\",\"token\":\"long enough\",\"page\":1,\"pageSize\":500}";
static const char *const bad_json =
    "{\"cty\":\"Rome\",\"days\":77,\"level\":\"huge\",\"tags\":[\"a\",\"b\",\"c\",\"d\"],"
    "\"note\":5,\"token\":\"short\",\"page\":\"x\"}";

static void allocates_nothing_in_steady_state(void **state)
{
    struct fixture *fixture = *state;
    size_t          before  = 0;

    for (int how = 0; how <= 3; how++) {
        fixture->plan.how = how;
        for (int round = 0; round < 20; round++) {
            if (round == 10)
                before = fixture->fault.requests;
            run_tool(fixture->call, "visit", round % 2 ? valid_json : bad_json);
        }
        assert_int_equal(fixture->fault.requests, before);
    }
}

/* One box, one call and runs of every kind of ending; returns how many allocations were asked for. */
static size_t run_everything(size_t refuse_at)
{
    struct tn_fault fault  = { .refuse_at = refuse_at };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct plan     plan   = { 0 };
    struct log_kept log    = { .count = 0 };
    tenon_toolbox  *box    = tenon_toolbox_new(.user = &plan, .memory = &memory, .errors = errors,
                                               .error_count = COUNT_OF(errors), .log = keep_log,
                                               .log_user = &log);
    tenon_call     *call;

    assert_int_equal(tenon_root_new("/", NULL, &plan.root), TENON_OK);
    tenon_toolbox_add(box, visit_tool());
    tenon_toolbox_add(box, hello_tool());
    call = !tenon_toolbox_error(box) ? tenon_call_new(box) : NULL;
    for (plan.how = 0; call && plan.how < 5; plan.how++) {
        const tenon_answer *answer = run_tool(call, "visit", plan.how == 0 ? bad_json : valid_json);

        yyjson_doc_free(read_answer(answer));
        answer = run_tool(call, "visit", valid_json);
        yyjson_doc_free(read_answer(answer));
    }
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_root_free(plan.root);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.requests;
}

static void survives_every_refusal(void **state)
{
    size_t most = run_everything(0);

    (void)state;
    assert_true(most > 10);
    for (size_t i = 1; i <= most; i++)
        run_everything(i);
}

static void answers_without_memory(void **state)
{
    struct fixture     *fixture = *state;
    tenon_call         *call    = tenon_call_new(fixture->box);
    const tenon_answer *answer;

    fixture->fault.refuse_at   = fixture->fault.requests + 1;
    fixture->fault.refuse_rest = true;
    answer                     = run_tool(call, "visit", valid_json);
    assert_string_equal(answer->code, TENON_CODE_INTERNAL_ERROR);
    yyjson_doc_free(read_answer(answer));
    fixture->fault.refuse_at   = 0;
    fixture->fault.refuse_rest = false;
    assert_false(run_tool(call, "visit", valid_json)->is_error);
    tenon_call_free(call);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answers_exactly),
        TEST(hides_what_is_inside),
        TEST(refused_calls_have_no_notes_of_defaults),
        TEST(refuses_an_outcome_made_by_hand),
        TEST(fails_by_the_table),
        TEST(adds_issues_of_the_handler),
        TEST(never_echoes_a_secret),
        TEST(counts_messages_it_does_not_show),
        TEST(knows_no_other_tools),
        TEST(allocates_nothing_in_steady_state),
        cmocka_unit_test(survives_every_refusal),
        TEST(answers_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
