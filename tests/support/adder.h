/* adder.h - a server for tests of clients: it adds two numbers, asks before it deletes, and greets. */
#ifndef SUPPORT_ADDER_H
#define SUPPORT_ADDER_H

#include <tenon/server.h>
#include <tenon/tool.h>

/* The tools `add` and `purge` and the resource app://motd, one entry a page. NULL without memory; `memory` may be NULL. */
tenon_server *adder_server(const tenon_allocator *memory);

/* The tool `add`, to be added where it is already. */
const tenon_tool *add_tool(void);

#endif
