/* annotate.c - collecting annotations, by the same paths through schema and value as the verdict. */
#include "document/annotate.h"

#include <string.h>

#include "document/dialect.h"
#include "document/registry.h"

#define PATH_LEN_MAX 4096

/* Keywords that only describe, and in which drafts. */
static const struct {
    const char *name;
    unsigned    dialects;
} describing[] = {
    { "title", SINCE_04 },        { "description", SINCE_04 },     { "default", SINCE_04 },
    { "format", SINCE_04 },       { "examples", SINCE_06 },        { "readOnly", SINCE_07 },
    { "writeOnly", SINCE_07 },    { "contentEncoding", SINCE_07 }, { "contentMediaType", SINCE_07 },
    { "deprecated", SINCE_2019 }, { "contentSchema", SINCE_2019 },
};

struct annotate_walk {
    struct tn_verdict     *verdict;
    struct tn_annotations *out;
};

static void walk_node(struct annotate_walk *walk, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at);

/* ---- One schema -------------------------------------------------------------------------------------------- */

static struct tn_slice path_of(struct tn_arena *arena, const struct tn_location *at, const char *keyword)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 64, PATH_LEN_MAX);
    if (keyword)
        tn_verdict_keyword_path(&out, at, keyword);
    else
        tn_verdict_instance_path(&out, at);
    return tn_buf_slice(&out);
}

static void annotate_add(struct annotate_walk *walk, const struct tn_schema *schema, const char *keyword,
                         yyjson_val *value, const struct tn_location *at)
{
    struct tn_annotations *out   = walk->out;
    struct tn_arena       *arena = walk->verdict->judge->arena;

    if (out->count == ANNOTATIONS_MAX) {
        walk->verdict->gave_up = true;
        return;
    }
    if (!out->at)
        out->at = tn_arena_array(arena, ANNOTATIONS_MAX, struct tn_annotation);
    if (!out->at)
        return;
    out->at[out->count++] = (struct tn_annotation){
        .schema        = schema,
        .keyword       = keyword,
        .value         = value,
        .keyword_path  = path_of(arena, at, keyword),
        .instance_path = path_of(arena, at, NULL),
    };
}

static void annotate_add_own(struct annotate_walk *walk, const struct tn_schema *schema,
                             const struct tn_location *at)
{
    enum tn_dialect dialect = schema->resource->dialect;

    if (!yyjson_is_obj(schema->source) ||
        (tn_dialect_facts(dialect)->ref_alone && yyjson_obj_get(schema->source, "$ref")))
        return;
    for (size_t i = 0; i < sizeof describing / sizeof *describing; i++) {
        const char *name  = describing[i].name;
        yyjson_val *value = tn_dialect_is_in(dialect, describing[i].dialects)
                                ? tn_verdict_member(walk->verdict, schema->source, name, strlen(name))
                                : NULL;

        if (value)
            annotate_add(walk, schema, name, value, at);
    }
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

static void walk_member(struct annotate_walk *walk, const struct tn_object_rules *rules, yyjson_val *key,
                        bool seen, const struct tn_location *at)
{
    struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) }, none = { NULL, 0 };
    uint32_t        known = tn_verdict_property(rules, name.at, name.len);
    bool            taken = known != NO_PROPERTY && rules->properties[known].node;

    if (taken)
        enter_member(walk, rules->properties[known].node, "properties", name, key, at);
    for (size_t i = 0; i < rules->pattern_count && tn_verdict_spend(walk->verdict, MATCH_STEPS); i++) {
        if (tn_verdict_match(walk->verdict, rules->patterns[i].pattern, name) != PATTERN_YES)
            continue;
        taken = true;
        enter_member(walk, rules->patterns[i].node, "patternProperties", tn_slice_of(rules->patterns[i].text),
                     key, at);
    }
    if (!taken && rules->additional)
        enter_member(walk, rules->additional, "additionalProperties", none, key, at);
    else if (!taken && !seen && rules->unevaluated)
        enter_member(walk, rules->unevaluated, "unevaluatedProperties", none, key, at);
}

static void walk_object(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                        struct tn_seen *seen, const struct tn_location *up)
{
    const struct tn_object_rules *rules = schema->object;
    size_t                        i     = 0;
    yyjson_obj_iter               iter;
    yyjson_val                   *key = NULL;

    for (size_t k = 0; k < rules->dependent_count; k++) {
        const struct tn_dependent *one = &rules->dependents[k];
        struct tn_location         at  = {
                     .same = true, .up = up, .keyword = "dependentSchemas", .key = one->name, .key_index = SIZE_MAX
        };

        if (!one->node || !tn_verdict_member(walk->verdict, value, one->name.at, one->name.len))
            continue;
        walk_node(walk, one->node, value, &at);
        if (rules->unevaluated)
            tn_verdict_flag(walk->verdict, one->node, value, seen);
    }
    yyjson_obj_iter_init(value, &iter);
    for (; !walk->verdict->gave_up && (key = yyjson_obj_iter_next(&iter)); i++)
        if (tn_verdict_spend(walk->verdict, 1))
            walk_member(walk, rules, key, rules->unevaluated && tn_seen_has(seen, i), up);
}

/* ---- Items ------------------------------------------------------------------------------------------------- */

static void enter_item(struct annotate_walk *walk, const struct tn_node *node, const char *keyword,
                       size_t under, yyjson_val *item, size_t index, const struct tn_location *up)
{
    struct tn_location at = { .up = up, .keyword = keyword, .key_index = under, .index = index };

    walk_node(walk, node, item, &at);
}

static void walk_array(struct annotate_walk *walk, const struct tn_schema *schema, yyjson_val *value,
                       struct tn_seen *seen, const struct tn_location *up)
{
    const struct tn_array_rules *rules = schema->array;
    size_t                       i     = 0;
    yyjson_arr_iter              iter;
    yyjson_val                  *item;

    yyjson_arr_iter_init(value, &iter);
    for (; !walk->verdict->gave_up && (item = yyjson_arr_iter_next(&iter)); i++) {
        bool taken = i < rules->prefix.count || rules->items != NULL;

        if (!tn_verdict_spend(walk->verdict, 1))
            return;
        if (i < rules->prefix.count)
            enter_item(walk, rules->prefix.at[i], rules->prefix_keyword, i, item, i, up);
        else if (rules->items)
            enter_item(walk, rules->items, rules->items_keyword, SIZE_MAX, item, i, up);
        if (rules->contains && annotate_holds(walk, rules->contains, item)) {
            taken |= rules->contains_marks;
            enter_item(walk, rules->contains, "contains", SIZE_MAX, item, i, up);
        }
        if (!taken && rules->unevaluated && !tn_seen_has(seen, i))
            enter_item(walk, rules->unevaluated, "unevaluatedItems", SIZE_MAX, item, i, up);
    }
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
    annotate_add_own(walk, schema, at);
    if (schema->in_place)
        walk_in_place(walk, schema->in_place, value, at);
    walk_inside(walk, schema, value, at);
    verdict->scope = before;
    verdict->depth--;
}

void tn_annotate_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       struct tn_annotations *out)
{
    struct annotate_walk walk  = { verdict, out };
    struct tn_location   root  = { .same = true, .key_index = SIZE_MAX };
    size_t               steps = verdict->allowed;

    *out = (struct tn_annotations){ 0 };
    tn_verdict_begin(verdict, steps);
    walk_node(&walk, node, value, &root);
    tn_verdict_end(verdict, steps);
    if (verdict->judge->arena->failed)
        *out = (struct tn_annotations){ 0 };
}
