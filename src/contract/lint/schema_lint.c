/* schema_lint.c - a schema by itself: does it compile, can it be satisfied, does it keep what it says? */
#include "contract/inclusion.h"
#include "contract/known.h"
#include "contract/lint/backtrack.h"
#include "contract/lint/inside.h"
#include "contract/phrases.h"
#include "json/echo.h"

#define VALUES_LOOKED_MAX ((size_t)1000) /* defaults and examples of one schema that are looked at */
#define FOUND_EACH_MAX    ((size_t)8)    /* findings of one kind in one schema */

struct look {
    const struct tn_lint_tool *tool;
    const char                *member; /* LINT_INPUT or LINT_OUTPUT */
    struct tn_side             side;
    size_t                     values, found[LINT_CHECKS];
};

static struct tn_slice place_of(const struct look *look, const struct tn_node *node)
{
    struct tn_slice at = node->schema->pointer;
    struct tn_buf   out;

    tn_buf_init(&out, look->tool->scratch, 0, FINDINGS_TEXT_MAX);
    tn_buf_text(&out, look->member);
    tn_buf_add(&out, at.at, at.len);
    return tn_buf_slice(&out);
}

static const char *shown(const struct look *look, yyjson_val *value)
{
    struct tn_buf out;

    tn_buf_init(&out, look->tool->scratch, 0, FINDINGS_TEXT_MAX);
    tn_echo_value(&out, value);
    return tn_buf_end(&out) ? out.at : "";
}

/* May one more of this kind be reported? */
static bool is_told(struct look *look, size_t row)
{
    return look->found[row]++ < FOUND_EACH_MAX;
}

/* ---- Values ------------------------------------------------------------------------------------------------------- */

static void look_at_value(struct look *look, const struct tn_node *node, yyjson_val *value, size_t row)
{
    if (!value || look->values++ >= VALUES_LOOKED_MAX || !tn_side_refuses(&look->side, node, value) ||
        !is_told(look, row))
        return;
    tn_lint_find(look->tool, row, place_of(look, node), SAY_REPAIR_DEFAULT,
                 row == LINT_DEFAULT ? SAY_LINT_DEFAULT : SAY_LINT_EXAMPLE, shown(look, value));
}

static void look_at_values(struct look *look, const struct tn_node *node)
{
    yyjson_val     *examples = yyjson_obj_get(node->schema->source, "examples");
    yyjson_arr_iter each     = yyjson_arr_iter_with(examples);
    yyjson_val     *one;

    look_at_value(look, node, yyjson_obj_get(node->schema->source, "default"), LINT_DEFAULT);
    while (yyjson_is_arr(examples) && (one = yyjson_arr_iter_next(&each)))
        look_at_value(look, node, one, LINT_EXAMPLE);
}

/* ---- Satisfied? ----------------------------------------------------------------------------------------------------- */

/* No value of its enum fits what else it says. */
static bool has_no_choice(struct look *look, const struct tn_node *node)
{
    const struct tn_values *values = node->schema->values;

    if (!values || values->count == 0 || look->values >= VALUES_LOOKED_MAX)
        return values && values->count == 0;
    for (size_t i = 0; i < values->count; i++)
        if (look->values++ >= VALUES_LOOKED_MAX || !tn_side_refuses(&look->side, node, values->at[i]))
            return false;
    return true;
}

static bool has_no_room(const struct tn_node *node)
{
    unsigned types = node->schema->types;

    return (types == TYPE_STRING && node->text.min > node->text.max) ||
           (types == TYPE_ARRAY && node->list.min > node->list.max) ||
           (types == TYPE_OBJECT && node->schema->object &&
            node->schema->object->min > node->schema->object->max);
}

/* A member must be there, and cannot. */
static bool has_no_member(const struct tn_node *node)
{
    const struct tn_object_rules *rules = node->schema->object;

    if (node->schema->types != TYPE_OBJECT || !rules)
        return false;
    for (size_t i = 0; i < rules->count; i++) {
        struct tn_known known = { .types = TYPE_ANY };

        if (rules->properties[i].required && rules->properties[i].node)
            tn_known_learn(&known, rules->properties[i].node);
        if (known.none)
            return true;
    }
    return false;
}

/* `false` is how a schema says that it is not to be used: meant, not a mistake. */
static bool is_empty(struct look *look, const struct tn_node *node)
{
    struct tn_known known = { .types = TYPE_ANY };

    if (!yyjson_is_obj(node->schema->source))
        return false;
    tn_known_learn(&known, node);
    return known.none || has_no_choice(look, node) || has_no_room(node) || has_no_member(node);
}

/* ---- Patterns ------------------------------------------------------------------------------------------------------- */

static void look_at_pattern(struct look *look, const struct tn_node *node)
{
    struct tn_lint     *lint = look->tool->lint;
    struct tn_backtrack found;
    struct tn_slice     source = tn_json_slice(yyjson_obj_get(node->schema->source, "pattern"));

    if (!node->text.pattern || !source.at || lint->pattern_steps == 0)
        return;
    if (!*look->tool->matcher)
        *look->tool->matcher = tn_matcher_new(&look->tool->scratch->memory);
    if (!*look->tool->matcher)
        return;
    if (tn_backtrack_find(&found, node->text.pattern, source, *look->tool->matcher, look->tool->scratch,
                          &lint->pattern_steps) &&
        is_told(look, LINT_PATTERN))
        tn_lint_find(look->tool, LINT_PATTERN, place_of(look, node), SAY_REPAIR_BACKTRACKS,
                     SAY_LINT_BACKTRACKS, found.steps, found.text.len);
    if (lint->pattern_steps == 0)
        tn_lint_find(look->tool, LINT_SIZE, place_of(look, node), NULL, "%s", SAY_LINT_PATTERNS_LEFT);
}

