/* tools.h - the tools of a server, in one list: to be served, and to be tested as they are served. */
#ifndef KIT_TOOLS_H
#define KIT_TOOLS_H

#include <tenon/server.h>

struct tool_list {
    const tenon_tool *(*const *at)(void);
    size_t count;
};

/* The functions of an array, as a list. */
#define TOOL_LIST(functions) { (functions), sizeof(functions) / sizeof *(functions) }

static inline void tools_serve(tenon_server *server, const struct tool_list *tools)
{
    for (size_t i = 0; i < tools->count; i++)
        tenon_server_add(server, tools->at[i]());
}

#endif
