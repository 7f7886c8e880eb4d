/* judge.c - the server that tests/auth is run against: a tool for everybody who may call, and one for fewer. */
#include <tenon/tenon.h>

static tenon_outcome look(tenon_call *call)
{
    tenon_text(call, "looked");
    return tenon_ok(call);
}

TENON_TOOL0(look, TENON_INFO("Look.", .hints = TENON_READ_ONLY));

static tenon_outcome change(tenon_call *call)
{
    tenon_text(call, "changed");
    return tenon_ok(call);
}

TENON_TOOL0(change, TENON_INFO("Change.", .hints = 0, .scopes = "notes:write notes:admin"));

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("auth", "1.0.0");

    tenon_server_add(server, look_tool());
    tenon_server_add(server, change_tool());
    return tenon_server_main(server, argc, argv);
}
