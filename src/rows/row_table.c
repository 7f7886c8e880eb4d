/* row_table.c - tables of rows into objects: groups flattened, names indexed, rules resolved, defaults bound. */
#include "rows/row_table.h"

#include <string.h>

#include "model/object.h"
#include "rows/plan/plan.h"
#include "rows/row_options.h"
#include "rows/row_read.h"

struct counts {
    size_t params, rules, hooks, names;
};

/* What a group's row in a tool changes about the rows of the group. */
struct group_view {
    const tenon_row *row; /* NULL for the table itself */
    const char      *name;
    uint32_t         offset;
    struct tn_slice  keys;  /* not yet used */
    bool             tuned; /* the row that .max is for was found */
};

/* An object while it is built. */
struct builder {
    struct tn_row_compilation *lowering;
    struct tn_object          *object;
    struct tn_param           *params;
    struct tn_rule            *rules;
    struct tn_hook            *hooks;
    bool                      *wrong; /* of each parameter: it has a mistake; NULL while none has */
    size_t                     room;  /* for parameters */
};

static bool is_rule(unsigned kind)
{
    return kind >= TENON_KIND_ORDERED && kind <= TENON_KIND_REQUIRES;
}

static bool is_hook(unsigned kind)
{
    return kind == TENON_KIND_CHECK || kind == TENON_KIND_DERIVE;
}

/* ---- Counting ---------------------------------------------------------------------------------------------- */

static size_t count_names(const char *list)
{
    struct tn_slice rest  = tn_slice_of(list), part;
    size_t          count = 0;

    while (tn_slice_split(&rest, ',', &part))
        count++;
    return count;
}

static bool count_rows(struct tn_row_compilation *lowering, const tenon_rows *rows, struct counts *counts,
                       unsigned depth)
{
    if (!tn_rows_readable(lowering, rows))
        return false;
    if (depth > ROWS_DEPTH_MAX || counts->params + rows->count > ROWS_MAX) {
        tn_mistake_note(&lowering->mistake, NULL,
                        "its rows nest deeper than %d or are more than %zu (do they contain themselves?)",
                        ROWS_DEPTH_MAX, ROWS_MAX);
        return false;
    }
    for (size_t i = 0; i < rows->count; i++) {
        const tenon_row *row = tn_row_peek(rows, i);

        if (row->kind == TENON_KIND_GROUP) {
            if (!count_rows(lowering, row->rule.group.rows(), counts, depth + 1))
                return false;
        } else if (is_rule(row->kind)) {
            counts->rules++;
        } else if (is_hook(row->kind)) {
            counts->hooks++;
        } else if (row->kind < TENON_KIND_GROUP) {
            counts->params++;
            counts->names += 1 + count_names(row->rule.any.alias);
        }
    }
    return true;
}

/* ---- Parameters -------------------------------------------------------------------------------------------- */

/* Letters, digits, '_', '.', '-': what every client and provider takes as a name. */
static bool good_name(struct tn_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
              c == '.' || c == '-'))
            return false;
    }
    return name.len > 0 && name.len <= PARAM_NAME_MAX;
}

static void index_name(struct builder *builder, const struct tn_param *param, struct tn_slice name)
{
    struct tn_row_compilation *lowering = builder->lowering;
    char                      *copy     = tn_arena_copy(&lowering->shape->arena, name.at, name.len);

    if (!good_name(name))
        tn_mistake_note(&lowering->mistake, param->name,
                        "'%.*s' is not a valid name: use 1 to %d of A-Z a-z 0-9 _ . -",
                        (int)(name.len < 100 ? name.len : 100), name.at, PARAM_NAME_MAX);
    else if (copy &&
             !tn_object_index_add(builder->object, copy, name.len, (uint32_t)(param - builder->params)))
        tn_mistake_note(&lowering->mistake, param->name, "the name '%s' is used twice", copy);
}

static struct tn_slice take_key(struct group_view *view, const tenon_row *row)
{
    struct tn_slice key;

    if (view->row && view->row->rule.group.keys && tn_slice_split(&view->keys, ',', &key))
        return tn_slice_trim(key);
    return tn_slice_of(row->rule.any.key ? row->rule.any.key : row->field);
}

static bool is_tuned(const struct group_view *view, const tenon_row *row)
{
    return view->row && tn_row_has_max(view->row) && row->kind == TENON_KIND_INT &&
           tn_slice_is(tn_slice_of(row->rule.any.key ? row->rule.any.key : row->field),
                       view->row->rule.group.tuned);
}

static const char *header_of(const tenon_row *row)
{
    switch (row->kind) {
    case TENON_KIND_INT: return row->rule.integer.header;
    case TENON_KIND_BOOL: return row->rule.boolean.header;
    case TENON_KIND_ENUM: return row->rule.choice.header;
    default: return tn_kind_is_text(row->kind) ? row->rule.text.header : NULL;
    }
}

