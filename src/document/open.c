/* open.c - finding them: which schemas speak of an object, and which of its names none of them has. */
#include "document/open.h"

#include "json/echo.h"
#include "json/origin.h"
#include "model/form.h"
#include "model/like.h"
#include "model/words/words.h"

#define SCHEMAS_MAX 32  /* that speak of one object, ... */
#define LOOKS_MAX   256 /* ... and that are looked at for it */
#define DEPTH_MAX   16

/* What is declared of one object, by all schemas that are applied to it. */
struct declared {
    const struct tn_node *at[SCHEMAS_MAX]; /* that list properties or patterns */
    size_t                count, looks;
    bool                  listed; /* properties are */
    bool                  others; /* some schema speaks of the other names, or may: none is unknown */
};

struct search {
    struct tn_verdict *verdict;
    enum tn_open       how;
    bool               refused; /* one, before: the valid names were stated */
};

/* ---- What is declared -------------------------------------------------------------------------------------------- */

static void declared_add(struct declared *all, const struct tn_node *node, unsigned depth);

static void declared_each(struct declared *all, const struct tn_nodes *nodes, unsigned depth)
{
    for (size_t i = 0; i < nodes->count; i++)
        declared_add(all, nodes->at[i], depth);
}

static void declared_in_place(struct declared *all, const struct tn_in_place *place, unsigned depth)
{
    all->others |= place->dynamic != NULL;
    declared_add(all, place->ref, depth);
    declared_each(all, &place->all_of, depth);
    declared_each(all, &place->any_of, depth);
    declared_each(all, &place->one_of, depth);
    declared_add(all, place->if_, depth);
    declared_add(all, place->then_, depth);
    declared_add(all, place->else_, depth);
}

static void declared_add(struct declared *all, const struct tn_node *node, unsigned depth)
{
    const struct tn_object_rules *rules;

    if (!node || node->schema->never)
        return;
    if (depth == DEPTH_MAX || all->count == SCHEMAS_MAX || all->looks++ == LOOKS_MAX) {
        all->others = true;
        return;
    }
    rules = node->schema->object;
    if (rules) {
        all->others |= rules->additional || rules->unevaluated;
        all->listed |= rules->count > 0;
        if (rules->count > 0 || rules->pattern_count > 0)
            all->at[all->count++] = node;
        for (size_t i = 0; i < rules->dependent_count; i++)
            declared_add(all, rules->dependents[i].node, depth + 1);
    }
    if (node->schema->in_place)
        declared_in_place(all, node->schema->in_place, depth + 1);
}

static bool is_declared(struct tn_verdict *verdict, const struct declared *all, struct tn_slice name)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct tn_object_rules *rules = all->at[i]->schema->object;

        if (tn_verdict_property(rules, name.at, name.len) != NO_PROPERTY)
            return true;
        for (size_t k = 0; k < rules->pattern_count; k++)
            if (tn_verdict_match(verdict, rules->patterns[k].pattern, name) != PATTERN_NO)
                return true;
    }
    return false;
}

/* `properties: {}` of a tool says that it has no parameters. */
static struct declared declared_of(const struct tn_node *node, unsigned depth)
{
    struct declared all = { .count = 0 };

    declared_add(&all, node, 0);
    if (depth == 0 && !all.listed)
        all.listed = yyjson_obj_get(node->schema->source, "properties") != NULL;
    return all;
}

/* The way of look(), through the schemas alone. */
static bool any_open(const struct tn_node *node, size_t *looks, unsigned depth)
{
    struct declared all;

    if (depth == DEPTH_MAX || ++*looks > LOOKS_MAX)
        return true;
    node = tn_like_end(node);
    all  = declared_of(node, depth);
    if (all.listed && !all.others)
        return true;
    for (size_t i = 0; i < all.count; i++) {
        const struct tn_object_rules *rules = all.at[i]->schema->object;

        for (size_t k = 0; k < rules->count; k++)
            if (rules->properties[k].node && any_open(rules->properties[k].node, looks, depth + 1))
                return true;
    }
    return node->schema->array && node->schema->array->items &&
           any_open(node->schema->array->items, looks, depth + 1);
}

bool tn_open_any(const struct tn_node *node)
{
    size_t looks = 0;

    return any_open(node, &looks, 0);
}

/* ---- What is not ------------------------------------------------------------------------------------------------- */

/* The schema that declares what was probably meant, or NULL. */
static const struct tn_node *find_near(struct search *search, const struct declared *all, yyjson_val *object,
                                       struct tn_slice name)
{
    for (size_t i = 0; i < all->count && !tn_form_is_wrapper(name); i++)
        if (tn_verdict_nearest(search->verdict->judge, all->at[i]->schema->object, object, name))
            return all->at[i];
    return NULL;
}

static void refuse_name(struct search *search, const struct tn_node *node, yyjson_val *object,
                        const struct tn_location *at)
{
    struct tn_issue *issue;

    tn_verdict_fault(search->verdict, node, at, NULL, ISSUE_UNKNOWN, NULL, &issue);
    if (!issue)
        return;
    issue->addressed    = NULL;
    issue->schema       = node->schema;
    issue->brief        = search->refused;
    issue->place.object = object;
    search->refused     = true;
}

