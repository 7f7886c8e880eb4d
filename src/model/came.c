/* came.c - from a struct back to what was sent. */
#include "model/came.h"

#include "model/form.h"

void tn_came_add(struct tn_judge *judge, const uint8_t *presence, const struct tn_location *up,
                 yyjson_val *const *keys, size_t count)
{
    struct tn_came *came = tn_arena_new(judge->arena, struct tn_came);

    if (!came)
        return;
    *came       = (struct tn_came){ presence, tn_location_keep(judge->arena, up), keys, count, judge->came };
    judge->came = came;
}

static const struct tn_came *came_of(const struct tn_judge *judge, const uint8_t *presence)
{
    const struct tn_came *came = judge->came;

    while (came && came->presence != presence)
        came = came->next;
    return came;
}

static struct tn_slice name_in(const struct tn_came *came, const struct tn_object *object,
                               const struct tn_param *param)
{
    for (size_t i = 0; came && i < came->count; i++) {
        struct tn_slice sent = tn_json_slice(came->keys[i]);

        if (tn_form_same_name((struct tn_slice){ param->name, param->len }, sent) &&
            tn_form_param(object, sent) == (uint32_t)(param - object->params))
            return sent;
    }
    return (struct tn_slice){ param->name, param->len };
}

struct tn_slice tn_came_name(const struct tn_judge *judge, const struct tn_object *object,
                             const uint8_t *presence, const struct tn_param *param)
{
    return name_in(came_of(judge, presence), object, param);
}

void tn_came_move(struct tn_judge *judge, const struct tn_found *found, struct tn_issue *issue)
{
    const struct tn_region *region = found->region;
    const struct tn_came   *came   = came_of(judge, region->presence + found->index * region->object->count);
    struct tn_location      item   = { .up = region->at, .index = found->index };
    struct tn_location      at     = { .up       = came              ? came->up
                                                   : region->is_list ? &item
                                                                     : region->at,
                                       .node     = found->param->node,
                                       .name     = name_in(came, region->object, found->param),
                                       .required = found->param->required };

    if (came || region->at) {
        tn_location_move(judge, &at, issue);
        return;
    }
    issue->parameter = issue->label = tn_judge_path(judge->arena, found);
    issue->required                 = found->param->required;
    issue->node = issue->addressed = found->param->node;
}
