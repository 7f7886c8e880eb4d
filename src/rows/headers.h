/* headers.h - arguments that clients repeat in HTTP headers (x-mcp-header), found in a tool's declaration.
 *
 * A name is a token of RFC 9110, used once in a tool whatever its case. It may stand at texts, integers and truth values
 * that are reached through `properties` alone: a list has no one value to repeat.
 */
#ifndef ROWS_HEADERS_H
#define ROWS_HEADERS_H

#include <yyjson.h>

#include "model/mistake.h"

#define HEADER_KEYWORD  "x-mcp-header"
#define HEADERS_MAX     ((size_t)32) /* of a tool: servers bound how many headers a request has */
#define HEADER_NAME_MAX ((size_t)64)

#define HEADER_NO_NAME                                                                                       \
    "its .header is not the name of an HTTP header: use 1 to 64 letters, digits and !#$%&'*+-.^_`|~"
#define HEADER_SECRET "it is secret and has a .header, which proxies before the server see and log"

enum tn_header_kind { HEADER_TEXT, HEADER_INTEGER, HEADER_BOOLEAN };

struct tn_tool_header {
    struct tn_slice header;  /* "Region", of Mcp-Param-Region */
    struct tn_slice pointer; /* JSON Pointer of the argument, "/place/region" */
    enum tn_header_kind
        kind; /* as declared in full; a client of the portable form may send text for any of them */
};

struct tn_headers {
    struct tn_arena             *arena;
    const struct tn_tool_header *at;
    size_t                       count;
    struct tn_mistake            mistake; /* the caller says whose */
};

bool tn_header_is_name(struct tn_slice name);

/* Has any row a header? And has a document the keyword, wherever? */
bool tn_headers_any(const struct tn_object *object);
bool tn_headers_any_of_document(yyjson_val *schema);

/* Fill `at` and `count`. False after a mistake, or when memory was refused (arena->failed). The texts are borrowed from
 * the declaration. */
bool tn_headers_of_rows(struct tn_headers *headers, const struct tn_object *object);
bool tn_headers_of_document(struct tn_headers *headers, yyjson_val *schema);

#endif
