/* batch_test.c - calls of a batch that run after the batch was read, or find no worker. */
#include "mcp/batch.h"

#include <tenon/ask.h>
#include <tenon/prompt.h>

#include "mcp/core.h"
#include "support/link.h"

typedef struct {
    const char *word;
} wait_args;

static int runs;

static tenon_outcome wait_for(tenon_call *call, const wait_args *args)
{
    runs++;
    tenon_text(call, "waited for %s", args->word);
    return tenon_ok(call);
}
TENON_TOOL(wait_for, wait_args,
    TENON_INFO("Wait.", .blocking = true),
    TENON_STR(word, "For what.", .required = true));

static tenon_outcome count_roots(tenon_call *call)
{
    runs++;
    if (!tenon_list_roots(call, "roots"))
        return tenon_ask(call);
    tenon_text(call, "counted");
    return tenon_ok(call);
}
TENON_TOOL0(count_roots, TENON_INFO("Count roots.", .blocking = true));

static tenon_outcome dictate(tenon_call *call)
{
    tenon_say(call, TENON_ROLE_USER, "Write.");
    return tenon_ok(call);
}
TENON_PROMPT0(dictate, TENON_INFO("Dictate.", .blocking = true, .deadline_ms = 70));

#define QUEUE_MAX 8

struct queue {
    bool                full;
    size_t              count;
    struct tn_exchange *at[QUEUE_MAX];
};

static bool spawn(void *user, struct tn_exchange *exchange)
{
    struct queue *queue = user;

    if (queue->full)
        return false;
    tn_exchange_hold(exchange);
    queue->at[queue->count++] = exchange;
    return true;
}

static const char two_calls[] =
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"wait_for\",\"arguments\":"
    "{\"word\":\"Godot\"}}},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"
    "\"wait_for\",\"arguments\":{\"word\":\"spring\"}}}]";

static struct client *begin(tenon_server **server, struct queue *queue)
{
    struct client *client;

    runs    = 0;
    *server = tenon_server_new("test", "1");
    tenon_server_add(*server, wait_for_tool());
    tenon_server_add(*server, count_roots_tool());
    tenon_server_add_prompt(*server, dictate_tool(), NULL);
    (*server)->host.spawn = spawn;
    (*server)->host.user  = queue;
    client                = client_new(*server);
    client_initialize(client, "2025-03-26");
    client->count = 0;
    return client;
}

/* The text of a batch is gone for whoever sent it, but not for its calls. */
static void test_runs_later(void **state)
{
    struct queue   queue = { 0 };
    tenon_server  *server;
    struct client *client = begin(&server, &queue);
    char          *text   = malloc(sizeof two_calls);

    (void)state;
    memcpy(text, two_calls, sizeof two_calls);
    tenon_link_send(client->link, text, strlen(text));
    free(text);
    client_expect(client, LEGACY, "ping", "", "/result", "{}"); /* takes an exchange that is free again */
    assert_int_equal(queue.count, 2);
    assert_int_equal(runs, 0);
    for (size_t i = queue.count; i-- > 0;) {
        tn_exchange_run(queue.at[i]);
        tn_exchange_release(queue.at[i]);
    }
    assert_int_equal(runs, 2);
    assert_int_equal(client->count, 2); /* the ping's, and the batch's */
    assert_non_null(strstr(client->last, "waited for Godot"));
    assert_non_null(strstr(client->last, "waited for spring"));
    client_free(client);
    tenon_server_free(server);
}

/* Who runs it later knows for how long. */
static void test_deadline(void **state)
{
    static const char get[] =
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":"
        "\"dictate\"}}]";
    struct queue   queue = { 0 };
    tenon_server  *server;
    struct client *client = begin(&server, &queue);

    (void)state;
    tenon_link_send(client->link, get, sizeof get - 1);
    assert_int_equal(queue.count, 1);
    assert_int_equal(tn_exchange_deadline_ms(queue.at[0]), 70);
    assert_true(tn_exchange_overrun(queue.at[0]));
    assert_non_null(strstr(client->last, "deadline"));
    tn_exchange_release(queue.at[0]);
    client_free(client);
    tenon_server_free(server);
}

/* What waits never runs on the thread that reads. */
static void test_no_worker(void **state)
{
    struct queue   queue = { .full = true };
    tenon_server  *server;
    struct client *client = begin(&server, &queue);

    (void)state;
    tenon_link_send(client->link, two_calls, sizeof two_calls - 1);
    assert_int_equal(runs, 0);
    assert_int_equal(client->count, 1);
    assert_non_null(strstr(client->last, "LIMIT_EXCEEDED"));
    client_free(client);
    tenon_server_free(server);
}

/* A response that lets an earlier call continue is not answered: the batch is complete without it. */
static void test_resumes(void **state)
{
    static const char initialize[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-03-26\",\"capabilities\":{\"roots\":{}},\"clientInfo\":{}}}";
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"
                               "\"count_roots\"}}";
    struct queue      queue  = { 0 };
    tenon_server     *server;
    struct client    *client = begin(&server, &queue);
    char              batch[300];

    (void)state;
    tenon_link_send(client->link, initialize, sizeof initialize - 1);
    tenon_link_send(client->link, call, sizeof call - 1); /* a link has no workers: it runs, and asks */
    assert_int_equal(runs, 1);
    assert_non_null(strstr(client->last, "roots/list"));
    client->count = 0;
    snprintf(batch, sizeof batch,
             "[{\"jsonrpc\":\"2.0\",\"id\":\"%s-1\",\"result\":{\"roots\":[]}},"
             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}]",
             server->boot);
    tenon_link_send(client->link, batch, strlen(batch));
    assert_int_equal(client->count, 1);
    assert_non_null(strstr(client->last, "[{\"jsonrpc\":\"2.0\",\"id\":3"));
    assert_int_equal(queue.count, 1);
    tn_exchange_run(queue.at[0]);
    tn_exchange_release(queue.at[0]);
    assert_int_equal(runs, 2);
    assert_non_null(strstr(client->last, "counted"));
    client_free(client);
    tenon_server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_later),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_no_worker),
        cmocka_unit_test(test_resumes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
