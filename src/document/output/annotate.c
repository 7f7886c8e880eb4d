/* annotate.c - collecting annotations, by the same paths through schema and value as the verdict. */
#include "document/output/annotate.h"

#include <string.h>

#include "document/compile.h"
#include "json/write.h"

/* Keywords that only describe, and in which drafts. */
static const struct {
    const char *name;
    unsigned    dialects;
    bool        texts; /* speaks of texts only */
} describing[] = {
    { "title", SINCE_04, false },           { "description", SINCE_04, false },
    { "default", SINCE_04, false },         { "format", SINCE_04, false },
    { "examples", SINCE_06, false },        { "readOnly", SINCE_07, false },
    { "writeOnly", SINCE_07, false },       { "contentEncoding", SINCE_07, true },
    { "contentMediaType", SINCE_07, true }, { "deprecated", SINCE_2019, false },
    { "contentSchema", SINCE_2019, true },
};

struct annotate_walk {
    struct tn_verdict     *verdict;
    struct tn_annotations *out;
    size_t                 steps, bytes; /* that are left of those that may be kept */
};

static void walk_node(struct annotate_walk *walk, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at);

/* ---- One annotation ---------------------------------------------------------------------------------------- */

/* Room for one more; false when there are enough. */
static bool annotate_room(struct annotate_walk *walk)
{
    struct tn_annotations *out  = walk->out;
    size_t                 room = out->room ? out->room * 2 : 32;
    void                  *at;

    if (out->count == ANNOTATIONS_MAX)
        return false;
    if (out->count < out->room)
        return true;
    at = tn_arena_resize(walk->verdict->judge->arena, out->at, out->room * sizeof *out->at,
                         room * sizeof *out->at);
    if (!at)
        return false;
    out->at   = at;
    out->room = room;
    return true;
}

static void annotate_add(struct annotate_walk *walk, const char *keyword, yyjson_val *value,
                         struct tn_slice made, const struct tn_location *at)
{
    size_t steps = 0;

    for (const struct tn_location *up = at; up && !up->kept; up = up->up)
        steps++;
    if (steps > walk->steps || !annotate_room(walk)) {
        walk->verdict->gave_up = true;
        return;
    }
    walk->steps -= steps;
    walk->out->at[walk->out->count++] = (struct tn_annotation){
        .keyword = keyword,
        .value   = value,
        .made    = made,
        .way     = tn_location_keep(walk->verdict->judge->arena, at),
    };
}

/* ---- What a schema says ------------------------------------------------------------------------------------ */

#define SAYS_STEPS 4 /* of a keyword, that is looked for in lists */

/* Does the schema say something by that keyword, of such a value? */
static bool annotate_says(const struct tn_schema *schema, struct tn_slice keyword, yyjson_val *value)
{
    enum tn_dialect dialect = schema->resource->dialect;

    for (size_t i = 0; i < sizeof describing / sizeof *describing; i++)
        if (tn_dialect_is_in(dialect, describing[i].dialects) && tn_slice_is(keyword, describing[i].name))
            return (!describing[i].texts || yyjson_is_str(value)) &&
                   (!tn_slice_is(keyword, "contentSchema") ||
                    yyjson_obj_get(schema->source, "contentMediaType"));
    return tn_dialect_is_in(dialect, SINCE_2019) && !tn_compile_is_keyword(schema->resource, keyword);
}

static void annotate_add_own(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                             const struct tn_location *at)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;

    if (!yyjson_is_obj(schema->source) ||
        (tn_dialect_facts(schema->resource->dialect)->ref_alone && yyjson_obj_get(schema->source, "$ref")) ||
        !tn_verdict_spend(walk->verdict, SAYS_STEPS * (1 + unsafe_yyjson_get_len(schema->source))))
        return;
    yyjson_obj_iter_init(schema->source, &iter);
    while (!walk->verdict->gave_up && (key = yyjson_obj_iter_next(&iter)))
        if (annotate_says(schema, tn_json_slice(key), value))
            annotate_add(walk, unsafe_yyjson_get_str(key), yyjson_obj_iter_get_val(key),
                         (struct tn_slice){ NULL, 0 }, at);
}

/* ---- What a keyword applied to ----------------------------------------------------------------------------- */

#define LIST_ITEM_LEN 8 /* of a list, beside a name; an index needs no more */

/* A JSON array of names or indexes; empty until the first is added. */
struct annotate_list {
    struct tn_buf out;
    size_t        count;
};

/* The bytes of all lists are counted as they are written: many may be open at once. */
static struct tn_buf *list_next(struct annotate_walk *walk, struct annotate_list *list, size_t len)
{
    size_t bytes = len + LIST_ITEM_LEN;

