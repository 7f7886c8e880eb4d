/* input.c - tools that need something of the client before they can answer: a form, its model, its roots.
 *
 * Each handler is written as if the answers were there. It runs again when they are; what it keeps in between travels
 * through the client, sealed.
 */
#include "conformance.h"

#include <string.h>

/* ---- One question -------------------------------------------------------------------------------------------- */

static tenon_outcome greet_user(tenon_call *call)
{
    const name_form *user  = NULL;
    tenon_reply      reply = tenon_elicit(call, "user_name", name_form_rows, &user, "What is your name?");

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    tenon_text(call, "Hello, %s!", user->name);
    return tenon_ok(call);
}
TENON_TOOL0(greet_user,
            TENON_INFO("Ask for a name and greet.", .name = "test_input_required_result_elicitation"));

static tenon_outcome test_streaming_elicitation(tenon_call *call)
{
    tenon_progress(call, 1, 2, "about to ask");
    return greet_user(call);
}
TENON_TOOL0(test_streaming_elicitation, TENON_INFO("Report progress, ask for a name and greet."));

#define CAPITAL_QUESTION                                                                                    \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","                                     \
    "\"text\":\"What is the capital of France?\"}}],\"maxTokens\":100}"

static tenon_outcome ask_model(tenon_call *call)
{
    const tenon_json *result = tenon_sample(call, "capital_question", CAPITAL_QUESTION);

    if (!result)
        return tenon_ask(call);

    tenon_str text = sampled_text(result);
    tenon_text(call, "LLM response: %.*s", (int)text.len, text.at);
    return tenon_ok(call);
}
TENON_TOOL0(ask_model, TENON_INFO("Ask the client's model.", .name = "test_input_required_result_sampling"));

static tenon_outcome test_missing_capability(tenon_call *call)
{
    return ask_model(call);
}
TENON_TOOL0(test_missing_capability, TENON_INFO("Ask the client's model, though the client may have none."));

static tenon_outcome list_roots(tenon_call *call)
{
    const tenon_json *result = tenon_list_roots(call, "client_roots");

    if (!result)
        return tenon_ask(call);

    const tenon_json *roots = tenon_json_get(result, "roots");
    tenon_str         first = tenon_json_str(tenon_json_get(tenon_json_at(roots, 0), "uri"));
    tenon_text(call, "%zu roots, the first is %.*s", tenon_json_count(roots), (int)first.len, first.at);
    return tenon_ok(call);
}
TENON_TOOL0(list_roots,
            TENON_INFO("Ask for the client's roots.", .name = "test_input_required_result_list_roots"));

/* ---- Remembering --------------------------------------------------------------------------------------------- */

typedef struct {
    bool ok;
} confirm_form;

TENON_ROWS(confirm_form_rows, confirm_form,
    TENON_BOOL(ok, "Is it all right?", .required = true));

static tenon_outcome remember(tenon_call *call)
{
    const confirm_form *given = NULL;
    tenon_reply         reply = tenon_elicit(call, "confirm", confirm_form_rows, &given, "Please confirm.");

    if (reply == TENON_REPLY_PENDING)
        tenon_keep(call, "asked");
    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    if (strcmp(tenon_kept(call), "asked") != 0)
        return tenon_fail(call, TENON_CODE_CONFLICT, "The question was not asked before.");
    tenon_text(call, "state-ok: %s", given->ok ? "confirmed" : "not confirmed");
    return tenon_ok(call);
}
TENON_TOOL0(remember,
            TENON_INFO("Ask, and remember it.", .name = "test_input_required_result_request_state"));

static tenon_outcome test_input_required_result_tampered_state(tenon_call *call)
{
    return remember(call);
}
TENON_TOOL0(test_input_required_result_tampered_state,
            TENON_INFO("Ask, and remember it in a way that no other caller can change."));

/* ---- Several questions --------------------------------------------------------------------------------------- */

#define GREETING_REQUEST                                                                                    \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Generate a greeting\"}}],"  \
    "\"maxTokens\":50}"

