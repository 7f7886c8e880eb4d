/* verdict_scalar.c - what a schema says of a value itself: numbers, text, and which values it may be. */
#include <string.h>

#include "base/utf8.h"
#include "document/verdict.h"
#include "model/json_equal.h"
#include "text/decimal.h"
#include "text/format.h"

#define EXACT_IN_DOUBLE (INT64_C(1) << 53)

#define UNSURE_MAX     8    /* patterns that took too long, before the whole does */
#define SLOW_STEPS_MIN 1000 /* of a match that may be called slow; with less, it is all before it that was */

int tn_verdict_compare(yyjson_val *value, const struct tn_bound *bound)
{
    int64_t integer;

    if (bound->is_int &&
        (yyjson_is_sint(value) || (yyjson_is_uint(value) && yyjson_get_uint(value) <= INT64_MAX))) {
        integer = yyjson_is_uint(value) ? (int64_t)yyjson_get_uint(value) : yyjson_get_sint(value);
        return (integer > bound->integer) - (integer < bound->integer);
    }
    if (bound->is_int && yyjson_is_real(value) && bound->integer <= EXACT_IN_DOUBLE &&
        bound->integer >= -EXACT_IN_DOUBLE) {
        double real = unsafe_yyjson_get_real(value), limit = (double)bound->integer;

        return (real > limit) - (real < limit);
    }
    return tn_decimal_compare(value, bound->value);
}

static bool judge_number(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         const struct tn_schema_location *at)
{
    const struct tn_number_rules *rules  = node->schema->number;
    const char                   *broken = NULL;

    if (rules->min.value && tn_verdict_compare(value, &rules->min) < 0)
        broken = "minimum";
    else if (rules->above.value && tn_verdict_compare(value, &rules->above) <= 0)
        broken = "exclusiveMinimum";
    else if (rules->max.value && tn_verdict_compare(value, &rules->max) > 0)
        broken = "maximum";
    else if (rules->below.value && tn_verdict_compare(value, &rules->below) >= 0)
        broken = "exclusiveMaximum";
    if (broken)
        tn_verdict_fault(verdict, node, at, broken, ISSUE_BOUND, value, NULL);
    if (rules->multiple && !tn_decimal_multiple(value, rules->multiple))
        return tn_verdict_fault(verdict, node, at, "multipleOf", ISSUE_MULTIPLE, value, NULL);
    return !broken;
}

static bool judge_length(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         const struct tn_schema_location *at)
{
    size_t bytes = unsafe_yyjson_get_len(value), count;

    if (tn_verdict_length_is_sure(&node->text, bytes))
        return true;
    count = tn_utf8_count(unsafe_yyjson_get_str(value), bytes);
    if (count < node->text.min)
        return tn_verdict_fault(verdict, node, at, "minLength", ISSUE_SHORT, value, NULL);
    if (count > node->text.max)
        return tn_verdict_fault(verdict, node, at, "maxLength", ISSUE_LONG, value, NULL);
    return true;
}

enum tn_pattern_result tn_verdict_match(struct tn_verdict *verdict, const struct pattern *pattern,
                                        struct tn_slice text)
{
    struct tn_judge       *judge = verdict->judge;
    size_t                 given, left;
    enum tn_pattern_result result;

    if (verdict->gave_up)
        return PATTERN_GAVE_UP;
    if (!*judge->matcher)
        *judge->matcher = tn_matcher_new(judge->memory);
    if (!*judge->matcher) {
        judge->arena->failed = true;
        return PATTERN_NO_MEMORY;
    }
    given = left = verdict->steps / 2; /* what is left tells of the others */
    result       = tn_pattern_match(pattern, *judge->matcher, text, &left);
    verdict->steps -= given - left;
    if (result == PATTERN_GAVE_UP && given < SLOW_STEPS_MIN)
        tn_verdict_spend(verdict, verdict->steps + 1);
    else if (result == PATTERN_GAVE_UP && (++verdict->unsure > UNSURE_MAX || !verdict->all))
        verdict->gave_up = verdict->slow_pattern = true;
    judge->arena->failed |= result == PATTERN_NO_MEMORY;
    return result;
}

