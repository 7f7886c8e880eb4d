/* serve_check.c - everything that a server declares compiled and written, without serving it: --check. */
#define _GNU_SOURCE
#include "answer/toolbox.h"
#include "mcp/core.h"
#include "net/serve.h"

#define NO_MEMORY "out of memory"

/* The models and texts that calls and lists would ask for first. False without memory. */
static bool compile_box(tenon_toolbox *box)
{
    for (size_t i = 0; i < box->count; i++)
        if (!tenon_toolbox_tool(box, i) || tn_tool_ready(box, box->tools[i]) != TENON_OK)
            return false;
    return true;
}

static void write_count(FILE *to, const char *before, size_t count, const char *noun)
{
    fprintf(to, "%s%zu %s%s", before, count, noun, count == 1 ? "" : "s");
}

const char *tn_serve_check(tenon_server *server, const struct tn_settings *settings, FILE *to)
{
    tn_serve_decide(server, settings);
    if (tn_mcp_prepare(server) != TENON_OK)
        return tenon_server_error(server);
    if (!compile_box(server->boxes[BOX_TOOLS]) || !compile_box(server->boxes[BOX_PROMPTS]))
        return NO_MEMORY;
    fprintf(to, "%s %s: ", server->name, server->version);
    write_count(to, "", server->lists[LIST_TOOLS].count, "tool");
    write_count(to, ", ", server->lists[LIST_PROMPTS].count, "prompt");
    write_count(to, ", ", server->lists[LIST_RESOURCES].count, "resource");
    write_count(to, ", ", server->lists[LIST_TEMPLATES].count, "template");
    fputs("; nothing is wrong\n", to);
    return NULL;
}
