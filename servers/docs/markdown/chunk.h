/* chunk.h - a document in pieces: whole when it is short, else at its H2 and H3 headings.
 *
 * Documents of more than CHUNK_LINES lines are split, never inside a fence of code; what stands before the first
 * heading is a piece of its own; a section of more than CHUNK_SECTION_LINES lines is split between paragraphs, where it
 * has any. A heading may be underlined ("Title" above "-----" is an H2, as CommonMark says); headings in lists and
 * quotes, in code and in HTML are text. An H1 begins no piece. A heading with nothing below it is not a piece either:
 * it stands in the paths of what follows. Blank lines at either end of a piece are left out.
 */
#ifndef DOCS_MARKDOWN_CHUNK_H
#define DOCS_MARKDOWN_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

#define CHUNK_LINES         500
#define CHUNK_SECTION_LINES 1000
#define CHUNKS_MAX          20000

struct chunk {
    size_t begin, end;            /* bytes of the document */
    size_t first_line, last_line; /* from 1, as in the file */
    char  *header_path;           /* "## A > ### B"; "" for the beginning */
};

struct chunks {
    struct chunk *at;
    size_t        count;
    size_t        lines; /* of all that was given; CRLF, LF and CR each end one */
};

/* The pieces of `len` bytes of markdown (without front matter) whose first line is `line`. There is always one: a short
 * document is one piece, all of it, even when it is empty. False without memory or with more than CHUNKS_MAX pieces; then
 * there is nothing to free. */
bool chunks_make(struct chunks *chunks, const char *at, size_t len, size_t line);
void chunks_free(struct chunks *chunks);

/* The first H1, else the first heading, else NULL: to be freed. */
char *chunk_title(const char *at, size_t len);

#endif
