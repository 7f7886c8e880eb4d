/* inline.h - links in the text of markdown: [text](address), [text][label], [label][] and [label].
 *
 * One pass over a block of text (a paragraph, a heading, an item of a list) in time that is linear in its length: what a link
 * may consist of is bounded, and so is how many brackets may be open. Code spans, tags and images are passed over.
 */
#ifndef DOCS_MARKDOWN_INLINE_H
#define DOCS_MARKDOWN_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MDINLINE_DEFINITIONS_MAX 1000
#define MDINLINE_SLOTS           2048 /* a power of two, at least twice as many */
#define MDINLINE_URL_MAX         4000 /* of a longer address there is no link */

/* Where labels lead to; the first definition of one counts. All of it lies in the document. */
struct mddefinitions {
    struct mddefinition {
        const char *label, *url;
        size_t      label_len, url_len;
        bool        is_read, is_fine, is_given; /* a label may be used a million times */
    } at[MDINLINE_DEFINITIONS_MAX];
    size_t   count;
    uint16_t slots[MDINLINE_SLOTS]; /* an index and 1, or 0 */
};

/* Adds a line that mdlines_is_definition() says yes to. */
void mddefinitions_add(struct mddefinitions *definitions, const char *at, const char *end);

/* An address as it is meant: without '\\' before marks, NUL-terminated. */
typedef void (*mdinline_link_fn)(void *user, const char *url);

/* What a label leads to is given once, however often it is used. */
void mdinline_scan(const char *at, size_t len, struct mddefinitions *definitions, mdinline_link_fn link,
                   void *user);

#endif
