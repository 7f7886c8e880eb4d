/* value.h - members of JSON values, whatever they are. */
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

#include <tenon/client.h>

#include <yyjson.h>

#include "base/str.h"

/* The longest message of a server that is read. */
#define MESSAGE_LEN_MAX TENON_CLIENT_MAX_BYTES

/* A member of an object that is text; an empty one for all else. */
static inline struct tn_slice value_text(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);

    return yyjson_is_str(value) ? (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) }
                                : (struct tn_slice){ "", 0 };
}

/* A view is a yyjson_val by another name. */
static inline yyjson_val *value_of(const tenon_json *view)
{
    return (yyjson_val *)view;
}

#endif
