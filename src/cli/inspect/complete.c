/* complete.c - `tenon complete TARGET PROMPT NAME=TYPED`: what a server suggests for a value that is being typed. */
#include <string.h>

#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"
#include "json/read.h"

static const struct option table[] = { REMOTE_TABLE };

static void print_help(FILE *to)
{
    fputs("Usage: tenon complete [OPTION]... TARGET PROMPT|TEMPLATE NAME=TYPED\n"
          "       tenon complete [OPTION]... PROMPT|TEMPLATE NAME=TYPED -- COMMAND [ARGUMENT]...\n\n"
          "Prints what an MCP server suggests for a parameter of a prompt, or for a variable of a\n"
          "resource template (its URI template), a line each. TARGET is an address, a name or a\n"
          "command line, as in tenon tools.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or the server does not complete.\n", to);
}

static void show_values(const struct console *console, yyjson_val *completion)
{
    yyjson_val *value;
    size_t      index, count;

    yyjson_arr_foreach(yyjson_obj_get(completion, "values"), index, count, value)
    {
        console_text(console->out, tn_json_slice(value));
        fputc('\n', console->out);
    }
    if (yyjson_is_true(yyjson_obj_get(completion, "hasMore")))
        fputs("...\n", console->out);
}

static enum ending ask_server(struct remote *remote, const char *of, const char *given)
{
    size_t         len  = strcspn(given, "=");
    const char    *name = tn_arena_copy(&remote->arena, given, len);
    tenon_request *request;
    yyjson_val    *result;
    tenon_str      text;

    if (!given[len] || len == 0 || !name) {
        remote_wrong(remote, "the value that is being typed must be NAME=TYPED");
        return ENDING_UNUSABLE;
    }
    request = tenon_client_complete(remote->client, of, name, given + len + 1);
    result  = value_of(tenon_client_wait(request));
    text    = tenon_request_text(request);
    if (!result) {
        remote_complain(remote, request, of);
        return ENDING_UNUSABLE;
    }
    if (remote->raw)
        show_raw(remote->console->out, (struct tn_slice){ text.at, text.len });
    else
        show_values(remote->console, yyjson_obj_get(result, "completion"));
    return ENDING_GOOD;
}

static enum ending complete_run(const struct console *console, int count, char **arguments)
{
    struct remote remote = { .console = console, .command = "complete", .help = print_help };
    enum ending   ending = ENDING_UNUSABLE;

    if (remote_read(&remote, table, REMOTE_OPTIONS, count, arguments)) {
        size_t before = remote.word_count ? 0 : 1; /* operands before PROMPT */

        if (remote.told)
            ending = ENDING_GOOD;
        else if (remote.operand_count != before + 2)
            remote_wrong(&remote, before ? "a TARGET, a PROMPT or TEMPLATE, and NAME=TYPED are needed"
                                         : "a PROMPT or TEMPLATE and NAME=TYPED are needed before --");
        else if (remote_open(&remote, before ? remote.operands[0] : NULL))
            ending = ask_server(&remote, remote.operands[before], remote.operands[before + 1]);
    }
    remote_close(&remote);
    return ending;
}

const struct command command_complete = { "complete", "what an MCP server suggests for a value",
                                          complete_run };
