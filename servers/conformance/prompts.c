/* prompts.c - prompts without and with arguments, with a resource and a picture inside, and one that asks first. */
#include "conformance.h"

#include <string.h>

static tenon_outcome test_simple_prompt(tenon_call *call)
{
    tenon_say(call, TENON_ROLE_USER, "This is a simple prompt for testing.");
    return tenon_ok(call);
}
TENON_PROMPT0(test_simple_prompt, TENON_INFO("A line of text."));

typedef struct {
    const char *arg1, *arg2;
} two_args;

static tenon_outcome test_prompt_with_arguments(tenon_call *call, const two_args *args)
{
    tenon_say(call, TENON_ROLE_USER, "Prompt with arguments: arg1='%s', arg2='%s'", args->arg1, args->arg2);
    return tenon_ok(call);
}
TENON_PROMPT(test_prompt_with_arguments, two_args,
    TENON_INFO("A line with both arguments in it."),
    TENON_STR(arg1, "First test argument.",  .required = true),
    TENON_STR(arg2, "Second test argument.", .required = true));

/* Words that begin with what was typed, for either argument. */
static void complete_argument(tenon_call *call, const char *name, const char *typed)
{
    static const char *const words[] = { "paris", "park", "party", "test", "testing" };

    (void)name;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(words[i], typed, strlen(typed)) == 0)
            tenon_suggest(call, words[i]);
}

typedef struct {
    const char *resource_uri;
} resource_args;

static tenon_outcome test_prompt_with_embedded_resource(tenon_call *call, const resource_args *args)
{
    tenon_add_resource_text(call, args->resource_uri, "text/plain", "Embedded resource content for testing.");
    tenon_say(call, TENON_ROLE_USER, "Please process the embedded resource above.");
    return tenon_ok(call);
}
TENON_PROMPT(test_prompt_with_embedded_resource, resource_args,
    TENON_INFO("A resource, and what to do with it."),
    TENON_STR(resource_uri, "The URI of the resource.", .key = "resourceUri", .required = true));

static tenon_outcome test_prompt_with_image(tenon_call *call)
{
    tenon_add_image(call, "image/png", pixel_png, pixel_png_len);
    tenon_say(call, TENON_ROLE_USER, "Please analyze the image above.");
    return tenon_ok(call);
}
TENON_PROMPT0(test_prompt_with_image, TENON_INFO("A picture, and what to do with it."));

typedef struct {
    const char *context;
} context_form;

TENON_ROWS(context_form_rows, context_form,
    TENON_STR(context, "What the prompt is about.", .required = true));

static tenon_outcome test_input_required_result_prompt(tenon_call *call)
{
    const context_form *given = NULL;
    tenon_reply         reply = tenon_elicit(call, "user_context", context_form_rows, &given,
                                             "What context should the prompt use?");

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    tenon_say(call, TENON_ROLE_USER, "Use this context: %s", given->context);
    return tenon_ok(call);
}
TENON_PROMPT0(test_input_required_result_prompt, TENON_INFO("A line about what the user was asked for."));

static tenon_outcome test_changing_prompt(tenon_call *call)
{
    tenon_say(call, TENON_ROLE_ASSISTANT, "I am there.");
    return tenon_ok(call);
}
TENON_PROMPT0(test_changing_prompt,
              TENON_INFO("The prompt that test_trigger_prompt_change takes away and brings back."));

void add_prompts(tenon_server *server)
{
    tenon_server_add_prompt(server, test_simple_prompt_tool(), NULL);
    tenon_server_add_prompt(server, test_prompt_with_arguments_tool(), complete_argument);
    tenon_server_add_prompt(server, test_prompt_with_embedded_resource_tool(), NULL);
    tenon_server_add_prompt(server, test_prompt_with_image_tool(), NULL);
    tenon_server_add_prompt(server, test_input_required_result_prompt_tool(), NULL);
    tenon_server_add_prompt(server, test_changing_prompt_tool(), NULL);
}
