/* server.c - the server that is measured, over standard streams or HTTP: one tool, or what BENCH_SHAPE asks for. */
#include "search.h"
#include "shape.h"

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("bench", "1.0.0");

    if (!add_shape(server))
        tenon_server_add(server, search_tool());
    return tenon_server_main(server, argc, argv);
}
