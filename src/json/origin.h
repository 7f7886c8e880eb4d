/* origin.h - marks of values that the caller did not send as they are.
 *
 * A container that was read out of JSON text, or made of a lone value: what is inside of it has no address of its own, and
 * the caller can only replace the whole. A name that was sent in another spelling: the caller knows it by that one. The marks
 * stand in bits of the value's tag that yyjson leaves unused, so that they stay with the value wherever that is copied.
 */
#ifndef JSON_ORIGIN_H
#define JSON_ORIGIN_H

#include <yyjson.h>

#define ORIGIN_TEXT    UINT64_C(0x80) /* of the three bits of a tag that have no meaning */
#define ORIGIN_RENAMED UINT64_C(0x40)

static inline void tn_origin_mark(yyjson_val *container)
{
    container->tag |= ORIGIN_TEXT;
}

static inline bool tn_origin_is_text(const yyjson_val *value)
{
    return (value->tag & ORIGIN_TEXT) != 0;
}

static inline void tn_origin_mark_renamed(yyjson_val *key)
{
    key->tag |= ORIGIN_RENAMED;
}

static inline bool tn_origin_is_renamed(const yyjson_val *key)
{
    return (key->tag & ORIGIN_RENAMED) != 0;
}

#endif
