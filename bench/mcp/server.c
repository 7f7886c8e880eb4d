/* server.c - the server that is measured: one tool, over standard streams or HTTP. */
#include "search.h"

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("bench", "1.0.0");

    tenon_server_add(server, search_tool());
    return tenon_server_main(server, argc, argv);
}