static bool judge_pattern(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          const struct tn_schema_location *at)
{
    struct tn_slice  text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };
    struct tn_issue *issue;

    switch (tn_verdict_match(verdict, node->text.pattern, text)) {
    case PATTERN_YES: return true;
    case PATTERN_NO: return tn_verdict_fault(verdict, node, at, "pattern", ISSUE_PATTERN, value, NULL);
    case PATTERN_GAVE_UP:
        tn_verdict_fault(verdict, node, at, "pattern", ISSUE_PATTERN, value, &issue);
        if (issue)
            issue->why = ", which takes too long to match";
        return false;
    case PATTERN_NO_MEMORY: break;
    }
    return false;
}

static bool judge_text(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_schema_location *at)
{
    bool fine = judge_length(verdict, node, value, at);

    if (!tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) / VERDICT_BYTES_OF_STEP))
        return false;
    if (node->text.pattern)
        fine &= judge_pattern(verdict, node, value, at);
    if (node->schema->format_asserted && node->text.format) {
        struct tn_slice text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

        if (!node->text.format->accepts(text))
            return tn_verdict_fault(verdict, node, at, "format", ISSUE_FORMAT, value, NULL);
    }
    return fine;
}

/* Comparing containers takes as long as they are large. */
static bool same(struct tn_verdict *verdict, yyjson_val *wanted, yyjson_val *value)
{
    if (yyjson_is_str(wanted))
        return yyjson_is_str(value) && unsafe_yyjson_get_len(wanted) == unsafe_yyjson_get_len(value) &&
               tn_str_same(unsafe_yyjson_get_str(wanted), unsafe_yyjson_get_str(value),
                           unsafe_yyjson_get_len(value));
    if (yyjson_get_type(wanted) != yyjson_get_type(value) && !yyjson_is_raw(wanted) && !yyjson_is_raw(value))
        return false;
    if (yyjson_is_ctn(value) && !tn_verdict_spend(verdict, (size_t)(unsafe_yyjson_get_next(value) - value)))
        return false;
    return tn_json_equal(verdict->judge->arena, wanted, value);
}

bool tn_verdict_is_constant(struct tn_verdict *verdict, const struct tn_schema *schema, yyjson_val *value)
{
    return same(verdict, schema->constant, value);
}

bool tn_verdict_is_among(struct tn_verdict *verdict, const struct tn_values *values, yyjson_val *value)
{
    if (values->all_strings && !yyjson_is_str(value))
        return false;
    if (!values->slots) {
        for (size_t i = 0; i < values->count; i++)
            if (same(verdict, values->at[i], value))
                return true;
        return false;
    }
    if (yyjson_is_ctn(value) && !tn_verdict_spend(verdict, (size_t)(unsafe_yyjson_get_next(value) - value)))
        return false;
    for (uint32_t i = (uint32_t)tn_json_equal_hash(value) & values->slot_mask; values->slots[i];
         i          = (i + 1) & values->slot_mask)
        if (same(verdict, values->at[values->slots[i] - 1], value))
            return true;
    return false;
}

bool tn_verdict_scalar(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, const struct tn_schema_location *at)
{
    const struct tn_schema *schema = node->schema;
    bool                    fine   = true;

    if (schema->number && (type & TYPE_NUMBER))
        fine = tn_verdict_spend_number(verdict, value) && judge_number(verdict, node, value, at);
    if (type == TYPE_STRING)
        fine = judge_text(verdict, node, value, at);
    if (schema->constant && !tn_verdict_is_constant(verdict, schema, value))
        fine = tn_verdict_fault(verdict, node, at, "const", ISSUE_CONST, value, NULL);
    if (schema->values && !tn_verdict_is_among(verdict, schema->values, value))
        fine = tn_verdict_fault(verdict, node, at, "enum", ISSUE_VALUES, value, NULL);
    return fine;
}
