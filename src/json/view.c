/* view.c - the public, read-only view of a yyjson value. */
#include <tenon/json.h>

#include <math.h>
#include <string.h>

#include <yyjson.h>

#define EXACT_INTEGER 9007199254740992. /* 2^53: up to here a whole double is what was written */

/* A tenon_json is a yyjson_val by another name. yyjson takes no const, and changes nothing here. */
static yyjson_val *value_of(const tenon_json *json)
{
    return (yyjson_val *)json;
}

static const tenon_json *view_of(const yyjson_val *value)
{
    return (const tenon_json *)value;
}

/* Stores a whole number that int64_t holds exactly. */
static bool whole_number(yyjson_val *value, int64_t *number)
{
    double real;

    if (yyjson_is_sint(value)) {
        *number = unsafe_yyjson_get_sint(value);
        return true;
    }
    if (yyjson_is_uint(value)) {
        *number = (int64_t)unsafe_yyjson_get_uint(value);
        return unsafe_yyjson_get_uint(value) <= INT64_MAX;
    }
    if (!yyjson_is_real(value))
        return false;
    real = unsafe_yyjson_get_real(value);
    if (fabs(real) > EXACT_INTEGER || trunc(real) != real)
        return false;
    *number = (int64_t)real;
    return true;
}

/* A number that was kept as its text: what follows it there is no part of a number, a NUL at the latest. */
static double raw_number(yyjson_val *value)
{
    yyjson_val number;

    if (!yyjson_read_number(unsafe_yyjson_get_raw(value), &number, YYJSON_READ_ALLOW_INF_AND_NAN, NULL, NULL))
        return 0.0;
    return yyjson_get_num(&number);
}

tenon_json_type tenon_json_type_of(const tenon_json *value)
{
    int64_t number;

    switch (yyjson_get_type(value_of(value))) {
    case YYJSON_TYPE_NULL: return TENON_JSON_NULL;
    case YYJSON_TYPE_BOOL: return TENON_JSON_BOOL;
    case YYJSON_TYPE_RAW: return TENON_JSON_NUM;
    case YYJSON_TYPE_NUM: return whole_number(value_of(value), &number) ? TENON_JSON_INT : TENON_JSON_NUM;
    case YYJSON_TYPE_STR: return TENON_JSON_STRING;
    case YYJSON_TYPE_ARR: return TENON_JSON_ARRAY;
    case YYJSON_TYPE_OBJ: return TENON_JSON_OBJECT;
    default: return TENON_JSON_NONE;
    }
}

size_t tenon_json_count(const tenon_json *value)
{
    return yyjson_is_ctn(value_of(value)) ? unsafe_yyjson_get_len(value_of(value)) : 0;
}

const tenon_json *tenon_json_get(const tenon_json *object, const char *key)
{
    return view_of(yyjson_obj_get(value_of(object), key));
}

const tenon_json *tenon_json_at(const tenon_json *array, size_t index)
{
    return view_of(yyjson_arr_get(value_of(array), index));
}

/* A place counts values behind the container: its children stand there, each followed by its own. */
const tenon_json *tenon_json_next(const tenon_json *value, size_t *place, tenon_str *key)
{
    yyjson_val *container = value_of(value), *child;

    if (key)
        *key = (tenon_str){ NULL, 0 };
    if (!yyjson_is_ctn(container))
        return NULL;
    child = unsafe_yyjson_get_first(container) + *place;
    if (child >= unsafe_yyjson_get_next(container))
        return NULL;
    if (yyjson_is_obj(container)) {
        if (key)
            *key = (tenon_str){ unsafe_yyjson_get_str(child), unsafe_yyjson_get_len(child) };
        child++;
    }
    *place = (size_t)(unsafe_yyjson_get_next(child) - unsafe_yyjson_get_first(container));
    return view_of(child);
}

bool tenon_json_bool(const tenon_json *value)
{
    return yyjson_get_bool(value_of(value));
}

int64_t tenon_json_int(const tenon_json *value)
{
    int64_t number;

    return whole_number(value_of(value), &number) ? number : 0;
}

double tenon_json_num(const tenon_json *value)
{
    return yyjson_is_raw(value_of(value)) ? raw_number(value_of(value)) : yyjson_get_num(value_of(value));
}

tenon_str tenon_json_str(const tenon_json *value)
{
    if (!yyjson_is_str(value_of(value)))
        return (tenon_str){ "", 0 };
    return (tenon_str){ unsafe_yyjson_get_str(value_of(value)), unsafe_yyjson_get_len(value_of(value)) };
}
