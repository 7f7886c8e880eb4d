/* judge.c - from a bound field back to its parameter. */
#include "model/judge.h"

#include "json/pointer.h"

struct matcher *tn_judge_matcher(struct tn_judge *judge)
{
    if (!*judge->matcher)
        *judge->matcher = tn_matcher_new(judge->memory);
    judge->arena->failed |= !*judge->matcher;
    return *judge->matcher;
}

bool tn_judge_locate(const struct tn_judge *judge, const void *field, struct tn_found *found)
{
    const char *at = field;

    /* Newer regions lie inside older ones, so the first that fits is the innermost. */
    for (const struct tn_region *region = judge->regions; region; region = region->next) {
        size_t size = region->object->size, offset;

        if (at < region->base || at >= region->base + region->count * size)
            continue;
        offset = (size_t)(at - region->base) % size;
        for (size_t i = 0; i < region->object->count; i++) {
            if (region->object->params[i].offset != offset)
                continue;
            *found = (struct tn_found){ region, &region->object->params[i],
                                        (size_t)(at - region->base) / size };
            return true;
        }
    }
    return false;
}

struct tn_slice tn_judge_path(struct tn_arena *arena, const struct tn_found *found)
{
    const struct tn_region *region = found->region;
    struct tn_buf           out;

    if (region->path.len == 0)
        return (struct tn_slice){ found->param->name, found->param->len };
    tn_buf_init(&out, arena, region->path.len + found->param->len + 24, 2048);
    tn_buf_add(&out, region->path.at, region->path.len);
    if (region->is_list)
        tn_pointer_add_index(&out, found->index);
    tn_pointer_add(&out, (struct tn_slice){ found->param->name, found->param->len });
    return tn_buf_slice(&out);
}

unsigned tn_judge_presence(const struct tn_found *found)
{
    return found->region->presence[found->index * found->region->object->count +
                                   (size_t)(found->param - found->region->object->params)];
}
