/* call.c - `tenon call TARGET TOOL`: calls a tool of a server and shows its answer. */
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/contract/memory.h"
#include "cli/contract/send.h"
#include "cli/file.h"
#include "cli/listing.h"
#include "cli/remote.h"
#include "cli/remote/notes.h"
#include "cli/remote/wait.h"
#include "cli/show.h"
#include "cli/value.h"

enum { OPTION_ARG = REMOTE_OPTIONS, OPTION_JSON, OPTION_SEND, OPTION_TIMES, OPTIONS };

#define TIMES_MAX 1000000

static const struct option table[] = {
    REMOTE_TABLE,
    [OPTION_ARG]   = { "arg", '\0', "NAME=VALUE",
                       "an argument, as the words after TOOL; for names that begin with a dash" },
    [OPTION_JSON]  = { "json", '\0', "OBJECT", "all arguments as a JSON object; - reads standard input" },
    [OPTION_SEND]  = { "send", '\0', "MESSAGE",
                       "instead of a call, send this as it is and print what comes; - reads standard input" },
    [OPTION_TIMES] = { "times", '\0', "N",
                       "call so often, show the last answer and the memory of a command" },
};

struct call {
    struct remote remote;
    const char   *json, *send;
    long          times;
    size_t        word_count; /* NAME=VALUE, in remote.own */
    const char   *tool;
    yyjson_val   *found;     /* the tool as it is listed */
    const char   *arguments; /* as JSON */
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon call [OPTION]... TARGET TOOL [NAME=VALUE]...\n"
          "       tenon call [OPTION]... TOOL [NAME=VALUE]... -- COMMAND [ARGUMENT]...\n"
          "       tenon call --send MESSAGE [OPTION]... TARGET | -- COMMAND [ARGUMENT]...\n\n"
          "Calls a tool of an MCP server and shows its answer. TARGET is an address, a command\n"
          "line or a name, as in tenon tools. NAME=VALUE is an argument, typed by the tool's schema;\n"
          "NAME:=JSON is taken as it is. When the tool asks for input, the person at the terminal\n"
          "is asked.\n\n",
          to);
    options_help(to, table + REMOTE_OPTIONS, OPTIONS - REMOTE_OPTIONS);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, with 1 when the tool answers an error, with 2 when the call is wrong or the\n"
          "server cannot be used.\n",
          to);
}

static bool set_times(struct call *call, const char *value)
{
    char *end;

    call->times = strtol(value, &end, 10);
    if (end == value || *end || call->times < 1 || call->times > TIMES_MAX)
        return remote_wrong(&call->remote, "--times must be a number from 1 to 1000000");
    return true;
}

static bool call_take_option(void *user, int row, const char *value)
{
    struct call *call = user;

    if (row == OPTION_JSON) {
        if (call->json)
            return remote_wrong(&call->remote, "--json is given twice");
        call->json = value;
        return true;
    }
    if (row == OPTION_SEND) {
        call->send = value;
        return true;
    }
    if (row == OPTION_TIMES)
        return set_times(call, value);
    call->remote.own[call->word_count++] = value;
    return true;
}

static bool check_send(struct call *call)
{
    struct remote *remote = &call->remote;

    if (call->json || call->word_count > 0 || call->times > 0)
        return remote_wrong(
            remote, "--send gives the whole message, so it does not go with --json, --arg and --times");
    if (remote->operand_count != (remote->word_count ? 0u : 1u))
        return remote_wrong(remote, remote->word_count ? "no TOOL is needed with --send"
                                                       : "one TARGET is needed with --send");
    return true;
}

static bool check_call(struct call *call)
{
    struct remote *remote = &call->remote;

    size_t needed = remote->word_count ? 1 : 2; /* operands before the arguments */

    if (call->send)
        return check_send(call);
    if (remote->operand_count < needed)
        return remote_wrong(remote, remote->word_count ? "a TOOL is needed before --"
                                                       : "a TARGET and a TOOL are needed");
    call->tool = remote->operands[needed - 1];
    for (size_t i = needed; i < remote->operand_count; i++) {
        if (!strchr(remote->operands[i], '=')) /* before a server is started in vain */
            return remote_wrong(
                remote, "after TOOL come arguments, NAME=VALUE; a command line is quoted, or goes after --");
        remote->own[call->word_count++] = remote->operands[i];
    }
    if (call->json && call->word_count > 0)
        return remote_wrong(remote, "--json gives all arguments, so no others go with it");
    if (call->json && strcmp(call->json, "-") == 0)
        remote->interactive = false; /* standard input has something else to say */
    return true;
}

/* ---- Before the call ---------------------------------------------------------------------------------------- */

