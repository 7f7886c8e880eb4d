/* handler_test.c - what a handler learns and says: presence, sources, messages, details, files, cancelling. */
#define _GNU_SOURCE
#include "answer/call.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/answer.h"

typedef struct {
    const char *street;
    int         number;
} address;

TENON_ROWS(address_rows, address,
    TENON_STR(street, "Street."),
    TENON_INT(number, "Number."));

typedef struct {
    const char *path;
    int         limit;
    bool        open;
    address     address;
    TENON_LIST_OF(address) others;
} look_args;

struct plan {
    void (*look)(tenon_call *call, const look_args *args);
    tenon_root *root;
    unsigned    how;
    char        seen[200];
};

static tenon_outcome look(tenon_call *call, const look_args *args)
{
    struct plan  *plan = tenon_user(call);
    tenon_outcome failure;
    int           fd;

    if (plan->look)
        plan->look(call, args);
    if (call->judge.issues.total > 0)
        return tenon_invalid(call);
    if (tenon_is_cancelled(call))
        return tenon_cancelled(call);
    if (!plan->root)
        return tenon_fail(call, TENON_CODE_CONFLICT, "%s", "Both at once. Choose one.");
    if (!tenon_open(call, plan->root, args->path, plan->how, &fd, &failure))
        return failure;
    close(fd);
    return tenon_ok(call);
}

TENON_TOOL(look, look_args,
    TENON_INFO("Look.", .unknown = TENON_UNKNOWN_IGNORE),
    TENON_STR    (path,    "Path."),
    TENON_INT    (limit,   "Limit.", .def = 5),
    TENON_BOOL   (open,    "Open."),
    TENON_OBJECT (address, address_rows, "Address."),
    TENON_OBJECTS(others,  address_rows, "Others."));

struct fixture {
    struct plan     plan;
    struct log_kept log;
    tenon_toolbox  *box;
    tenon_call     *call;
    char            directory[64];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->box = tenon_toolbox_new(.user = &fixture->plan, .log = keep_log, .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, look_tool());
    fixture->call = tenon_call_new(fixture->box);
    *state        = fixture;
    return tenon_toolbox_error(fixture->box) ? -1 : 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_root_free(fixture->plan.root);
    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    free(fixture);
    return 0;
}

static void ask_presence(tenon_call *call, const look_args *args)
{
    struct plan *plan = tenon_user(call);

    snprintf(plan->seen, sizeof plan->seen, "%d%d%d%d %s %s", tenon_presence_of(call, &args->path),
             tenon_presence_of(call, &args->limit), tenon_presence_of(call, &args->open),
             tenon_presence_of(call, &args->address.number),
             tenon_source_name(tenon_source_of(call, &args->limit, false)),
             tenon_source_name(tenon_source_of(call, &args->limit, true)));
}

static void knows_what_was_given(void **state)
{
    static const struct { const char *json, *want; } cases[] = {
        { "{}",                                    "0000 default configuration"  },
        { "{\"limit\":5,\"open\":false}",          "0220 argument argument"      },
        { "{\"limit\":null,\"path\":\" \"}",       "1100 default configuration"  },
        { "{\"limit\":\"none\",\"path\":\"x\"}",   "2100 default configuration"  },
        { "{\"address\":{\"number\":0}}",          "0002 default configuration"  },
        { "{\"address\":{\"street\":\"A\"}}",      "0000 default configuration"  },
    };
    struct fixture *fixture = *state;

    fixture->plan.look = ask_presence;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        run_tool(fixture->call, "look", cases[i].json);
        assert_string_equal(fixture->plan.seen, cases[i].want);
    }
    assert_int_equal(tenon_presence_of(fixture->call, state), TENON_ABSENT);
}

static void complain_below(tenon_call *call, const look_args *args)
{
    tenon_issue_add(call, &args->others.at[1].number, "taken", "this number is taken");
    tenon_issue_suggest(call, &args->limit, "odd", "{no JSON", "limit is odd");
}

