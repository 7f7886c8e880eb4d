/* input_test.c - questions and answers with a client that does not play by the rules. */
#include "mcp/ask/input.h"

#include <tenon/ask.h>

#include "mcp/receive.h"
#include "support/link.h"

typedef struct {
    const char *name;
} name_form;

TENON_ROWS(name_rows, name_form, TENON_STR(name, "Who.", .required = true));

static int runs;

static tenon_outcome ask_two(tenon_call *call)
{
    const name_form *one = NULL, *two = NULL;
    tenon_reply      first  = tenon_elicit(call, "first", name_rows, &one, "One?");
    tenon_reply      second = tenon_elicit(call, "second", name_rows, &two, "Two?");

    runs++;
    if (first != TENON_REPLY_ACCEPTED || second != TENON_REPLY_ACCEPTED)
        return tenon_ask(call);
    tenon_text(call, "%s and %s", one->name, two->name);
    return tenon_ok(call);
}
TENON_TOOL0(ask_two, TENON_INFO("Ask two questions."));

typedef struct {
    int64_t count;
} counted_args;

static tenon_outcome counted(tenon_call *call, const counted_args *args)
{
    tenon_text(call, "%lld", (long long)args->count);
    return tenon_ok(call);
}
TENON_TOOL(counted, counted_args,
    TENON_INFO("Repeat a number."),
    TENON_INT(count, "A number.", .required = true, .header = "Count"));

static tenon_server *make_server(void)
{
    tenon_server *server = tenon_server_new("test", "1");

    tenon_server_add(server, ask_two_tool());
    tenon_server_add(server, counted_tool());
    runs = 0;
    return server;
}

static void say(struct client *client, const char *text)
{
    tenon_link_send(client->link, text, strlen(text));
}

/* Finding an answer is a walk along all of them: a message full of them must not take minutes. */
static void test_many_answers(void **state)
{
    tenon_server  *server = make_server();
    struct client *client = client_new(server);
    char          *params = malloc(64 + 50000 * 16);
    int            len;

    (void)state;
    client->can = "\"elicitation\":{}";
    for (int count = 256; count <= 50000; count += 49744) {
        len = sprintf(params, "\"name\":\"ask_two\",\"inputResponses\":{");
        for (int i = 0; i < count; i++)
            len += sprintf(params + len, "%s\"k%d\":{}", i > 0 ? "," : "", i);
        sprintf(params + len, "}");
        if (count == 256)
            client_expect(client, MODERN, "tools/call", params, "/result/resultType", "\"input_required\"");
        else
            client_expect(client, MODERN, "tools/call", params, "/error/code", "-32602");
    }
    free(params);
    client_free(client);
    tenon_server_free(server);
}

/* Answers a question; `id` is a format with the server's boot. */
static void say_answer(struct client *client, const tenon_server *server, const char *id, const char *result)
{
    char text[300], whole[100];

    snprintf(whole, sizeof whole, id, server->boot);
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", whole, result);
    say(client, text);
}

/* An answered question has no number any more, 0 is the number of none, and ids are texts. A response is not answered on a
 * link, whatever it answers. */
static void test_wrong_ids(void **state)
{
    static const char *const wrong[] = { "0",
                                         "-1",
                                         "2",
                                         "\"2\"",
                                         "\"%s\"",
                                         "\"%s-\"",
                                         "\"%s-1\"",
                                         "\"%s-0\"",
                                         "\"%s-02\"",
                                         "\"%s-+2\"",
                                         "\"%s-2 \"",
                                         "\"%s-3\"",
                                         "\"%s2\"",
                                         "\"-2\"",
                                         "\"0%s-2\"",
                                         "\"%s-2-2\"",
                                         "\"%s-18446744073709551618\"" };
    tenon_server            *server  = make_server();
    struct client           *client  = client_new(server);

    (void)state;
    say(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                "\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{}}}");
    say_answer(client, server, "\"%s-1\"", "{\"action\":\"accept\",\"content\":{\"name\":\"early\"}}");
    say(client, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask_two\"}}");
    assert_int_equal(runs, 1);
    say_answer(client, server, "\"%s-1\"", "{\"action\":\"accept\",\"content\":{\"name\":\"A\"}}");
    strcpy(client->last, "nothing");
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        say_answer(client, server, wrong[i], "{\"action\":\"cancel\"}");
        assert_int_equal(runs, 1);
        assert_string_equal(client->last, "nothing");
    }
    say_answer(client, server, "\"%s-2\"", "{\"action\":\"accept\",\"content\":{\"name\":\"B\"}}");
    assert_int_equal(runs, 2);
    assert_non_null(strstr(client->last, "A and B"));
    client_free(client);
    tenon_server_free(server);
}

/* Calls that wait keep their messages: there is an end to it, and it comes back. */
static void test_waiting(void **state)
{
    static char    text[4 << 20];
    tenon_server  *server = make_server();
    struct client *client = client_new(server);
    int            len = 0, asked = 0;

    (void)state;
    say(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                "\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{}}}");
    for (int i = 0; i < 20; i++) {
        len = sprintf(text,
                      "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                      "\"ask_two\",\"more\":\"",
                      i);
        memset(text + len, 'x', 4000000);
        strcpy(text + len + 4000000, "\"}}");
        say(client, text);
        asked += strstr(client->last, "elicitation/create") != NULL;
    }
    assert_int_equal(asked, 16);
    assert_non_null(strstr(client->last, "LIMIT_EXCEEDED"));
    assert_true(tn_ledger_sum(server->ledger, HELD_WAITING) > 60000000);
    client_free(client);
    assert_int_equal(tn_ledger_sum(server->ledger, HELD_WAITING), 0);
    tenon_server_free(server);
}

/* ---- Headers -------------------------------------------------------------------------------------------------- */

static char            answered[4096];
static struct tn_slice count_header;

static void port_send(struct tn_port *port, const struct tn_out *out)
{
    (void)port;
    assert_true(out->json.len < sizeof answered);
    memcpy(answered, out->json.at, out->json.len);
    answered[out->json.len] = '\0';
}

static void port_keep(struct tn_port *port)
{
    (void)port;
}

static bool find_header(const void *user, struct tn_slice name, struct tn_slice *value)
{
    (void)user;
    (void)name;
    *value = count_header;
    return true;
}

/* What was sent is compared with the argument as a number of 300 digits, and differs. */
static void test_long_number(void **state)
{
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
        "call\",\"params\":{\"name\":\"counted\",\"arguments\":"
        "{\"count\":1e300},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    tenon_server        *server = make_server();
    struct tn_port       port   = { port_send, port_keep, port_keep, NULL };
    struct tn_http_facts facts  = { .version = SLICE_LIT("2026-07-28"),
                                    .method  = SLICE_LIT("tools/call"),
                                    .name    = SLICE_LIT("counted"),
                                    .header  = find_header };
    struct tn_message_in in     = { .bytes = { body, sizeof body - 1 }, .http = &facts, .port = &port };
    struct tn_exchange  *x      = NULL;
    char                 digits[400];

    (void)state;
    count_header = (struct tn_slice){ digits, (size_t)snprintf(digits, sizeof digits, "%.0f", 1e300) };
    assert_int_equal(tn_mcp_prepare(server), TENON_OK);
    assert_int_equal(tn_mcp_receive(server, &in, &x), RECEIVED_ANSWERED);
    assert_non_null(strstr(answered, "-32020"));
    tenon_server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_answers),
        cmocka_unit_test(test_wrong_ids),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_long_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
