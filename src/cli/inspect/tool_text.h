/* tool_text.h - one tool of a server, for people: in short, as a list has it, or whole. */
#ifndef CLI_INSPECT_TOOL_TEXT_H
#define CLI_INSPECT_TOOL_TEXT_H

#include <yyjson.h>

#include "cli/remote.h"

/* Its name, the first sentence of its description, and a line for each parameter. */
void tool_text_short(struct remote *remote, yyjson_val *tool);

/* Everything that its definition says: the description, each parameter with its rules, what it answers with, its hints. */
void tool_text_whole(struct remote *remote, yyjson_val *tool);

/* Up to the first full stop before a space, or the first line end. */
struct tn_slice tool_text_sentence(struct tn_slice text);

/* A text of any number of lines, each after `indent` spaces. */
void tool_text_lines(FILE *to, struct tn_slice text, int indent);

#endif
