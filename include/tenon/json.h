/* json.h - a read-only view of a JSON value.
 *
 * A view lives as long as the call or the params object it came from. Every function accepts NULL, which stands for
 * "no such value", so that paths can be followed without checking each step:
 *
 *     tenon_str city = tenon_json_str(tenon_json_get(tenon_json_get(value, "address"), "city"));
 */
#ifndef TENON_JSON_H
#define TENON_JSON_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tenon_json_type {
    TENON_JSON_NONE = 0, /* no value at all */
    TENON_JSON_NULL,
    TENON_JSON_BOOL,
    TENON_JSON_INT, /* a whole number, exact in int64_t; 3.0 is one */
    TENON_JSON_NUM, /* any other number */
    TENON_JSON_STRING,
    TENON_JSON_ARRAY,
    TENON_JSON_OBJECT
} tenon_json_type;

TENON_API tenon_json_type tenon_json_type_of(const tenon_json *value);

/* Items of an array, members of an object, 0 for everything else. */
TENON_API size_t tenon_json_count(const tenon_json *value);

/* A member by name (the first, should there be more), an item by index (each step of the index is a step of work);
 * NULL when there is none. */
TENON_API const tenon_json *tenon_json_get(const tenon_json *object, const char *key);
TENON_API const tenon_json *tenon_json_at(const tenon_json *array, size_t index);

/* Visits the items of an array or the members of an object. `key` may be NULL; else *key is the member's name, and
 * its `at` is NULL for items. Begin with *place zero and leave it alone; returns NULL at the end.
 *
 *     for (size_t place = 0; (item = tenon_json_next(list, &place, NULL));)
 */
TENON_API const tenon_json *tenon_json_next(const tenon_json *value, size_t *place, tenon_str *key);

/* The value, or false, 0, 0.0, or an empty text when it is of another type (`at` is never NULL). tenon_json_num
 * takes integers too; a number with more digits than a double has is rounded to the nearest, and one beyond the
 * largest double is an infinity. */
TENON_API bool      tenon_json_bool(const tenon_json *value);
TENON_API int64_t   tenon_json_int(const tenon_json *value);
TENON_API double    tenon_json_num(const tenon_json *value);
TENON_API tenon_str tenon_json_str(const tenon_json *value);

#ifdef __cplusplus
}
#endif
#endif
