/* content.h - content blocks: those that a client's revision has no form for as text, and the guard's own. */
#ifndef GUARD_CONTENT_H
#define GUARD_CONTENT_H

#include <yyjson.h>

#include "base/buf.h"

/* Is there a block that the client does not know, in the content of a tool or in the messages of a prompt? `lacks` are bits of
 * enum tn_subject_lack. */
bool tn_content_lacks(yyjson_val *blocks, unsigned lacks);

/* Adds all blocks to an array that opened at `from`: as they came, but for those. `text` is the server's array. */
void tn_content_add_all(struct tn_buf *out, size_t from, yyjson_val *content, struct tn_slice text,
                        unsigned lacks);

/* Adds one block with this text. */
void tn_content_add_text(struct tn_buf *out, size_t from, struct tn_slice text);

/* Adds the guard's messages, a JSON array of strings, as one block: each after its mark, a line each. */
void tn_content_add_said(struct tn_buf *out, size_t from, struct tn_slice said);

/* The member "messages" of a prompt. */
void tn_content_prompt(struct tn_buf *out, yyjson_val *messages, struct tn_slice text, unsigned lacks);

#endif
