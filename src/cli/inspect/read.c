/* read.c - `tenon read TARGET URI`: a resource of a server. */
#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"

static const struct option table[] = { REMOTE_TABLE };

static void print_help(FILE *to)
{
    fputs("Usage: tenon read [OPTION]... TARGET URI\n"
          "       tenon read [OPTION]... URI -- COMMAND [ARGUMENT]...\n\n"
          "Reads a resource of an MCP server; tenon inspect lists them. Text is printed as it is,\n"
          "of other contents type and size. TARGET is an address, a name or a command line.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or the resource cannot be read.\n", to);
}

static enum ending read_resource(struct remote *remote, const char *uri)
{
    tenon_request *request = tenon_client_read(remote->client, uri);
    yyjson_val    *result  = value_of(tenon_client_wait(request));
    tenon_str      text    = tenon_request_text(request);

    if (!result) {
        remote_complain(remote, request, uri);
        return ENDING_UNUSABLE;
    }
    if (remote->raw)
        show_raw(remote->console->out, (struct tn_slice){ text.at, text.len });
    else
        show_contents(remote->console, yyjson_obj_get(result, "contents"));
    return ENDING_GOOD;
}

static enum ending read_run(const struct console *console, int count, char **arguments)
{
    struct remote remote = { .console = console, .command = "read", .help = print_help };
    enum ending   ending = ENDING_UNUSABLE;

    if (remote_read(&remote, table, REMOTE_OPTIONS, count, arguments)) {
        size_t before = remote.word_count ? 0 : 1; /* operands before URI */

        if (remote.told)
            ending = ENDING_GOOD;
        else if (remote.operand_count != before + 1)
            remote_wrong(&remote, before ? "a TARGET and a URI are needed" : "a URI is needed before --");
        else if (remote_open(&remote, before ? remote.operands[0] : NULL))
            ending = read_resource(&remote, remote.operands[before]);
    }
    remote_close(&remote);
    return ending;
}

const struct command command_read = { "read", "read a resource of an MCP server", read_run };
