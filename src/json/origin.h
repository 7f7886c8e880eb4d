/* origin.h - a container that the caller did not send as one: it was read out of JSON text, or made of a lone value.
 *
 * What is inside of it has no address of its own: the caller can only replace the whole. The mark stands in a bit of the
 * value's tag that yyjson leaves unused, so that it stays with the value wherever that is copied.
 */
#ifndef JSON_ORIGIN_H
#define JSON_ORIGIN_H

#include <yyjson.h>

#define ORIGIN_TEXT UINT64_C(0x80) /* of the three bits of a tag that have no meaning */

static inline void tn_origin_mark(yyjson_val *container)
{
    container->tag |= ORIGIN_TEXT;
}

static inline bool tn_origin_is_text(const yyjson_val *value)
{
    return (value->tag & ORIGIN_TEXT) != 0;
}

#endif