static bool read_json(struct call *call)
{
    struct tn_slice text = tn_slice_of(call->json);
    const char     *why;

    if (strcmp(call->json, "-") == 0) {
        struct file file = file_read(&call->remote.arena, "-");

        if (file.why) {
            console_error(call->remote.console, "<stdin>: %s", file.why);
            return false;
        }
        text = file.text;
    }
    why = arguments_check(&call->remote.arena, text);
    if (why) {
        console_error(call->remote.console, "the object of --json %s", why);
        return false;
    }
    call->arguments = tn_arena_copy(&call->remote.arena, text.at, text.len);
    return call->arguments != NULL;
}

static bool make_arguments(struct call *call)
{
    char why[ARGUMENTS_WHY_MAX];

    if (call->json)
        return true;
    call->arguments = arguments_build(&call->remote.arena, yyjson_obj_get(call->found, "inputSchema"),
                                      call->remote.own, call->word_count, why);
    if (!call->arguments)
        console_error(call->remote.console, "%s", why);
    return call->arguments != NULL;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

static enum ending call_show(struct call *call, const tenon_request *request)
{
    const struct console *console = call->remote.console;
    yyjson_val           *result  = value_of(tenon_request_result(request));
    tenon_str             text    = tenon_request_text(request);

    if (!call->remote.raw)
        return show_result(console, &call->remote.arena, result) ? ENDING_GOOD : ENDING_BAD;
    show_raw(console->out, (struct tn_slice){ text.at, text.len });
    return yyjson_is_true(yyjson_obj_get(result, "isError")) ? ENDING_BAD : ENDING_GOOD;
}

static void call_complain(struct call *call, const tenon_request *request)
{
    const char *asked = call->remote.unanswered;

    if (!asked)
        remote_complain(&call->remote, request, call->tool);
    else
        console_error(call->remote.console, "the tool asks for input%s%s%s", *asked ? ": " : "", asked,
                      call->remote.interactive ? " (which this program cannot give)"
                                               : " (call it on a terminal to answer)");
}

static void take_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)request;
    notes_progress(((const struct call *)user)->remote.console, params);
}

static tenon_request *call_begin(struct call *call)
{
    return tenon_client_call(call->remote.client, call->tool, call->arguments,
                             .progress = call->remote.verbose ? take_progress : NULL, .user = call,
                             .tool = (const tenon_json *)call->found);
}

static enum ending call_end(struct call *call, tenon_request *request)
{
    yyjson_val     *result = wait_for(&call->remote, request);
    struct tn_slice type   = value_text(result, "resultType");

    if (!result && wait_interrupted())
        console_error(call->remote.console, "%s was cancelled", call->tool);
    else if (!result)
        call_complain(call, request);
    else if (type.len == 0 || tn_slice_is(type, "complete"))
        return call_show(call, request);
    else
        console_error(call->remote.console,
                      "the server answered with '%.*s', which this client does not know",
                      (int)(type.len < 100 ? type.len : 100), type.at);
    return ENDING_UNUSABLE;
}

/* All calls but the last, whose answers are not shown. False when one had none. */
static bool call_before(struct call *call)
{
    for (long i = 1; i < call->times; i++) {
        tenon_request *request  = call_begin(call);
        bool           answered = wait_for(&call->remote, request) != NULL;

        if (!answered)
            call_complain(call, request);
        tenon_request_free(request);
        if (!answered)
            return false;
    }
    return true;
}

static enum ending call_tool(struct call *call)
{
    int64_t     before = memory_of_children(), after;
    enum ending ending;

    wait_take_interrupts();
    if (!call_before(call))
        return ENDING_UNUSABLE;
    ending = call_end(call, call_begin(call));
    after  = memory_of_children();
    if (call->times > 0 && before > 0 && after > 0)
        fprintf(call->remote.console->err,
                "note: memory of the server: %lld KiB before, %lld KiB after %ld calls\n",
                (long long)before >> 10, (long long)after >> 10, call->times);
    return ending;
}

static enum ending call_run(const struct console *console, int count, char **arguments)
{
    struct call    call   = { .remote = { .console = console, .command = "call", .help = print_help } };
    struct remote *remote = &call.remote;
    enum ending    ending = ENDING_UNUSABLE;

    remote->option = call_take_option;
    remote->user   = &call;
    if (remote_read(remote, table, OPTIONS, count, arguments)) {
        if (remote->told)
            ending = ENDING_GOOD;
        else if (check_call(&call) && (!call.json || read_json(&call)) &&
                 remote_open(remote, remote->word_count ? NULL : remote->operands[0])) {
            if (call.send)
                ending = send_message(remote, call.send);
            else if ((call.found = listing_find(remote, call.tool)) && make_arguments(&call))
                ending = call_tool(&call);
        }
    }
    remote_close(remote);
    if (wait_interrupted())
        wait_end_interrupted();
    return ending;
}

const struct command command_call = { "call", "call a tool of an MCP server", call_run };
