/* grow.c - tools and calls of any size. */
#include "bench/core/grow.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_ROOM ((size_t)32)
#define ITEM_ROOM ((size_t)64)
#define MOST      1000 /* of a good integer */

typedef struct {
    tenon_strs strings;
} strings_args;

typedef struct {
    tenon_ints integers;
} integers_args;

TENON_ROWS(strings_rows, strings_args,
    TENON_STRS(strings, "Short texts.", .len = {1, 64}));

TENON_ROWS(integers_rows, integers_args,
    TENON_INTS(integers, "Numbers.", .range = {0, MOST}));

static struct grown *grown_new(const tenon_rows *rows, const char *json, size_t len)
{
    struct grown *grown = malloc(sizeof *grown);

    if (grown)
        *grown = (struct grown){ rows, json, len };
    return grown;
}

static int good_or_bad(size_t i, bool valid)
{
    return (int)(i % MOST) + (valid ? 0 : MOST + 1);
}

/* ---- Many parameters ----------------------------------------------------------------------------------------- */

/* Rows as TENON_INT makes them, for a struct of `count` times int64_t. */
static const tenon_rows *rows_of_integers(size_t count)
{
    tenon_rows *table = malloc(sizeof *table);
    tenon_row  *rows  = calloc(count, sizeof *rows);
    char       *names = malloc(count * NAME_ROOM);

    if (!table || !rows || !names)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        char *name = names + i * NAME_ROOM;

        snprintf(name, NAME_ROOM, "param_%zu", i);
        tenon_row_init(&rows[i], TENON_KIND_INT);
        rows[i].field                 = name;
        rows[i].offset                = (uint32_t)(i * sizeof(int64_t));
        rows[i].size                  = sizeof(int64_t);
        rows[i].rule.integer.doc      = "A number.";
        rows[i].rule.integer.range[0] = 0;
        rows[i].rule.integer.range[1] = MOST;
    }
    *table = (tenon_rows){ .name        = "grown",
                           .at          = rows,
                           .count       = count,
                           .row_size    = sizeof *rows,
                           .struct_size = count * sizeof(int64_t) };
    return table;
}

struct grown *grow_params(size_t count, bool valid)
{
    const tenon_rows *rows = rows_of_integers(count);
    char             *json = malloc(count * ITEM_ROOM + ITEM_ROOM);
    size_t            len  = 0;

    if (!rows || !json)
        return NULL;
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(json + len, ITEM_ROOM, "%c\"param_%zu\":%d", i == 0 ? '{' : ',', i,
                                good_or_bad(i, valid));
    json[len++] = '}';
    return grown_new(rows, json, len);
}

/* ---- Long lists ---------------------------------------------------------------------------------------------- */

struct grown *grow_strings(size_t count, bool valid)
{
    char  *json = malloc(count * ITEM_ROOM + ITEM_ROOM);
    size_t len  = 0;

    if (!json)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        len += (size_t)snprintf(json + len, ITEM_ROOM, i == 0 ? "{\"strings\":[\"" : "\",\"");
        if (valid)
            len += (size_t)snprintf(json + len, ITEM_ROOM, "type-%zu", i);
    }
    len += (size_t)snprintf(json + len, ITEM_ROOM, "\"]}");
    return grown_new(strings_rows(), json, len);
}

struct grown *grow_integers(size_t count, bool valid)
{
    char  *json = malloc(count * ITEM_ROOM + ITEM_ROOM);
    size_t len  = 0;

    if (!json)
        return NULL;
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(json + len, ITEM_ROOM, "%s%d", i == 0 ? "{\"integers\":[" : ",",
                                good_or_bad(i, valid));
    len += (size_t)snprintf(json + len, ITEM_ROOM, "]}");
    return grown_new(integers_rows(), json, len);
}
