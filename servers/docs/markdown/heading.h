/* heading.h - what a heading says: its text without marks, on one line, and the anchor that leads to it. */
#ifndef DOCS_MARKDOWN_HEADING_H
#define DOCS_MARKDOWN_HEADING_H

#include <stdbool.h>
#include <stddef.h>

#include "docs/markdown/lines.h"

#define HEADING_BETWEEN " > " /* the headings of a path */

#define HEADING_LEN_MAX 200 /* bytes of a heading in a path */

/* Spaces, tabs and line endings. */
static inline bool heading_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where the text of a heading begins and ends, without the marks that may close it. */
void heading_text(const char *at, const struct mdline *line, size_t *begin, size_t *end);

/* At most `most` bytes of it on one line, whole characters, and a NUL; how many. */
size_t heading_copy(char *out, size_t most, const char *at, size_t begin, size_t end);

#endif
