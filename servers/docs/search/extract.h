/* extract.h - answers without a language model: the sentences of the sources that answer the question, cited. */
#ifndef DOCS_SEARCH_EXTRACT_H
#define DOCS_SEARCH_EXTRACT_H

#include "docs/search/search.h"

#define CONTEXT_TOKENS  24000
#define TOKEN_CHARS     4
#define CRITICAL_MOST   5

/* Markdown in the call's memory: sentences with [path:lines] after each; when none answers, the best passage of the first
 * source, and *is_passage. "" without sources. */
const char *extract_answer(tenon_call *call, const char *query, const struct hit *hits, size_t count,
                           bool *is_passage);

/* Text of a document as data: invisible and bidirectional control characters removed, cut at `most` characters. */
const char *extract_clean(tenon_call *call, const char *text, size_t len, size_t most);

#endif
