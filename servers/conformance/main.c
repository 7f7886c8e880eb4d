/* main.c - the server that the official conformance suites are run against.
 *
 * Every tool, resource and prompt here is one that a scenario of the suites asks for by name, or that the tests with
 * other clients use. It is written against the public headers only, and so is an example of each of them.
 *
 *     conformance                       serves standard input and output
 *     conformance --http 127.0.0.1:0    listens on a free port, and logs it
 */
#include "conformance.h"

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new(
        "tenon-conformance", "1.0.0", .title = "Conformance",
        .description  = "Everything that the conformance suites of MCP ask a server for.",
        .instructions = "For testing only: every tool does what its name says, and nothing else.");

    add_tools(server);
    add_content_tools(server);
    add_input_tools(server);
    add_form_tools(server);
    add_task_tools(server);
    add_resources(server);
    add_prompts(server);
    add_skills(server);
    return tenon_server_main(server, argc, argv);
}
