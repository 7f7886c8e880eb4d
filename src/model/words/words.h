/* words.h - every sentence that the boundary sends to a caller, in one voice: the name, what is expected, what was
 * received, an example. Callers learn them, so tests hold them to the letter. Each noun has its file: what is wrong with a
 * number, and what was done to one, is in number.c.
 */
#ifndef MODEL_WORDS_WORDS_H
#define MODEL_WORDS_WORDS_H

#include "base/buf.h"
#include "json/read.h"
#include "model/form.h"
#include "model/issue.h"

/* What an issue about the whole call is filed under. */
#define WORDS_WHOLE "arguments"

/* Names in one sentence; more are counted. */
#define WORDS_NAMES_MAX 50

/* ---- Issues ------------------------------------------------------------------------------------------------ */

/* "required", "type", "range", ...; for a handler's issue its own code. */
const char *tn_words_code(const struct tn_issue *issue);

/* The whole sentence of an issue, as plain text. */
void tn_words_issue(struct tn_buf *out, const struct tn_issue *issue);

/* How much of a sentence is kept: ISSUE_TEXT_MAX bytes at most, and no code point in part. */
size_t tn_words_cut(const char *at, size_t len);

/* True when that sentence repeats the received value as it is, so that no record need do it again. */
bool tn_words_says_received(const struct tn_issue *issue);

/* Why a text cannot be read: of one that is not JSON the middle of a sentence, which ends with the place; else the end of a
 * sentence about the text, or about the arguments as a `whole`. */
const char *tn_words_unread(struct tn_slice text, const struct tn_json_text *read, bool whole);

/* What is wrong with an alias beside the name itself, as the end of a sentence. */
void tn_words_alias(struct tn_buf *out, const char *name);

/* ---- Messages ---------------------------------------------------------------------------------------------- */

/* A value was pulled into its range. `value` is the number as it came. */
void tn_words_clamped(struct tn_buf *out, struct tn_slice label, const struct tn_node *node,
                      struct tn_slice value, bool low);

/* One change of type in the sentence that they share, and its end: how many more there are. */
void tn_words_coerced(struct tn_buf *out, bool first, struct tn_slice label, bool secret, yyjson_val *from,
                      struct tn_slice to);
void tn_words_coerced_end(struct tn_buf *out, bool first, size_t more);

/* The same of a name in another spelling. */
void tn_words_renamed(struct tn_buf *out, bool first, struct tn_slice label, struct tn_slice sent);
void tn_words_renamed_end(struct tn_buf *out, bool first, size_t more);

/* A word such as "none" that stands for nothing; NULL when it is not to be repeated. */
void tn_words_placeholder(struct tn_buf *out, struct tn_slice label, yyjson_val *value);

/* Only the day of a moment was taken; "" when it is not to be repeated. */
void tn_words_day(struct tn_buf *out, struct tn_slice label, const char *day, bool written);

/* An undeclared argument that was left aside. */
void tn_words_ignored(struct tn_buf *out, struct tn_slice name);

/* One that a server gets though its schema does not speak of it. */
void tn_words_undeclared(struct tn_buf *out, struct tn_slice name);

/* The arguments came as a text: FORM_TEXT, FORM_LAYER or FORM_FENCE. */
const char *tn_words_form(enum tn_wire_form form);

/* The arguments stood inside one object of that name. */
void tn_words_unwrapped(struct tn_buf *out, struct tn_slice name);

#endif