static tenon_outcome ask_all(tenon_call *call)
{
    const name_form  *user     = NULL;
    tenon_reply       reply    = tenon_elicit(call, "user_name", name_form_rows, &user, "What is your name?");
    const tenon_json *greeting = tenon_sample(call, "greeting", GREETING_REQUEST);
    const tenon_json *roots    = tenon_list_roots(call, "client_roots");

    if (reply == TENON_REPLY_PENDING || !greeting || !roots) {
        tenon_keep(call, "asked for three");
        return tenon_ask(call);
    }
    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);

    tenon_str text = sampled_text(greeting);
    tenon_text(call, "%.*s %s (%zu roots)", (int)text.len, text.at, user->name,
               tenon_json_count(tenon_json_get(roots, "roots")));
    return tenon_ok(call);
}
TENON_TOOL0(ask_all,
            TENON_INFO("Ask for a name, for words of the client's model and for its roots, all at once.",
                       .name = "test_input_required_result_multiple_inputs"));

typedef struct {
    const char *color;
} color_form;

TENON_ROWS(color_form_rows, color_form,
    TENON_STR(color, "A colour.", .required = true));

static tenon_outcome ask_twice(tenon_call *call)
{
    const name_form  *user  = NULL;
    const color_form *color = NULL;
    tenon_reply reply = tenon_elicit(call, "step1", name_form_rows, &user, "Step 1: What is your name?");

    if (reply == TENON_REPLY_PENDING)
        tenon_keep(call, "1");
    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);

    reply = tenon_elicit(call, "step2", color_form_rows, &color, "Step 2: What is your favorite color?");
    if (reply == TENON_REPLY_PENDING)
        tenon_keep(call, "2");
    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    tenon_text(call, "%s likes %s.", user->name, color->color);
    return tenon_ok(call);
}
TENON_TOOL0(ask_twice, TENON_INFO("Ask for a name, then for a colour.",
                                  .name = "test_input_required_result_multi_round"));

/* Asks for what this client can give, and for nothing else. */
static tenon_outcome ask_able(tenon_call *call)
{
    const name_form  *user    = NULL;
    const tenon_json *said    = NULL;
    bool              pending = false;

    if (tenon_client_can(call, TENON_CAN_SAMPLE)) {
        said    = tenon_sample(call, "capital_question", CAPITAL_QUESTION);
        pending = !said;
    }
    if (tenon_client_can(call, TENON_CAN_ELICIT))
        pending |= tenon_elicit(call, "user_name", name_form_rows, &user, "What is your name?") ==
                   TENON_REPLY_PENDING;
    if (pending)
        return tenon_ask(call);
    tenon_text(call, "Asked the model: %s. Asked the user: %s.", said ? "yes" : "no", user ? "yes" : "no");
    return tenon_ok(call);
}
TENON_TOOL0(ask_able, TENON_INFO("Ask for what the client can give.",
                                 .name = "test_input_required_result_capabilities"));

/* ---- With the caller's own words ----------------------------------------------------------------------------- */

typedef struct {
    const char *prompt;
} sampling_args;

static tenon_outcome test_sampling(tenon_call *call, const sampling_args *args)
{
    const char *params = tenon_format(
        call,
        "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":%s}}],"
        "\"maxTokens\":100}",
        tenon_quote(call, args->prompt));
    const tenon_json *result = params ? tenon_sample(call, "prompt", params) : NULL;

    if (!result)
        return tenon_ask(call);

    tenon_str text = sampled_text(result);
    tenon_text(call, "LLM response: %.*s", (int)text.len, text.at);
    return tenon_ok(call);
}
TENON_TOOL(test_sampling, sampling_args,
    TENON_INFO("Have the client's model answer a prompt."),
    TENON_STR(prompt, "What to ask the model.", .required = true));

void add_input_tools(tenon_server *server)
{
    tenon_server_add(server, greet_user_tool());
    tenon_server_add(server, test_streaming_elicitation_tool());
    tenon_server_add(server, ask_model_tool());
    tenon_server_add(server, test_missing_capability_tool());
    tenon_server_add(server, list_roots_tool());
    tenon_server_add(server, remember_tool());
    tenon_server_add(server, test_input_required_result_tampered_state_tool());
    tenon_server_add(server, ask_all_tool());
    tenon_server_add(server, ask_twice_tool());
    tenon_server_add(server, ask_able_tool());
    tenon_server_add(server, test_sampling_tool());
}
