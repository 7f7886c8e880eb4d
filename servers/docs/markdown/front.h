/* front.h - the front matter of a markdown file: a block of YAML between two lines of "---" at its beginning.
 *
 * YAML is read as JSON: strings, numbers, truth values, null, lists and maps. Numbers are what JSON spells as numbers,
 * truth values true and false: dates, `no`, 0777 and 1_000 stay text. Anchors, aliases, tags, directives, several
 * documents, NUL and repeated keys are refused, as is what is nested too deep: the file is untrusted. Lines may end
 * with LF, CRLF or CR, and a byte order mark may stand first.
 */
#ifndef DOCS_MARKDOWN_FRONT_H
#define DOCS_MARKDOWN_FRONT_H

#include "kit/text.h"

#define FRONT_MAX       ((size_t)256 << 10)
#define FRONT_DEPTH_MAX 16

struct front {
    bool        present;
    size_t      begin, end; /* bytes of the YAML between the lines */
    size_t      body;       /* where the document itself begins */
    size_t      body_line;  /* its line, from 1 */
    struct text json;       /* an object; "{}" without front matter */
};

/* False and *mistake (a sentence with its line; free it) when there is front matter that cannot be read; *mistake is NULL
 * when there was no memory. After false there is nothing to free but that. */
bool front_read(struct front *front, const char *at, size_t len, char **mistake);
void front_free(struct front *front);

/* The file with the value of one top-level key replaced, or the key added as the last line; all other bytes, line endings
 * and comments as they were (comments inside a value go with it). The value is text, quoted only if it must be. False when
 * there is no readable front matter or no memory, or when the rewritten file would not say the same for every other key. */
bool front_set(struct text *out, const char *at, size_t len, const char *key, const char *value);

#endif