    if (list->count == 0)
        tn_buf_init(&list->out, walk->verdict->judge->arena, bytes + 2, ANNOTATION_BYTES_MAX);
    walk->verdict->gave_up |= bytes > walk->bytes;
    walk->bytes -= bytes < walk->bytes ? bytes : walk->bytes;
    tn_buf_char(&list->out, list->count++ == 0 ? '[' : ',');
    return &list->out;
}

static void list_name(struct annotate_walk *walk, struct annotate_list *list, struct tn_slice name)
{
    struct tn_buf *out = list_next(walk, list, name.len);

    if (!walk->verdict->gave_up)
        tn_json_string(out, name.at, name.len);
}

static void annotate_made(struct annotate_walk *walk, const char *keyword, struct tn_slice made,
                          const struct tn_location *at)
{
    annotate_add(walk, keyword, NULL, made, at);
}

/* The older drafts do not say that keywords tell what they applied to. */
static bool tells(const struct tn_schema *schema)
{
    return tn_dialect_is_in(schema->resource->dialect, SINCE_2019);
}

static void annotate_list(struct annotate_walk *walk, const char *keyword, struct annotate_list *list,
                          const struct tn_location *at)
{
    if (list->count == 0)
        return;
    tn_buf_char(&list->out, ']');
    if (!tn_buf_end(&list->out)) {
        walk->verdict->gave_up = true;
        return;
    }
    annotate_made(walk, keyword, tn_buf_slice(&list->out), at);
}

/* ---- The same value ---------------------------------------------------------------------------------------- */

static bool annotate_holds(struct annotate_walk *walk, const struct tn_node *node, yyjson_val *value)
{
    return tn_verdict_flag(walk->verdict, node, value, NULL);
}

static void annotate_follow(struct annotate_walk *walk, const struct tn_node *node, const char *keyword,
                            size_t index, yyjson_val *value, const struct tn_location *up)
{
    struct tn_location at = { .same = true, .up = up, .keyword = keyword, .key_index = index };

    if (node)
        walk_node(walk, node, value, &at);
}

static void follow_all(struct annotate_walk *walk, const struct tn_nodes *nodes, const char *keyword,
                       bool sure, yyjson_val *value, const struct tn_location *up)
{
    for (size_t i = 0; !walk->verdict->gave_up && i < nodes->count; i++)
        if (sure || annotate_holds(walk, nodes->at[i], value))
            annotate_follow(walk, nodes->at[i], keyword, i, value, up);
}

static void walk_in_place(struct annotate_walk *walk, const struct tn_in_place *place, yyjson_val *value,
                          const struct tn_location *at)
{
    annotate_follow(walk, place->ref, "$ref", SIZE_MAX, value, at);
    if (place->dynamic)
        annotate_follow(walk, tn_verdict_dynamic(walk->verdict, place), place->dynamic_keyword, SIZE_MAX,
                        value, at);
    follow_all(walk, &place->all_of, "allOf", true, value, at);
    follow_all(walk, &place->any_of, "anyOf", false, value, at);
    follow_all(walk, &place->one_of, "oneOf", false, value, at);
    if (place->if_ && annotate_holds(walk, place->if_, value)) {
        annotate_follow(walk, place->if_, "if", SIZE_MAX, value, at);
        annotate_follow(walk, place->then_, "then", SIZE_MAX, value, at);
    } else if (place->if_) {
        annotate_follow(walk, place->else_, "else", SIZE_MAX, value, at);
    }
}

/* What schemas beside unevaluated* saw of the value. */
static void see_in_place(struct annotate_walk *walk, const struct tn_in_place *place, yyjson_val *value,
                         struct tn_seen *seen)
{
    const struct tn_nodes *lists[] = { &place->all_of, &place->any_of, &place->one_of };

    if (place->ref)
        tn_verdict_flag(walk->verdict, place->ref, value, seen);
    if (place->dynamic)
        tn_verdict_flag(walk->verdict, tn_verdict_dynamic(walk->verdict, place), value, seen);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->count; k++)
            tn_verdict_flag(walk->verdict, lists[i]->at[k], value, seen);
    if (!place->if_)
        return;
    if (tn_verdict_flag(walk->verdict, place->if_, value, seen)) {
        if (place->then_)
            tn_verdict_flag(walk->verdict, place->then_, value, seen);
    } else if (place->else_) {
        tn_verdict_flag(walk->verdict, place->else_, value, seen);
    }
}

/* ---- Members ----------------------------------------------------------------------------------------------- */

static void enter_member(struct annotate_walk *walk, const struct tn_node *node, const char *keyword,
                         struct tn_slice under, yyjson_val *key, const struct tn_location *up)
{
    struct tn_location at = { .up        = up,
                              .keyword   = keyword,
                              .key       = under,
                              .key_index = SIZE_MAX,
                              .name      = { yyjson_get_str(key), yyjson_get_len(key) } };

