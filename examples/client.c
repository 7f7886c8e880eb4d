/* client.c - the other side: what a server offers, a call with a question in it, and what is reported meanwhile.
 *
 *     client                       speaks with a server in this program
 *     client COMMAND [WORD]...     with a program that is started
 *     client http://HOST/mcp       with a server at an address
 */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

/* ---- A server, for when no other is named -------------------------------------------------------------------- */

typedef struct {
    bool sure;
} confirm;

TENON_ROWS(confirm_rows, confirm, TENON_BOOL(sure, "Delete them all?", .required = true));

typedef struct {
    const char *box;
} empty_args;

static tenon_outcome empty_box(tenon_call *call, const empty_args *args)
{
    const confirm *given;

    switch (tenon_elicit(call, "sure", confirm_rows, &given, "Empty the box %s?", args->box)) {
    case TENON_REPLY_PENDING: return tenon_ask(call);
    case TENON_REPLY_ACCEPTED: break;
    default: return tenon_fail(call, TENON_CODE_DENIED, "The user did not agree. Nothing was deleted.");
    }
    for (int i = 1; i <= 2; i++)
        tenon_progress(call, i, 2, "half of it");
    tenon_text(call, given->sure ? "12 messages were deleted." : "Nothing was deleted.");
    return tenon_ok(call);
}

TENON_TOOL(empty_box, empty_args,
    TENON_INFO("Delete all messages of a box.", .hints = TENON_DESTRUCTIVE),
    TENON_STR(box, "Its name.", .required = true));

/* ---- The client ---------------------------------------------------------------------------------------------- */

static void answer_question(void *user, tenon_question *question)
{
    tenon_str message = tenon_json_str(tenon_json_get(tenon_question_params(question), "message"));

    (void)user;
    printf("asked: %s\n", message.at);
    if (strcmp(tenon_question_method(question), "elicitation/create") == 0)
        tenon_question_answer(question, "{\"action\": \"accept\", \"content\": {\"sure\": true}}");
    else
        tenon_question_refuse(question, NULL);
}

static void show_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)user, (void)request;
    printf("progress: %g of %g\n", tenon_json_num(tenon_json_get(params, "progress")),
           tenon_json_num(tenon_json_get(params, "total")));
}

static void show_result(void *user, tenon_request *request)
{
    const tenon_json *answer = tenon_json_get(tenon_request_result(request), "structuredContent");
    tenon_str         text   = tenon_json_str(tenon_json_get(tenon_json_get(answer, "data"), "text"));
    tenon_str         error  = tenon_json_str(tenon_json_get(tenon_json_get(answer, "error"), "message"));

    (void)user;
    if (!answer)
        printf("no answer: %s\n", tenon_request_why(request));
    else
        printf("%s: %s\n", error.len ? "refused" : "done", error.len ? error.at : text.at);
}

static int talk(tenon_client *client)
{
    const tenon_json *tools = tenon_json_get(tenon_client_wait(tenon_client_list(client, "tools")), "tools"),
                     *tool;

    if (!tools) {
        printf("%s\n", tenon_client_error(client));
        return 1;
    }
    printf("it speaks %s\n", tenon_client_revision(client));
    for (size_t place = 0; (tool = tenon_json_next(tools, &place, NULL));)
        printf("it has %s\n", tenon_json_str(tenon_json_get(tool, "name")).at);
    tenon_client_call(client, "empty_box", "{\"box\": \"spam\"}", .progress = show_progress,
                      .done = show_result);
    tenon_client_call(client, "empty_box", "{\"bax\": \"spam\"}", .done = show_result);
    tenon_client_run(client); /* both at the same time */
    return 0;
}

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("boxes", "1.0.0");
    tenon_client *client;
    int           code;

    tenon_server_add(server, empty_box_tool());
    if (argc < 2)
        client = tenon_client_memory(server, .ask = answer_question);
    else if (strncmp(argv[1], "http", 4) == 0)
        client = tenon_client_url(argv[1], .ask = answer_question);
    else
        client = tenon_client_command((const char *const *)(argv + 1), .ask = answer_question);
    code = talk(client);
    tenon_client_free(client);
    tenon_server_free(server);
    return code;
}
