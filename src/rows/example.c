/* example.c - a good value for a node, made from its rules.
 *
 * An issue that offers no better value offers this one, so that a caller that reads nothing but issues can repair
 * its call. What cannot be made up (a pattern, an own check) is asked of the author: sound.c tries every example.
 */
#include <math.h>
#include <string.h>

#include "json/write.h"
#include "rows/row_table.h"
#include "text/format.h"

#define EXAMPLE_ITEMS_MAX 64
#define EXAMPLE_TEXT_MAX  ((size_t)4096)
#define EXAMPLE_LEN_MAX   ((size_t)1 << 16)

static void first_of(struct tn_buf *out, const char *list)
{
    struct tn_slice rest = tn_slice_of(list), part;

    if (tn_slice_split(&rest, ',', &part)) {
        part = tn_slice_trim(part);
        tn_buf_add(out, part.at, part.len);
    }
}

/* The words of an example; the nth of several, which all differ. */
static void text_words(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    if (node->kind == TENON_KIND_URL && node->text.schemes) {
        first_of(out, node->text.schemes);
        tn_buf_lit(out, "://example.com/");
    } else if (node->text.format) {
        tn_buf_text(out, node->text.format->example);
    } else if (node->kind == TENON_KIND_PATH) {
        tn_buf_lit(out, "notes/today");
    } else if (node->kind == TENON_KIND_ABSPATH) {
        tn_buf_lit(out, "/srv/notes/today");
    } else {
        tn_buf_lit(out, "text");
    }
    if (nth > 0)
        tn_buf_uint(out, nth + 1);
    if (node->kind == TENON_KIND_PATH || node->kind == TENON_KIND_ABSPATH)
        first_of(out, node->text.ext ? node->text.ext : ".md");
}

static void text_example(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    struct tn_buf   words;
    struct tn_slice text;

    tn_buf_init(&words, out->arena, 64, EXAMPLE_TEXT_MAX);
    text_words(&words, node, nth);
    while (!words.failed && words.len < node->text.min && words.len < EXAMPLE_TEXT_MAX)
        tn_buf_char(&words, 'x');
    if (words.failed)
        return;
    text = (struct tn_slice){ words.at, words.len };
    if (text.len > node->text.max) { /* the end tells one from the next */
        text.at += text.len - node->text.max;
        text.len = node->text.max;
    }
    tn_json_string(out, text.at, text.len);
}

static void int_example(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    const struct tn_int_rules *rules = &node->integer;
    int64_t                    start = rules->min <= 1 && rules->max >= 1 ? 1 : rules->min;

    if (start == INT64_MIN)
        start = rules->max;
    if (nth <= (uint64_t)rules->max - (uint64_t)start)
        start += (int64_t)nth;
    else if (nth <= (uint64_t)start - (uint64_t)rules->min)
        start -= (int64_t)nth;
    tn_buf_int(out, start);
}

static void num_example(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    const struct tn_num_rules *rules = &node->number;
    double start = rules->min <= 1 && rules->max >= 1 ? 1 : isinf(rules->min) ? rules->max : rules->min;
    double step  = isinf(rules->max) || isinf(rules->min) ? 1 : rules->max / 64 - rules->min / 64;

    tn_json_number(out, start + (double)nth * step <= rules->max ? start + (double)nth * step
                                                                 : start - (double)nth * step);
}

static void enum_example(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    const struct tn_choice *choice = node->choice;
    size_t                  seen   = 0;

    for (size_t i = 0; i < choice->count; i++) {
        if (choice->names[i].at && seen++ == nth) {
            tn_json_string(out, choice->names[i].at, choice->names[i].len);
            return;
        }
    }
    if (nth > 0)
        enum_example(out, node, 0);
}

static void write_one(struct tn_buf *out, const struct tn_node *node, size_t nth);

