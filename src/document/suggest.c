/* suggest.c - suggestions and examples, each of which the schema accepts. */
#include "document/suggest.h"

#include "json/read.h"
#include "json/write.h"
#include "model/words.h"
#include "text/meant.h"

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
    struct tn_meant meant;
    size_t          best;

    if (!yyjson_is_str(received))
        return NULL;
    tn_meant_begin(&meant, tn_slice_trim(tn_json_slice(received)), false);
    for (size_t i = 0; i < values->count && i < WORDS_NAMES_MAX; i++)
        if (yyjson_is_str(values->at[i]))
            (void)tn_meant_try(&meant, tn_json_slice(values->at[i]), i);
    return tn_meant_found(&meant, &best) ? values->at[best] : NULL;
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

/* A value of the form alone: what a text or a number should be only the caller knows. Inside of an object that is shown as
 * a whole any value serves, since the object shows the form. */
static struct tn_slice plain_example(struct tn_verdict *verdict, const struct tn_node *node, bool inside)
{
    static const char *const    plain[] = { "[]", "{}", "1", "\"text\"", "true", "0", "0.5", "null" };
    const struct tn_json_limits limits  = { 64, 2, 8 };
    size_t                      count   = inside ? sizeof plain / sizeof *plain : 2;

    for (size_t i = 0; i < count; i++) {
        struct tn_json_text read  = tn_json_read(verdict->judge->arena, plain[i], strlen(plain[i]), &limits);
        struct tn_slice     found = accepted(verdict, node, read.root);

        if (found.at)
            return found;
    }
    return (struct tn_slice){ NULL, 0 };
}

static struct tn_slice example(struct tn_verdict *verdict, const struct tn_node *node, unsigned depth);

/* An object of examples: of each member that must be there. */
static struct tn_slice put_together(struct tn_verdict *verdict, const struct tn_node *node, unsigned depth)
{
    const struct tn_object_rules *rules  = node->schema->object;
    const struct tn_json_limits   limits = { HINT_EXPECTED_MAX, HINT_DEPTH_MAX + 2, HINT_EXPECTED_MAX };
    struct tn_slice               none   = { NULL, 0 }, member;
    bool                          first  = true;
    struct tn_buf                 out;

    if (!rules || depth == HINT_DEPTH_MAX)
        return none;
    tn_buf_init(&out, verdict->judge->arena, 64, HINT_EXPECTED_MAX);
    tn_buf_char(&out, '{');
    for (size_t i = 0; i < rules->count && !out.failed; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (!property->required || !property->node)
            continue;
        member = example(verdict, property->node, depth + 1);
        if (!member.at)
            return none;
        if (!first)
            tn_buf_char(&out, ',');
        first = false;
        tn_json_string(&out, property->name, property->len);
        tn_buf_char(&out, ':');
        tn_buf_add(&out, member.at, member.len);
    }
    tn_buf_char(&out, '}');
    if (out.failed)
        return none;
    return accepted(verdict, node, tn_json_read(verdict->judge->arena, out.at, out.len, &limits).root);
}

/* What the schema names, before anything that is made up. A value of its enum, or a bound, would mean something else, so it
 * stands only inside of a whole. */
static struct tn_slice example(struct tn_verdict *verdict, const struct tn_node *node, unsigned depth)
{
    const struct tn_schema *schema  = node->schema;
    yyjson_val             *named[] = {
                    yyjson_arr_get_first(yyjson_obj_get(schema->source, "examples")),
                    schema->def,
                    schema->constant,
        schema->values && schema->values->count > 0 ? schema->values->at[0] : NULL,
        schema->number ? schema->number->min.value : NULL,
        schema->number ? schema->number->max.value : NULL,
    };
    size_t          count = depth > 0 ? sizeof named / sizeof *named : 3;
    struct tn_slice named_or_plain;

    for (size_t i = 0; i < count; i++) {
        struct tn_slice found = accepted(verdict, node, named[i]);

        if (found.at)
            return found;
    }
    named_or_plain = plain_example(verdict, node, depth > 0);
    return named_or_plain.at ? named_or_plain : put_together(verdict, node, depth);
}

struct tn_slice tn_suggest_example(struct tn_verdict *verdict, const struct tn_node *node)
{
    return example(verdict, node, 0);
}

void tn_suggest_add(struct tn_verdict *verdict, struct tn_issue *issue)
{
    const struct tn_node *node = issue->addressed;
    struct tn_node       *own;

    if (issue->code == ISSUE_UNKNOWN ||
        (!node && issue->code != ISSUE_REQUIRED && issue->code != ISSUE_REQUIRES))
        return;
    own = tn_arena_new(verdict->judge->arena, struct tn_node);
    if (!own)
        return;
    if (node) {
        *own = *node;
        if (issue->suggestion.len == 0 && issue->node && !node->secret)
            suggest_suggest(verdict, issue);
        if (yyjson_is_obj(node->schema->source))
            own->expected = suggest_text_of(verdict, node->schema->source, HINT_EXPECTED_MAX);
        if (issue->suggestion.len == 0 && issue->code != ISSUE_VALUES)
            own->example = example(verdict, node, 0);
    }
    issue->addressed = own;
}
