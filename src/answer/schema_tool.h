/* schema_tool.h - tools whose arguments, or whose data, are declared by a JSON Schema document. */
#ifndef ANSWER_SCHEMA_TOOL_H
#define ANSWER_SCHEMA_TOOL_H

#include "answer/call.h"
#include "document/repair/repair.h"

/* Why a compiled document is no tool's schema; NULL when it is. */
const char *tn_schema_tool_mistake(const tenon_schema *schema);

/* The arguments of the call as a view, repaired, or NULL: there are issues then, or memory was refused. `sent` were read as
 * part of a message; without, they are the call's text. */
const tenon_json *tn_schema_tool_args(tenon_call *call, yyjson_val *sent);

/* How they are repaired. */
struct tn_repair_how tn_schema_tool_how(const tenon_call *call);

/* The name or JSON Pointer of a value of the arguments. False, and nothing changed, when it is none of them. */
bool tn_schema_tool_locate(tenon_call *call, const void *view, struct tn_slice *path);

/* Does the data keep the tool's .result_schema? If not, the call has ended with *failure. */
bool tn_schema_tool_result(tenon_call *call, yyjson_val *data, size_t len, tenon_outcome *failure);

/* Does it keep to what every provider's strict mode accepts (rows/portable.c)? */
bool tn_schema_tool_is_portable(const tenon_schema *schema);

/* Publishing .result_schema inside the schema of the whole answer: "$schema":..., for its root, if there is one; and the
 * schema with null allowed beside it. */
void tn_schema_tool_dialect(struct tn_buf *out, const tenon_schema *schema);
void tn_schema_tool_data(struct tn_buf *out, const tenon_schema *schema, const char *tool);

#endif