/* Nothing more is asked about a parameter that has a mistake. */
static void mark_wrong(struct builder *builder, size_t index)
{
    if (!builder->wrong)
        builder->wrong = tn_arena_array(&builder->lowering->shape->arena, builder->room, bool);
    if (builder->wrong)
        builder->wrong[index] = true;
}

static void lower_param(struct builder *builder, const tenon_row *row, struct group_view *view)
{
    struct tn_row_compilation *lowering = builder->lowering;
    struct tn_param           *param    = &builder->params[builder->object->count];
    struct tn_slice            key = take_key(view, row), aliases = tn_slice_of(row->rule.any.alias), alias;
    int64_t                    tuned = INT64_MAX;

    if (is_tuned(view, row)) {
        tuned       = view->row->rule.group.max;
        view->tuned = true;
    }
    param->name = tn_arena_copy(&lowering->shape->arena, key.at, key.len);
    if (!param->name)
        return;
    param->len          = (uint32_t)key.len;
    param->offset       = view->offset + row->offset;
    param->row          = row;
    param->group        = view->row ? view->name : NULL;
    param->doc          = row->rule.any.doc;
    param->note         = row->rule.any.note;
    param->default_note = row->rule.any.default_note;
    param->required     = row->rule.any.required;
    param->header       = header_of(row);
    builder->object->count++;
    index_name(builder, param, key);
    while (tn_slice_split(&aliases, ',', &alias))
        index_name(builder, param, tn_slice_trim(alias));
    if (!tn_row_compile_node(lowering, param, tuned))
        return;
    if (param->default_note)
        builder->object->speaks = true;
    builder->object->guarded |= row->rule.any.secret || (param->node->object && param->node->object->guarded);
    builder->object->looks |= param->node->lookup != NULL;
    builder->object->looks_in |= param->node->object &&
                                 (param->node->object->looks || param->node->object->looks_in);
    tn_row_check_row(lowering, param);
}

/* Counts it among those that are wrong when it is. */
static void take_param(struct builder *builder, const tenon_row *row, struct group_view *view)
{
    size_t noted = builder->lowering->mistake.count, index = builder->object->count;

    lower_param(builder, row, view);
    if (builder->lowering->mistake.count != noted)
        mark_wrong(builder, index);
}

/* ---- Rules and hooks --------------------------------------------------------------------------------------- */

static uint32_t param_at(const struct tn_object *object, uint32_t offset)
{
    for (size_t i = 0; i < object->count; i++)
        if (object->params[i].offset == offset)
            return (uint32_t)i;
    return PARAM_NONE;
}

static bool is_ordered_kind(unsigned kind)
{
    return kind == TENON_KIND_INT || kind == TENON_KIND_NUM || kind == TENON_KIND_DATE ||
           kind == TENON_KIND_TIMESTAMP;
}

static bool is_time(unsigned kind)
{
    return kind == TENON_KIND_DATE || kind == TENON_KIND_TIMESTAMP;
}

static void lower_rule(struct builder *builder, const tenon_row *row, const struct group_view *view)
{
    struct tn_mistake *mistake = &builder->lowering->mistake;
    struct tn_rule    *rule    = &builder->rules[builder->object->rule_count];
    unsigned           a, b;

    rule->kind  = row->kind;
    rule->count = (uint8_t)row->rule.fields.count;
    for (size_t i = 0; i < rule->count; i++) {
        rule->param[i] = param_at(builder->object, view->offset + row->rule.fields.offset[i]);
        if (rule->param[i] == PARAM_NONE) {
            tn_mistake_note(mistake, NULL, "the rule over (%s) names a field that no row before it declares",
                            row->field);
            return;
        }
        for (size_t j = 0; j < i; j++)
            if (rule->param[i] == rule->param[j]) {
                tn_mistake_note(mistake, NULL, "the rule over (%s) names a field twice", row->field);
                return;
            }
    }
    if (rule->kind == TENON_KIND_ORDERED) {
        a = builder->params[rule->param[0]].node->kind;
        b = builder->params[rule->param[1]].node->kind;
        if (!is_ordered_kind(a) || (a != b && !(is_time(a) && is_time(b))))
            tn_mistake_note(mistake, NULL, "TENON_ORDERED(%s) needs two numbers of one kind, or two moments",
                            row->field);
    }
    builder->object->rule_count++;
}

static void lower_hook(struct builder *builder, const tenon_row *row, const struct group_view *view)
{
    struct tn_hook *hook = &builder->hooks[builder->object->hook_count++];

    hook->offset   = view->offset;
    hook->argument = row->kind == TENON_KIND_CHECK ? row->rule.with.argument : NULL;
    if (row->kind == TENON_KIND_CHECK)
        hook->check = row->rule.with.check;
    else
        hook->derive = row->rule.derive;
}

/* ---- Tables ------------------------------------------------------------------------------------------------ */

static void lower_table(struct builder *builder, const tenon_rows *rows, struct group_view *view);

