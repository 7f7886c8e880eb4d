/* adder.c - a server that adds, asks before it deletes, and greets. */
#include "support/adder.h"

#include <tenon/ask.h>
#include <tenon/progress.h>
#include <tenon/resource.h>

typedef struct {
    int a, b;
} add_args;

typedef struct {
    int64_t sum;
} add_result;

TENON_ROWS(add_rows, add_result, TENON_INT(sum, "Their sum."));

static tenon_outcome add(tenon_call *call, const add_args *args)
{
    add_result result = { (int64_t)args->a + args->b };

    tenon_progress(call, 1, 2, "half");
    tenon_log(call, TENON_LEVEL_INFO, "adding");
    if (args->b == 0)
        tenon_message(call, "Nothing was added.");
    return tenon_ok_data(call, add_rows, &result);
}

TENON_TOOL(add, add_args,
    TENON_INFO("Add two numbers.", .result = add_rows),
    TENON_INT(a, "One.", .required = true, .range = {0, 100}),
    TENON_INT(b, "Another.", .range = {0, 100}, .def = 0));

typedef struct {
    bool sure;
} confirm;

TENON_ROWS(confirm_rows, confirm, TENON_BOOL(sure, "Really?", .required = true));

typedef struct {
    const char *table;
} purge_args;

static tenon_outcome purge(tenon_call *call, const purge_args *args)
{
    const confirm *given;

    switch (tenon_elicit(call, "confirm", confirm_rows, &given, "Delete all of %s?", args->table)) {
    case TENON_REPLY_PENDING: return tenon_ask(call);
    case TENON_REPLY_ACCEPTED: break;
    default: return tenon_fail(call, TENON_CODE_DENIED, "The user did not agree.");
    }
    tenon_text(call, given->sure ? "Deleted." : "Kept.");
    return tenon_ok(call);
}

TENON_TOOL(purge, purge_args,
    TENON_INFO("Delete all.", .hints = TENON_DESTRUCTIVE),
    TENON_STR(table, "What.", .required = true));

static tenon_outcome read_motd(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_text(call, "Hello.");
    return tenon_ok(call);
}

tenon_server *adder_server(const tenon_allocator *memory)
{
    tenon_server *server = tenon_server_new("test", "1", .memory = memory, .page = 1);

    tenon_server_add(server, add_tool());
    tenon_server_add(server, purge_tool());
    tenon_server_resource(server, "app://motd", read_motd, .name = "motd");
    return server;
}
