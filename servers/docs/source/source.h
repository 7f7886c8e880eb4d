/* source.h - files of several kinds as markdown: what is cut, searched and answered from.
 *
 *     .md .markdown .mdx     HTML tags and comments, MDX imports and exports are left out
 *     .rst .adoc .asciidoc   headings, blocks of code and items as markdown has them; comments and directives are left out
 *     .txt .text             as it is
 *     .html .htm             its text with headings, items, rows and code; navigation, scripts and styles are left out
 *     .pdf                   what pdftotext finds, where it is installed
 *
 * All but HTML and PDF keep their lines: line 7 of what is made is line 7 of the file. Time is linear in the length, and no
 * kind nests: whatever is not closed is text.
 */
#ifndef DOCS_SOURCE_SOURCE_H
#define DOCS_SOURCE_SOURCE_H

#include "kit/text.h"

enum source_kind {
    SOURCE_NONE, /* not a document */
    SOURCE_MARKDOWN,
    SOURCE_MDX,
    SOURCE_TEXT,
    SOURCE_RST,
    SOURCE_ASCIIDOC,
    SOURCE_HTML,
    SOURCE_PDF
};

/* By the end of its name, in any case. */
enum source_kind source_kind_of(const char *path);

/* Whether front matter may stand at its beginning. */
bool source_has_front(enum source_kind kind);
/* Whether its lines are those of the file. */
bool source_keeps_lines(enum source_kind kind);

/* The markdown of a text of this kind, not of a PDF: out->failed without memory. */
void source_plain(enum source_kind kind, const char *at, size_t len, struct text *out);

/* Of each kind. */
void plain_markdown(const char *at, size_t len, bool is_mdx, struct text *out);
void plain_html(const char *at, size_t len, struct text *out);
void plain_rst(const char *at, size_t len, struct text *out);
void plain_asciidoc(const char *at, size_t len, struct text *out);

#endif
