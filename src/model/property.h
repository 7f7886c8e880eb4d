/* property.h - names of properties: compared a word at a time, found by a hash or by where the last one stood. */
#ifndef MODEL_PROPERTY_H
#define MODEL_PROPERTY_H

#include "base/str.h"
#include "model/document_node.h"

#define NO_PROPERTY UINT32_MAX

/* A name that lies farther from its slot than honest ones ever do was made to: its schema is refused. */
#define PROPERTY_PROBES_MAX 256u

#define PROPERTY_MULTIPLIER UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t tn_property_half(const char *at)
{
    uint32_t half;

    memcpy(&half, at, sizeof half);
    return half;
}

static inline uint64_t tn_property_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * PROPERTY_MULTIPLIER;
    return hash ^ hash >> 32;
}

/* Every byte counts. The end of a short name, where names differ, stands low: from there the multiplication spreads it. */
static inline uint32_t tn_property_hash(const char *at, size_t len)
{
    uint64_t hash = len;

    if (len >= WORD) {
        for (size_t i = 0; i + WORD < len; i += WORD)
            hash = tn_property_mix(hash, tn_word_at(at + i));
        return (uint32_t)tn_property_mix(hash, tn_word_at(at + len - WORD));
    }
    if (len >= WORD / 2)
        return (uint32_t)tn_property_mix(hash,
                                         tn_property_half(at) << 32 | tn_property_half(at + len - WORD / 2));
    for (size_t i = 0; i < len; i++)
        hash = hash << 8 | (unsigned char)at[i];
    return (uint32_t)tn_property_mix(hash, 0);
}

/* All of a short name, and the end of a long one, where names differ. */
static inline uint64_t tn_property_word(const char *at, size_t len)
{
    if (len >= WORD)
        return tn_word_at(at + len - WORD);
    if (len >= WORD / 2)
        return tn_word_of(at, len);
    return len == 0 ? 0
                    : (uint64_t)(unsigned char)at[0] << 16 | (uint64_t)(unsigned char)at[len / 2] << 8 |
                          (unsigned char)at[len - 1];
}

static inline bool tn_property_is(const struct tn_property *property, const char *name, size_t len)
{
    return property->len == len && property->word == tn_property_word(name, len) &&
           (len <= WORD || tn_str_same(property->name, name, len - WORD));
}

/* The index of the property of that name, which is likely to be `next`; or NO_PROPERTY. */
static inline uint32_t tn_property_find(const struct tn_object_rules *rules, const char *name, size_t len,
                                        uint32_t next)
{
    if (next < rules->count && tn_property_is(&rules->properties[next], name, len))
        return next;
    if (rules->count == 0)
        return NO_PROPERTY;
    for (uint32_t i = tn_property_hash(name, len) & rules->slot_mask; rules->slots[i].name;
         i          = (i + 1) & rules->slot_mask)
        if (rules->slots[i].len == len && tn_str_same(rules->slots[i].name, name, len))
            return rules->slots[i].param;
    return NO_PROPERTY;
}

#endif
