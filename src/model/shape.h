/* shape.h - what a compiled declaration owns, of rows or of a schema document: its model, its texts, its memory. */
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include <tenon/shape.h>

#include "base/memory.h"
#include "base/table.h"
#include "model/node.h"

struct tenon_shape {
    tenon_allocator         memory;
    struct tn_arena         arena;
    const struct tn_object *object; /* NULL when there is a mistake */
    const char             *error;
    struct tn_table         patterns;  /* by their text */
    struct kept_pattern    *kept;      /* the same, to free */
    bool                    tried;     /* compiled to be checked, and not to be used */
    struct tn_slice         schema[2]; /* by form; a tool's are published by its toolbox instead */
};

/* A pattern that is freed with the shape, compiled once whatever number of values has it. The text must outlive the shape. NULL when it cannot be used, and `why` then says why (cut to its
 * size), or when memory is refused: `why` is empty, and the arena has failed. */
const struct pattern *tn_shape_pattern(tenon_shape *shape, struct tn_slice text, char *why, size_t why_size);

/* Frees what the shape holds, but not the shape. */
void tn_shape_clear(tenon_shape *shape);

#endif
