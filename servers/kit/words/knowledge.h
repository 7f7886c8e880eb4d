/* knowledge.h - what the embedded provider knows about English and about documentation, before it has seen any text. */
#ifndef KIT_WORDS_KNOWLEDGE_H
#define KIT_WORDS_KNOWLEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lexicon; /* never changes: any thread */

struct lexicon_word {
    bool     common;  /* says little about what a text is about */
    uint16_t concept; /* words of one concept mean nearly the same; 0: none */
};

/* NULL without memory. */
struct lexicon     *lexicon_new(void);
void                lexicon_free(struct lexicon *lexicon);
struct lexicon_word lexicon_find(const struct lexicon *lexicon,
                                 uint64_t              hash); /* of the word as words_each() gives it */

/* Visits each concept: its words as words_each() gives them, until false. */
void concepts_each(bool (*visit)(void *user, const char *const *words, size_t count), void *user);

/* FNV-1a with a final mix: the same on every machine. */
uint64_t word_hash(uint64_t seed, const char *at, size_t len);
uint64_t word_mix(uint64_t hash);

#endif
