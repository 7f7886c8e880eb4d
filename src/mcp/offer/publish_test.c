/* publish_test.c - what an author wrote over several lines goes out on one. */
#include "mcp/offer/publish.h"

#include "support/link.h"

static tenon_outcome place(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(place, TENON_INFO("Place.", .meta = "{\n  \"a\": \"b\\nc\"\n}"),
                  "{\r\n  \"type\": \"object\",\n  \"properties\": {\"x\": {\"type\": \"string\", "
                  "\"description\": \"a\\nb\"}}\n}");

static void is_on_one_line(void **state)
{
    tenon_server  *server = tenon_server_new("test", "1");
    struct client *client;

    (void)state;
    assert_int_equal(tenon_server_add(server, place_tool()), TENON_OK);
    client = client_new(server);
    client_expect(
        client, MODERN, "tools/list", "", "/result/tools/0/inputSchema",
        "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\",\"description\":\"a\\nb\"}}}");
    client_expect(client, MODERN, "tools/list", "", "/result/tools/0/_meta", "{\"a\":\"b\\nc\"}");
    assert_null(strpbrk(client->last, "\r\n"));
    client_free(client);
    tenon_server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(is_on_one_line) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
