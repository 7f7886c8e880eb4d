/* words_document.c - the sentences that only JSON Schema documents need; words.c has the others. */
#include "model/words_document.h"

#include "json/echo.h"
#include "json/write.h"
#include "model/document_node.h"
#include "model/words.h"

static void add_slice(struct tn_buf *out, struct tn_slice slice)
{
    tn_buf_add(out, slice.at, slice.len);
}

static void add_text_of(struct tn_buf *out, yyjson_val *value)
{
    if (yyjson_is_str(value))
        tn_echo_text(out, yyjson_get_str(value), yyjson_get_len(value));
    else
        tn_echo_value(out, value);
}

/* The value as it came, or only its type when it is secret. */
static void add_received(struct tn_buf *out, const struct tn_issue *issue)
{
    if (issue->node && issue->node->secret)
        tn_buf_text(out, tn_echo_type(issue->received));
    else
        tn_echo_value(out, issue->received);
}

/* "a string, an integer or null". */
void tn_words_types(struct tn_buf *out, unsigned types)
{
    static const struct {
        unsigned    type;
        const char *name;
    } names[] = { { TYPE_STRING, "a string" },    { TYPE_NUMBER, "a number" },
                  { TYPE_INTEGER, "an integer" }, { TYPE_BOOLEAN, "true or false" },
                  { TYPE_ARRAY, "an array" },     { TYPE_OBJECT, "an object" },
                  { TYPE_NULL, "null" } };
    const char *parts[8];
    size_t      count = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((types & names[i].type) == names[i].type) {
            parts[count++] = names[i].name;
            types &= ~names[i].type;
        }
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            tn_buf_text(out, i + 1 == count ? " or " : ", ");
        tn_buf_text(out, parts[i]);
    }
}

static void say_never(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " is not allowed");
}

static void say_const(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " must be ");
    tn_echo_value(out, issue->node->schema->constant);
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
}

static void say_values(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_values *values = issue->node->schema->values;
    size_t                  shown  = values->count < WORDS_NAMES_MAX ? values->count : WORDS_NAMES_MAX;

    bool blank = yyjson_is_str(issue->received) && tn_slice_blank(tn_json_slice(issue->received));

    add_slice(out, issue->label);
    tn_buf_text(out, blank ? " cannot be empty. Valid: " : " must be one of: ");
    for (size_t i = 0; i < shown; i++) {
        if (i > 0)
            tn_buf_lit(out, ", ");
        if (values->all_strings)
            add_text_of(out, values->at[i]);
        else
            tn_echo_value(out, values->at[i]);
    }
    if (shown < values->count) {
        tn_buf_lit(out, " and ");
        tn_buf_uint(out, values->count - shown);
        tn_buf_lit(out, " more");
    }
    if (blank)
        return;
    tn_buf_lit(out, ". Got: ");
    if (values->all_strings && !issue->node->secret)
        add_text_of(out, issue->received);
    else
        add_received(out, issue);
}

static void say_bound(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_number_rules *rules = issue->node->schema->number;
    bool                          low   = rules->min.value || rules->above.value;

    add_slice(out, issue->label);
    tn_buf_lit(out, " must be ");
    if (rules->min.value && rules->max.value && !rules->above.value && !rules->below.value) {
        tn_buf_lit(out, "between ");
        tn_echo_value(out, rules->min.value);
        tn_buf_lit(out, " and ");
        tn_echo_value(out, rules->max.value);
    } else {
        if (rules->above.value) {
            tn_buf_lit(out, "greater than ");
            tn_echo_value(out, rules->above.value);
        } else if (rules->min.value) {
            tn_buf_lit(out, "at least ");
            tn_echo_value(out, rules->min.value);
        }
        if (low && (rules->max.value || rules->below.value))
            tn_buf_lit(out, " and ");
        if (rules->below.value) {
            tn_buf_lit(out, "less than ");
            tn_echo_value(out, rules->below.value);
        } else if (rules->max.value) {
            tn_buf_lit(out, "at most ");
            tn_echo_value(out, rules->max.value);
        }
    }
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
}

static void say_multiple(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " must be a multiple of ");
    tn_echo_value(out, issue->node->schema->number->multiple);
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
}

static void say_members(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_object_rules *rules = issue->node->schema->object;
    bool                          few   = issue->count < rules->min;

    add_slice(out, issue->label);
    tn_buf_text(out, few ? " must contain at least " : " must not exceed ");
    tn_buf_uint(out, few ? rules->min : rules->max);
    tn_buf_lit(out, " items, got ");
    tn_buf_uint(out, issue->count);
}

static void say_contains(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_array_rules *rules = issue->node->schema->array;
    bool                         few   = issue->count < rules->min_contains;

    add_slice(out, issue->label);
    tn_buf_text(out, few ? " must contain at least " : " must not contain more than ");
    tn_buf_uint(out, few ? rules->min_contains : rules->max_contains);
    tn_buf_lit(out, " items that match, got ");
    tn_buf_uint(out, issue->count);
}

static void say_name(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " has a name that is not allowed");
}

static void say_no_branch(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " does not match any of the alternatives, got ");
    add_received(out, issue);
}

static void say_branches(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " must match exactly one of the alternatives, and matches numbers ");
    tn_buf_uint(out, issue->count + 1);
    tn_buf_lit(out, " and ");
    tn_buf_uint(out, issue->second + 1);
}

static void say_not(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " has a form that is not allowed, got ");
    add_received(out, issue);
}

void tn_words_document(struct tn_buf *out, const struct tn_issue *issue)
{
    switch (issue->code) {
    case ISSUE_NEVER: say_never(out, issue); break;
    case ISSUE_CONST: say_const(out, issue); break;
    case ISSUE_VALUES: say_values(out, issue); break;
    case ISSUE_BOUND: say_bound(out, issue); break;
    case ISSUE_MULTIPLE: say_multiple(out, issue); break;
    case ISSUE_MEMBERS: say_members(out, issue); break;
    case ISSUE_CONTAINS: say_contains(out, issue); break;
    case ISSUE_NAME: say_name(out, issue); break;
    case ISSUE_NO_BRANCH: say_no_branch(out, issue); break;
    case ISSUE_BRANCHES: say_branches(out, issue); break;
    default: say_not(out, issue); break;
    }
}

void tn_words_property_names(struct tn_buf *out, const struct tn_schema *schema)
{
    const struct tn_object_rules *rules = schema->object;
    size_t                        shown = rules->count < WORDS_NAMES_MAX ? rules->count : WORDS_NAMES_MAX;

    for (size_t i = 0; i < shown; i++) {
        if (i > 0)
            tn_buf_lit(out, ", ");
        tn_echo_text(out, rules->properties[i].name, rules->properties[i].len);
    }
    if (shown < rules->count) {
        tn_buf_lit(out, " and ");
        tn_buf_uint(out, rules->count - shown);
        tn_buf_lit(out, " more");
    }
}
