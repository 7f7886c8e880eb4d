/* main.c - the server: stdio by default, --http 127.0.0.1:8080 for HTTP, --help for the rest. */
#include "tools.h"

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("@NAME@", "0.1.0", .instructions = "Ask for a city.");

    add_tools(server);
    return tenon_server_main(server, argc, argv);
}