static void names_what_is_below(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;

    fixture->plan.look = complain_below;
    answer             = run_tool(fixture->call, "look", "{\"others\":[{},{\"number\":4}]}");
    assert_at(answer, "/error/details/fieldErrors",
              "{\"others\":[\"/others/1/number: this number is taken\"],\"limit\":[\"limit is odd\"]}");
    assert_at(answer, "/error/details/issues/1/suggestion", NULL);
    assert_non_null(strstr(fixture->log.text, "not JSON"));
}

static void echo_all(tenon_call *call, const look_args *args)
{
    static char text[300];

    (void)args;
    memset(text, 'x', sizeof text - 1);
    tenon_message(call, "No '%s'.", tenon_echo(call, "a\nb \xE2\x80\xAE\xFF"));
    tenon_message(call, "Long: %zu", strlen(tenon_echo(call, text)));
    tenon_message(call, "None: '%s%s'", tenon_echo(call, ""), tenon_echo(call, NULL));
}

static void echoes_what_others_wrote(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.look = echo_all;
    assert_at(run_tool(fixture->call, "look", "{}"), "/messages",
              "[\"No 'a\\\\nb \\\\u{202E}\\\\xFF'.\",\"Long: 103\",\"None: ''\"]");
}

static void say_too_much(tenon_call *call, const look_args *args)
{
    static char text[3000];

    (void)args;
    memset(text, 'x', sizeof text - 1);
    tenon_message(call, "%s", "");
    tenon_message(call, "%s\xC3\xA9", text);
    tenon_message(call, "same %d", 1);
    tenon_message(call, "same %d", 1);
    tenon_message(call, "broken \xFF");
    tenon_detail(call, "a", "first");
    tenon_detail(call, "a", "\"second\"");
    tenon_detail(call, "retryable", "no");
    for (int i = 0; i < DETAILS_MAX + 4; i++)
        tenon_detail_int(call, tenon_format(call, "n%d", i), i);
}

static void bounds_what_is_said(void **state)
{
    struct fixture     *fixture = *state;
    const tenon_answer *answer;
    yyjson_doc         *doc;

    fixture->plan.look = say_too_much;
    answer             = run_tool(fixture->call, "look", "{}");
    doc                = read_answer(answer);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")), 4);
    assert_int_equal(yyjson_get_len(yyjson_doc_ptr_get(doc, "/messages/0")), MESSAGE_LEN_MAX);
    assert_int_equal(yyjson_obj_size(yyjson_doc_ptr_get(doc, "/error/details")), DETAILS_MAX);
    yyjson_doc_free(doc);
    assert_at(answer, "/messages/1", "\"same 1\"");
    assert_at(answer, "/messages/2", "\"broken \xEF\xBF\xBD\"");
    assert_at(answer, "/messages/3",
              "\"Some details of the error are left out: there are too many, or they are too long.\"");
    assert_at(answer, "/error/message", "\"Both at once. Choose one.\"");
    assert_at(answer, "/error/details/a", "\"\\\"second\\\"\"");
    assert_at(answer, "/error/details/retryable", NULL);
    assert_non_null(strstr(fixture->log.text, "'retryable'"));
}

