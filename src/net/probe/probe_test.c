/* probe_test.c - the kit for tests, tested: every revision, questions, notifications, differences. */
#include "net/probe/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/adder.h"
#include "support/fault.h"

static const char *const versions[] = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                        "2026-07-28" };

#define EACH_VERSION(v) for (size_t v = 0; v < sizeof versions / sizeof *versions; v++)

static tenon_str text(const tenon_json *object, const char *key)
{
    return tenon_json_str(tenon_json_get(object, key));
}

static void calls_in_every_revision(void **state)
{
    tenon_server *server = adder_server(NULL);
    tenon_probe  *probe  = tenon_probe_new(server);

    (void)state;
    EACH_VERSION(v)
    {
        const tenon_json *answer;

        assert_true(tenon_probe_as(probe, versions[v]));
        answer = tenon_probe_call(probe, "add", "{\"a\": 1, \"b\": 2}");
        assert_non_null(answer);
        assert_string_equal(text(answer, "status").at, "SUCCESS");
        assert_int_equal(tenon_json_int(tenon_json_get(tenon_json_get(answer, "data"), "sum")), 3);
        assert_string_equal(tenon_probe_error(probe), "");
        assert_null(tenon_probe_call(probe, "ad", NULL));
        assert_non_null(strstr(tenon_probe_error(probe), "(-32602)"));
        assert_int_equal(tenon_json_count(tenon_probe_list(probe, "tools")), 2);
        assert_int_equal(tenon_json_count(tenon_probe_list(probe, "resources")), 1);
        assert_int_equal(tenon_json_count(tenon_probe_list(probe, "resources/templates")), 0);
        assert_null(tenon_probe_compare(
            probe, tenon_probe_request(probe, "resources/read", "{\"uri\":\"app://motd\"}"),
            "{\"contents\":[{\"uri\":\"app://motd\",\"text\":\"Hello.\"}]}"));
    }
    assert_false(tenon_probe_as(probe, "1999-01-01"));
    assert_null(tenon_probe_call(probe, "add", NULL));
    assert_string_equal(tenon_probe_error(probe), "the server does not speak 1999-01-01");
    tenon_probe_free(probe);
    tenon_server_free(server);
}

static void says_what_differs(void **state)
{
    static const struct {
        const char *arguments, *expected, *want;
    } cases[] = {
        { "{\"a\":1,\"b\":2}", "{\"data\":{\"sum\":3}}", NULL },
        { "{\"a\":1,\"b\":2}", "{\"data\":{\"sum\":3.0},\"messages\":[]}", NULL },
        { "{\"a\":1,\"b\":2}", "{\"data\":{\"sum\":4}}", "/data/sum: expected 4, got 3" },
        { "{\"a\":1,\"b\":2}", "{\"data\":{\"sum\":\"3\"}}", "/data/sum: expected \"3\", got 3" },
        { "{\"a\":1,\"b\":2}", "{\"data\":{\"x/y\":null}}", "/data/x~1y: expected null, got nothing" },
        { "{\"a\":1,\"b\":2}", "{\"data\":{\"sum\":[3]},\"status\":1}",
          "/data/sum: expected [3], got 3\n/status: expected 1, got \"SUCCESS\"" },
        { "{\"a\":1}", "{\"messages\":[\"Nothing was added.\"]}", NULL },
        { "{\"a\":1}", "{\"messages\":[]}", "/messages: expected 0 items, got 1: [\"Nothing was added.\"]" },
        { "{\"a\":1}", "{\"messages\":[\"x\"]}", "/messages/0: expected \"x\", got \"Nothing was added.\"" },
        { "{\"a\":101}", "{\"error\":{\"code\":\"VALIDATION_ERROR\"}}", NULL },
        { "{\"a\":101,\"c\":1}", "{\"data\":{\"sum\":101}}",
          "/data: expected {\"sum\":101}, got null\nthe answer is an error: Validation failed: 2 errors\n"
          "  a must be between 0 and 100, got 101\n  unknown parameter 'c'. Valid parameters: a, b" },
        { "{\"a\":", "{}", "arguments: no JSON, unexpected end at byte 5: {\"a\":" },
        { "{\"a\":1}", "{", "expected: no JSON, unexpected end at byte 1: {" },
    };
    tenon_server *server = adder_server(NULL);
    tenon_probe  *probe  = tenon_probe_new(server);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *wrong = tenon_probe_expect(probe, "add", cases[i].arguments, cases[i].expected);

        if (!cases[i].want)
            assert_null(wrong);
        else
            assert_string_equal(wrong, cases[i].want);
    }
    assert_string_equal(tenon_probe_expect(NULL, "add", NULL, "{}"), "out of memory");
    tenon_probe_free(probe);
    tenon_server_free(server);
}

