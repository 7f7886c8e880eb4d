/* values.c - walks a schema and writes a value, with at most one place, or some by chance, that is not plain. */
#include "contract/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contract/sample.h"
#include "contract/view.h"
#include "json/write.h"
#include "text/format.h"

#define CANDIDATES_MAX 64
#define TEXT_LEN_MAX   ((size_t)5000)
#define ITEMS_MAX      ((size_t)200)
#define DEPTH_MAX      7
#define NAMES_MAX      ((size_t)256)
#define SAMPLES        6
#define SAMPLES_MANY   ((size_t)30) /* where a pattern has changed: each letter of a class once */
#define REFUSED_MAX    ((size_t)12)
#define OTHERS_MAX     ((size_t)12)
#define OTHER_VALUES   ((size_t)3) /* of a member that no schema names */

#define NOT_CHANGED SIZE_MAX

struct maker {
    struct tn_buf *out;
    size_t         way; /* of alternatives */
    size_t change; /* how many variations are passed over before the one that is made; NOT_CHANGED: none is */
    bool   changed;   /* it was made */
    uint64_t *seed;   /* instead of a change: by chance; or NULL */
    unsigned  chance; /* then one place of so many is changed */
    unsigned  depth;
};

/* What a place may hold: JSON texts, the plain one first. */
struct candidates {
    size_t        ends[CANDIDATES_MAX]; /* of each in `texts` */
    size_t        count;
    struct tn_buf texts;
};

static void write_place(struct maker *maker, const struct tn_view *view, const struct tn_view *hint);

/* ---- Choosing --------------------------------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (*seed ^ (*seed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);

    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Which of `count` + 1 ways: 0, the plain one, unless this is the place that is changed. */
static size_t choose(struct maker *maker, size_t count)
{
    size_t chosen = 0;

    if (maker->seed)
        return count > 0 && draw(maker->seed) % maker->chance == 0 ? draw(maker->seed) % (count + 1) : 0;
    if (maker->change == NOT_CHANGED)
        return 0;
    if (maker->change < count) {
        chosen         = maker->change + 1;
        maker->change  = NOT_CHANGED;
        maker->changed = true;
    } else
        maker->change -= count;
    return chosen;
}

/* ---- Values without parts ------------------------------------------------------------------------------------------ */

/* Ends the candidate that was written; one that stands there already is taken back. */
static void keep(struct candidates *all)
{
    size_t begin = all->count > 0 ? all->ends[all->count - 1] : 0, len = all->texts.len - begin;

    for (size_t i = 0, from = 0; i < all->count; from = all->ends[i++])
        if (all->ends[i] - from == len && memcmp(all->texts.at + from, all->texts.at + begin, len) == 0) {
            all->texts.len = begin;
            return;
        }
    if (len > 0 && all->count < CANDIDATES_MAX && !all->texts.failed)
        all->ends[all->count++] = all->texts.len;
    else
        all->texts.len = begin;
}

static void add_value(struct candidates *all, yyjson_val *value)
{
    if (!value || all->count >= CANDIDATES_MAX - 1)
        return;
    tn_json_value(&all->texts, value);
    keep(all);
}

static void add_literal(struct candidates *all, const char *text)
{
    tn_buf_text(&all->texts, text);
    keep(all);
}

static void add_text(struct candidates *all, size_t len)
{
    static const char words[] = "text ";

    if (len > TEXT_LEN_MAX)
        return;
    tn_buf_char(&all->texts, '"');
    for (size_t i = 0; i < len; i++)
        tn_buf_char(&all->texts, i + 1 == len && words[i % 5] == ' ' ? 'x' : words[i % 5]);
    tn_buf_char(&all->texts, '"');
    keep(all);
}

/* A pattern without anchors also matches inside of other texts. */
static void add_around(struct candidates *all, const char *pattern)
{
    size_t        len = strlen(pattern);
    struct tn_buf text;

    tn_buf_init(&text, all->texts.arena, 64, TEXT_LEN_MAX);
    tn_buf_text(&text, pattern[0] == '^' ? "" : "~ ");
    tn_sample_write(&text, pattern, 0);
    tn_buf_text(&text, len > 0 && pattern[len - 1] == '$' ? "" : " ~");
    tn_json_string(&all->texts, text.at ? text.at : "", text.len);
    keep(all);
}

