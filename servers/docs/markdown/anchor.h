/* anchor.h - the anchors of headings, as the common renderers of markdown make them. */
#ifndef DOCS_MARKDOWN_ANCHOR_H
#define DOCS_MARKDOWN_ANCHOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANCHOR_MAX 256 /* bytes with the NUL */

/* Which anchors a document has so far: a second "example" is "example-1". Zeros to begin with. */
struct anchors {
    struct anchor_seen {
        uint64_t hash; /* 0 is free */
        unsigned times;
    } * at;
    size_t count, room;
};

/* The anchor of a heading: its own ("## Text {#own}"), else its text in small letters with '-' for spaces and without marks.
 * False without memory. */
bool anchor_make(struct anchors *anchors, const char *heading, char out[ANCHOR_MAX]);
void anchors_free(struct anchors *anchors);

/* How much of a heading's text is before its own anchor; all of it when it has none. */
size_t anchor_text_len(const char *heading);

#endif
