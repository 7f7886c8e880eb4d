/* wordpiece.h - texts to the tokens of a BERT model, as its tokenizer.json states. */
#ifndef KIT_EMBED_MODEL_WORDPIECE_H
#define KIT_EMBED_MODEL_WORDPIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDPIECE_FILE_MAX ((size_t)16 << 20) /* bytes of tokenizer.json */

struct wordpiece;

/* The bytes of a tokenizer.json. NULL and a sentence in `mistake` when it is of a kind that is not understood here, which is
 * named: only WordPiece with BertNormalizer (uncased) and BertPreTokenizer is. Its own truncation and padding are ignored. */
struct wordpiece *wordpiece_read(const char *at, size_t len, char *mistake, size_t room);
void              wordpiece_free(struct wordpiece *pieces);

/* At most `room` ids (at least 2), with the first and the last special one; what is too long is cut off. Special names in the
 * text, such as "[SEP]", are plain text: documents may have them, and must not be able to end themselves. Any thread. */
size_t wordpiece_split(const struct wordpiece *pieces, const char *text, size_t len, int64_t *ids,
                       size_t room);

#endif
