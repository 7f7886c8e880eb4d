/* view.c - collects the schemas that speak of one place. */
#include "contract/view.h"

#include "model/property.h"

#define HOPS_MAX 7 /* from one reference to the next */

/* Adds a schema with what holds beside it. Of alternatives one is taken, or all of a hint. */
static void look(struct tn_view *view, const struct tn_node *node, size_t way, bool hint)
{
    const struct tn_in_place *place;

    for (unsigned hops = 0; node->schema->alias && hops < HOPS_MAX; hops++)
        node = node->schema->alias;
    for (size_t i = 0; i < view->count; i++)
        if (view->at[i] == node)
            return;
    if (view->count == VIEW_MAX)
        return;
    view->at[view->count++] = node;
    if (!hint)
        view->types &= node->schema->types;
    place = node->schema->in_place;
    if (!place)
        return;
    if (place->ref)
        look(view, place->ref, way, hint);
    if (place->dynamic)
        look(view, place->dynamic, way, hint);
    for (size_t i = 0; i < place->all_of.count; i++)
        look(view, place->all_of.at[i], way, hint);
    for (size_t i = 0; i < place->any_of.count; i++)
        if (hint || i == way % place->any_of.count)
            look(view, place->any_of.at[i], way, hint);
    for (size_t i = 0; i < place->one_of.count; i++)
        if (hint || i == way % place->one_of.count)
            look(view, place->one_of.at[i], way, hint);
    if (place->if_ && (hint || way % 2 == 0))
        look(view, place->if_, way, hint);
    if (place->then_ && (hint || way % 2 == 0))
        look(view, place->then_, way, hint);
    if (place->else_ && (hint || way % 2 == 1))
        look(view, place->else_, way, hint);
}

struct tn_view tn_view_of(const struct tn_node *node, size_t way, bool hint)
{
    struct tn_view view = { .types = TYPE_ANY };

    if (node)
        look(&view, node, way, hint);
    return view;
}

const struct tn_property *tn_view_property(const struct tn_object_rules *rules, const char *name, size_t len)
{
    uint32_t at = tn_property_find(rules, name, len, 0);

    return at != NO_PROPERTY ? &rules->properties[at] : NULL;
}

/* What is said of one member. */
struct tn_view tn_view_member(const struct tn_view *view, const char *name, size_t len, size_t way, bool hint)
{
    struct tn_view member = { .types = TYPE_ANY };

    for (size_t i = 0; i < view->count; i++) {
        const struct tn_object_rules *rules = view->at[i]->schema->object;
        const struct tn_property     *known = rules ? tn_view_property(rules, name, len) : NULL;

        if (known && known->node)
            look(&member, known->node, way, hint);
        else if (rules && rules->additional && !known)
            look(&member, rules->additional, way, hint);
    }
    for (size_t i = 0; member.count == 0 && i < view->count; i++)
        if (view->at[i]->schema->object && view->at[i]->schema->object->unevaluated)
            look(&member, view->at[i]->schema->object->unevaluated, way, hint);
    return member;
}

struct tn_view tn_view_item(const struct tn_view *view, size_t index, size_t way, bool hint)
{
    struct tn_view item = { .types = TYPE_ANY };

    for (size_t i = 0; i < view->count; i++) {
        const struct tn_array_rules *rules = view->at[i]->schema->array;

        if (!rules)
            continue;
        if (index < rules->prefix.count)
            look(&item, rules->prefix.at[index], way, hint);
        else if (rules->items)
            look(&item, rules->items, way, hint);
        if (rules->contains && index == 0)
            look(&item, rules->contains, way, hint);
    }
    return item;
}
