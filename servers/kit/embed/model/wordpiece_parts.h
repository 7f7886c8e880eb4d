/* wordpiece_parts.h - a tokenizer as it is kept: what reads it and what splits with it share this. */
#ifndef KIT_EMBED_MODEL_WORDPIECE_PARTS_H
#define KIT_EMBED_MODEL_WORDPIECE_PARTS_H

#include <yyjson.h>

#include "kit/embed/model/wordpiece.h"

#define WORD_MAX     256 /* letters of a word: tokenizer.json states how many are read, this is the most it may state */
#define LETTER_BYTES 4
#define PREFIX_ROOM  8

struct wordpiece_entry {
    const char *at;
    uint32_t    len;
    int32_t     id;
};

struct wordpiece {
    yyjson_doc             *doc; /* has the letters */
    struct wordpiece_entry *entries;
    size_t                  mask, longest;
    int32_t                 unknown, first, last;
    size_t                  word_max;
    char                    prefix[PREFIX_ROOM]; /* of a piece that continues a word */
    size_t                  prefix_len;
};

/* The id of a piece; -1 when the vocabulary has it not. */
int32_t wordpiece_find(const struct wordpiece *pieces, const char *at, size_t len);

#endif
