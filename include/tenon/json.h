/* json.h - JSON: a read-only view of a value, and a writer.
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
 * NULL when it does not exist. */
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

/* ---- Writing -----------------------------------------------------------------------------------------------------
 *
 *     tenon_write_object(w, NULL);
 *     tenon_write_str(w, "city", "Oslo");
 *     tenon_write_array(w, "highs");
 *     for (size_t i = 0; i < count; i++)
 *         tenon_write_num(w, NULL, highs[i]);
 *     tenon_write_end(w);
 *     tenon_write_end(w);
 *
 * gives {"city":"Oslo","highs":[3,4.5]}. A value inside an object has a key; one inside an array, and the whole value,
 * has NULL. There is nothing to check on the way: the first mistake (a key in an array, a value without one, an end too
 * many, text that is not UTF-8, NaN, a refused allocation, more bytes than the maximum) is kept, and everything after it
 * is ignored. tenon_writer_text() gives text that is valid JSON on one line, or nothing. Keys are not compared.
 *
 * Every function accepts NULL for a writer that could not be made. A writer is used by one thread at a time. */

typedef struct tenon_writer tenon_writer;

#define TENON_WRITER_DEPTH 128 /* objects and arrays inside each other */

/* A writer of at most `max` bytes; NULL when out of memory. A zero or NULL `memory` is malloc. Handlers use
 * tenon_call_writer() (call.h), whose writer is freed with the call. */
TENON_API tenon_writer *tenon_writer_new(const tenon_allocator *memory, size_t max);
TENON_API void          tenon_writer_free(tenon_writer *writer);

/* The text, with a NUL after it, when one whole value was written without a mistake; else NULL. `len` may be NULL. It is
 * valid until the writer is freed. */
TENON_API const char *tenon_writer_text(tenon_writer *writer, size_t *len);

/* Why there is no text, as a sentence without a full stop: static, and NULL when there is text. */
TENON_API const char *tenon_writer_error(const tenon_writer *writer);

/* How many bytes were written so far. */
TENON_API size_t tenon_writer_len(const tenon_writer *writer);

TENON_API void tenon_write_object(tenon_writer *writer, const char *key);
TENON_API void tenon_write_array(tenon_writer *writer, const char *key);
TENON_API void tenon_write_end(tenon_writer *writer); /* of the innermost object or array */

TENON_API void tenon_write_str(tenon_writer *writer, const char *key, const char *text); /* NULL is null */
TENON_API void tenon_write_int(tenon_writer *writer, const char *key, int64_t value);
TENON_API void tenon_write_num(tenon_writer *writer, const char *key, double value);
TENON_API void tenon_write_bool(tenon_writer *writer, const char *key, bool value);
TENON_API void tenon_write_null(tenon_writer *writer, const char *key);

/* Text with a length, which may have NULs in it. */
TENON_API void tenon_write_text(tenon_writer *writer, const char *key, const char *at, size_t len);

/* The same of text from elsewhere: bytes that are not UTF-8 become U+FFFD and are no mistake. */
TENON_API void tenon_write_bytes(tenon_writer *writer, const char *key, const char *at, size_t len);

/* A value that is JSON text already: it is read once, to see that it is JSON. */
TENON_API void tenon_write_raw(tenon_writer *writer, const char *key, const char *json, size_t len);

/* A value that was read; NULL is null. */
TENON_API void tenon_write_json(tenon_writer *writer, const char *key, const tenon_json *value);

/* The key of the value that follows, when it has a length: that value is then written with NULL for its key. */
TENON_API void tenon_write_key(tenon_writer *writer, const char *at, size_t len);

#ifdef __cplusplus
}
#endif
#endif
