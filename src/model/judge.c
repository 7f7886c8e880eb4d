/* judge.c - from a bound field back to its parameter. */
#include "model/judge.h"

#include "json/pointer.h"

bool judge_locate(const struct judge *judge, const void *field, struct found *found)
{
    const char *at = field;

    /* Newer regions lie inside older ones, so the first that fits is the innermost. */
    for (const struct region *region = judge->regions; region; region = region->next) {
        size_t size = region->object->size, offset;

        if (at < region->base || at >= region->base + region->count * size)
            continue;
        offset = (size_t)(at - region->base) % size;
        for (size_t i = 0; i < region->object->count; i++) {
            if (region->object->params[i].offset != offset)
                continue;
            *found = (struct found){ region, &region->object->params[i], (size_t)(at - region->base) / size };
            return true;
        }
    }
    return false;
}

struct slice judge_path(struct arena *arena, const struct found *found)
{
    const struct region *region = found->region;
    struct buf           out;

    if (region->path.len == 0)
        return (struct slice){ found->param->name, found->param->len };
    buf_init(&out, arena, region->path.len + found->param->len + 24, 2048);
    buf_add(&out, region->path.at, region->path.len);
    if (region->is_list)
        pointer_add_index(&out, found->index);
    pointer_add(&out, (struct slice){ found->param->name, found->param->len });
    return buf_slice(&out);
}

unsigned judge_presence(const struct found *found)
{
    return found->region->presence[found->index * found->region->object->count +
                                   (size_t)(found->param - found->region->object->params)];
}