static void opens_files(void **state)
{
    static const struct { const char *path; unsigned how; const char *code, *text; } cases[] = {
        { "made",      TENON_WRITE | TENON_CREATE,             NULL,             NULL                          },
        { "made",      TENON_WRITE | TENON_CREATE | TENON_NEW, TENON_CODE_CONFLICT,   "'made' exists already. "     },
        { "made/more", TENON_READ,                             TENON_CODE_NOT_FOUND,  "'made/more' does not exist beneath '" },
        { "missing",   TENON_READ,                             TENON_CODE_NOT_FOUND,  "'missing' does not exist beneath '" },
        { "../made",   TENON_READ,                             TENON_CODE_DENIED,     "'../made' may not be opened: only files beneath '" },
        { "/etc/passwd", TENON_READ,                           TENON_CODE_DENIED,     "'/etc/passwd' may not be opened: only files beneath '" },
    };
    struct fixture *fixture     = *state;
    char            directory[] = "/tmp/tenon-handler-XXXXXX", path[64], json[100];

    assert_non_null(mkdtemp(directory));
    assert_int_equal(tenon_root_new(directory, NULL, &fixture->plan.root), TENON_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;

        fixture->plan.how = cases[i].how;
        snprintf(json, sizeof json, "{\"path\":\"%s\"}", cases[i].path);
        answer = run_tool(fixture->call, "look", json);
        if (!cases[i].code) {
            assert_false(answer->is_error);
            continue;
        }
        assert_string_equal(answer->code, cases[i].code);
        if (!strstr(answer->json, cases[i].text))
            fail_msg("%s", answer->json);
        assert_int_equal(strstr(answer->json, directory) != NULL,
                         strcmp(cases[i].code, TENON_CODE_CONFLICT) != 0);
    }
    snprintf(path, sizeof path, "%s/made", directory);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void parse_some(tenon_call *call, const look_args *args)
{
    static const struct { const char *text; tenon_json_type type; } cases[] = {
        { "{\"a\":[1]}",  TENON_JSON_OBJECT },
        { " [1, 2] ",     TENON_JSON_ARRAY  },
        { "3",            TENON_JSON_INT    },
        { "null",         TENON_JSON_NULL   },
        { "{\"a\":}",     TENON_JSON_NONE   },
        { "",             TENON_JSON_NONE   },
        { "1 2",          TENON_JSON_NONE   },
        { "\"\xff\"",     TENON_JSON_NONE   },
        { "\"\\ud800\"",  TENON_JSON_NONE   },
    };

    (void)args;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(tenon_json_type_of(tenon_json_parse(call, cases[i].text, strlen(cases[i].text))),
                         cases[i].type);
    assert_null(tenon_json_parse(call, NULL, 0));
}

static void parses_text(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.look = parse_some;
    assert_string_equal(run_tool(fixture->call, "look", "{}")->code, TENON_CODE_CONFLICT);
}

typedef struct {
    int64_t     number;
    const char *name;
} numbered;

static void grow_lists(tenon_call *call, const look_args *args)
{
    TENON_LIST_OF(numbered) some = { 0 };
    tenon_strs names             = { 0 };
    tenon_ints numbers           = { 0 };

    (void)args;
    for (int64_t i = 0; i < 100; i++) {
        const char *name = tenon_format(call, "%d", (int)i);

        assert_true(tenon_list_add(call, &some, &((numbered){ i, name })));
        assert_true(tenon_list_add(call, &names, &name));
        assert_true(tenon_list_add(call, &numbers, &i));
    }
    assert_int_equal(some.count + names.count + numbers.count, 300);
    for (int64_t i = 0; i < 100; i++) {
        assert_int_equal(some.at[i].number, i);
        assert_string_equal(some.at[i].name, names.at[i]);
        assert_int_equal(numbers.at[i], i);
    }
}

static void grows_lists(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.look = grow_lists;
    assert_string_equal(run_tool(fixture->call, "look", "{}")->code, TENON_CODE_CONFLICT);
}

static void cancel_itself(tenon_call *call, const look_args *args)
{
    (void)args;
    tenon_call_cancel(call);
}

static void can_be_cancelled(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_cancel(fixture->call); /* between runs it counts for nothing */
    assert_string_equal(run_tool(fixture->call, "look", "{}")->code, TENON_CODE_CONFLICT);
    fixture->plan.look = cancel_itself;
    assert_string_equal(run_tool(fixture->call, "look", "{}")->code, TENON_CODE_CANCELLED);
    assert_at(&fixture->call->answer, "/error/details", "{\"retryable\":true}");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(knows_what_was_given),     TEST(names_what_is_below),
        TEST(bounds_what_is_said),      TEST(opens_files),
        TEST(can_be_cancelled),         TEST(parses_text),
        TEST(echoes_what_others_wrote), TEST(grows_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