    walk_node(walk, node, yyjson_obj_iter_get_val(key), &at);
}

/* Which names each keyword took. */
struct annotate_names {
    struct annotate_list properties, patterns, additional, unevaluated;
};

static void walk_member(struct annotate_walk *walk, const struct tn_object_rules *rules, yyjson_val *key,
                        bool seen, struct annotate_names *names, const struct tn_location *at)
{
    struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) }, none = { NULL, 0 };
    uint32_t        known   = tn_verdict_property(rules, name.at, name.len);
    bool            is_own  = known != NO_PROPERTY && rules->properties[known].node;
    size_t          matched = 0;

    if (is_own) {
        list_name(walk, &names->properties, name);
        enter_member(walk, rules->properties[known].node, "properties", name, key, at);
    }
    for (size_t i = 0; i < rules->pattern_count && tn_verdict_spend(walk->verdict, MATCH_STEPS); i++) {
        if (tn_verdict_match(walk->verdict, rules->patterns[i].pattern, name) != PATTERN_YES)
            continue;
        if (matched++ == 0)
            list_name(walk, &names->patterns, name);
        enter_member(walk, rules->patterns[i].node, "patternProperties", tn_slice_of(rules->patterns[i].text),
                     key, at);
    }
    if (is_own || matched > 0)
        return;
    if (rules->additional) {
        list_name(walk, &names->additional, name);
        enter_member(walk, rules->additional, "additionalProperties", none, key, at);
    } else if (!seen && rules->unevaluated) {
        list_name(walk, &names->unevaluated, name);
        enter_member(walk, rules->unevaluated, "unevaluatedProperties", none, key, at);
    }
}

static void walk_members(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                         const struct tn_seen *seen, const struct tn_location *at)
{
    const struct tn_object_rules *rules = schema->object;
    struct annotate_names         names = { 0 };
    size_t                        i     = 0;
    yyjson_obj_iter               iter;
    yyjson_val                   *key = NULL;

    yyjson_obj_iter_init(value, &iter);
    for (; !walk->verdict->gave_up && (key = yyjson_obj_iter_next(&iter)); i++)
        if (tn_verdict_spend(walk->verdict, 1))
            walk_member(walk, rules, key, rules->unevaluated && tn_seen_has(seen, i), &names, at);
    if (walk->verdict->gave_up || !tells(schema))
        return;
    annotate_list(walk, "properties", &names.properties, at);
    annotate_list(walk, "patternProperties", &names.patterns, at);
    annotate_list(walk, "additionalProperties", &names.additional, at);
    annotate_list(walk, "unevaluatedProperties", &names.unevaluated, at);
}

static void walk_object(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                        struct tn_seen *seen, const struct tn_location *up)
{
    const struct tn_object_rules *rules = schema->object;

    for (size_t k = 0; k < rules->dependent_count; k++) {
        const struct tn_dependent *one = &rules->dependents[k];
        struct tn_location         at  = {
                     .same = true, .up = up, .keyword = one->keyword, .key = one->name, .key_index = SIZE_MAX
        };

        if (!one->node || !tn_verdict_member(walk->verdict, value, one->name.at, one->name.len))
            continue;
        walk_node(walk, one->node, value, &at);
        if (rules->unevaluated)
            tn_verdict_flag(walk->verdict, one->node, value, seen);
    }
    walk_members(walk, schema, value, seen, up);
}

/* ---- Items ------------------------------------------------------------------------------------------------- */

static void enter_item(struct annotate_walk *walk, const struct tn_node *node, const char *keyword,
                       size_t under, yyjson_val *item, size_t index, const struct tn_location *up)
{
    struct tn_location at = { .up = up, .keyword = keyword, .key_index = under, .index = index };

    walk_node(walk, node, item, &at);
}

/* Which items the keywords of arrays took. */
struct annotate_items {
    struct annotate_list contained;
    bool                 unevaluated;
};

static void walk_item(struct annotate_walk *walk, const struct tn_array_rules *rules, yyjson_val *item,
                      size_t i, bool seen, struct annotate_items *items, const struct tn_location *up)
{
    bool taken = i < rules->prefix.count || rules->items != NULL;

    if (i < rules->prefix.count)
        enter_item(walk, rules->prefix.at[i], rules->prefix_keyword, i, item, i, up);
    else if (rules->items)
        enter_item(walk, rules->items, rules->items_keyword, SIZE_MAX, item, i, up);
    if (rules->contains && annotate_holds(walk, rules->contains, item)) {
        taken |= rules->contains_marks;
        tn_buf_addf(list_next(walk, &items->contained, 0), "%zu", i);
        enter_item(walk, rules->contains, "contains", SIZE_MAX, item, i, up);
    }
    if (taken || !rules->unevaluated || seen)
        return;
    items->unevaluated = true;
    enter_item(walk, rules->unevaluated, "unevaluatedItems", SIZE_MAX, item, i, up);
}