static void pass_name(struct search *search, const struct tn_location *at)
{
    struct tn_judge *judge = search->verdict->judge;
    struct tn_buf    text;

    tn_buf_init(&text, judge->arena, 96, MESSAGE_LEN_MAX);
    tn_words_undeclared(&text, tn_location_shown(judge, at));
    if (!text.failed)
        tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
}

static void take_name(struct search *search, const struct declared *all, const struct tn_node *whole,
                      yyjson_val *object, const struct tn_location *at)
{
    const struct tn_node *near = search->how == OPEN_MESSAGE ? NULL
                                                             : find_near(search, all, object, at->name);
    const struct tn_node *by   = near ? near : all->count > 0 ? all->at[0] : whole;

    if (near || (search->how == OPEN_REJECT && by->schema->object))
        refuse_name(search, by, object, at);
    else
        pass_name(search, at);
}

/* ---- The walk ------------------------------------------------------------------------------------------------------ */

static void look(struct search *search, const struct tn_node *node, yyjson_val *value,
                 const struct tn_location *at, unsigned depth);

static struct tn_location location_of(const struct tn_node *node, yyjson_val *value,
                                      const struct tn_location *up)
{
    return (struct tn_location){ .up        = up,
                                 .node      = node,
                                 .key_index = SIZE_MAX,
                                 .whole     = tn_origin_is_text(value),
                                 .together  = node && tn_like_end(node)->list.unique };
}

/* What stands in a declared member is looked at by each schema that declares it. */
static void look_inside(struct search *search, const struct declared *all, yyjson_val *key,
                        const struct tn_location *up, unsigned depth)
{
    struct tn_slice name = tn_json_slice(key);

    for (size_t i = 0; i < all->count; i++) {
        const struct tn_object_rules *rules = all->at[i]->schema->object;
        uint32_t                      known = tn_verdict_property(rules, name.at, name.len);
        struct tn_location            at;

        if (known == NO_PROPERTY || !rules->properties[known].node)
            continue;
        at      = location_of(rules->properties[known].node, key + 1, up);
        at.name = tn_repair_sent(key);
        look(search, rules->properties[known].node, key + 1, &at, depth + 1);
    }
}

static void look_at_names(struct search *search, const struct declared *all, const struct tn_node *node,
                          yyjson_val *object, const struct tn_location *up)
{
    yyjson_obj_iter iter = yyjson_obj_iter_with(object);
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&iter)) && tn_verdict_spend(search->verdict, 1 + all->count)) {
        struct tn_location at = location_of(NULL, key + 1, up);

        at.name = tn_repair_sent(key);
        if (!is_declared(search->verdict, all, tn_json_slice(key)))
            take_name(search, all, node, object, &at);
    }
}

static void look_at_object(struct search *search, const struct tn_node *node, yyjson_val *object,
                           const struct tn_location *up, unsigned depth)
{
    struct declared all = declared_of(node, depth);
    yyjson_obj_iter iter;
    yyjson_val     *key;

    search->refused = false;
    if (all.listed && !all.others)
        look_at_names(search, &all, node, object, up);
    yyjson_obj_iter_init(object, &iter);
    while ((key = yyjson_obj_iter_next(&iter)))
        if (yyjson_is_ctn(key + 1))
            look_inside(search, &all, key, up, depth);
}

static void look(struct search *search, const struct tn_node *node, yyjson_val *value,
                 const struct tn_location *at, unsigned depth)
{
    const struct tn_array_rules *rules;
    yyjson_arr_iter              iter;
    yyjson_val                  *item;

    node = tn_like_end(node);
    if (depth == DEPTH_MAX || !tn_verdict_spend(search->verdict, 1))
        return;
    if (yyjson_is_obj(value)) {
        look_at_object(search, node, value, at, depth);
        return;
    }
    rules = node->schema->array;
    if (!yyjson_is_arr(value) || !rules || !rules->items)
        return;
    yyjson_arr_iter_init(value, &iter);
    for (size_t i = 0; (item = yyjson_arr_iter_next(&iter)); i++) {
        struct tn_location inner = location_of(rules->items, item, at);

        inner.index = i;
        if (i >= rules->prefix.count && yyjson_is_ctn(item))
            look(search, rules->items, item, &inner, depth + 1);
    }
}

void tn_open_names(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                   enum tn_open how)
{
    struct search      search = { .verdict = verdict, .how = how };
    struct tn_location root   = { .same = true, .up = verdict->base, .key_index = SIZE_MAX };

    if (how == OPEN_IGNORE || !yyjson_is_obj(value))
        return;
    tn_verdict_begin(verdict, verdict->allowed);
    verdict->all = true;
    look(&search, node, value, &root, 0);
    tn_verdict_end(verdict, verdict->allowed);
    tn_verdict_places(verdict->judge);
}
