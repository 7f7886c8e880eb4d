/* number.c - ranges of numbers. */
#include <math.h>

#include "json/write.h"
#include "model/words/say.h"
#include "model/words/words.h"

/* Is there no bound but the one that the field itself has? */
static bool is_open(const struct tn_node *node, bool high)
{
    unsigned bits = node->size * 8 - (node->flavour == 0); /* of the largest value */
    int64_t  most = bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;

    if (node->kind != TENON_KIND_INT)
        return isinf(high ? node->number.max : node->number.min);
    return high ? node->integer.max == most : node->integer.min == (node->flavour ? 0 : -most - 1);
}

/* The bound of a row, as a value. */
static yyjson_val row_bound(const struct tn_node *node, bool high)
{
    yyjson_val bound = { 0 };

    if (node->kind == TENON_KIND_INT)
        yyjson_set_sint(&bound, high ? node->integer.max : node->integer.min);
    else
        yyjson_set_real(&bound, high ? node->number.max : node->number.min);
    return bound;
}

static void add_bound(struct tn_buf *out, const char *text, yyjson_val *bound)
{
    if (!bound)
        return;
    tn_buf_text(out, text);
    if (yyjson_is_raw(bound))
        tn_echo_value(out, bound); /* of any length */
    else
        tn_json_value(out, bound);
}

static void add_bounds(struct tn_buf *out, const struct tn_number_rules *rules)
{
    yyjson_val *above = rules->above.value, *low = above ? above : rules->min.value;
    yyjson_val *below = rules->below.value, *high = below ? below : rules->max.value;
    bool        between = low && high && !above && !below;

    add_bound(out, between ? "between " : above ? "greater than " : "at least ", low);
    if (low && high)
        tn_buf_lit(out, " and ");
    add_bound(out, between ? "" : below ? "less than " : "at most ", high);
}

void tn_say_range(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_node  *node  = issue->node;
    struct tn_number_rules rules = { 0 };
    yyjson_val             low, high;
    bool                   beyond; /* what the field can hold */

    tn_say_label(out, issue, " must be ");
    if (node->schema) {
        add_bounds(out, node->schema->number);
    } else {
        low             = row_bound(node, false);
        high            = row_bound(node, true);
        beyond          = node->kind == TENON_KIND_INT && is_open(node, issue->count == 1);
        rules.min.value = !is_open(node, false) || beyond ? &low : NULL;
        rules.max.value = !is_open(node, true) || beyond ? &high : NULL;
        add_bounds(out, &rules);
    }
    tn_say_got(out, issue);
}

void tn_say_multiple(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_say_label(out, issue, " must be a multiple of ");
    tn_echo_value(out, issue->node->schema->number->multiple);
    tn_say_got(out, issue);
}

/* ---- A number that was pulled into its range --------------------------------------------------------------- */

/* `text` with {name}, {value}, {used}, {min} and {max} replaced. */
static void add_template(struct tn_buf *out, const char *text, struct tn_slice label,
                         const struct tn_int_rules *rules, struct tn_slice value, bool low)
{
    int64_t used = low && rules->low_default ? rules->def : low ? rules->min : rules->max;

    for (const char *at = text; *at;) {
        if (strncmp(at, "{name}", 6) == 0)
            tn_say_slice(out, label), at += 6;
        else if (strncmp(at, "{value}", 7) == 0)
            tn_say_slice(out, value), at += 7;
        else if (strncmp(at, "{used}", 6) == 0)
            tn_buf_int(out, used), at += 6;
        else if (strncmp(at, "{min}", 5) == 0)
            tn_buf_int(out, rules->min), at += 5;
        else if (strncmp(at, "{max}", 5) == 0)
            tn_buf_int(out, rules->max), at += 5;
        else
            tn_buf_char(out, *at++);
    }
}

void tn_words_clamped(struct tn_buf *out, struct tn_slice label, const struct tn_node *node,
                      struct tn_slice value, bool low)
{
    const char *text    = low ? node->integer.low_text : node->integer.high_text;
    bool        integer = node->kind == TENON_KIND_INT, def = integer && low && node->integer.low_default;
    yyjson_val  bound = row_bound(node, !low);

    if (node->secret)
        value = SLICE_LIT("its value");
    if (integer && text) {
        add_template(out, text, label, &node->integer, value, low);
        return;
    }
    tn_say_slice(out, label);
    tn_buf_lit(out, " adjusted from ");
    tn_say_slice(out, value);
    tn_buf_lit(out, " to ");
    if (def)
        tn_buf_int(out, node->integer.def);
    else
        tn_json_value(out, &bound);
    tn_buf_text(out, def ? " (default)" : low ? " (minimum allowed)" : " (maximum allowed)");
}
