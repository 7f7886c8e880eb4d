/* property.h - names of properties: compared a word at a time, found by a hash or by where the last one stood. */
#ifndef MODEL_PROPERTY_H
#define MODEL_PROPERTY_H

#include "base/str.h"
#include "model/document_node.h"

#define NO_PROPERTY UINT32_MAX

/* A name that lies farther from its slot than honest ones ever do was made to: its schema is refused. */
#define PROPERTY_PROBES_MAX 256u

#define PROPERTY_MULTIPLIER UINT64_C(0x9E3779B97F4A7C15)

/* All of up to three bytes. */
static inline uint64_t tn_property_few(const char *at, size_t len)
{
    return len == 0 ? 0
                    : (uint64_t)(unsigned char)at[0] << 16 | (uint64_t)(unsigned char)at[len / 2] << 8 |
                          (unsigned char)at[len - 1];
}

__extension__ typedef unsigned __int128 tn_property_product;

/* Both halves of the product: in the lower one nothing is seen of bytes that stand high, in the upper one all of them are. */
static inline uint64_t tn_property_mix(uint64_t hash, uint64_t word)
{
    tn_property_product product = (tn_property_product)(hash ^ word) * PROPERTY_MULTIPLIER;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* All of a short name, and the end of a long one, where names differ. */
static inline uint64_t tn_property_word(const char *at, size_t len)
{
    if (len >= WORD)
        return tn_word_at(at + len - WORD);
    return len >= WORD / 2 ? tn_word_of(at, len) : tn_property_few(at, len);
}

/* Every byte counts, wherever names differ. `word` is that of the name. */
static inline uint32_t tn_property_hash_of(const char *at, size_t len, uint64_t word)
{
    uint64_t hash = len;

    for (size_t i = 0; i + WORD < len; i += WORD)
        hash = tn_property_mix(hash, tn_word_at(at + i));
    return (uint32_t)tn_property_mix(hash, word);
}

static inline uint32_t tn_property_hash(const char *at, size_t len)
{
    return tn_property_hash_of(at, len, tn_property_word(at, len));
}

static inline bool tn_property_is(const struct tn_property *property, const char *name, size_t len,
                                  uint64_t word)
{
    return property->word == word && property->len == len &&
           (len <= WORD || tn_str_same(property->name, name, len - WORD));
}

/* The index of the property of that name, or NO_PROPERTY. There is one, at least. */
static inline uint32_t tn_property_look_up(const struct tn_object_rules *rules, const char *name, size_t len,
                                           uint64_t word)
{
    for (uint32_t i = tn_property_hash_of(name, len, word) & rules->slot_mask; rules->slots[i].name;
         i          = (i + 1) & rules->slot_mask)
        if (tn_property_is(&rules->properties[rules->slots[i].param], name, len, word))
            return rules->slots[i].param;
    return NO_PROPERTY;
}

/* The same, of any number, where it is likely to be `next`. */
static inline uint32_t tn_property_find(const struct tn_object_rules *rules, const char *name, size_t len,
                                        uint32_t next)
{
    uint64_t word;

    if (rules->count == 0)
        return NO_PROPERTY;
    word = tn_property_word(name, len);
    if (next < rules->count && tn_property_is(&rules->properties[next], name, len, word))
        return next;
    return tn_property_look_up(rules, name, len, word);
}

#endif
