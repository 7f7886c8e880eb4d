/* toolbox.h - a toolbox and its tools, compiled. */
#ifndef ANSWER_TOOLBOX_H
#define ANSWER_TOOLBOX_H

#include <tenon/toolbox.h>

#include "answer/errors.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/table.h"
#include "model/shape.h"
#include "rows/headers.h"

#define TOOL_NAME_MAX  64
#define SCHEMA_LEN_MAX ((size_t)1 << 20)
#define BUDGET_MIN     ((size_t)1024)

struct tn_tool {
    tenon_tool_view   view; /* first, so that a view leads to its tool */
    size_t            name_len;
    const tenon_tool *declared;
    tenon_shape  *input, *result, *items; /* the last two may be NULL, and the first when there is a schema */
    tenon_schema *schema, *result_schema; /* documents that declare arguments and data, or NULL */
    const struct tn_param *cursor, *limit; /* of the cursor group, or NULL */
    tenon_unknown          unknown;        /* resolved */
    bool                   strict, destructive;
    bool                   guarded; /* some argument is secret, or a map that may hold secrets */
    bool                   looks;   /* some row has a lookup */
    size_t                 budget;

    const struct tn_tool_header *headers; /* arguments that clients repeat in HTTP headers */
    size_t                       header_count;
};

struct tenon_toolbox {
    tenon_allocator       memory;
    struct tn_arena       arena;
    tenon_toolbox_options options; /* with every default filled in */
    struct tn_error_table errors;
    struct tn_log         log;
    unsigned char         keys[2][TENON_KEY_LEN]; /* the first signs, either is believed */
    size_t                key_count;
    struct tn_tool      **tools;
    size_t                count, room;
    struct tn_table       names;
    const char           *error;
};

/* NULL when there is none. */
struct tn_tool *tn_toolbox_lookup(const tenon_toolbox *box, const char *name);

/* Writes the tool's schemas into its view. False when one is too long or memory is refused. */
bool tn_publish_tool(tenon_toolbox *box, struct tn_tool *tool);

#endif
