/* tools.h - the tools, for the server and for its tests. */
#ifndef TOOLS_H
#define TOOLS_H

#include <tenon/tenon.h>

void add_tools(tenon_server *server);

#endif
