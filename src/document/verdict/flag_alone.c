/* flag_alone.c - only whether a value is valid, by what a schema asks of it that needs no other schema. */
#include <math.h>

#include "base/str.h"
#include "base/utf8.h"
#include "document/verdict/verdict.h"
#include "text/decimal.h"
#include "text/format.h"

#define REALS_WITH_FRACTION 0x1p53 /* all doubles beyond are integers */

const uint8_t tn_verdict_types[32] = {
    [YYJSON_TYPE_NULL]                        = TYPE_NULL,
    [YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_FALSE] = TYPE_BOOLEAN,
    [YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_TRUE]  = TYPE_BOOLEAN,
    [YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT]   = TYPE_INTEGER,
    [YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT]   = TYPE_INTEGER,
    [YYJSON_TYPE_STR]                         = TYPE_STRING,
    [YYJSON_TYPE_STR | YYJSON_SUBTYPE_NOESC]  = TYPE_STRING,
    [YYJSON_TYPE_ARR]                         = TYPE_ARRAY,
    [YYJSON_TYPE_OBJ]                         = TYPE_OBJECT,
};

unsigned tn_verdict_number_type(yyjson_val *value)
{
    double real;

    if (!yyjson_is_real(value))
        return tn_decimal_is_integer(value) ? TYPE_INTEGER : TYPE_FRACTION;
    real = unsafe_yyjson_get_real(value);
    return fabs(real) < REALS_WITH_FRACTION && real != (double)(int64_t)real ? TYPE_FRACTION : TYPE_INTEGER;
}

static bool judge_number(const struct tn_number_rules *rules, yyjson_val *value)
{
    return !(rules->min.value && tn_verdict_compare(value, &rules->min) < 0) &&
           !(rules->above.value && tn_verdict_compare(value, &rules->above) <= 0) &&
           !(rules->max.value && tn_verdict_compare(value, &rules->max) > 0) &&
           !(rules->below.value && tn_verdict_compare(value, &rules->below) >= 0) &&
           !(rules->multiple && !tn_decimal_multiple(value, rules->multiple));
}

static bool judge_text(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_slice text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

    if (text.len >= VERDICT_BYTES_OF_STEP && !tn_verdict_spend(verdict, text.len / VERDICT_BYTES_OF_STEP))
        return false;
    if (tn_judge_length(&node->text, text.at, text.len))
        return false;
    if (node->text.pattern && tn_verdict_match(verdict, node->text.pattern, text) != PATTERN_YES)
        return false;
    return !node->schema->format_asserted || !node->text.format || node->text.format->accepts(text);
}

static bool is_among(struct tn_verdict *verdict, const struct tn_values *values, yyjson_val *value)
{
    if (!values->all_strings || values->slots)
        return tn_verdict_is_among(verdict, values, value);
    for (size_t i = 0; yyjson_is_str(value) && i < values->count; i++)
        if (unsafe_yyjson_get_len(values->at[i]) == unsafe_yyjson_get_len(value) &&
            tn_str_same(unsafe_yyjson_get_str(values->at[i]), unsafe_yyjson_get_str(value),
                        unsafe_yyjson_get_len(value)))
            return true;
    return false;
}

bool tn_verdict_flag_alone(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                           unsigned type)
{
    const struct tn_schema *schema = node->schema;

    if (verdict->careful && yyjson_is_str(value) &&
        !tn_utf8_valid(unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value)))
        return true; /* it is refused by itself, where it is reported */
    if (type == TYPE_STRING && !judge_text(verdict, node, value))
        return false;
    if ((type & TYPE_NUMBER) && schema->number &&
        (!tn_verdict_spend_number(verdict, value) || !judge_number(schema->number, value)))
        return false;
    if (schema->constant && !tn_verdict_is_constant(verdict, schema, value))
        return false;
    return !schema->values || is_among(verdict, schema->values, value);
}
