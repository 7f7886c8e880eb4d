/* each.h - visiting the members of a JSON value; what is no object has none.
 *
 * yyjson's own loop goes wrong where there is no object.
 */
#ifndef CLI_EACH_H
#define CLI_EACH_H

#include <yyjson.h>

#define EACH_MEMBER(object, index, count, key, value)                                                        \
    for (yyjson_obj_iter iter_ = yyjson_obj_iter_with(object);                                               \
         (key = yyjson_obj_iter_next(&iter_)) &&                                                             \
         (value = yyjson_obj_iter_get_val(key), index = iter_.idx - 1, count = iter_.max, true);)

#endif
