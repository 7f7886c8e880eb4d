/* shape.h - the tools of the cost curves, as every peer offers them. BENCH_SHAPE asks for one: "tools 100" is a hundred
 * copies of the search, "params 20", "items 1000" and "text 10000" one tool of that size, "document 1" the search declared by the
 * schema that its rows publish. */
#ifndef BENCH_SHAPE_H
#define BENCH_SHAPE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"
#include "search_document.h"

enum { PARAMS_MAX = 50, TOOLS_MAX = 1000, SHAPE_NAME = 16 };

/* ---- Many parameters: rows as TENON_INT makes them, for as many of the numbers as are asked for --------------- */

typedef struct {
    int64_t number[PARAMS_MAX];
} params_args;

static tenon_row params_row[PARAMS_MAX];
static char      params_name[PARAMS_MAX][SHAPE_NAME];
static size_t    params_count;

static tenon_outcome params(tenon_call *call, const void *args)
{
    const params_args *given = args;
    int64_t            sum   = 0;

    for (size_t i = 0; i < params_count; i++)
        sum += given->number[i];
    tenon_text(call, "sum %lld.", (long long)sum);
    return tenon_ok(call);
}

static tenon_tool *params_tool(size_t count)
{
    static tenon_tool tool;

    params_count = count < PARAMS_MAX ? count : PARAMS_MAX;
    for (size_t i = 0; i < params_count; i++) {
        snprintf(params_name[i], SHAPE_NAME, "P%zu", i);
        tenon_row_init(&params_row[i], TENON_KIND_INT);
        params_row[i].field                 = params_name[i];
        params_row[i].offset                = (uint32_t)(i * sizeof(int64_t));
        params_row[i].size                  = sizeof(int64_t);
        params_row[i].rule.integer.doc      = "A number.";
        params_row[i].rule.integer.required = true;
        params_row[i].rule.integer.range[0] = 0;
        params_row[i].rule.integer.range[1] = 1000;
    }
    tool = (tenon_tool){ .handler   = "params",
                         .info_size = sizeof(tenon_info),
                         .rows      = { .name        = "params_args",
                                        .at          = params_row,
                                        .count       = params_count,
                                        .row_size    = sizeof *params_row,
                                        .struct_size = sizeof(params_args) },
                         .run       = params,
                         .info      = { .name = "grown", .doc = "Grows." } };
    return &tool;
}

/* ---- A list, a text ------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_strs items;
} items_args;

static tenon_outcome items(tenon_call *call, const items_args *args)
{
    tenon_text(call, "%zu items.", args->items.count);
    return tenon_ok(call);
}

typedef struct {
    const char *text;
} text_args;

static tenon_outcome text(tenon_call *call, const text_args *args)
{
    tenon_text(call, "%zu bytes.", strlen(args->text));
    return tenon_ok(call);
}

/* clang-format off */
TENON_TOOL(items, items_args,
    TENON_INFO("Grows.", .name = "grown"),
    TENON_STRS(items, "Some texts.", .required = true, .count = {0, 10000}, .len = {1, 64}));

TENON_TOOL(text, text_args,
    TENON_INFO("Grows.", .name = "grown"),
    TENON_STR (text, "A text.", .required = true, .len = {1, 1048576}));
/* clang-format on */

/* ---- Copies of the search ------------------------------------------------------------------------------------- */

static void add_copies(tenon_server *server, size_t count)
{
    static tenon_tool tools[TOOLS_MAX];
    static char       names[TOOLS_MAX][SHAPE_NAME];

    for (size_t i = 0; i < count && i < TOOLS_MAX; i++) {
        snprintf(names[i], SHAPE_NAME, "search_%zu", i);
        tools[i]           = *search_tool();
        tools[i].info.name = names[i];
        tenon_server_add(server, &tools[i]);
    }
}

static tenon_tool *document_tool(void)
{
    static tenon_tool tool;
    tenon_shape      *shape = tenon_shape_new(&search_tool()->rows, NULL);

    if (!shape || !tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL))
        exit(1);
    tool           = *search_document_tool();
    tool.schema    = tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL);
    tool.info.name = "search";
    return &tool;
}

/* Whether a shape was asked for; what it asks for is added. */
static bool add_shape(tenon_server *server)
{
    const char *shape = getenv("BENCH_SHAPE");
    const char *space = shape ? strchr(shape, ' ') : NULL;
    size_t      count = space ? strtoul(space, NULL, 10) : 0;

    if (!count)
        return false;
    if (*shape == 'p')
        tenon_server_add(server, params_tool(count));
    else if (*shape == 'd')
        tenon_server_add(server, document_tool());
    else if (*shape == 'i')
        tenon_server_add(server, items_tool());
    else if (shape[1] == 'e')
        tenon_server_add(server, text_tool());
    else
        add_copies(server, count);
    return true;
}

#endif