/* True where all items were taken; else the last of the first that were, or which. */
static void tell_items(struct annotate_walk *walk, const struct tn_array_rules *rules, size_t count,
                       struct annotate_items *items, const struct tn_location *at)
{
    size_t        prefix = rules->prefix.count < count ? rules->prefix.count : count;
    struct tn_buf last;

    if (prefix > 0 && prefix < count) {
        tn_buf_init(&last, walk->verdict->judge->arena, 24, 24);
        tn_buf_addf(&last, "%zu", prefix - 1);
        annotate_made(walk, rules->prefix_keyword, tn_buf_slice(&last), at);
    } else if (prefix > 0) {
        annotate_made(walk, rules->prefix_keyword, SLICE_LIT("true"), at);
    }
    if (rules->items && count > prefix)
        annotate_made(walk, rules->items_keyword, SLICE_LIT("true"), at);
    if (rules->contains && rules->contains_marks && count > 0 && items->contained.count == count)
        annotate_made(walk, "contains", SLICE_LIT("true"), at);
    else if (rules->contains && rules->contains_marks && items->contained.count == 0)
        annotate_made(walk, "contains", SLICE_LIT("[]"), at);
    else if (rules->contains && rules->contains_marks)
        annotate_list(walk, "contains", &items->contained, at);
    if (items->unevaluated)
        annotate_made(walk, "unevaluatedItems", SLICE_LIT("true"), at);
}

static void walk_array(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                       struct tn_seen *seen, const struct tn_location *up)
{
    const struct tn_array_rules *rules = schema->array;
    struct annotate_items        items = { 0 };
    size_t                       i     = 0;
    yyjson_arr_iter              iter;
    yyjson_val                  *item;

    yyjson_arr_iter_init(value, &iter);
    for (; !walk->verdict->gave_up && (item = yyjson_arr_iter_next(&iter)); i++) {
        if (!tn_verdict_spend(walk->verdict, 1))
            return;
        walk_item(walk, rules, item, i, rules->unevaluated && tn_seen_has(seen, i), &items, up);
    }
    if (!walk->verdict->gave_up && tells(schema))
        tell_items(walk, rules, i, &items, up);
}

/* ---- The walk ---------------------------------------------------------------------------------------------- */

static void walk_inside(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                        const struct tn_location *at)
{
    unsigned       type = tn_verdict_type(value);
    struct tn_seen seen = { 0 };

    if (schema->counts & type) {
        if (!tn_seen_init(walk->verdict, &seen, unsafe_yyjson_get_len(value)))
            return;
        if (schema->in_place)
            see_in_place(walk, schema->in_place, value, &seen);
    }
    if (type == TYPE_OBJECT && schema->object)
        walk_object(walk, schema, value, &seen, at);
    else if (type == TYPE_ARRAY && schema->array)
        walk_array(walk, schema, value, &seen, at);
}

static void walk_node(struct annotate_walk *walk, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at)
{
    struct tn_verdict      *verdict = walk->verdict;
    const struct tn_schema *schema  = node->schema;
    struct tn_scope         scope   = { verdict->scope, schema->resource };
    const struct tn_scope  *before  = verdict->scope;

    verdict->gave_up |= verdict->depth == VERDICT_DEPTH_MAX;
    if (verdict->gave_up || verdict->judge->arena->failed || !tn_verdict_spend(verdict, 1))
        return;
    verdict->depth++;
    if (!before || before->resource != schema->resource)
        verdict->scope = &scope;
    ((struct tn_location *)(uintptr_t)at)->schema = schema;
    annotate_add_own(walk, schema, value, at);
    if (schema->in_place)
        walk_in_place(walk, schema->in_place, value, at);
    walk_inside(walk, schema, value, at);
    verdict->scope = before;
    verdict->depth--;
}

void tn_annotate_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       struct tn_annotations *out)
{
    struct annotate_walk walk  = { verdict, out, ANNOTATION_STEPS_MAX, ANNOTATION_BYTES_MAX };
    struct tn_location   root  = { .same = true, .key_index = SIZE_MAX };
    size_t               steps = verdict->allowed;

    *out = (struct tn_annotations){ 0 };
    tn_verdict_begin(verdict, steps);
    walk_node(&walk, node, value, &root);
    tn_verdict_end(verdict, steps);
    if (verdict->judge->arena->failed)
        *out = (struct tn_annotations){ 0 };
}
