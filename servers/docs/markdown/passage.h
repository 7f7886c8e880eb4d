/* passage.h - the passages of a document: what is embedded, shown and cited.
 *
 * Every heading begins one. A section of more than PASSAGE_WORDS_MOST words is cut between paragraphs, items and rows, never
 * in a block of code; a rest of a few words stays with what is before it. A heading with nothing below it is not a passage:
 * it stands in the paths of what follows. Each lies in one piece (chunk.h), and every piece has at least one.
 */
#ifndef DOCS_MARKDOWN_PASSAGE_H
#define DOCS_MARKDOWN_PASSAGE_H

#include "docs/markdown/chunk.h"

#define PASSAGE_WORDS_MOST 180
#define PASSAGES_MAX       10000 /* of a document: then only pieces are separate */
#define PASSAGES_PIECE_MAX 65536 /* of one piece: PASSAGES_MAX and one for each end */

struct passage {
    size_t chunk;                 /* which piece it lies in */
    size_t begin, end;            /* bytes of the document */
    size_t first_line, last_line; /* as in the file */
    char  *heading_path;          /* "A > B", without the title; "" above all headings */
    char  *anchor;                /* of the nearest heading, as renderers of markdown name it; "" for none */
};

struct passages {
    struct passage *at;
    size_t          count;
};

/* Of a document that was cut by chunks_make() with the same arguments. A first heading that says the title (which may be NULL)
 * is not in the paths. False without memory; then there is nothing to free. */
bool passages_make(struct passages *passages, const char *at, size_t len, size_t line,
                   const struct chunks *chunks, const char *title);
void passages_free(struct passages *passages);

#endif
