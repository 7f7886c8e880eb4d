/* call.c - `tenon call TARGET TOOL`: calls a tool of a server and shows its answer. */
#include <string.h>

#include "cli/arguments.h"
#include "cli/file.h"
#include "cli/listing.h"
#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"

#define NAMES_MAX 1000

enum { OPTION_ARG = REMOTE_OPTIONS, OPTION_JSON, OPTIONS };

static const struct option table[] = {
    REMOTE_TABLE,
    [OPTION_ARG]  = { "arg", '\0', "NAME=VALUE",
                      "an argument, typed by the tool's schema; NAME:=JSON as it is" },
    [OPTION_JSON] = { "json", '\0', "OBJECT", "all arguments as a JSON object; - reads standard input" },
};

struct call {
    struct remote remote;
    const char   *json;
    size_t        word_count; /* of --arg, in remote.own */
    const char   *tool;
    yyjson_val   *found;   /* the tool as it is listed, or NULL */
    const char   *mistake; /* of its declaration, or NULL */
    const char  **names;   /* of the server's tools, for suggestions */
    size_t        name_count;
    const char   *arguments; /* as JSON */
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon call [OPTION]... TARGET TOOL\n"
          "       tenon call [OPTION]... TOOL -- COMMAND [ARGUMENT]...\n\n"
          "Calls a tool of an MCP server and shows its answer. TARGET is an address or a command\n"
          "line, as in tenon tools. When the tool asks for input, the person at the\n"
          "terminal is asked.\n\n",
          to);
    options_help(to, table + REMOTE_OPTIONS, OPTIONS - REMOTE_OPTIONS);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, with 1 when the tool answers an error, with 2 when the call is wrong or the\n"
          "server cannot be used.\n",
          to);
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
    call->remote.own[call->word_count++] = value;
    return true;
}

static bool check_call(struct call *call)
{
    struct remote *remote = &call->remote;

    if (call->json && call->word_count > 0)
        return remote_wrong(remote, "--json gives all arguments, so it does not go with --arg");
    if (remote->operand_count != (remote->word_count ? 1u : 2u))
        return remote_wrong(remote, remote->word_count ? "one TOOL is needed before --"
                                                       : "a TARGET and a TOOL are needed");
    call->tool = remote->operands[remote->operand_count - 1];
    if (call->json && strcmp(call->json, "-") == 0)
        remote->interactive = false; /* standard input has something else to say */
    return true;
}

/* ---- Before the call ---------------------------------------------------------------------------------------- */

static bool look_for_tool(void *user, yyjson_val *tools, struct tn_slice text)
{
    struct call *call = user;
    yyjson_val  *tool;
    size_t       index, count;

    (void)text;
    yyjson_arr_foreach(tools, index, count, tool)
    {
        struct tn_slice name = value_text(tool, "name");

        if (tn_slice_is(name, call->tool)) {
            call->mistake = listing_mistake(&call->remote, tool);
            call->found   = tool;
            return false;
        }
        if (call->name_count < NAMES_MAX && name.len > 0 && name.len <= STR_NEAR_MAX) {
            call->names[call->name_count] = tn_arena_copy(&call->remote.arena, name.at, name.len);
            call->name_count += call->names[call->name_count] != NULL;
        }
    }
    return true;
}

static bool find_tool(struct call *call)
{
    const char *near;

    call->names = tn_arena_array(&call->remote.arena, NAMES_MAX, const char *);
    if (!call->names || !listing_visit(&call->remote, look_for_tool, call))
        return false;
    if (call->found && call->mistake)
        console_error(call->remote.console, "the tool '%s' cannot be called: %s", call->tool, call->mistake);
    if (call->found)
        return !call->mistake;
    near = options_nearest(call->tool, strlen(call->tool), call->names, call->name_count);
    console_error(call->remote.console, "the server has no tool '%s'%s%s%s", call->tool,
                  near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    return false;
}

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

/* Progress comes with all other notifications; this only asks for it. */
static void take_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)user, (void)request, (void)params;
}

static enum ending call_tool(struct call *call)
{
    tenon_request    *request = tenon_client_call(call->remote.client, call->tool, call->arguments,
                                                  .progress = call->remote.verbose ? take_progress : NULL,
                                                  .tool     = (const tenon_json *)call->found);
    const tenon_json *result  = tenon_client_wait(request);
    struct tn_slice   type    = value_text(value_of(result), "resultType");

    if (!result)
        call_complain(call, request);
    else if (type.len == 0 || tn_slice_is(type, "complete"))
        return call_show(call, request);
    else
        console_error(call->remote.console,
                      "the server answered with '%.*s', which this client does not know",
                      (int)(type.len < 100 ? type.len : 100), type.at);
    return ENDING_UNUSABLE;
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
                 remote_open(remote, remote->word_count ? NULL : remote->operands[0]) && find_tool(&call) &&
                 make_arguments(&call))
            ending = call_tool(&call);
    }
    remote_close(remote);
    return ending;
}

const struct command command_call = { "call", "call a tool of an MCP server", call_run };
