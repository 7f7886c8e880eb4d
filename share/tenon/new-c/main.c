/* main.c - the server: @WHERE@, --help for the rest. */
#include "tools.h"

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("@NAME@", "0.1.0", .instructions = "Ask for a city.");

    add_tools(server);
@SERVE@    return tenon_server_main(server, argc, argv);
}
