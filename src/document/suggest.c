/* suggest.c - suggestions and examples, each of which the schema accepts. */
#include "document/suggest.h"

#include "base/memory.h"
#include "document/document.h"
#include "document/made_up.h"
#include "json/read.h"
#include "json/write.h"
#include "model/like.h"
#include "model/spell.h"

static struct tn_slice suggest_text_of(struct tn_verdict *verdict, yyjson_val *value, size_t most)
{
    struct tn_buf out;

    if (unsafe_yyjson_get_next(value) > value + most)
        return (struct tn_slice){ NULL, 0 }; /* each value takes a byte at least */
    tn_buf_init(&out, verdict->judge->arena, 64, most);
    tn_json_value(&out, value);
    return out.failed ? (struct tn_slice){ NULL, 0 } : (struct tn_slice){ out.at, out.len };
}

/* The text of `value`, when it is there and the schema accepts it. All hints of a judgement share the steps of one
 * look. */
static struct tn_slice accepted(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    size_t before = verdict->judge->steps, spent;
    bool   fine   = value && verdict->allowed > 0 && tn_verdict_of(verdict, node, value);

    spent = verdict->judge->steps - before;
    verdict->allowed -= spent < verdict->allowed ? spent : verdict->allowed;
    return fine ? suggest_text_of(verdict, value, HINT_EXPECTED_MAX) : (struct tn_slice){ NULL, 0 };
}

/* ---- Suggestions ----------------------------------------------------------------------------------------------- */

static yyjson_val *suggest_nearest(const struct tn_values *values, yyjson_val *received)
{
    struct tn_spell_choices choices = tn_spell_values(values->at, values->count);
    int                     nearest = tn_spell_nearest(&choices, received);

    return nearest < 0 ? NULL : values->at[nearest];
}

/* The bound that was broken; of an exclusive one, the integer beside it. */
static yyjson_val *bound_of(struct tn_verdict *verdict, const struct tn_issue *issue)
{
    const struct tn_number_rules *rules = issue->node->schema->number;
    bool                          low   = issue->keyword && strstr(issue->keyword, "inimum");
    bool                          out   = issue->keyword && strncmp(issue->keyword, "exclusive", 9) == 0;
    const struct tn_bound        *bound = low ? (out ? &rules->above : &rules->min)
                                              : (out ? &rules->below : &rules->max);
    yyjson_val                   *beside;

    if (!out)
        return bound->value;
    if (!bound->is_int || bound->integer == INT64_MAX || bound->integer == INT64_MIN)
        return NULL;
    beside = tn_arena_new(verdict->judge->arena, yyjson_val);
    if (beside) {
        beside->tag     = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT;
        beside->uni.i64 = low ? bound->integer + 1 : bound->integer - 1;
    }
    return beside;
}

static void suggest_suggest(struct tn_verdict *verdict, struct tn_issue *issue)
{
    yyjson_val *value = NULL;

    if (issue->code == ISSUE_VALUES)
        value = suggest_nearest(issue->node->schema->values, issue->received);
    else if (issue->code == ISSUE_CONST)
        value = issue->node->schema->constant;
    else if (issue->code == ISSUE_BOUND)
        value = bound_of(verdict, issue);
    issue->suggestion = accepted(verdict, issue->node, value);
}

/* ---- Examples -------------------------------------------------------------------------------------------------- */

/* What the schema names itself: such a value shows what its author means to show. */
static struct tn_slice named_example(struct tn_verdict *verdict, const struct tn_node *node)
{
    const struct tn_schema *schema = tn_like_end(node)->schema;
    yyjson_val     *named[]        = { yyjson_arr_get_first(yyjson_obj_get(node->schema->source, "examples")),
                                       node->schema->def,
                                       yyjson_arr_get_first(yyjson_obj_get(schema->source, "examples")), schema->def,
                                       schema->constant };
    struct tn_slice found          = { NULL, 0 };

    for (size_t i = 0; i < sizeof named / sizeof *named && !found.at; i++)
        found = accepted(verdict, node, named[i]);
    return found;
}