/* ---- Declared? ------------------------------------------------------------------------------------------------------ */

static bool is_open_to(const struct tn_node *node)
{
    const struct tn_schema *schema = node->schema;

    return (schema->object && schema->object->pattern_count > 0) || schema->in_place;
}

/* What is required and nowhere declared: a schema beside it, or a pattern, may declare it. */
static void look_at_required(struct look *look, const struct tn_node *node)
{
    const struct tn_object_rules *rules = node->schema->object;
    struct tn_buf                 name;

    if (!rules || !yyjson_obj_get(node->schema->source, "properties") || is_open_to(node))
        return;
    for (size_t i = 0; i < rules->count; i++) {
        const struct tn_property *one = &rules->properties[i];

        if (!one->required || one->node || !is_told(look, LINT_UNDECLARED))
            continue;
        tn_buf_init(&name, look->tool->scratch, 0, FINDINGS_TEXT_MAX);
        tn_echo_text(&name, one->name, one->len);
        tn_lint_find(look->tool, LINT_UNDECLARED, place_of(look, node), SAY_REPAIR_UNDECLARED,
                     SAY_LINT_UNDECLARED, tn_buf_end(&name) ? name.at : "");
    }
}

/* A parameter that may be anything. */
static void look_at_types(struct look *look, const struct tn_node *root)
{
    const struct tn_object_rules *rules = root->schema->object;

    for (size_t i = 0; rules && i < rules->count; i++) {
        const struct tn_node *node  = rules->properties[i].node;
        struct tn_known       known = { .types = TYPE_ANY };

        if (!node || node->schema->never)
            continue;
        tn_known_learn(&known, node);
        if (known.types == TYPE_ANY && !tn_known_end(node)->schema->values &&
            !tn_known_end(node)->schema->constant && !tn_known_end(node)->schema->in_place &&
            is_told(look, LINT_UNTYPED))
            tn_lint_find(look->tool, LINT_UNTYPED, place_of(look, node), tn_rule_repair(CHECK_TYPED), "%s",
                         SAY_LINT_NO_TYPE);
    }
}

/* ---- All of it ------------------------------------------------------------------------------------------------------ */

static bool accepts_nothing(const tenon_schema *schema)
{
    tenon_schema *never  = tn_schema_try("false", 5,
                                         &(tenon_schema_options){ .size   = sizeof(tenon_schema_options),
                                                                  .memory = &schema->shape.memory });
    bool          proved = never && !tenon_schema_error(never) && tn_inclusion_strict(schema, never);

    tenon_schema_free(never);
    return proved;
}

static void look_at_nodes(struct look *look, const tenon_schema *schema)
{
    bool empty = false;

    tn_side_init(&look->side, schema);
    for (const struct tn_node *node = schema->reading.newest; node; node = node->schema->read_before) {
        if (node->schema->resource != schema->node->schema->resource)
            continue; /* of a metaschema that it refers to */
        if (is_empty(look, node) && is_told(look, LINT_EMPTY)) {
            empty = true;
            tn_lint_find(look->tool, LINT_EMPTY, place_of(look, node), NULL, "%s", SAY_LINT_EMPTY);
        }
        look_at_values(look, node);
        look_at_pattern(look, node);
        look_at_required(look, node);
    }
    if (!empty && accepts_nothing(schema))
        tn_lint_find(look->tool, LINT_EMPTY, place_of(look, schema->node), NULL, "%s", SAY_LINT_EMPTY);
    if (strcmp(look->member, LINT_INPUT) == 0)
        look_at_types(look, schema->node);
    tn_side_free(&look->side);
}

void tn_lint_schema(const struct tn_lint_tool *tool, const char *member)
{
    yyjson_val   *source = yyjson_obj_get(tool->definition->value, member + 1);
    struct look   look   = { .tool = tool, .member = member };
    tenon_schema *schema;
    struct tn_buf text;

    if (!source) {
        if (strcmp(member, LINT_INPUT) == 0)
            tn_lint_find(tool, LINT_BROKEN, (struct tn_slice){ "", 0 }, SAY_REPAIR_SCHEMA, "%s",
                         SAY_LINT_NO_SCHEMA);
        return;
    }
    tn_buf_init(&text, tool->scratch, tool->definition->text.len, CANONICAL_BYTES_MAX);
    tn_canonical_line(&text, source);
    schema = tn_schema_try(text.at, text.len,
                           &(tenon_schema_options){ .size   = sizeof(tenon_schema_options),
                                                    .memory = &tool->scratch->memory });
    if (!schema || text.failed)
        tool->lint->findings.failed = true;
    else if (tenon_schema_error(schema))
        tn_lint_find(tool, LINT_BROKEN, tn_slice_of(member), NULL, SAY_LINT_BROKEN,
                     tenon_schema_error(schema));
    else
        look_at_nodes(&look, schema);
    tenon_schema_free(schema);
}
