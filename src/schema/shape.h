/* shape.h - a compiled table of rows: its model, its texts, its memory. */
#ifndef SCHEMA_SHAPE_H
#define SCHEMA_SHAPE_H

#include <tenon/shape.h>

#include "base/memory.h"
#include "schema/emit.h"
#include "schema/model.h"

struct shape_pattern {
    struct pattern       *pattern;
    struct shape_pattern *next;
};

struct tenon_shape {
    tenon_allocator       memory;
    struct arena          arena;
    const struct object  *object; /* NULL when there is a mistake */
    const char           *error;
    struct shape_pattern *patterns;  /* to free */
    struct slice          schema[2]; /* by form; a tool's are published by its toolbox instead */
};

/* Compiles rows that belong to `owner` (a tool's or a table's name, for texts about mistakes). NULL only when out of
 * memory. */
tenon_shape *shape_compile(const tenon_rows *rows, const char *owner, const tenon_allocator *memory);

#endif