/* A value of the form that is asked for, made up. */
static struct tn_slice made_up_example(struct tn_verdict *verdict, const struct tn_node *node)
{
    const struct tn_json_limits limits = { HINT_EXPECTED_MAX, HINT_DEPTH_MAX * 2 + 2, HINT_EXPECTED_MAX };
    struct tn_slice             text   = tn_made_up(verdict->judge->arena, node);

    if (text.len == 0)
        return (struct tn_slice){ NULL, 0 };
    return accepted(verdict, node, tn_json_read(verdict->judge->arena, text.at, text.len, &limits).root);
}

struct tn_slice tn_suggest_example(struct tn_verdict *verdict, const struct tn_node *node)
{
    struct tn_slice found = named_example(verdict, node);

    return found.at ? found : made_up_example(verdict, node);
}

/* Where a value of the form would mean something else, none is shown: what is expected says enough. */
static void add_example(struct tn_verdict *verdict, const struct tn_issue *issue, struct tn_node *own)
{
    if (issue->code == ISSUE_VALUES || issue->code == ISSUE_NULL)
        return;
    own->example = named_example(verdict, own);
    if (own->example.at || !tn_issue_shows_made_up(own, issue->code))
        return;
    own->made_up = true;
    own->example = made_up_example(verdict, own);
}

/* ---- What is expected ------------------------------------------------------------------------------------------ */

static bool is_rule(struct tn_slice keyword)
{
    static const char *const others[] = { "title",      "description", "default",       "examples",
                                          "deprecated", "readOnly",    "writeOnly",     "$comment",
                                          "$id",        "id",          "$schema",       "$anchor",
                                          "$defs",      "definitions", "$dynamicAnchor" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tn_slice_is(keyword, others[i]))
            return false;
    return keyword.len < 2 || memcmp(keyword.at, "x-", 2) != 0;
}

#define EXPECTED_DEPTH_MAX 8

static void write_rules(struct tn_buf *out, yyjson_val *schema, unsigned depth);

