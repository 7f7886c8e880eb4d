/* call.c - `tenon call TARGET TOOL`: calls a tool of a server and shows its answer. */
#include <string.h>

#include "cli/arguments.h"
#include "cli/client/listing.h"
#include "cli/client/mirror.h"
#include "cli/each.h"
#include "cli/file.h"
#include "cli/remote.h"
#include "cli/show.h"
#include "json/read.h"
#include "json/write.h"

#define ROUNDS_MAX  10 /* questions of one call */
#define HEADERS_MAX 32
#define NAMES_MAX   1000

enum { OPTION_ARG = REMOTE_OPTIONS, OPTION_JSON, OPTIONS };

static const struct option table[] = {
    REMOTE_TABLE,
    [OPTION_ARG]  = { "arg", '\0', "NAME=VALUE",
                      "an argument, typed by the tool's schema; NAME:=JSON as it is" },
    [OPTION_JSON] = { "json", '\0', "OBJECT", "all arguments as a JSON object; - reads standard input" },
};

static const struct tn_json_limits limits = { FILE_LEN_MAX, 100, 1000000 };

struct call {
    struct remote remote;
    const char   *json;
    size_t        word_count; /* of --arg, in remote.own */
    const char   *tool;
    yyjson_val   *schema;  /* of its input, once it is found */
    const char   *mistake; /* of its declaration, or NULL */
    bool          found;
    const char  **names; /* of the server's tools, for suggestions */
    size_t        name_count;
    const char   *arguments; /* as JSON */
    struct header headers[HEADERS_MAX];
    size_t        header_count;
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
        remote->client.interactive = false; /* standard input has something else to say */
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
            call->schema  = yyjson_obj_get(tool, "inputSchema");
            call->mistake = listing_mistake(&call->remote.client, tool);
            call->found   = true;
            return false;
        }
        if (call->name_count < NAMES_MAX && name.len > 0 && name.len <= STR_NEAR_MAX)
            call->names[call->name_count++] = name.at;
    }
    return true;
}

static bool find_tool(struct call *call)
{
    const char *near;

    call->names = tn_arena_array(&call->remote.arena, NAMES_MAX, const char *);
    if (!call->names || !listing_visit(&call->remote.client, look_for_tool, call))
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

/* Newlines inside JSON are blanks to it, but the end of a message to a pipe. */
static void call_flatten(struct call *call)
{
    struct tn_json_text read = tn_json_read_literal(&call->remote.arena, call->arguments,
                                                    strlen(call->arguments), &limits);
    struct tn_buf       out;

    tn_buf_init(&out, &call->remote.arena, strlen(call->arguments) + 1, FILE_LEN_MAX);
    tn_json_value(&out, read.root);
    if (tn_buf_end(&out))
        call->arguments = out.at;
}

static bool make_arguments(struct call *call)
{
    struct tn_arena    *arena = &call->remote.arena;
    char                why[ARGUMENTS_WHY_MAX];
    struct tn_json_text read;

    if (!call->json) {
        call->arguments = arguments_build(arena, call->schema, call->remote.own, call->word_count, why);
        if (!call->arguments) {
            console_error(call->remote.console, "%s", why);
            return false;
        }
    }
    if (strpbrk(call->arguments, "\r\n"))
        call_flatten(call);
    read               = tn_json_read(arena, call->arguments, strlen(call->arguments), &limits);
    call->header_count = mirror_params(arena, call->schema, read.root, call->headers, HEADERS_MAX);
    return true;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

/* The answers to all questions of a result, as members of the next call; NULL when one cannot be answered, which was
 * said. */
static const char *answer_all(struct call *call, yyjson_val *result)
{
    struct client *client   = &call->remote.client;
    yyjson_val    *requests = yyjson_obj_get(result, "inputRequests"),
               *state       = yyjson_obj_get(result, "requestState");
    yyjson_val   *key, *request;
    struct tn_buf out;

    tn_buf_init(&out, client->arena, 1024, MESSAGE_LEN_MAX);
    tn_buf_lit(&out, ",\"inputResponses\":{");
    EACH_MEMBER(requests, at, key, request)
    {
        const char *answer = client->answer(client, request);

        if (!answer) {
            struct tn_slice message = value_text(yyjson_obj_get(request, "params"), "message");

            console_error(client->console, "the tool asks for input%s%.*s%s", message.len ? ": " : "",
                          (int)(message.len < 2000 ? message.len : 2000), message.at,
                          client->interactive ? " (which this program cannot give)"
                                              : " (call it on a terminal to answer)");
            return NULL;
        }
        if (at.idx > 1)
            tn_buf_char(&out, ',');
        tn_json_string(&out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(&out, ':');
        tn_buf_text(&out, answer);
    }
    tn_buf_char(&out, '}');
    if (yyjson_is_str(state)) {
        tn_buf_lit(&out, ",\"requestState\":");
        tn_json_value(&out, state);
    }
    return tn_buf_end(&out);
}

static const char *call_members_of(struct call *call, const char *answers)
{
    struct tn_buf out;

    tn_buf_init(&out, &call->remote.arena, 256, FILE_LEN_MAX + MESSAGE_LEN_MAX);
    tn_buf_lit(&out, "\"name\":");
    tn_json_string(&out, call->tool, strlen(call->tool));
    tn_buf_lit(&out, ",\"arguments\":");
    tn_buf_text(&out, call->arguments);
    tn_buf_text(&out, answers);
    return tn_buf_end(&out);
}

static enum ending call_show(struct call *call, const struct reply *reply)
{
    const struct console *console = call->remote.console;

    if (!call->remote.raw)
        return show_result(console, &call->remote.arena, reply->value) ? ENDING_GOOD : ENDING_BAD;
    show_raw(console->out, reply->text);
    return yyjson_is_true(yyjson_obj_get(reply->value, "isError")) ? ENDING_BAD : ENDING_GOOD;
}

static enum ending call_tool(struct call *call)
{
    struct client  *client  = &call->remote.client;
    const char     *answers = "";
    struct tn_slice type;

    for (int i = 0; i < ROUNDS_MAX; i++) {
        struct demand demand = { .method       = "tools/call",
                                 .members      = call_members_of(call, answers),
                                 .name         = call->tool,
                                 .headers      = call->headers,
                                 .header_count = call->header_count,
                                 .progress     = client->verbose };
        struct reply  reply  = { .kind = REPLY_NONE };

        if (demand.members)
            reply = client_request(client, &demand);
        if (reply.kind != REPLY_RESULT) {
            client_complain(client, &reply, call->tool);
            return ENDING_UNUSABLE;
        }
        type = value_text(reply.value, "resultType");
        if (type.len == 0 || tn_slice_is(type, "complete"))
            return call_show(call, &reply);
        if (!tn_slice_is(type, "input_required")) {
            console_error(client->console, "the server answered with '%.*s', which this client does not know",
                          (int)(type.len < 100 ? type.len : 100), type.at);
            return ENDING_UNUSABLE;
        }
        answers = answer_all(call, reply.value);
        if (!answers)
            return ENDING_UNUSABLE;
    }
    console_error(client->console, "the tool asks for input again and again");
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
