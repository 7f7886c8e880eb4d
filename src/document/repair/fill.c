/* fill.c - defaults.
 *
 * An absent member gets the default that its schema declares, in every object that exists, as long as all stays valid.
 * A default is filled in itself before it is used, so that nothing is left to fill in afterwards; one that would never
 * end (an object whose default holds the same object) does not count.
 */
#include "document/repair/repair.h"

#define DEFAULT_DEPTH_MAX 8
#define DEFAULT_REFS_MAX  16
#define ROUNDS_MAX        64

static yyjson_val *fill_node(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                             const struct tn_location *at);

/* ---- One default ------------------------------------------------------------------------------------------------ */

yyjson_val *tn_repair_declared(const struct tn_node *node)
{
    for (unsigned i = 0; i < DEFAULT_REFS_MAX; i++) {
        if (node->schema->def)
            return node->schema->def;
        if (!node->schema->in_place || !node->schema->in_place->ref)
            return NULL;
        node = node->schema->in_place->ref;
    }
    return NULL;
}

/* Until nothing more changes; `value` itself when there is no end to it. */
static yyjson_val *fill_wholly(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_location *at)
{
    yyjson_val *filled = value;

    for (unsigned round = 0; round < ROUNDS_MAX && !repairer->verdict->gave_up; round++) {
        yyjson_val *next = fill_node(repairer, node, filled, at);

        if (next == filled)
            return filled;
        filled = next;
    }
    return value;
}

yyjson_val *tn_repair_default(struct tn_repairer *repairer, const struct tn_node *node,
                              const struct tn_location *at)
{
    yyjson_val *value = tn_repair_declared(node);

    if (!value || repairer->endless || !tn_repair_fits(repairer, node, value))
        return NULL;
    if (repairer->defaults == DEFAULT_DEPTH_MAX) {
        repairer->endless = true;
        return NULL;
    }
    repairer->defaults++;
    value = fill_wholly(repairer, node, value, at);
    repairer->defaults--;
    if (!repairer->endless)
        return value;
    repairer->endless = repairer->defaults > 0; /* told to the outermost */
    return NULL;
}

/* ---- Members ---------------------------------------------------------------------------------------------------- */

/* `next` where it fits, else `value`. */
static yyjson_val *better(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                          yyjson_val *next)
{
    return next == value || repairer->any || tn_repair_fits(repairer, node, next) ? next : value;
}

static yyjson_val *fill_inside(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                               yyjson_val *value, const struct tn_location *at)
{
    struct tn_parts parts;

    if (unsafe_yyjson_get_len(value) == 0 || !tn_parts_open(repairer, &parts, value, 0))
        return value;
    for (size_t i = 0; i < parts.count; i += 2) {
        if (yyjson_is_ctn(parts.at[i + 1]))
            tn_parts_set(&parts, i + 1, tn_parts_each(repairer, rules, &parts, i, at, fill_node, fill_node));
    }
    return tn_parts_close(repairer, &parts);
}

/* Adds defaults of absent members, from number *from on: all of them, or only the first that there is. */
static yyjson_val *add_defaults(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                                yyjson_val *value, const struct tn_location *up, const uint64_t *present,
                                size_t *from, bool all)
{
    struct tn_parts parts;
    size_t          i = *from;

    if (!tn_parts_open(repairer, &parts, value, all ? rules->count : 1)) {
        *from = rules->count;
        return value;
    }
    for (; i < rules->count && (all || !parts.changed) && !repairer->verdict->gave_up; i++) {
        const struct tn_property *property = &rules->properties[i];
        struct tn_slice           name     = { property->name, property->len };
        struct tn_location        at       = { .up = up, .key_index = SIZE_MAX, .name = name };
        yyjson_val               *member;

        if (!property->node || present[i / 64] >> i % 64 & 1)
            continue;
        member = tn_repair_default(repairer, property->node, &at);
        if (member)
            tn_parts_add(repairer, &parts, name, member);
    }
    *from = i;
    return tn_parts_close(repairer, &parts);
}

static bool has_defaults(const struct tn_object_rules *rules, const uint64_t *present)
{
    for (size_t i = 0; present && i < rules->count; i++)
        if (rules->properties[i].node && !(present[i / 64] >> i % 64 & 1) &&
            tn_repair_declared(rules->properties[i].node))
            return true;
    return false;
}

/* All at once where that fits, else one by one. */
static yyjson_val *fill_absent(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                               const struct tn_location *at)
{
    const struct tn_object_rules *rules   = node->schema->object;
    const uint64_t               *present = tn_parts_present(repairer, rules, value, NULL);
    size_t                        from    = 0;
    yyjson_val                   *all;

    if (!has_defaults(rules, present))
        return value;
    all = add_defaults(repairer, rules, value, at, present, &from, true);
    if (better(repairer, node, value, all) == all)
        return all;
    for (from = 0; from < rules->count && !repairer->verdict->gave_up;)
        value = better(repairer, node, value,
                       add_defaults(repairer, rules, value, at, present, &from, false));
    return value;
}

/* ---- The node --------------------------------------------------------------------------------------------------- */

static yyjson_val *fill_fitting(struct tn_repairer *repairer, const struct tn_nodes *nodes, yyjson_val *value,
                                const struct tn_location *up, bool exactly_one)
{
    struct tn_location at = { .same = true, .up = up, .key_index = SIZE_MAX };

    (void)exactly_one; /* each that fits may have some */
    for (size_t i = 0; i < nodes->count; i++)
        if (tn_repair_fits(repairer, nodes->at[i], value))
            value = fill_node(repairer, nodes->at[i], value, &at);
    return value;
}

static yyjson_val *fill_node(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                             const struct tn_location *at)
{
    const struct tn_schema *schema = node->schema;
    struct tn_scope         scope;

    if (!yyjson_is_ctn(value) || schema->never || repairer->endless ||
        !tn_repair_enter(repairer, node, &scope))
        return value;
    if (schema->in_place)
        value = better(repairer, node, value,
                       tn_parts_in_place(repairer, schema->in_place, value, at, fill_node, fill_fitting));
    if (schema->object && yyjson_is_obj(value)) {
        value = better(repairer, node, value, fill_inside(repairer, schema->object, value, at));
        value = fill_absent(repairer, node, value, at);
    }
    if (schema->array && yyjson_is_arr(value))
        value = better(repairer, node, value, tn_parts_items(repairer, schema->array, value, at, fill_node));
    tn_repair_leave(repairer, &scope);
    return value;
}

yyjson_val *tn_repair_fill(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value)
{
    struct tn_location root = { .same = true, .key_index = SIZE_MAX };

    return fill_wholly(repairer, node, value, &root);
}
