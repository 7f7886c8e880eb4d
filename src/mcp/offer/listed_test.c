/* listed_test.c - tools in their list: the same text in every era but for what an old one does not know, and written when it is
 * asked for, whatever was refused before. */
#include "mcp/offer/listed.h"

#include "support/fault.h"
#include "support/link.h"

typedef struct {
    int days;
} wait_args;

TENON_ROWS(wait_rows, wait_args, TENON_INT(days, "Days.", .required = true, .range = { 1, 14 }));

static tenon_outcome wait_days(tenon_call *call, const wait_args *args)
{
    return tenon_ok_data(call, wait_rows, args);
}

TENON_TOOL(wait_days, wait_args,
    TENON_INFO("Wait.", .title = "Waiting", .hints = TENON_READ_ONLY, .result = wait_rows),
    TENON_INT(days, "Days.", .required = true, .range = {1, 14}));

#define INPUT                                                                                                          \
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\",\"description\":\"Days.\","           \
    "\"minimum\":1,\"maximum\":14}},\"required\":[\"days\"],\"additionalProperties\":false}"
#define END "\"annotations\":{\"readOnlyHint\":true}}"

static void knows_what_each_era_does(void **state)
{
    static const struct { const char *version; bool old; } cases[] = {
        { "2024-11-05", true }, { "2025-03-26", true }, { "2025-06-18", false }, { "2025-11-25", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_server  *server = tenon_server_new("test", "1");
        struct client *client;

        tenon_server_add(server, wait_days_tool());
        client = client_new(server);
        client_initialize(client, cases[i].version);
        if (cases[i].old)
            client_expect(client, LEGACY, "tools/list", "", "/result/tools/0",
                          "{\"name\":\"wait_days\",\"description\":\"Wait.\"," INPUT "," END);
        else
            client_expect(client, LEGACY, "tools/list", "", "/result/tools/0/title", "\"Waiting\"");
        if (!cases[i].old)
            client_expect(client, LEGACY, "tools/list", "",
                          "/result/tools/0/outputSchema/properties/data/properties/days/maximum", "14");
        client_free(client);
        tenon_server_free(server);
    }
}

/* A list with a refusal fails as a whole, and the next one has all. */
static void survives_every_refusal(void **state)
{
    size_t failures = 0;

    (void)state;
    for (size_t nth = 1, refused = 1; refused; nth++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_server   *server = tenon_server_new("test", "1", .memory = &memory);
        struct client  *client;
        yyjson_doc     *doc;

        tenon_server_add(server, wait_days_tool());
        client          = client_new(server);
        fault.requests  = 0;
        fault.refuse_at = nth;
        doc             = client_ask(client, MODERN, "tools/list", "");
        refused         = fault.refused;
        if (!yyjson_doc_ptr_get(doc, "/result/tools/0/annotations")) {
            assert_true(refused);
            assert_null(yyjson_doc_ptr_get(doc, "/result"));
            failures++;
        }
        yyjson_doc_free(doc);
        fault.refuse_at = 0;
        client_expect(client, MODERN, "tools/list", "", "/result/tools/0/inputSchema/properties/days/maximum",
                      "14");
        client_expect(client, MODERN, "tools/list", "", "/result/tools/0/annotations",
                      "{\"readOnlyHint\":true}");
        client_free(client);
        tenon_server_free(server);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(knows_what_each_era_does),
                                        cmocka_unit_test(survives_every_refusal) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
