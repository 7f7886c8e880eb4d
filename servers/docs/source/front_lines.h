/* front_lines.h - front matter as text: what it says can be searched, answered from and cited by its lines. */
#ifndef DOCS_SOURCE_FRONT_LINES_H
#define DOCS_SOURCE_FRONT_LINES_H

#include "kit/text.h"

/* A line for each line of the YAML: "- key: value" for a key with a text, items as they are; empty for what is not text (dates,
 * numbers, comments) and for the keys that are shown elsewhere (title, doc_type, links). */
void front_lines(const char *yaml, size_t len, struct text *out);

#endif
