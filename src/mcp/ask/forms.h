/* forms.h - forms that users fill in: rows compiled once for a server, and answers bound by them. */
#ifndef MCP_ASK_FORMS_H
#define MCP_ASK_FORMS_H

#include "mcp/exchange.h"

/* NULL without memory, or for rows with a mistake, which is logged. */
const tenon_shape *tn_forms_shape(tenon_server *server, tenon_rows_fn rows);

/* The schema that is shown to the client: open, for protocols know no closed forms. In the call's arena. */
const char *tn_forms_schema(tenon_call *call, const tenon_shape *shape);

/* The struct, in the call's arena; NULL when `content` breaks the rows. What they do not name is ignored. */
const void *tn_forms_bind(tenon_call *call, const tenon_shape *shape, yyjson_val *content);

void tn_forms_free(tenon_server *server);

#endif
