/* wire_test.c - what is kept of a call's messages, and what never is. */
#define _GNU_SOURCE
#include "mcp/core.h"
#include "mcp/observe.h"
#include "support/link.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct {
    const char *text, *pin;
} echo_args;

static tenon_outcome echo(tenon_call *call, const echo_args *args)
{
    tenon_text(call, "%s", args->text);
    return tenon_ok(call);
}
TENON_TOOL(echo, echo_args,
    TENON_INFO("Echo."),
    TENON_STR(text, "What.", .len = {0, 100000}),
    TENON_STR(pin,  "Secret.", .secret = true));

struct seen {
    size_t calls;
    bool   there, hidden, withheld, request_cut, answer_cut;
    char   request[CALL_WIRE_MAX + 1], answer[CALL_WIRE_MAX + 1], revision[20];
};

static void copy(char *to, struct tn_slice from)
{
    memcpy(to, from.at, from.len);
    to[from.len] = '\0';
}

static void called(void *user, const struct tn_call_report *report)
{
    struct seen *seen = user;

    *seen = (struct seen){ .calls = seen->calls + 1, .there = report->wire != NULL };
    if (!report->wire)
        return;
    seen->hidden      = report->wire->hidden;
    seen->withheld    = report->wire->withheld;
    seen->request_cut = report->wire->request_cut;
    seen->answer_cut  = report->wire->answer_cut;
    copy(seen->request, report->wire->request);
    copy(seen->answer, report->wire->answer);
    snprintf(seen->revision, sizeof seen->revision, "%s", report->wire->revision);
}

static struct client *begin(tenon_server **server, struct seen *seen)
{
    struct client *client;

    *server = tenon_server_new("test", "1");
    tenon_server_add(*server, echo_tool());
    (*server)->observer = (struct tn_observer){
        .called = called, .user = seen, .arguments = true, .wire = true
    };
    client = client_new(*server);
    client_initialize(client, "2025-06-18");
    return client;
}

#define CALL(arguments, more)                                                                                \
    "{ \"jsonrpc\":\"2.0\",\"id\":7, \"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":" arguments \
    more "}}"

static const struct {
    const char *message, *request; /* NULL: the message, byte for byte */
    bool        withheld;
} cases[] = {
    { CALL("{\"text\":\"Zo\\u00eb\"}", ""), NULL, false },
    { CALL("{\"text\":\"a\"}", ",\"_meta\":{\"progressToken\":\"p\"}"), NULL, false },
    { CALL("{\"text\":\"a\",\"pin\":\"1234\"}", ""),
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
      "{\"text\":\"a\",\"pin\":\"[hidden]\"}}}",
      true },
    { CALL("{\"text\":\"a\",\"access_token\":\"1234\"}", ""),
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
      "{\"text\":\"a\",\"access_token\":\"[hidden]\"}}}",
      true },
    { CALL("{\"text\":\"a\"}", ",\"_meta\":{\"auth\":{\"Authorization\":\"1234\"}}"),
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
      "{\"text\":\"a\"},\"_meta\":\"[hidden]\"}}",
      true },
    { CALL("\"{\\\"pin\\\":\\\"1234\\\"}\"", ""),
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
      "{\"pin\":\"[hidden]\"}}}",
      true },
    { CALL("{\"text\":\"{\\\"x\\\": 1, \\\"password\\\" : \\\"1234\\\"}\"}", ""),
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
      "{\"text\":\"[hidden]\"}}}",
      true },
    { CALL("{\"text\":\"so: \\\"x\\\": 1, \\\"password\\\" : \\\"4\\\"\"}", ""), NULL,
      true }, /* the answer says such a name */
    { CALL("{\"text\":\"the password: is long\"}", ""), NULL, false },
};

static void test_secrets(void **state)
{
    struct seen    seen = { 0 };
    tenon_server  *server;
    struct client *client = begin(&server, &seen);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_link_send(client->link, cases[i].message, strlen(cases[i].message));
        assert_int_equal(seen.calls, i + 1);
        assert_true(seen.there);
        assert_string_equal(seen.request, cases[i].request ? cases[i].request : cases[i].message);
        assert_int_equal(seen.hidden, cases[i].request != NULL);
        assert_int_equal(seen.withheld, cases[i].withheld);
        assert_string_equal(seen.answer, cases[i].withheld ? "" : client->last);
        assert_null(strstr(seen.request, "1234"));
        assert_string_equal(seen.revision, "2025-06-18");
    }
    client_free(client);
    tenon_server_free(server);
}

static void test_long_ones_are_cut_between_characters(void **state)
{
    struct seen    seen = { 0 };
    tenon_server  *server;
    struct client *client = begin(&server, &seen);
    char          *text = malloc(100000), *at = text;

    (void)state;
    at += sprintf(
        at,
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
        "{\"text\":\"");
    for (int i = 0; i < 10000; i++)
        at += sprintf(at, "€");
    at += sprintf(at, "\"}}}");
    tenon_link_send(client->link, text, (size_t)(at - text));
    assert_true(seen.request_cut && seen.answer_cut);
    assert_true(strlen(seen.request) > CALL_WIRE_MAX - 3 && strlen(seen.request) <= CALL_WIRE_MAX);
    assert_memory_equal(seen.request, text, strlen(seen.request));
    assert_string_equal(seen.request + strlen(seen.request) - 3, "€");
    free(text);
    client_free(client);
    tenon_server_free(server);
}

static void test_nothing_is_kept_unasked(void **state)
{
    struct seen    seen = { 0 };
    tenon_server  *server;
    struct client *client = begin(&server, &seen);

    (void)state;
    server->observer.wire = false;
    tenon_link_send(client->link, cases[0].message, strlen(cases[0].message));
    assert_int_equal(seen.calls, 1);
    assert_false(seen.there);
    client_free(client);
    tenon_server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_long_ones_are_cut_between_characters),
        cmocka_unit_test(test_nothing_is_kept_unasked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
