/* menu.h - the tools that a shell offers: listed once, and again when the server says that they changed. */
#ifndef CLI_SHELL_MENU_H
#define CLI_SHELL_MENU_H

#include <yyjson.h>

#include "cli/remote.h"

/* What a server lists, once it was asked for. */
struct menu_list {
    tenon_request *request;
    yyjson_val    *entries; /* NULL when there is no list */
};

struct menu {
    struct remote   *remote;
    struct menu_list tools, resources, prompts;
    struct menu_list typed; /* what the server suggests for */
    char             typed_for[512];
    bool             stale;       /* the tools are to be listed again */
    char             choice[512]; /* the last that was given */
};

/* An array; NULL when the server does not list them, which was reported. Lives until the next call. */
yyjson_val *menu_tools(struct menu *menu);

/* The tool of that name, or NULL; `near` is then the name that is most like it, or NULL. */
yyjson_val *menu_find(struct menu *menu, const char *name, const char **near);

/* What may stand next in a line, for line_choice_fn: verbs and tools at its beginning, then names of parameters, and values
 * that are an enum's; resources after `read`, and after `prompt` what the server suggests. `verbs` ends with NULL. */
const char *menu_choice(struct menu *menu, const char *const *verbs, const char *before, const char *word,
                        size_t nth);

void menu_end(struct menu *menu);

#endif
