/* each.h - visiting the members of a JSON value; a value that is not an object has no members.
 *
 *     EACH_MEMBER (object, at, key, value)
 *         ... at.idx members were visited, this one included, of at.max ...
 *
 * yyjson's own loop goes wrong where there is no object.
 */
#ifndef CLI_EACH_H
#define CLI_EACH_H

#include <stdbool.h>

#include <yyjson.h>

#define EACH_MEMBER(object, at, key, value)                                                                  \
    for (yyjson_obj_iter at = yyjson_obj_iter_with(object);                                                  \
         (key = yyjson_obj_iter_next(&at)) && (value = yyjson_obj_iter_get_val(key), true);)

#endif
