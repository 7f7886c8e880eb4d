/* present.h - which properties an object has, while its members are passed one after the other.
 *
 * Members mostly come in the order of the schema, each behind the one before it.
 */
#ifndef DOCUMENT_VERDICT_PRESENT_H
#define DOCUMENT_VERDICT_PRESENT_H

#include "model/property.h"

#define PRESENT_FEW 64 /* properties that fit one word of bits */

static inline const struct tn_property *tn_property_at(const struct tn_object_rules *rules, uint32_t at)
{
    return at == NO_PROPERTY ? NULL : &rules->properties[at];
}

/* The property of that name, or NULL. */
static inline const struct tn_property *tn_property_named(const struct tn_object_rules *rules,
                                                          yyjson_val                   *key)
{
    const char *name = unsafe_yyjson_get_str(key);
    size_t      len  = unsafe_yyjson_get_len(key);

    return rules->count == 0
               ? NULL
               : tn_property_at(rules, tn_property_look_up(rules, name, len, tn_property_word(name, len)));
}

/* Has `next`, the one behind the last that was there, that name? There is one, at least, that has none. */
static inline bool tn_property_follows(const struct tn_property *next, yyjson_val *key)
{
    const char *name = unsafe_yyjson_get_str(key);
    size_t      len  = unsafe_yyjson_get_len(key);

    return tn_property_is(next, name, len, tn_property_word(name, len));
}

/* Of any number of properties: a bit for each that is there. */
struct tn_present {
    uint64_t *bits, few;
    uint32_t  next;
};

static inline const struct tn_property *tn_present_find(const struct tn_object_rules *rules,
                                                        struct tn_present *present, yyjson_val *key)
{
    uint32_t at = tn_property_find(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key),
                                   present->next);

    if (at == NO_PROPERTY)
        return NULL;
    present->bits[at / 64] |= UINT64_C(1) << at % 64;
    present->next = at + 1;
    return &rules->properties[at];
}

/* Is all there that is required? */
static inline bool tn_present_all(const struct tn_object_rules *rules, const uint64_t *found)
{
    if (rules->count <= PRESENT_FEW)
        /* the one word was set to 0, which the analyser does not follow through the record's own address */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        return (*found & rules->required_bits) == rules->required_bits;
    for (size_t i = 0; rules->required > 0 && i < rules->count; i++)
        if (rules->properties[i].required && !(found[i / 64] >> i % 64 & 1))
            return false;
    return true;
}

/* Of few properties: are fewer members left than are still required? */
static inline bool tn_present_too_few(const struct tn_object_rules *rules, uint64_t found, size_t left)
{
    uint64_t missing = rules->required_bits & ~found;

    for (; missing != 0 && left > 0; left--)
        missing &= missing - 1;
    return missing != 0;
}

#endif
