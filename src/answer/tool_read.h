/* tool_read.h - tools as the program was compiled, older or newer than this library. */
#ifndef ANSWER_TOOL_READ_H
#define ANSWER_TOOL_READ_H

#include <tenon/tool.h>

#include "base/arena.h"

/* The tool as this library knows it: itself, or a copy. NULL when memory was refused, and for what is no tool or has an
 * option that this library does not know: `*mistake` is then a sentence with one %s for its name, else NULL. */
const tenon_tool *tn_tool_read(struct tn_arena *arena, const tenon_tool *given, const char **mistake);

/* Icons as this library knows them. NULL as above, with `*known` false when one has more than it knows. */
const tenon_icon *tn_icons_read(struct tn_arena *arena, const tenon_icon *icons, size_t count, size_t size,
                                bool *known);

#endif
