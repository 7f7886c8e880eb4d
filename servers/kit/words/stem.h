/* stem.h - English words without their endings: "connected", "connecting" and "connections" are "connect".
 *
 * M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with his rules as they stand in the paper.
 */
#ifndef KIT_WORDS_STEM_H
#define KIT_WORDS_STEM_H

#include <stddef.h>

/* Shortens a word of lower-case letters a-z where it stands, and returns its length. It may change letters, and needs no
 * more room than it has. */
size_t stem_word(char *word, size_t len);

#endif
