/* write.h - JSON bytes out: text, numbers and whole values into a buf. Never invalid JSON, whatever goes in. */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/str.h"

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void tn_json_string(struct tn_buf *buf, const char *at, size_t len);

/* The inside of a JSON string: the same without quotes, to build one from pieces. */
void tn_json_escaped(struct tn_buf *buf, const char *at, size_t len);

/* The shortest text that reads back as the same double: 2 for 2.0, 0.7, 1e300. null for NaN and infinities. */
void tn_json_number(struct tn_buf *buf, double value);

/* The same into `out`, without a NUL; returns how many bytes. */
#define JSON_NUMBER_ROOM 40
size_t tn_json_number_text(double value, char out[JSON_NUMBER_ROOM]);

/* Valid JSON text, on one line: its lines can only end between values, where a blank does as well. */
void tn_json_line(struct tn_buf *buf, const char *at, size_t len);

/* A whole value, compact; at most JSON_WRITE_DEPTH_MAX deep (deeper parts become null). */
#define JSON_WRITE_DEPTH_MAX 128
void tn_json_value(struct tn_buf *buf, yyjson_val *value);

#endif
