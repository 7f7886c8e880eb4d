/* search_document.h - the tool of search.h, declared by a schema: its `schema` is set to the one that the rows publish. */
#ifndef BENCH_SEARCH_DOCUMENT_H
#define BENCH_SEARCH_DOCUMENT_H

#include <tenon/tenon.h>

/* What the handler of the rows says, from a view. */
static tenon_outcome search_document(tenon_call *run, const tenon_json *args)
{
    tenon_text(run, "%s: %d results at %s, %zu tags.", tenon_json_str(tenon_json_get(args, "query")).at,
               (int)tenon_json_int(tenon_json_get(args, "limit")),
               tenon_json_str(tenon_json_get(args, "level")).at,
               tenon_json_count(tenon_json_get(args, "tags")));
    return tenon_ok(run);
}
TENON_SCHEMA_TOOL(search_document, TENON_INFO("Search the notes.", .hints = TENON_READ_ONLY), "{}");

#endif