static void add_samples(struct candidates *all, const char *pattern, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tn_buf text;

        tn_buf_init(&text, all->texts.arena, 64, TEXT_LEN_MAX);
        tn_sample_write(&text, pattern, i);
        tn_json_string(&all->texts, text.at ? text.at : "", text.len);
        keep(all);
    }
    add_around(all, pattern);
}

static bool has_other_pattern(const struct tn_view *hint, const char *pattern)
{
    for (size_t i = 0; i < hint->count; i++)
        if (hint->at[i]->text.pattern_text && strcmp(hint->at[i]->text.pattern_text, pattern) != 0)
            return true;
    return false;
}

static void add_texts(struct candidates *all, const struct tn_view *view, const struct tn_view *hint)
{
    size_t      min = 0, max = SIZE_MAX;
    const char *pattern = NULL;

    for (size_t i = 0; i < view->count; i++) {
        const struct tn_text_rules *rules = &view->at[i]->text;

        min     = rules->min > min ? rules->min : min;
        max     = rules->max < max ? rules->max : max;
        pattern = rules->pattern_text ? rules->pattern_text : pattern;
        if (rules->format) {
            tn_json_string(&all->texts, rules->format->example, strlen(rules->format->example));
            keep(all);
        }
    }
    if (pattern)
        add_samples(all, pattern, has_other_pattern(hint, pattern) ? SAMPLES_MANY : SAMPLES);
    add_text(all, min > 4 ? min : max < 4 ? max : 4);
    add_text(all, min);
    if (max != SIZE_MAX)
        add_text(all, max);
    for (size_t i = 0; i < hint->count; i++) {
        const struct tn_text_rules *rules = &hint->at[i]->text;

        if (rules->min > 0)
            add_text(all, rules->min - 1);
        if (rules->max < TEXT_LEN_MAX)
            add_text(all, rules->max + 1);
        if (rules->pattern_text && !pattern)
            add_literal(all, "\"Aa 1_-./\"");
    }
    add_literal(all, "\"\"");
    add_literal(all, "\"A\"");
    add_literal(all, "\"null\"");
}

static void add_double(struct candidates *all, double number)
{
    if (!isfinite(number))
        return;
    tn_json_number(&all->texts, number);
    keep(all);
}

static void add_bound(struct candidates *all, const struct tn_bound *bound)
{
    char   text[32];
    double number;

    add_value(all, bound->value);
    for (int step = -1; bound->value && bound->is_int && step <= 1; step += 2) {
        if (step < 0 && bound->integer == INT64_MIN)
            add_literal(all, "-9223372036854775809");
        else if (step > 0 && bound->integer == INT64_MAX)
            add_literal(all, "9223372036854775808");
        else {
            snprintf(text, sizeof text, "%" PRId64, bound->integer + step);
            add_literal(all, text);
        }
    }
    if (!bound->value || bound->is_int || !yyjson_is_num(bound->value))
        return;
    number = yyjson_get_num(bound->value);
    add_double(all, number + 1);
    add_double(all, number - 1);
    add_double(all, nextafter(number, INFINITY));
    add_double(all, nextafter(number, -INFINITY));
}

static void add_numbers(struct candidates *all, const struct tn_view *view, const struct tn_view *hint)
{
    const struct tn_view *both[] = { view, hint };

    if (all->count == 0)
        add_literal(all, "1");
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < both[side]->count; i++) {
            const struct tn_number_rules *rules = both[side]->at[i]->schema->number;

            if (!rules)
                continue;
            add_bound(all, &rules->min);
            add_bound(all, &rules->max);
            add_bound(all, &rules->above);
            add_bound(all, &rules->below);
            add_value(all, rules->multiple);
        }
    add_literal(all, "1");
    add_literal(all, "0");
    add_literal(all, "-1");
    add_literal(all, "7");
    add_literal(all, "1000000");
    add_literal(all, "-1000000");
    if (view->types & TYPE_FRACTION) {
        add_literal(all, "1.5");
        add_literal(all, "0.1");
    }
}

