/* shape.c - patterns that are freed with a declaration, and its end. */
#include "model/shape.h"

#include "text/pattern.h"

struct kept_pattern {
    struct pattern      *pattern;
    struct kept_pattern *next;
};

const struct pattern *tn_shape_pattern(tenon_shape *shape, struct tn_slice text, char *why, size_t why_size)
{
    struct kept_pattern *kept = tn_table_find(&shape->patterns, shape, text);

    why[0] = '\0';
    if (kept)
        return kept->pattern;
    kept = tn_arena_new(&shape->arena, struct kept_pattern);
    if (!kept)
        return NULL;
    kept->pattern = shape->tried ? tn_pattern_try(&shape->memory, text, why, why_size)
                                 : tn_pattern_new(&shape->memory, text, why, why_size);
    if (!kept->pattern) {
        shape->arena.failed |= !why[0];
        return NULL;
    }
    kept->next  = shape->kept;
    shape->kept = kept;
    return tn_table_add(&shape->patterns, &shape->arena, shape, text, kept) ? kept->pattern : NULL;
}

void tn_shape_clear(tenon_shape *shape)
{
    for (struct kept_pattern *kept = shape->kept; kept; kept = kept->next)
        tn_pattern_free(kept->pattern);
    tn_arena_free(&shape->arena);
}
