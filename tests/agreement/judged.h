/* judged.h - the tools that the judge runs over: those of the zoo (zoo.c), or those of all servers (servers.c). */
#ifndef AGREEMENT_JUDGED_H
#define AGREEMENT_JUDGED_H

#include <tenon/toolbox.h>

const tenon_tool *const *judged_tools(size_t *count);
/* A toolbox with all of them, in the same order; `portable` for callers who are given that form. */
tenon_toolbox *judged_box(bool portable);

#endif