/* What the schemas name themselves. True when nothing else can be right. */
static bool add_named(struct candidates *all, const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_schema *schema = view->at[i]->schema;

        add_value(all, schema->constant);
        for (size_t j = 0; schema->values && j < schema->values->count; j++)
            add_value(all, schema->values->at[j]);
        if (schema->constant || schema->values)
            return true;
    }
    for (size_t i = 0; i < view->count; i++) {
        yyjson_val *examples = yyjson_obj_get(view->at[i]->schema->source, "examples");

        add_value(all, yyjson_arr_get_first(examples));
        add_value(all, view->at[i]->schema->def);
    }
    return false;
}

/* What the hint names to refuse it. */
static void add_refused(struct candidates *all, const struct tn_view *hint)
{
    for (size_t i = 0; i < hint->count; i++) {
        const struct tn_in_place *in_place = hint->at[i]->schema->in_place;
        struct tn_view            not_     = tn_view_of(in_place ? in_place->not_ : NULL, 0, true);

        for (size_t j = 0; j < not_.count; j++) {
            const struct tn_schema *schema = not_.at[j]->schema;

            add_value(all, schema->constant);
            for (size_t k = 0; schema->values && k < schema->values->count && k < REFUSED_MAX; k++)
                add_value(all, schema->values->at[k]);
            if (not_.at[j]->text.pattern_text)
                add_samples(all, not_.at[j]->text.pattern_text, 1);
        }
    }
}

static void find_candidates(struct candidates *all, const struct tn_view *view, const struct tn_view *hint)
{
    if (add_named(all, view))
        return;
    if (view->types & TYPE_STRING)
        add_texts(all, view, hint);
    if (view->types & TYPE_NUMBER)
        add_numbers(all, view, hint);
    if (view->types & TYPE_BOOLEAN) {
        add_literal(all, "true");
        add_literal(all, "false");
    }
    if (view->types & TYPE_NULL)
        add_literal(all, "null");
    add_refused(all, hint);
}

