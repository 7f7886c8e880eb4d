/* command_text.h - documents' text for people: what steers a terminal is spelled out, asked words stand out, places are links.
 *
 * Documents are untrusted. Only this file writes what a terminal obeys, and nothing of a document is in it but percent-encoded
 * paths. What is not a terminal gets text as it is.
 */
#ifndef DOCS_COMMAND_TEXT_H
#define DOCS_COMMAND_TEXT_H

#include <stdio.h>

#include "docs/search/words.h"

/* Where answers are shown. */
struct docs_page {
    FILE                     *to;
    bool                      is_terminal, is_coloured;
    size_t                    width;    /* columns; 0: lines stay as they are */
    const char               *folder;   /* of the documents, absolute */
    const char               *external; /* of the external ones, or NULL */
    const struct query_words *words;    /* of the question */
};

/* Without a question and folders, which are the caller's to add. */
struct docs_page docs_page_of(FILE *to);

/* Text as it is, or with control characters as \xNN and \u{NN} on a terminal; line ends and tabs stay. */
void docs_show_text(FILE *to, const char *at, size_t len);

/* The same with the question's words in bold. */
void docs_page_text(const struct docs_page *page, const char *at, size_t len);

/* "guides/setup.md:12-40", on a terminal a link to the file; without lines when `first` is 0. */
void docs_page_link(const struct docs_page *page, tenon_str path, bool external, long long first,
                    long long last);

/* The lines of a passage that have most of the question's words, each after `indent`. */
void docs_page_passage(const struct docs_page *page, const char *indent, tenon_str text);

#endif
