/* tools.c - tools that answer, fail, report progress, log, and change what the server offers. */
#include "conformance.h"

/* ---- Answers and failures ------------------------------------------------------------------------------------ */

static tenon_outcome test_simple_text(tenon_call *call)
{
    tenon_text(call, "This is a simple text response for testing.");
    return tenon_ok(call);
}
TENON_TOOL0(test_simple_text, TENON_INFO("Answer with a line of text.", .hints = TENON_READ_ONLY));

static tenon_outcome test_error_handling(tenon_call *call)
{
    return tenon_fail(call, TENON_CODE_UNAVAILABLE, "This tool intentionally returns an error for testing.");
}
TENON_TOOL0(test_error_handling, TENON_INFO("Fail, always."));

typedef struct {
    int64_t dividend, divisor;
} division_args;

typedef struct {
    int64_t quotient, remainder;
} division;

TENON_ROWS(division_rows, division,
    TENON_INT(quotient,  "How often the divisor fits.", .required = true),
    TENON_INT(remainder, "What is left.",               .required = true));

static tenon_outcome test_division(tenon_call *call, const division_args *args)
{
    if (args->divisor == 0) {
        tenon_issue_suggest(call, &args->divisor, "zero", "1", "divisor must not be 0.");
        return tenon_invalid(call);
    }
    division result = { args->dividend / args->divisor, args->dividend % args->divisor };
    return tenon_ok_data(call, division_rows, &result);
}
TENON_TOOL(test_division, division_args,
    TENON_INFO("Divide two whole numbers.", .hints = TENON_READ_ONLY, .result = division_rows),
    TENON_INT(dividend, "What to divide.",   .required = true, .range = {-1000000, 1000000}),
    TENON_INT(divisor,  "What to divide by.", .required = true, .range = {-1000000, 1000000}));

/* ---- While it runs ------------------------------------------------------------------------------------------- */

static tenon_outcome test_tool_with_progress(tenon_call *call)
{
    for (int done = 0; done <= 100; done += 50) {
        tenon_progress(call, done, 100, "%d of 100", done);
        if (!work_for(call, 50))
            return tenon_cancelled(call);
    }
    tenon_text(call, "Done, in three steps.");
    return tenon_ok(call);
}
TENON_TOOL0(test_tool_with_progress, TENON_INFO("Work in three steps and report each.", .blocking = true));

static tenon_outcome test_tool_with_logging(tenon_call *call)
{
    tenon_log(call, TENON_LEVEL_INFO, "Tool execution started");
    if (!work_for(call, 50))
        return tenon_cancelled(call);
    tenon_log(call, TENON_LEVEL_INFO, "Tool processing data");
    if (!work_for(call, 50))
        return tenon_cancelled(call);
    tenon_log(call, TENON_LEVEL_INFO, "Tool execution completed");
    tenon_text(call, "Three lines were logged.");
    return tenon_ok(call);
}
TENON_TOOL0(test_tool_with_logging, TENON_INFO("Work and log three lines.", .blocking = true));

static tenon_outcome test_logging_tool(tenon_call *call)
{
    tenon_log(call, TENON_LEVEL_INFO, "For those who asked for it.");
    tenon_text(call, "One line was logged, if you asked for it.");
    return tenon_ok(call);
}
TENON_TOOL0(test_logging_tool, TENON_INFO("Log one line, at the level info."));

/* The client of a legacy session comes back for the answer with the number of the last event it saw. */
static tenon_outcome test_reconnection(tenon_call *call)
{
    tenon_release_stream(call, 200);
    if (!work_for(call, 300))
        return tenon_cancelled(call);
    tenon_text(call, "This answer came over another stream than the call, if the client can resume one.");
    return tenon_ok(call);
}
TENON_TOOL0(test_reconnection,
            TENON_INFO("Close the stream of the call before the answer.", .blocking = true));

/* ---- What the server offers ---------------------------------------------------------------------------------- */

static tenon_outcome test_changing_tool(tenon_call *call)
{
    tenon_text(call, "I am there.");
    return tenon_ok(call);
}
TENON_TOOL0(test_changing_tool,
            TENON_INFO("The tool that test_trigger_tool_change takes away and brings back."));

static tenon_outcome test_trigger_tool_change(tenon_call *call)
{
    tenon_server_show_tool(tenon_server_of(call), "test_changing_tool", false);
    tenon_server_show_tool(tenon_server_of(call), "test_changing_tool", true);
    tenon_text(call, "The list of tools changed, twice.");
    return tenon_ok(call);
}
TENON_TOOL0(test_trigger_tool_change, TENON_INFO("Change the list of tools, and change it back."));

