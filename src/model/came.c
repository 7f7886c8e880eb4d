/* came.c - from a struct back to what was sent. */
#include "model/came.h"

#include "model/form.h"

void came_add(struct judge *judge, const uint8_t *presence, const struct place *up, yyjson_val *const *keys,
              size_t count)
{
    struct came *came = arena_new(judge->arena, struct came);

    if (!came)
        return;
    *came       = (struct came){ presence, place_keep(judge->arena, up), keys, count, judge->came };
    judge->came = came;
}

static const struct came *came_of(const struct judge *judge, const uint8_t *presence)
{
    const struct came *came = judge->came;

    while (came && came->presence != presence)
        came = came->next;
    return came;
}

static struct slice name_in(const struct came *came, const struct object *object, const struct param *param)
{
    for (size_t i = 0; came && i < came->count; i++) {
        struct slice sent = json_slice(came->keys[i]);

        if (form_same_name((struct slice){ param->name, param->len }, sent) &&
            form_param(object, sent) == (uint32_t)(param - object->params))
            return sent;
    }
    return (struct slice){ param->name, param->len };
}

struct slice came_name(const struct judge *judge, const struct object *object, const uint8_t *presence,
                       const struct param *param)
{
    return name_in(came_of(judge, presence), object, param);
}

void came_move(struct judge *judge, const struct found *found, struct issue *issue)
{
    const struct region *region = found->region;
    const struct came   *came   = came_of(judge, region->presence + found->index * region->object->count);
    struct place         item   = { .up = region->at, .index = found->index };
    struct place         at     = { .up       = came              ? came->up
                                                : region->is_list ? &item
                                                                  : region->at,
                                    .node     = found->param->node,
                                    .name     = name_in(came, region->object, found->param),
                                    .required = found->param->required };

    if (came || region->at) {
        place_move(judge, &at, issue);
        return;
    }
    issue->parameter = issue->label = judge_path(judge->arena, found);
    issue->required                 = found->param->required;
    issue->node = issue->addressed = found->param->node;
}