static void write_candidate(struct tn_buf *out, const struct candidates *all, size_t nth)
{
    size_t begin = nth > 0 ? all->ends[nth - 1] : 0;

    if (all->count == 0)
        tn_buf_lit(out, "null");
    else
        tn_buf_add(out, all->texts.at + begin, all->ends[nth] - begin);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

/* Writes a place that is not the one to be changed: its nth variation, whatever is made of the rest. */
static void write_aside(struct maker *maker, const struct tn_view *view, const struct tn_view *hint,
                        size_t nth)
{
    struct maker aside = {
        .out = maker->out, .way = maker->way, .depth = maker->depth, .change = nth > 0 ? nth - 1 : NOT_CHANGED
    };

    write_place(&aside, view, hint);
}

/* The first item alone is a place to be changed; the others differ from it and from each other, or not. */
static void write_items(struct maker *maker, const struct tn_view *view, const struct tn_view *hint,
                        size_t count, bool alike)
{
    tn_buf_char(maker->out, '[');
    for (size_t i = 0; i < count && !maker->out->failed; i++) {
        struct tn_view item  = tn_view_item(view, i, maker->way, false),
                       other = tn_view_item(hint, i, maker->way, true);

        if (i == 0)
            write_place(maker, &item, &other);
        else {
            tn_buf_char(maker->out, ',');
            write_aside(maker, &item, &other, alike ? 0 : i);
        }
    }
    tn_buf_char(maker->out, ']');
}

static void write_list(struct maker *maker, const struct tn_view *view, const struct tn_view *hint)
{
    size_t min = 0, max = SIZE_MAX, counts[16], known = 0, prefix = 0, chosen, count;

    for (size_t i = 0; i < view->count; i++) {
        const struct tn_array_rules *rules = view->at[i]->schema->array;

        min    = view->at[i]->list.min > min ? view->at[i]->list.min : min;
        max    = view->at[i]->list.max < max ? view->at[i]->list.max : max;
        prefix = rules && rules->prefix.count > prefix ? rules->prefix.count : prefix;
        if (rules && rules->contains && min == 0)
            min = 1;
    }
    counts[known++] = min > 0 ? min : prefix > 0 ? prefix : max > 0 ? 1 : 0;
    counts[known++] = min;
    counts[known++] = max == SIZE_MAX ? min + 2 : max;
    for (size_t i = 0; i < hint->count && known + 4 <= sizeof counts / sizeof *counts; i++) {
        const struct tn_array_rules *rules = hint->at[i]->schema->array;

        if (rules && rules->prefix.count > 0)
            counts[known++] = rules->prefix.count + 1;
        if (rules && rules->contains && rules->max_contains < ITEMS_MAX)
            counts[known++] = rules->max_contains + 1;
        counts[known++] = hint->at[i]->list.min > 0 ? hint->at[i]->list.min - 1 : 0;
        counts[known++] = hint->at[i]->list.max == SIZE_MAX ? 0 : hint->at[i]->list.max + 1;
    }
    chosen = choose(maker, known); /* and one more: two that are alike */
    count  = chosen < known ? counts[chosen] : min > 2 ? min : 2;
    write_items(maker, view, hint, count < ITEMS_MAX ? count : ITEMS_MAX, chosen == known);
}

/* ---- Objects ------------------------------------------------------------------------------------------------------ */

struct members {
    struct maker         *maker;
    const struct tn_view *view, *hint;
    size_t                begin; /* of the object in the buffer, after its brace */
};

static void write_name(struct members *members, const char *name, size_t len)
{
    struct tn_buf *out = members->maker->out;

    if (out->len > members->begin)
        tn_buf_char(out, ',');
    tn_json_string(out, name, len);
    tn_buf_char(out, ':');
}

/* An optional member is there when it is the place to be changed, or when all are. */
static void write_member(struct members *members, const struct tn_property *property, bool required, bool all)
{
    struct maker  *maker   = members->maker;
    struct tn_view view    = tn_view_member(members->view, property->name, property->len, maker->way, false);
    struct tn_view hint    = tn_view_member(members->hint, property->name, property->len, maker->way, true);
    size_t         len     = maker->out->len;
    bool           changed = maker->changed, present = required || all;

    if (!present && choose(maker, 1) == 1)
        present = true;
    write_name(members, property->name, property->len);
    write_place(maker, &view, &hint);
    if (!present && (maker->seed || maker->changed == changed))
        maker->out->len = len;
}

static bool is_repeated(const struct tn_view *view, size_t at, const struct tn_property *property)
{
    for (size_t i = 0; i < at; i++)
        if (view->at[i]->schema->object &&
            tn_view_property(view->at[i]->schema->object, property->name, property->len))
            return true;
    return false;
}

static bool is_required(const struct tn_view *view, const struct tn_property *property)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_object_rules *rules = view->at[i]->schema->object;
        const struct tn_property     *known = rules ? tn_view_property(rules, property->name, property->len)
                                                    : NULL;

        if (known && known->required)
            return true;
    }
    return false;
}

/* Is something asked of members that no schema names? Then there is one when it is the place to be changed. */
static bool asks_of_others(const struct tn_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_object_rules *rules = view->at[i]->schema->object;

        if (rules && (rules->pattern_count > 0 || rules->unevaluated ||
                      (rules->additional && !rules->additional->schema->never)))
            return true;
    }
    return false;
}

/* Members that the schemas do not name. */
struct others {
    struct {
        struct tn_slice       name;
        const struct tn_node *node; /* by a pattern, or NULL */
    } at[OTHERS_MAX];
    size_t count;
};

static bool is_declared(const struct tn_view *view, struct tn_slice name)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->at[i]->schema->object && tn_view_property(view->at[i]->schema->object, name.at, name.len))
            return true;
    return false;
}

