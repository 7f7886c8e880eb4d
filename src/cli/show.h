/* show.h - a server's text and JSON, for people and for programs.
 *
 * On a terminal control characters are spelled out; elsewhere the text is unchanged.
 */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <yyjson.h>

#include "base/buf.h"
#include "cli/console.h"

/* Text of several lines, with a line end behind it. */
void show_text(FILE *to, struct tn_slice text);

/* A value over several lines, with a line end; short arrays and objects stay on one. */
void show_json(FILE *to, struct tn_arena *arena, yyjson_val *value);

/* JSON text as it is, with a line end; without one for a part of it. */
void show_raw(FILE *to, struct tn_slice json);
void show_raw_part(FILE *to, struct tn_slice json);

/* One block of content: text, a resource, a link; of others type and size. */
void show_block(const struct console *console, yyjson_val *block);

/* The contents of a resource that was read: text as it is, of others type and size. */
void show_contents(const struct console *console, yyjson_val *contents);

/* A tool's answer: the result of tools/call. True when it is no error. */
bool show_result(const struct console *console, struct tn_arena *arena, yyjson_val *result);

#endif
