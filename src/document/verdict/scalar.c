/* scalar.c - what a schema says of a value itself: numbers, text, and which values it may be. */
#include <math.h>
#include <string.h>

#include <tenon/json.h>

#include "base/utf8.h"
#include "document/verdict/verdict.h"
#include "model/json_equal.h"
#include "model/like.h"
#include "model/spell.h"
#include "text/date.h"
#include "text/date_fault.h"
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

/* A literal that no double holds, such as 1e400, where nothing but a number is asked for: infinite for everyone who reads
 * it as one. */
static bool is_beyond_doubles(const struct tn_node *node, yyjson_val *value)
{
    return yyjson_is_raw(value) && !(node->schema->types & ~(unsigned)TYPE_NUMBER) &&
           isinf(tenon_json_num((const tenon_json *)value));
}

const char *tn_verdict_bound(const struct tn_number_rules *rules, yyjson_val *value)
{
    if (rules->min.value && tn_verdict_compare(value, &rules->min) < 0)
        return "minimum";
    if (rules->above.value && tn_verdict_compare(value, &rules->above) <= 0)
        return "exclusiveMinimum";
    if (rules->max.value && tn_verdict_compare(value, &rules->max) > 0)
        return "maximum";
    if (rules->below.value && tn_verdict_compare(value, &rules->below) >= 0)
        return "exclusiveMaximum";
    return NULL;
}

static bool judge_number(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         const struct tn_location *at)
{
    const struct tn_number_rules *rules  = node->schema->number;
    const char                   *broken = tn_verdict_bound(rules, value);

    if (broken && is_beyond_doubles(node, value))
        return tn_verdict_fault(verdict, node, at, broken, ISSUE_TYPE, value, NULL);
    if (broken)
        tn_verdict_fault(verdict, node, at, broken, ISSUE_BOUND, value, NULL);
    if (rules->multiple && !tn_decimal_multiple(value, rules->multiple))
        return tn_verdict_fault(verdict, node, at, "multipleOf", ISSUE_MULTIPLE, value, NULL);
    return !broken;
}

enum tn_pattern_result tn_verdict_match(struct tn_verdict *verdict, const struct pattern *pattern,
                                        struct tn_slice text)
{
    struct tn_judge       *judge = verdict->judge;
    size_t                 given, left;
    enum tn_pattern_result result;

    if (verdict->gave_up)
        return PATTERN_GAVE_UP;
    if (verdict->careful && !tn_utf8_valid(text.at, text.len))
        return PATTERN_NO;
    if (tn_pattern_is_simple(pattern)) {
        result = tn_pattern_match(pattern, NULL, text, &verdict->steps);
        verdict->gave_up |= result == PATTERN_GAVE_UP;
        return result;
    }
    if (!tn_judge_matcher(judge))
        return PATTERN_NO_MEMORY;
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
                          const struct tn_location *at)
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

/* The sentence of a date does not name its place: that is for arguments, whose issues stand under their parameter. */
bool tn_verdict_says_time(const struct tn_verdict *verdict, const struct tn_node *node)
{
    return !verdict->member && tn_like_is_time(tn_like_kind(node));
}

/* What may have been meant as a date: a text, or digits without hyphens. */
static struct tn_slice time_text(struct tn_verdict *verdict, yyjson_val *value)
{
    struct tn_buf digits;

    if (yyjson_is_str(value))
        return tn_json_slice(value);
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > INT64_MAX ||
        !tn_date_is_compact(yyjson_get_sint(value)))
        return SLICE_LIT("");
    tn_buf_init(&digits, verdict->judge->arena, 24, 32);
    tn_buf_int(&digits, yyjson_get_sint(value));
    return tn_buf_slice(&digits);
}

/* A number that is too small for milliseconds since 1970. */
static bool is_seconds(yyjson_val *value)
{
    return yyjson_is_uint(value) && yyjson_get_uint(value) < (uint64_t)DATE_EPOCH_MIN_MS &&
           !tn_date_is_compact(yyjson_get_sint(value));
}

static bool refuse_seconds(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                           int64_t ms, const struct tn_location *at, const char *keyword)
{
    char             text[TIMESTAMP_TEXT_LEN + 1];
    struct tn_issue *issue;

    tn_verdict_fault(verdict, node, at, keyword, ISSUE_SECONDS, value, &issue);
    if (!issue || ms < DATE_EPOCH_MIN_MS || issue->node->secret)
        return false;
    tn_moment_format(ms, tn_like_kind(node) == TENON_KIND_DATE, text);
    tn_issue_suggest(issue, verdict->judge->arena, tn_slice_of(text));
    return false;
}

/* Which rule a date breaks, and the same date by the rules. */
bool tn_verdict_refuse_time(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                            const struct tn_location *at, const char *keyword)
{
    yyjson_val *number = yyjson_is_str(value) ? tn_spell_number(verdict->judge->arena, tn_json_slice(value))
                                              : value;
    struct tn_issue *issue;

    if (number && verdict->presence && is_seconds(number)) /* else milliseconds are no better */
        return refuse_seconds(verdict, node, value, yyjson_get_sint(number) * 1000, at, keyword);
    tn_verdict_fault(verdict, node, at, keyword, ISSUE_DATE, value, &issue);
    tn_issue_date(issue, verdict->judge->arena, time_text(verdict, value));
    return false;
}

static bool judge_text(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_location *at)
{
    unsigned wrong = tn_judge_length(&node->text, unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value));
    bool     fine  = !wrong ||
                tn_verdict_fault(verdict, node, at, wrong == ISSUE_SHORT ? "minLength" : "maxLength", wrong,
                                 value, NULL);

    if (!tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) / VERDICT_BYTES_OF_STEP))
        return false;
    if (node->text.pattern)
        fine &= judge_pattern(verdict, node, value, at);
    if (node->schema->format_asserted && node->text.format) {
        struct tn_slice text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

        if (!node->text.format->accepts(text) && tn_verdict_says_time(verdict, node))
            return tn_verdict_refuse_time(verdict, node, value, at, "format");
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
                       unsigned type, const struct tn_location *at)
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