static void add_other(struct others *others, const struct tn_view *view, struct tn_slice name,
                      const struct tn_node *node)
{
    for (size_t i = 0; i < others->count; i++)
        if (tn_slice_same(others->at[i].name, name))
            return;
    if (others->count == OTHERS_MAX || is_declared(view, name))
        return;
    others->at[others->count].name   = name;
    others->at[others->count++].node = node;
}

static void add_sampled(struct others *others, const struct members *members, const char *pattern,
                        const struct tn_node *node)
{
    struct tn_buf name;

    tn_buf_init(&name, members->maker->out->arena, 32, TEXT_LEN_MAX);
    tn_sample_write(&name, pattern, 0);
    if (name.len > 0 && !name.failed)
        add_other(others, members->view, tn_buf_slice(&name), node);
}

/* Does it name no member at all? Then it is a map, which has any; but a tool without parameters has none. */
static bool is_map(const struct members *members)
{
    for (size_t i = 0; i < members->view->count; i++)
        if (members->view->at[i]->schema->object && members->view->at[i]->schema->object->count > 0)
            return false;
    return members->maker->depth > 1;
}

/* By patterns of both, by what only the hint names of a map, and some that no schema names. */
static void find_others(struct others *others, const struct members *members)
{
    static const char *const names[] = { "extra", "x-extra", "Other Name" };
    const struct tn_view    *both[]  = { members->view, members->hint };
    bool                     map     = is_map(members);

    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < both[side]->count; i++) {
            const struct tn_object_rules *rules = both[side]->at[i]->schema->object;

            for (size_t j = 0; rules && j < rules->pattern_count && j < 2; j++)
                add_sampled(others, members, rules->patterns[j].text,
                            side == 0 ? rules->patterns[j].node : NULL);
            if (side == 0 && rules && rules->names && rules->names->text.pattern_text)
                add_sampled(others, members, rules->names->text.pattern_text, NULL);
            for (size_t j = 0; side == 1 && map && rules && j < rules->count && j < 4; j++)
                add_other(others, members->view,
                          (struct tn_slice){ rules->properties[j].name, rules->properties[j].len }, NULL);
        }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_other(others, members->view, tn_slice_of(names[i]), NULL);
}

/* A member that no schema names: its nth variation when it is needed, else written when it is changed. */
static void write_other(struct members *members, const struct others *others, size_t at, size_t nth,
                        bool needed)
{
    struct maker         *maker   = members->maker;
    struct tn_slice       name    = others->at[at % others->count].name;
    const struct tn_node *node    = others->at[at % others->count].node;
    struct tn_view        view    = node ? tn_view_of(node, maker->way, false)
                                         : tn_view_member(members->view, name.at, name.len, maker->way, false);
    struct tn_view        hint    = tn_view_member(members->hint, name.at, name.len, maker->way, true);
    size_t                len     = maker->out->len;
    bool                  changed = maker->changed;

    write_name(members, name.at, name.len);
    if (needed)
        write_aside(maker, &view, &hint, nth);
    else
        write_place(maker, &view, &hint);
    if (!needed && (maker->seed || maker->changed == changed))
        maker->out->len = len;
}

/* As many members as the hint allows, and one more. */
static void write_many(struct members *members, size_t count)
{
    size_t most = SIZE_MAX;
    char   name[32];

    for (size_t i = 0; i < members->hint->count; i++) {
        const struct tn_object_rules *rules = members->hint->at[i]->schema->object;

        most = rules && rules->max < most ? rules->max : most;
    }
    for (size_t i = count; most < NAMES_MAX && i <= most; i++) {
        int            len  = snprintf(name, sizeof name, "m%zu", i);
        struct tn_view view = tn_view_member(members->view, name, (size_t)len, members->maker->way, false);
        struct tn_view hint = tn_view_member(members->hint, name, (size_t)len, members->maker->way, true);

        write_name(members, name, (size_t)len);
        write_aside(members->maker, &view, &hint, 0);
    }
}