static tenon_outcome test_trigger_prompt_change(tenon_call *call)
{
    tenon_server_show_prompt(tenon_server_of(call), "test_changing_prompt", false);
    tenon_server_show_prompt(tenon_server_of(call), "test_changing_prompt", true);
    tenon_text(call, "The list of prompts changed, twice.");
    return tenon_ok(call);
}
TENON_TOOL0(test_trigger_prompt_change, TENON_INFO("Change the list of prompts, and change it back."));

static tenon_outcome test_trigger_resource_update(tenon_call *call)
{
    tenon_server_updated(tenon_server_of(call), "test://watched-resource");
    tenon_text(call, "Subscribers of test://watched-resource were notified.");
    return tenon_ok(call);
}
TENON_TOOL0(test_trigger_resource_update, TENON_INFO("Say that test://watched-resource has new content."));

/* ---- Arguments ----------------------------------------------------------------------------------------------- */

typedef struct {
    const char *region;
} region_args;

static tenon_outcome test_x_mcp_header(tenon_call *call, const region_args *args)
{
    tenon_text(call, "Region: %s", args->region);
    return tenon_ok(call);
}
TENON_TOOL(test_x_mcp_header, region_args,
    TENON_INFO("Repeat the region, which HTTP clients also send as a header.", .hints = TENON_READ_ONLY),
    TENON_STR(region, "Where to run.", .required = true, .header = "Region"));

typedef struct {
    int64_t     count;
    double      ratio;
    bool        urgent;
    int         color;
    const char *name, *day;
} many_args;

static const char *const color_names[] = { "red", "green", "blue", NULL };

static tenon_outcome test_many_arguments(tenon_call *call, const many_args *args)
{
    tenon_text(call, "%s: %d, %g, %s, %s, %s", args->name, (int)args->count, args->ratio,
               args->urgent ? "urgent" : "calm", color_names[args->color], args->day);
    return tenon_ok(call);
}
TENON_TOOL(test_many_arguments, many_args,
    TENON_INFO("Take six arguments, each of another kind.", .hints = TENON_READ_ONLY),
    TENON_INT (count,  "How many.",                 .required = true, .range = {1, 10}),
    TENON_NUM (ratio,  "How much of it.",           .required = true, .range = {0, 1}),
    TENON_BOOL(urgent, "Whether it cannot wait.",   .required = true),
    TENON_ENUM(color,  color_names, "What it looks like.", .required = true),
    TENON_STR (name,   "What to call it.",          .required = true, .len = {3, 20}),
    TENON_STR (day,    "When.", .required = true, .pattern = "^\\d{4}-\\d{2}-\\d{2}$", .example = "2026-07-28"));

/* Exactly what the scenario json-schema-2020-12 expects to see again in the list of tools. */
#define CONTACT_SCHEMA                                                                                      \
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","                    \
    "\"$defs\":{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\","                               \
    "\"properties\":{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"                   \
    "\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"            \
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"                               \
    "\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"                                     \
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"                      \
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},\"required\":[\"contactMethod\"]},"   \
    "\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},\"additionalProperties\":false}"

static tenon_outcome json_schema_2020_12_tool(tenon_call *call, const tenon_json *args)
{
    tenon_str name = tenon_json_str(tenon_json_get(args, "name"));

    tenon_text(call, "Contact: %.*s", (int)name.len, name.at);
    return tenon_ok(call);
}
TENON_SCHEMA_TOOL(json_schema_2020_12_tool, TENON_INFO("Tool with JSON Schema 2020-12 features."),
                  CONTACT_SCHEMA);

/* The first one listed takes no arguments: a scenario calls whichever it is. */
void add_tools(tenon_server *server)
{
    tenon_server_add(server, test_simple_text_tool());
    tenon_server_add(server, test_error_handling_tool());
    tenon_server_add(server, test_division_tool());
    tenon_server_add(server, test_tool_with_progress_tool());
    tenon_server_add(server, test_tool_with_logging_tool());
    tenon_server_add(server, test_logging_tool_tool());
    tenon_server_add(server, test_reconnection_tool());
    tenon_server_add(server, test_changing_tool_tool());
    tenon_server_add(server, test_trigger_tool_change_tool());
    tenon_server_add(server, test_trigger_prompt_change_tool());
    tenon_server_add(server, test_trigger_resource_update_tool());
    tenon_server_add(server, test_x_mcp_header_tool());
    tenon_server_add(server, test_many_arguments_tool());
    tenon_server_add(server, json_schema_2020_12_tool_tool());
}
