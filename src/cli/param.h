/* param.h - what a published JSON Schema says of one parameter: which types it takes, in bits and in words. */
#ifndef CLI_PARAM_H
#define CLI_PARAM_H

#include <yyjson.h>

#include "base/buf.h"

enum {
    TAKES_STRING  = 1,
    TAKES_INTEGER = 2,
    TAKES_NUMBER  = 4,
    TAKES_BOOLEAN = 8,
    TAKES_ARRAY   = 16,
    TAKES_OBJECT  = 32,
    TAKES_NULL    = 64
};

/* `root` is the whole schema, in which local references lead. 0 when it cannot be told. */
unsigned param_takes(struct tn_arena *arena, yyjson_val *root, yyjson_val *param);

/* Does the schema of an object require the member of that name? */
bool param_is_required(yyjson_val *schema, yyjson_val *name);

/* "integer", "string[]", "low|high": short, for people. */
void param_type(struct tn_buf *out, struct tn_arena *arena, yyjson_val *root, yyjson_val *param);

/* Where a chain of local references ("$ref": "#/...") leads; `param` itself when it is none or leads nowhere. */
yyjson_val *param_resolve(struct tn_arena *arena, yyjson_val *root, yyjson_val *param);

/* A value of the parameter from what a person typed: JSON where the parameter wants no text and the text is JSON, else
 * a JSON string. */
void param_value(struct tn_buf *out, struct tn_arena *arena, unsigned takes, struct tn_slice typed);

#endif