static const char *agree(void *user, const char *method, const tenon_json *params)
{
    size_t *asked = user;

    assert_string_equal(method, "elicitation/create");
    assert_string_equal(text(params, "message").at, "Delete all of t?");
    switch ((*asked)++) {
    case 0: return "{\"action\":\"accept\",\"content\":{\"sure\":true}}";
    case 1: return "{\"action\":\"decline\"}";
    default: return NULL;
    }
}

static void answers_questions(void **state)
{
    tenon_server *server = adder_server(NULL);
    tenon_probe  *probe  = tenon_probe_new(server);

    (void)state;
    for (size_t v = 2; v < sizeof versions / sizeof *versions; v++) {
        size_t asked = 0;

        tenon_probe_answers(probe, agree, &asked);
        assert_true(tenon_probe_as(probe, versions[v]));
        assert_null(
            tenon_probe_expect(probe, "purge", "{\"table\":\"t\"}", "{\"data\":{\"text\":\"Deleted.\"}}"));
        assert_null(
            tenon_probe_expect(probe, "purge", "{\"table\":\"t\"}", "{\"error\":{\"code\":\"DENIED\"}}"));
        assert_null(
            tenon_probe_expect(probe, "purge", "{\"table\":\"t\"}", "{\"error\":{\"code\":\"DENIED\"}}"));
        assert_int_equal(asked, 3);
        tenon_probe_answers(probe, NULL, NULL);
        assert_true(tenon_probe_as(probe, versions[v]));
        assert_non_null(tenon_probe_expect(probe, "purge", "{\"table\":\"t\"}", "{\"status\":\"SUCCESS\"}"));
    }
    tenon_probe_free(probe);
    tenon_server_free(server);
}

static void hears_notifications(void **state)
{
    tenon_server *server = adder_server(NULL);
    tenon_probe  *probe  = tenon_probe_new(server);

    (void)state;
    EACH_VERSION(v)
    {
        const tenon_json *note;

        assert_true(tenon_probe_as(probe, versions[v]));
        tenon_probe_clear(probe);
        assert_null(tenon_probe_note(probe, NULL, 0));
        tenon_probe_call(probe, "add", "{\"a\":1}");
        note = tenon_probe_note(probe, "notifications/progress", 0);
        assert_int_equal(tenon_json_int(tenon_json_get(tenon_json_get(note, "params"), "progress")), 1);
        assert_null(tenon_probe_note(probe, "notifications/progress", 1));
        note = tenon_probe_note(probe, "notifications/message", 0);
        assert_string_equal(text(tenon_json_get(note, "params"), "level").at, "info");
        assert_non_null(tenon_probe_note(probe, NULL, 1));
        assert_null(tenon_probe_note(probe, NULL, 2));
    }
    assert_non_null(tenon_probe_send(probe, "{\"jsonrpc\":"));
    assert_null(tenon_probe_send(probe, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}"));
    tenon_probe_free(probe);
    tenon_server_free(server);
}

static void says_the_servers_mistake(void **state)
{
    tenon_server *server = adder_server(NULL);
    tenon_probe  *probe;

    (void)state;
    tenon_server_add(server, add_tool());
    probe = tenon_probe_new(server);
    assert_string_equal(tenon_probe_expect(probe, "add", NULL, "{}"), tenon_server_error(server));
    tenon_probe_free(probe);
    tenon_server_free(server);
}

/* The first refusals are the server's own; of a server that is there, nothing that the probe does may crash or leak. */
static void survives_every_refusal(void **state)
{
    size_t asked = 0;

    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_server   *server = adder_server(&memory);
        tenon_probe    *probe  = server ? tenon_probe_new(server) : NULL;
        const char     *wrong;

        asked = 0;
        tenon_probe_answers(probe, agree, &asked);
        wrong = tenon_probe_expect(probe, "add", "{\"a\":1}", "{\"status\":\"SUCCESS\"}");
        if (!fault.refused)
            assert_null(wrong);
        tenon_probe_expect(probe, "purge", "{\"table\":\"t\"}", "{\"status\":\"SUCCESS\"}");
        tenon_probe_list(probe, "tools");
        tenon_probe_as(probe, "2025-06-18");
        tenon_probe_call(probe, "add", "{\"a\":1}");
        tenon_probe_clear(probe);
        tenon_probe_free(probe);
        tenon_server_free(server);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_in_every_revision),  cmocka_unit_test(says_what_differs),
        cmocka_unit_test(answers_questions),        cmocka_unit_test(hears_notifications),
        cmocka_unit_test(says_the_servers_mistake), cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
