/* server.c - the tool that is measured, and beside it one that waits as long as it is asked to. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "../mcp/search.h"

typedef struct {
    int ms;
} wait_args;

static tenon_outcome wait(tenon_call *call, const wait_args *args)
{
    struct timespec pause = { args->ms / 1000, args->ms % 1000 * 1000000L };

    nanosleep(&pause, NULL);
    tenon_text(call, "%d ms.", args->ms);
    return tenon_ok(call);
}

/* clang-format off */
TENON_TOOL(wait, wait_args,
    TENON_INFO("Wait.", .blocking = true),
    TENON_INT(ms, "How long.", .range = {1, 10000}, .def = 50));
/* clang-format on */

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("bench", "1.0.0");

    tenon_server_add(server, search_tool());
    tenon_server_add(server, wait_tool());
    return tenon_server_main(server, argc, argv);
}