/* Members beside those that are named: as many as there must be, or one more. */
static void write_others(struct members *members, size_t count, size_t least)
{
    struct others others = { .count = 0 };
    size_t        chosen;

    find_others(&others, members);
    chosen = choose(members->maker, others.count * OTHER_VALUES + 1);
    for (size_t i = count; i < least && i - count < others.count; i++)
        write_other(members, &others, i - count, i - count, true);
    if (chosen > others.count * OTHER_VALUES)
        write_many(members, count);
    else if (chosen > 0)
        write_other(members, &others, (chosen - 1) / OTHER_VALUES, (chosen - 1) % OTHER_VALUES, true);
    else if (asks_of_others(members->view) && members->maker->depth < DEPTH_MAX)
        write_other(members, &others, 0, 0, false);
}

static void write_object(struct maker *maker, const struct tn_view *view, const struct tn_view *hint)
{
    struct members members = { maker, view, hint, 0 };
    size_t         least = 0, count = 0;
    bool           all;

    tn_buf_char(maker->out, '{');
    members.begin = maker->out->len;
    all           = maker->depth < DEPTH_MAX - 2 && choose(maker, 1) == 1;
    for (size_t i = 0; i < view->count; i++) {
        const struct tn_object_rules *rules = view->at[i]->schema->object;

        least = rules && rules->min > least ? rules->min : least;
        for (size_t j = 0; rules && j < rules->count && count < NAMES_MAX; j++) {
            bool required = is_required(view, &rules->properties[j]);

            if (is_repeated(view, i, &rules->properties[j]) || (!required && maker->depth >= DEPTH_MAX))
                continue;
            write_member(&members, &rules->properties[j], required, all);
            count += required;
        }
    }
    write_others(&members, count, least);
    tn_buf_char(maker->out, '}');
}

/* ---- Any ----------------------------------------------------------------------------------------------------------- */

static void write_place(struct maker *maker, const struct tn_view *view, const struct tn_view *hint)
{
    struct candidates all = { .count = 0 };
    bool              whole;
    size_t            chosen;

    if (maker->out->failed)
        return; /* it is too long already, and a list of lists may have millions of places */
    tn_buf_init(&all.texts, maker->out->arena, 0, (size_t)1 << 20);
    find_candidates(&all, view, hint);
    whole = true;
    for (size_t i = 0; whole && i < view->count; i++)
        whole = !view->at[i]->schema->constant && !view->at[i]->schema->values;
    whole  = whole && (view->types & (TYPE_OBJECT | TYPE_ARRAY)) && maker->depth <= DEPTH_MAX;
    chosen = choose(maker, all.count > 0 && !whole ? all.count - 1 : all.count);
    if (!whole || chosen > 0) {
        write_candidate(maker->out, &all, whole ? chosen - 1 : chosen);
        return;
    }
    maker->depth++;
    if ((view->types & TYPE_OBJECT) && (!(view->types & TYPE_ARRAY) || choose(maker, 1) == 0))
        write_object(maker, view, hint);
    else
        write_list(maker, view, hint);
    maker->depth--;
}

bool tn_values_write(struct tn_buf *out, const struct tn_node *node, const struct tn_node *hint, size_t way,
                     size_t nth)
{
    struct maker   maker = { .out = out, .way = way, .change = nth > 0 ? nth - 1 : NOT_CHANGED };
    struct tn_view view = tn_view_of(node, way, false), other = tn_view_of(hint, way, true);

    write_place(&maker, &view, &other);
    return nth == 0 || maker.changed;
}

void tn_values_mixed(struct tn_buf *out, const struct tn_node *node, const struct tn_node *hint,
                     uint64_t *seed)
{
    size_t       way   = draw(seed) % VALUES_WAYS_MAX;
    struct maker maker = {
        .out = out, .way = way, .change = NOT_CHANGED, .seed = seed, .chance = 2 + (unsigned)(draw(seed) % 5)
    };
    struct tn_view view = tn_view_of(node, way, false), other = tn_view_of(hint, way, true);

    write_place(&maker, &view, &other);
}
