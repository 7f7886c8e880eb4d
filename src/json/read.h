/* read.h - JSON text into a yyjson document in an arena, within limits.
 *
 * yyjson bounds neither depth nor the number of values; this does, before anyone walks the document. Numbers that
 * fit neither 64-bit integers nor doubles stay as their text (yyjson_is_raw), so that nothing is rounded unseen.
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/str.h"

struct tn_json_limits {
    size_t bytes, depth, nodes; /* the most of each; [1] is one deep and has two nodes */
};

enum tn_json_fault {
    JSON_FINE = 0,
    JSON_SYNTAX,   /* not JSON: `what` and `at` say why and where */
    JSON_TOO_LONG, /* more bytes than allowed */
    JSON_TOO_DEEP, /* nested deeper than allowed */
    JSON_TOO_MANY, /* more values than allowed */
    JSON_NO_MEMORY
};

struct tn_json_text {
    yyjson_val        *root; /* NULL unless JSON_FINE; lives in the arena */
    enum tn_json_fault fault;
    const char        *what;  /* static: "unexpected end", ... */
    size_t             at;    /* byte offset of a syntax fault, or of the first text that is not Unicode */
    size_t             nodes; /* values in the document */
    bool bad_utf8; /* some text is not valid UTF-8 (half a surrogate pair is not): check each before use */
};

/* Reads all of `at`. Text that is not UTF-8 is let through with `bad_utf8` set, so that the caller can name the
 * parameter it stands in. So are escapes of half a surrogate pair, which cut texts have: as three bytes that are not UTF-8. */
struct tn_json_text tn_json_read(struct tn_arena *arena, const char *at, size_t len,
                                 const struct tn_json_limits *limits);

/* The same with every number as its text, for those who must not lose a digit. */
struct tn_json_text tn_json_read_literal(struct tn_arena *arena, const char *at, size_t len,
                                         const struct tn_json_limits *limits);

/* The same for one number only, with JSON's grammar and nothing around it: NULL if it is not one. */
yyjson_val *tn_json_read_number(struct tn_arena *arena, const char *at, size_t len);

/* The text of a string; nothing of any other value, not even a length: yyjson_get_len() of an array or an object is how
 * many values it holds. */
static inline struct tn_slice tn_json_slice(yyjson_val *value)
{
    return yyjson_is_str(value)
               ? (struct tn_slice){ unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) }
               : (struct tn_slice){ NULL, 0 };
}

#endif
