/* shape.h - a compiled table of rows: its model, its texts, its memory. */
#ifndef SCHEMA_SHAPE_H
#define SCHEMA_SHAPE_H

#include <tenon/shape.h>

#include "base/memory.h"
#include "schema/emit.h"
#include "schema/model.h"

struct tenon_shape {
    tenon_allocator     memory;
    struct arena        arena;
    const struct object *object; /* NULL when there is a mistake */
    const char          *error;
    struct shape_pattern *patterns; /* to free */
    struct slice         schema[2]; /* by form, when published alone */
};

#endif
