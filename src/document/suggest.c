/* suggest.c - suggestions and examples, each of which the schema accepts. */
#include "document/suggest.h"

#include "json/read.h"
#include "json/write.h"
#include "model/words.h"
#include "text/meant.h"

static struct slice text_of(struct verdict *verdict, yyjson_val *value, size_t most)
{
    struct buf out;

    if (unsafe_yyjson_get_next(value) > value + most)
        return (struct slice){ NULL, 0 }; /* each value takes a byte at least */
    buf_init(&out, verdict->judge->arena, 64, most);
    json_value(&out, value);
    return out.failed ? (struct slice){ NULL, 0 } : (struct slice){ out.at, out.len };
}

/* The text of `value`, when it is there and the schema accepts it. All hints of a judgement share the steps of one
 * look. */
static struct slice accepted(struct verdict *verdict, const struct node *node, yyjson_val *value)
{
    size_t before = verdict->judge->steps, spent;
    bool   fine   = value && verdict->allowed > 0 && verdict_of(verdict, node, value);

    spent = verdict->judge->steps - before;
    verdict->allowed -= spent < verdict->allowed ? spent : verdict->allowed;
    return fine ? text_of(verdict, value, HINT_EXPECTED_MAX) : (struct slice){ NULL, 0 };
}

/* ---- Suggestions ----------------------------------------------------------------------------------------------- */

static yyjson_val *nearest(const struct values *values, yyjson_val *received)
{
    struct meant meant;
    size_t       best;

    if (!yyjson_is_str(received))
        return NULL;
    meant_begin(&meant, slice_trim(json_slice(received)), false);
    for (size_t i = 0; i < values->count && i < WORDS_NAMES_MAX; i++)
        if (yyjson_is_str(values->at[i]))
            (void)meant_try(&meant, json_slice(values->at[i]), i);
    return meant_found(&meant, &best) ? values->at[best] : NULL;
}

/* The bound that was broken; of an exclusive one, the integer beside it. */
static yyjson_val *bound_of(struct verdict *verdict, const struct issue *issue)
{
    const struct number_rules *rules = issue->node->schema->number;
    bool                       low   = issue->keyword && strstr(issue->keyword, "inimum");
    bool                       out   = issue->keyword && strncmp(issue->keyword, "exclusive", 9) == 0;
    const struct bound        *bound = low ? (out ? &rules->above : &rules->min)
                                           : (out ? &rules->below : &rules->max);
    yyjson_val                *beside;

    if (!out)
        return bound->value;
    if (!bound->is_int || bound->integer == INT64_MAX || bound->integer == INT64_MIN)
        return NULL;
    beside = arena_new(verdict->judge->arena, yyjson_val);
    if (beside) {
        beside->tag     = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT;
        beside->uni.i64 = low ? bound->integer + 1 : bound->integer - 1;
    }
    return beside;
}

static void suggest(struct verdict *verdict, struct issue *issue)
{
    yyjson_val *value = NULL;

    if (issue->code == ISSUE_VALUES)
        value = nearest(issue->node->schema->values, issue->received);
    else if (issue->code == ISSUE_CONST)
        value = issue->node->schema->constant;
    else if (issue->code == ISSUE_BOUND)
        value = bound_of(verdict, issue);
    issue->suggestion = accepted(verdict, issue->node, value);
}

/* ---- Examples -------------------------------------------------------------------------------------------------- */

/* A value of the form alone: what a text or a number should be only the caller knows. Inside of an object that is shown as
 * a whole any value serves, since the object shows the form. */
static struct slice plain_example(struct verdict *verdict, const struct node *node, bool inside)
{
    static const char *const plain[] = { "[]", "{}", "1", "\"text\"", "true", "0", "0.5", "null" };
    const struct json_limits limits  = { 64, 2, 8 };
    size_t                   count   = inside ? sizeof plain / sizeof *plain : 2;

    for (size_t i = 0; i < count; i++) {
        struct json_text read  = json_read(verdict->judge->arena, plain[i], strlen(plain[i]), &limits);
        struct slice     found = accepted(verdict, node, read.root);

        if (found.at)
            return found;
    }
    return (struct slice){ NULL, 0 };
}

static struct slice example(struct verdict *verdict, const struct node *node, unsigned depth);

/* An object of examples: of each member that must be there. */
static struct slice put_together(struct verdict *verdict, const struct node *node, unsigned depth)
{
    const struct object_rules *rules  = node->schema->object;
    const struct json_limits   limits = { HINT_EXPECTED_MAX, HINT_DEPTH_MAX + 2, HINT_EXPECTED_MAX };
    struct slice               none   = { NULL, 0 }, member;
    bool                       first  = true;
    struct buf                 out;

    if (!rules || depth == HINT_DEPTH_MAX)
        return none;
    buf_init(&out, verdict->judge->arena, 64, HINT_EXPECTED_MAX);
    buf_char(&out, '{');
    for (size_t i = 0; i < rules->count && !out.failed; i++) {
        const struct property *property = &rules->properties[i];

        if (!property->required || !property->node)
            continue;
        member = example(verdict, property->node, depth + 1);
        if (!member.at)
            return none;
        if (!first)
            buf_char(&out, ',');
        first = false;
        json_string(&out, property->name, property->len);
        buf_char(&out, ':');
        buf_add(&out, member.at, member.len);
    }
    buf_char(&out, '}');
    if (out.failed)
        return none;
    return accepted(verdict, node, json_read(verdict->judge->arena, out.at, out.len, &limits).root);
}

/* What the schema names, before anything that is made up. A value of its enum, or a bound, would mean something else, so it
 * stands only inside of a whole. */
static struct slice example(struct verdict *verdict, const struct node *node, unsigned depth)
{
    const struct schema *schema  = node->schema;
    yyjson_val          *named[] = {
                 yyjson_arr_get_first(yyjson_obj_get(schema->source, "examples")),
                 schema->def,
                 schema->constant,
        schema->values && schema->values->count > 0 ? schema->values->at[0] : NULL,
        schema->number ? schema->number->min.value : NULL,
        schema->number ? schema->number->max.value : NULL,
    };
    size_t       count = depth > 0 ? sizeof named / sizeof *named : 3;
    struct slice named_or_plain;

    for (size_t i = 0; i < count; i++) {
        struct slice found = accepted(verdict, node, named[i]);

        if (found.at)
            return found;
    }
    named_or_plain = plain_example(verdict, node, depth > 0);
    return named_or_plain.at ? named_or_plain : put_together(verdict, node, depth);
}

struct slice hint_example(struct verdict *verdict, const struct node *node)
{
    return example(verdict, node, 0);
}

void hint_add(struct verdict *verdict, struct issue *issue)
{
    const struct node *node = issue->addressed;
    struct node       *own;

    if (issue->code == ISSUE_UNKNOWN ||
        (!node && issue->code != ISSUE_REQUIRED && issue->code != ISSUE_REQUIRES))
        return;
    own = arena_new(verdict->judge->arena, struct node);
    if (!own)
        return;
    if (node) {
        *own = *node;
        if (issue->suggestion.len == 0 && issue->node && !node->secret)
            suggest(verdict, issue);
        if (yyjson_is_obj(node->schema->source))
            own->expected = text_of(verdict, node->schema->source, HINT_EXPECTED_MAX);
        if (issue->suggestion.len == 0 && issue->code != ISSUE_VALUES)
            own->example = example(verdict, node, 0);
    }
    issue->addressed = own;
}
