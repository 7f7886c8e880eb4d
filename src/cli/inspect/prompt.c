/* prompt.c - `tenon prompt TARGET NAME`: a prompt of a server, filled in. */
#include "cli/arguments.h"
#include "cli/inspect/messages.h"
#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"

static const struct option table[] = { REMOTE_TABLE };

static void print_help(FILE *to)
{
    fputs("Usage: tenon prompt [OPTION]... TARGET PROMPT [NAME=VALUE]...\n"
          "       tenon prompt [OPTION]... PROMPT [NAME=VALUE]... -- COMMAND [ARGUMENT]...\n\n"
          "Fills in a prompt of an MCP server and prints its messages; tenon inspect lists prompts.\n"
          "TARGET is an address, a name or a command line, as in tenon tools.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or there is no such prompt.\n", to);
}

static enum ending get_prompt(struct remote *remote, const char *name, const char *arguments)
{
    tenon_request *request = tenon_client_prompt(remote->client, name, arguments);
    yyjson_val    *result  = value_of(tenon_client_wait(request));
    tenon_str      text    = tenon_request_text(request);

    if (!result) {
        remote_complain(remote, request, name);
        return ENDING_UNUSABLE;
    }
    if (remote->raw)
        show_raw(remote->console->out, (struct tn_slice){ text.at, text.len });
    else
        messages_show(remote->console, yyjson_obj_get(result, "messages"));
    return ENDING_GOOD;
}

static enum ending fill_in(struct remote *remote)
{
    size_t      before = remote->word_count ? 0 : 1; /* operands before PROMPT */
    char        why[ARGUMENTS_WHY_MAX];
    const char *arguments;

    if (remote->operand_count < before + 1) {
        remote_wrong(remote, before ? "a TARGET and a PROMPT are needed" : "a PROMPT is needed before --");
        return ENDING_UNUSABLE;
    }
    arguments = arguments_build(&remote->arena, NULL, remote->operands + before + 1,
                                remote->operand_count - before - 1, why);
    if (!arguments) {
        console_error(remote->console, "%s", why);
        return ENDING_UNUSABLE;
    }
    return remote_open(remote, before ? remote->operands[0] : NULL)
               ? get_prompt(remote, remote->operands[before], arguments)
               : ENDING_UNUSABLE;
}

static enum ending prompt_run(const struct console *console, int count, char **arguments)
{
    struct remote remote = { .console = console, .command = "prompt", .help = print_help };
    enum ending   ending = ENDING_UNUSABLE;

    if (remote_read(&remote, table, REMOTE_OPTIONS, count, arguments))
        ending = remote.told ? ENDING_GOOD : fill_in(&remote);
    remote_close(&remote);
    return ending;
}

const struct command command_prompt = { "prompt", "fill in a prompt of an MCP server", prompt_run };
