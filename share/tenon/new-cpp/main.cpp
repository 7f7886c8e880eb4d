// main.cpp - the server: @WHERE@, --help for the rest.
#include "tools.hpp"

int main(int argc, char **argv)
{
    tenon::server server("@NAME@", "0.1.0", tenon::options().instructions("Ask for a city."));

    add_tools(server);
@SERVE@    return server.main(argc, argv);
}
