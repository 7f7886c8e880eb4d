/* words.h - every sentence that the library says to a caller or to an author, in one voice:
 * the name, what is wanted, what came, an example.
 */
#ifndef SCHEMA_WORDS_H
#define SCHEMA_WORDS_H

#include "base/buf.h"
#include "schema/issue.h"

/* "required", "type", "range", ... */
const char *words_code(const struct issue *issue);

/* The whole sentence of an issue, as plain text. */
void words_issue(struct buf *out, const struct issue *issue);

/* True when that sentence repeats the received value as it is, so that no record need do it again. */
bool words_says_received(const struct issue *issue);

#endif
