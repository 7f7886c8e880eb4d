/* lines.h - markdown line by line: which are headings of the document, which are code, without a tree.
 *
 * A reader of a few hundred bytes for documents of any length: it follows CommonMark as far as headings, fences of code, blocks
 * of HTML and the lists and quotes around them need it. Headings inside a list or a quote are text, not headings. A line
 * under a paragraph that has only '=' or '-' makes it a heading (setext) of level 1 or 2.
 */
#ifndef DOCS_MARKDOWN_LINES_H
#define DOCS_MARKDOWN_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define MDLINES_DEPTH 16 /* of lists in lists; deeper ones are read as the last */

enum mdline_kind { MDLINE_BLANK, MDLINE_TEXT, MDLINE_CODE /* or HTML */, MDLINE_HEADING };

struct mdline {
    size_t           begin, end, next; /* bytes; `end` is before the line's ending */
    size_t           number;           /* from 0 */
    size_t           indent;           /* columns */
    enum mdline_kind kind;
    bool             is_code; /* of a line of text: it is indented so far that it is code */
    int              level;   /* of a heading */
    /* Of a heading: its text, and where it begins, which is an earlier line when it is underlined. */
    size_t text_begin, text_end, heading_begin, heading_number;
};

struct mdlines {
    const char *at;
    size_t      len, place, number;
    /* What is open. */
    enum { MDLINES_OPEN_NOTHING, MDLINES_OPEN_FENCE, MDLINES_OPEN_HTML } open;
    char        fence;             /* its character */
    size_t      fence_len, within; /* columns that the block must be indented, being in a list */
    bool        quoted;
    const char *html_end; /* NULL: a blank line */
    enum { MDLINES_NO_PARAGRAPH, MDLINES_PARAGRAPH, MDLINES_PARAGRAPH_INSIDE } paragraph;
    size_t paragraph_begin, paragraph_number;
    size_t items[MDLINES_DEPTH]; /* columns where the content of open list items begins */
    size_t depth;
};

void mdlines_init(struct mdlines *lines, const char *at, size_t len);
bool mdlines_next(struct mdlines *lines, struct mdline *line);

/* Does a line define a link, "[label]: address", with a title or without? */
bool mdlines_is_definition(const char *at, const char *end);

#endif