static void write_named(struct tn_buf *out, yyjson_val *schemas, unsigned depth)
{
    size_t          i = 0;
    yyjson_obj_iter members;
    yyjson_val     *key;

    tn_buf_char(out, '{');
    yyjson_obj_iter_init(schemas, &members);
    while ((key = yyjson_obj_iter_next(&members)) && !out->failed) {
        if (i++ > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(out, ':');
        write_rules(out, yyjson_obj_iter_get_val(key), depth);
    }
    tn_buf_char(out, '}');
}

static void write_listed(struct tn_buf *out, yyjson_val *schemas, unsigned depth)
{
    size_t      i, count;
    yyjson_val *schema;

    tn_buf_char(out, '[');
    yyjson_arr_foreach(schemas, i, count, schema)
    {
        if (i > 0)
            tn_buf_char(out, ',');
        write_rules(out, schema, depth);
    }
    tn_buf_char(out, ']');
}

/* What a keyword holds: schemas by name, schemas in a list, one schema, or a plain value. */
static void write_inner(struct tn_buf *out, struct tn_slice keyword, yyjson_val *value, unsigned depth)
{
    static const char *const named[] = { "properties", "patternProperties", "dependentSchemas",
                                         "dependencies" };
    bool                     plain   = tn_slice_is(keyword, "const") || tn_slice_is(keyword, "enum");

    for (size_t i = 0; !plain && yyjson_is_obj(value) && i < sizeof named / sizeof *named; i++)
        if (tn_slice_is(keyword, named[i])) {
            write_named(out, value, depth + 1);
            return;
        }
    if (!plain && yyjson_is_obj(value) && !tn_slice_is(keyword, "dependentRequired"))
        write_rules(out, value, depth + 1);
    else if (!plain && yyjson_is_arr(value))
        write_listed(out, value, depth + 1);
    else
        tn_json_value(out, value);
}

/* A schema without what only describes it. One that lies too deep makes the whole too long to show. */
static void write_rules(struct tn_buf *out, yyjson_val *schema, unsigned depth)
{
    size_t          i = 0;
    yyjson_obj_iter keywords;
    yyjson_val     *key;

    if (!yyjson_is_obj(schema)) {
        tn_json_value(out, schema);
        return;
    }
    out->failed |= depth > EXPECTED_DEPTH_MAX;
    tn_buf_char(out, '{');
    yyjson_obj_iter_init(schema, &keywords);
    while (!out->failed && (key = yyjson_obj_iter_next(&keywords))) {
        if (!is_rule(tn_json_slice(key)))
            continue;
        if (i++ > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(out, ':');
        write_inner(out, tn_json_slice(key), yyjson_obj_iter_get_val(key), depth);
    }
    tn_buf_char(out, '}');
}

static struct tn_slice expected_of(struct tn_verdict *verdict, const struct tn_node *node)
{
    yyjson_val   *source = tn_like_end(node)->schema->source;
    struct tn_buf out;

    tn_buf_init(&out, verdict->judge->arena, 128, HINT_EXPECTED_MAX);
    if (yyjson_is_obj(source))
        write_rules(&out, source, 0);
    return out.failed || out.len <= 2 ? (struct tn_slice){ NULL, 0 } : tn_buf_slice(&out);
}

/* ---- The issue ------------------------------------------------------------------------------------------------- */

void tn_suggest_add(struct tn_verdict *verdict, struct tn_issue *issue)
{
    const struct tn_node *node = issue->addressed;
    struct tn_node       *own;

    if ((issue->code == ISSUE_UNKNOWN && !issue->inside) ||
        (!node && issue->code != ISSUE_REQUIRED && issue->code != ISSUE_REQUIRES))
        return;
    if (node && issue->suggestion.len == 0 && issue->node && !node->secret && !issue->inside)
        suggest_suggest(verdict, issue);
    if (node && node->expected.len > 0)
        return; /* it was prepared */
    own = tn_arena_new(verdict->judge->arena, struct tn_node);
    if (!own)
        return;
    if (node) {
        *own          = *node;
        own->expected = expected_of(verdict, node);
        if (issue->suggestion.len == 0)
            add_example(verdict, issue, own);
        if (issue->code == ISSUE_JSON && issue->node == node)
            issue->node = own; /* its sentence shows the example */
    }
    issue->addressed = own;
}

/* ---- Ahead of all calls ---------------------------------------------------------------------------------------- */

static struct tn_slice kept(tenon_schema *schema, struct tn_slice text)
{
    const char *copy = text.at ? tn_arena_copy(&schema->shape.arena, text.at, text.len) : NULL;

    return copy ? (struct tn_slice){ copy, text.len } : (struct tn_slice){ "", 0 };
}

static void prepare_node(tenon_schema *schema, struct tn_verdict *verdict, struct tn_node *node)
{
    struct tn_slice example = named_example(verdict, node);

    node->made_up  = !example.at;
    node->example  = kept(schema, example.at ? example : made_up_example(verdict, node));
    node->expected = kept(schema, expected_of(verdict, node));
}

/* A parameter, and the items of a list: what most issues are of. */
static void prepare(tenon_schema *schema, struct tn_verdict *verdict, const struct tn_node *node)
{
    const struct tn_node *item = tn_like_item(node);

    prepare_node(schema, verdict, (struct tn_node *)(uintptr_t)node);
    if (item && item->expected.len == 0)
        prepare_node(schema, verdict, (struct tn_node *)(uintptr_t)item);
}

void tn_suggest_prepare(tenon_schema *schema)
{
    const struct tn_object_rules *rules   = tn_like_end(schema->node)->schema->object;
    struct matcher               *matcher = NULL;
    struct tn_arena               scratch;
    struct tn_judge   judge   = { .arena = &scratch, .matcher = &matcher, .memory = &schema->shape.memory };
    struct tn_verdict verdict = tn_document_verdict(schema, &judge, VERDICT_STEPS_MIN);

    tn_arena_init(&scratch, &schema->shape.memory, 0);
    for (size_t i = 0; rules && i < rules->count && i < PREPARED_MAX; i++)
        if (rules->properties[i].node && !scratch.failed)
            prepare(schema, &verdict, rules->properties[i].node);
    tn_matcher_free(matcher);
    tn_arena_free(&scratch);
}