static void lower_group(struct builder *builder, const tenon_row *row, const struct group_view *around)
{
    const tenon_rows *rows   = row->rule.group.rows();
    struct counts     counts = { 0 };
    struct group_view view   = { .row    = row,
                                 .name   = rows->name,
                                 .offset = around->offset + row->offset,
                                 .keys   = tn_slice_of(row->rule.group.keys) };

    if (!count_rows(builder->lowering, rows, &counts, 1))
        return;
    if (row->rule.group.keys && count_names(row->rule.group.keys) != counts.params)
        tn_mistake_note(&builder->lowering->mistake, row->field,
                        "the group has %zu rows, and .keys names %zu", counts.params,
                        count_names(row->rule.group.keys));
    if (tn_row_has_max(row) && !row->rule.group.tuned) {
        tn_mistake_note(&builder->lowering->mistake, row->field, ".max needs .tuned, the row that it is for");
        return;
    }
    lower_table(builder, rows, &view);
    if (builder->lowering->shape->arena.failed)
        return; /* it ended early: what it did not reach is no mistake */
    if (tn_row_has_max(row) && !view.tuned)
        tn_mistake_note(&builder->lowering->mistake, row->field, "the group has no integer row '%s' to tune",
                        row->rule.group.tuned);
}

static void lower_table(struct builder *builder, const tenon_rows *rows, struct group_view *view)
{
    struct tn_row_compilation *lowering = builder->lowering;

    for (size_t i = 0; i < rows->count && !lowering->shape->arena.failed; i++) {
        const tenon_row *row = tn_row_read(lowering, rows, i);

        if (!row)
            continue;
        if (row->kind == TENON_KIND_GROUP)
            lower_group(builder, row, view);
        else if (is_rule(row->kind))
            lower_rule(builder, row, view);
        else if (is_hook(row->kind))
            lower_hook(builder, row, view);
        else
            take_param(builder, row, view);
    }
}

/* What a struct holds when nothing was sent: each default, "" for text, a NULL to point to for a list that ends with one, and
 * an inner struct's own defaults. What is wrong already is left out. */
static void bind_defaults(struct builder *builder, char *defaults)
{
    static const char *const no_texts[] = { NULL };

    for (size_t i = 0; i < builder->object->count; i++) {
        const struct tn_param *param = &builder->params[i];
        char                  *field = defaults + param->offset;

        if (builder->wrong && builder->wrong[i])
            continue;
        if (tn_kind_is_text(param->node->kind) && param->node->flavour == 1)
            memcpy(field, &(tenon_str){ "", 0 }, sizeof(tenon_str));
        else if (tn_kind_is_text(param->node->kind))
            memcpy(field, &(const char *){ "" }, sizeof(const char *));
        else if (tn_node_ends_with_null(param->node))
            memcpy(field, &(const char *const *){ no_texts }, sizeof(const char *const *));
        else if (param->node->kind == TENON_KIND_OBJECT && param->node->flavour == 0)
            memcpy(field, param->node->object->defaults, param->node->object->size);
        tn_row_check_values(builder->lowering, param, defaults);
    }
}

static bool builder_init(struct builder *builder, const tenon_rows *rows)
{
    struct tn_arena *arena  = &builder->lowering->shape->arena;
    struct counts    counts = { 0 };

    if (!count_rows(builder->lowering, rows, &counts, builder->lowering->depth))
        return false;
    builder->object = tn_arena_new(arena, struct tn_object);
    builder->params = tn_arena_array(arena, counts.params, struct tn_param);
    builder->rules  = tn_arena_array(arena, counts.rules, struct tn_rule);
    builder->hooks  = tn_arena_array(arena, counts.hooks, struct tn_hook);
    if (!builder->object || !builder->params || !builder->rules || !builder->hooks)
        return false;
    builder->object->name   = rows->name;
    builder->object->params = builder->params;
    builder->object->rules  = builder->rules;
    builder->object->hooks  = builder->hooks;
    builder->room           = counts.params;
    builder->object->size   = rows->struct_size;
    return tn_object_index_init(builder->object, arena, counts.names);
}

const struct tn_object *tn_row_table_compile(struct tn_row_compilation *lowering, const tenon_rows *rows)
{
    struct builder    builder = { .lowering = lowering };
    struct group_view view    = { .offset = 0 };
    size_t            noted   = lowering->mistake.count;
    char             *defaults;

    if (!builder_init(&builder, rows))
        return NULL;
    lower_table(&builder, rows, &view);
    defaults = tn_arena_zero(&lowering->shape->arena, 1, rows->struct_size, alignof(max_align_t));
    if (!defaults || lowering->shape->arena.failed)
        return NULL;
    bind_defaults(&builder, defaults);
    if (lowering->mistake.count != noted || lowering->shape->arena.failed)
        return NULL;
    builder.object->defaults = defaults;
    builder.object->plan     = tn_plan_compile(&lowering->shape->arena, builder.object);
    builder.object->example  = tn_example_object(&lowering->shape->arena, builder.object);
    tn_row_check_object(lowering, builder.object);
    return lowering->mistake.count != noted || lowering->shape->arena.failed ? NULL : builder.object;
}