static void list_example(struct tn_buf *out, const struct tn_node *node)
{
    size_t count = node->list.min > 0 ? node->list.min : 1;

    if (count > node->list.max)
        count = node->list.max;
    if (count > EXAMPLE_ITEMS_MAX)
        count = EXAMPLE_ITEMS_MAX;
    tn_buf_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        write_one(out, node->list.item, i);
    }
    tn_buf_char(out, ']');
}

static void map_example(struct tn_buf *out, const struct tn_node *node)
{
    size_t count = node->list.min > 0 ? node->list.min : 1;

    tn_buf_char(out, '{');
    for (size_t i = 0; i < count && i < node->list.max && i < EXAMPLE_ITEMS_MAX; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_buf_lit(out, "\"name");
        if (i > 0)
            tn_buf_uint(out, i + 1);
        tn_buf_lit(out, "\":");
        write_one(out, node->list.item, i);
    }
    tn_buf_char(out, '}');
}

static void write_one(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    switch (node->kind) {
    case TENON_KIND_DATE: tn_buf_lit(out, "\"2025-01-15\""); break;
    case TENON_KIND_TIMESTAMP: tn_buf_lit(out, "\"2025-01-15T10:30:00Z\""); break;
    case TENON_KIND_INT: int_example(out, node, nth); break;
    case TENON_KIND_NUM: num_example(out, node, nth); break;
    case TENON_KIND_BOOL: tn_buf_lit(out, "true"); break;
    case TENON_KIND_ENUM: enum_example(out, node, nth); break;
    case TENON_KIND_OBJECT: tn_buf_add(out, node->object->example.at, node->object->example.len); break;
    case TENON_KIND_MAP: map_example(out, node); break;
    case TENON_KIND_JSON: tn_buf_lit(out, "{}"); break;
    default:
        if (tn_kind_is_text(node->kind))
            text_example(out, node, nth);
        else
            list_example(out, node);
        break;
    }
}

struct tn_slice tn_example_of(struct tn_arena *arena, const struct tn_node *node)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 32, EXAMPLE_LEN_MAX);
    write_one(&out, node, 0);
    tn_buf_keep(&out);
    return tn_buf_slice(&out);
}

/* ---- Whole objects ----------------------------------------------------------------------------------------- */

/* Adds what a rule asks for, given what is in; true when that changed anything. */
static bool satisfy(const struct tn_rule *rule, bool *in)
{
    bool some = false, changed = false;

    for (size_t i = 0; i < rule->count; i++)
        some |= in[rule->param[i]];
    if (rule->kind == TENON_KIND_ANY_OF && !some) {
        in[rule->param[0]] = true;
        return true;
    }
    if ((rule->kind == TENON_KIND_TOGETHER && some) ||
        (rule->kind == TENON_KIND_REQUIRES && in[rule->param[0]]))
        for (size_t i = 0; i < rule->count; i++) {
            changed |= !in[rule->param[i]];
            in[rule->param[i]] = true;
        }
    return changed;
}

struct tn_slice tn_example_object(struct tn_arena *arena, const struct tn_object *object)
{
    bool         *in  = tn_arena_array(arena, object->count, bool);
    bool          any = false, changed = true;
    struct tn_buf out;

    if (!in)
        return (struct tn_slice){ "", 0 };
    for (size_t i = 0; i < object->count; i++)
        in[i] = object->params[i].required;
    for (size_t round = 0; changed && round <= object->rule_count; round++) {
        changed = false;
        for (size_t i = 0; i < object->rule_count; i++)
            changed |= satisfy(&object->rules[i], in);
    }
    tn_buf_init(&out, arena, 64, EXAMPLE_LEN_MAX);
    tn_buf_char(&out, '{');
    for (size_t i = 0; i < object->count; i++) {
        if (!in[i])
            continue;
        if (any)
            tn_buf_char(&out, ',');
        any = true;
        tn_json_string(&out, object->params[i].name, object->params[i].len);
        tn_buf_char(&out, ':');
        tn_buf_add(&out, object->params[i].node->example.at, object->params[i].node->example.len);
    }
    tn_buf_char(&out, '}');
    tn_buf_keep(&out);
    return tn_buf_slice(&out);
}
