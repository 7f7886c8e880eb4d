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
    "its .header is no name of an HTTP header: use 1 to 64 letters, digits and !#$%&'*+-.^_`|~"
#define HEADER_SECRET "it is secret and has a .header, which whatever stands before the server sees and logs"

enum header_kind { HEADER_TEXT, HEADER_INTEGER, HEADER_BOOLEAN };

struct tool_header {
    struct slice header;  /* "Region", of Mcp-Param-Region */
    struct slice pointer; /* JSON Pointer of the argument, "/place/region" */
    enum header_kind
        kind; /* as declared in full; a client of the portable form may send text for any of them */
};

struct headers {
    struct arena             *arena;
    const struct tool_header *at;
    size_t                    count;
    struct mistake            mistake; /* the caller says whose */
};

bool header_is_name(struct slice name);

/* Fill `at` and `count`. False after a mistake, or when memory was refused (arena->failed). The texts are borrowed from
 * the declaration. */
bool headers_of_rows(struct headers *headers, const struct object *object);
bool headers_of_document(struct headers *headers, yyjson_val *schema);

#endif
