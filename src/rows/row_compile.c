/* row_compile.c - one row into one node: bounds, choices, items, and the default as JSON. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "json/write.h"
#include "rows/emit.h"
#include "rows/row_options.h"
#include "rows/row_table.h"
#include "text/format.h"
#include "text/path.h"

#define NO_PATTERN    ".pattern_text says what a .pattern asks for, and there is no .pattern"
#define VALUE_LEN_MAX ((size_t)1 << 20) /* of a default or an example */

static void mistake_at(struct tn_row_compilation *lowering, const struct tn_param *param, const char *text)
{
    tn_mistake_note(&lowering->mistake, param->name, "%s", text);
}

/* ---- Bounds ------------------------------------------------------------------------------------------------ */

/* A {low, high} pair of sizes. */
static void lower_sizes(struct tn_row_compilation *lowering, const struct tn_param *param, const char *option,
                        const size_t pair[2], size_t *min, size_t *max)
{
    *min = pair[0] > (size_t)TENON_NO_MAX ? 0 : pair[0]; /* TENON_NO_MIN, as a size */
    *max = pair[1] >= (size_t)TENON_NO_MAX ? SIZE_MAX : pair[1];
    if (*min > *max)
        tn_mistake_note(&lowering->mistake, param->name, ".%s ends before it begins", option);
}

/* What an integer field can hold. */
static void field_limits(const struct tn_node *node, int64_t *min, int64_t *max)
{
    unsigned bits = node->size * 8;

    *min = node->flavour ? 0 : bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
    *max = bits == 64 ? INT64_MAX : node->flavour ? (INT64_C(1) << bits) - 1 : (INT64_C(1) << (bits - 1)) - 1;
}

static void lower_int_range(struct tn_row_compilation *lowering, const struct tn_param *param,
                            const int64_t pair[2], struct tn_node *node)
{
    int64_t min, max;

    field_limits(node, &min, &max);
    node->integer.min = min;
    node->integer.max = max;
    if (pair[0] != TENON_NO_MIN)
        node->integer.min = pair[0];
    if (pair[1] != TENON_NO_MAX)
        node->integer.max = pair[1];
    if (node->integer.min < min || node->integer.max > max)
        mistake_at(lowering, param, "its .range is wider than its field");
    if (node->integer.min > node->integer.max)
        mistake_at(lowering, param, ".range ends before it begins");
}

static void lower_num_range(struct tn_row_compilation *lowering, const struct tn_param *param,
                            const double pair[2], struct tn_node *node)
{
    double most = node->size == sizeof(float) ? (double)FLT_MAX : (double)INFINITY;

    node->number.min = -most;
    node->number.max = most;
    if (!isfinite(pair[0]) || !isfinite(pair[1]))
        mistake_at(lowering, param, ".range is not finite: write TENON_NO_MIN or TENON_NO_MAX");
    if (pair[0] != (double)TENON_NO_MIN)
        node->number.min = pair[0];
    if (pair[1] != (double)TENON_NO_MAX)
        node->number.max = pair[1];
    if (node->number.min < -most || node->number.max > most)
        mistake_at(lowering, param, "its .range is wider than its field");
    if (node->number.min > node->number.max)
        mistake_at(lowering, param, ".range ends before it begins");
}

/* ---- Text -------------------------------------------------------------------------------------------------- */

static void lower_pattern(struct tn_row_compilation *lowering, const struct tn_param *param, const char *text,
                          const char *words, struct tn_node *node)
{
    char                  why[PATTERN_WHY_MAX];
    const struct pattern *pattern = tn_shape_pattern(lowering->shape, tn_slice_of(text), why, sizeof why);

    if (!pattern) {
        if (why[0])
            tn_mistake_note(&lowering->mistake, param->name, "its .pattern cannot be used: %s", why);
        return;
    }
    node->text.pattern       = pattern;
    node->text.pattern_text  = text;
    node->text.pattern_words = words;
}

static void lower_format(struct tn_row_compilation *lowering, const struct tn_param *param, const char *name,
                         struct tn_node *node)
{
    const struct tn_format *near;

    node->text.format = tn_format_find(name);
    if (node->text.format)
        return;
    near = tn_format_near(name);
    if (near)
        tn_mistake_note(&lowering->mistake, param->name, "there is no format '%s'; did you mean '%s'?", name,
                        near->name);
    else
        tn_mistake_note(&lowering->mistake, param->name, "there is no format '%s'", name);
}

static void lower_text(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_text_options *options = &param->row->rule.text;

    lower_sizes(lowering, param, "len", options->len, &node->text.min, &node->text.max);
    node->text.blank_ok = options->blank_ok;
    node->text.ext      = options->ext;
    node->text.schemes  = options->schemes;
    if (options->pattern)
        lower_pattern(lowering, param, options->pattern, options->pattern_text, node);
    else if (options->pattern_text)
        mistake_at(lowering, param, NO_PATTERN);
    if (options->format)
        lower_format(lowering, param, options->format, node);
    if (options->format && node->kind != TENON_KIND_STR)
        mistake_at(lowering, param, ".format is for TENON_STR: the row has a form of its own");
    if (node->kind == TENON_KIND_UUID)
        lower_format(lowering, param, "uuid", node);
    if (node->kind == TENON_KIND_URL)
        lower_format(lowering, param, "uri", node);
    if (options->ext && node->kind != TENON_KIND_PATH && node->kind != TENON_KIND_ABSPATH)
        mistake_at(lowering, param, ".ext is for paths");
    if (options->schemes && node->kind != TENON_KIND_URL)
        mistake_at(lowering, param, ".schemes is for urls");
}

/* ---- Other scalars ----------------------------------------------------------------------------------------- */

static void lower_time(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    node->end_of_day = param->row->rule.time.end_of_day;
    if (node->end_of_day && node->kind != TENON_KIND_DATE)
        mistake_at(lowering, param, ".end_of_day is for dates: a timestamp has its own time");
    node->calendar = param->row->rule.time.calendar;
    if (node->calendar && (node->kind != TENON_KIND_DATE || node->end_of_day))
        mistake_at(lowering, param,
                   ".calendar is for dates without .end_of_day: a calendar date has no time");
}

static void lower_int(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_int_options *options = &param->row->rule.integer;

    lower_int_range(lowering, param, options->range, node);
    node->integer.def         = tn_row_has_default(param->row) ? options->def : 0;
    node->integer.clamp       = options->clamp;
    node->integer.low_default = options->low_default;
    node->integer.low_text    = options->low_text;
    node->integer.high_text   = options->high_text;
}

static void lower_num(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    lower_num_range(lowering, param, param->row->rule.number.range, node);
    node->number.clamp     = param->row->rule.number.clamp;
    node->number.tolerance = param->row->rule.number.tolerance;
}

static void lower_bool(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    signed char def = param->row->rule.boolean.def;

    (void)node;
    if (def != 1 && def != 0 && def != TENON_NO_DEFAULT_BOOL)
        mistake_at(lowering, param, "its default is neither true nor false");
}

static const struct tn_choice *lower_choice(struct tn_row_compilation *lowering, const struct tn_param *param,
                                            const char *const *names, size_t count, bool exact,
                                            const char *noun)
{
    struct tn_arena  *arena  = &lowering->shape->arena;
    struct tn_choice *choice = tn_arena_new(arena, struct tn_choice);
    struct tn_slice  *slices = tn_arena_array(arena, count, struct tn_slice);
    size_t            real   = 0;

    if (!choice || !slices)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        slices[i] = tn_slice_of(names[i]);
        if (!names[i])
            slices[i].at = NULL;
        real += names[i] != NULL;
        for (size_t j = 0; names[i] && j < i; j++)
            if (names[j] && strcmp(names[i], names[j]) == 0)
                tn_mistake_note(&lowering->mistake, param->name, "its enum has '%s' twice", names[i]);
        if (names[i] && (tn_slice_blank(slices[i]) || tn_slice_trim(slices[i]).len != slices[i].len))
            mistake_at(lowering, param, "its enum has a name that is blank or has spaces around it");
    }
    if (real == 0)
        mistake_at(lowering, param, "its enum is empty");
    *choice = (struct tn_choice){ slices, count, exact, noun };
    return choice;
}

static void lower_enum(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_enum_options *options = &param->row->rule.choice;

    if (node->size < sizeof(int) && options->name_count > (size_t)1 << (node->size * 8))
        mistake_at(lowering, param, "its enum has more values than its field holds");
    node->choice = lower_choice(lowering, param, options->names, options->name_count, options->exact, NULL);
}

/* ---- Lists ------------------------------------------------------------------------------------------------- */

static struct tn_node *new_item(struct tn_row_compilation *lowering, const struct tn_node *list, uint8_t kind,
                                size_t size)
{
    struct tn_node *item = tn_arena_new(&lowering->shape->arena, struct tn_node);

    if (!item)
        return NULL;
    item->kind       = kind;
    item->size       = (uint32_t)size;
    item->strict     = list->strict;
    item->secret     = list->secret;
    item->text.max   = SIZE_MAX;
    item->list.max   = SIZE_MAX;
    item->number.min = -INFINITY;
    item->number.max = INFINITY;
    return item;
}

static void lower_strs(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_strs_options *options = &param->row->rule.strs;
    uint8_t                   kind    = node->kind == TENON_KIND_PATHS ? TENON_KIND_PATH : TENON_KIND_STR;
    struct tn_node           *item    = new_item(lowering, node, kind, sizeof(const char *));

    if (!item)
        return;
    lower_sizes(lowering, param, "count", options->count, &node->list.min, &node->list.max);
    lower_sizes(lowering, param, "len", options->len, &item->text.min, &item->text.max);
    item->text.blank_ok = true; /* an item is there or not; blank is a text like any other */
    item->text.ext      = options->ext;
    if (options->pattern)
        lower_pattern(lowering, param, options->pattern, options->pattern_text, item);
    else if (options->pattern_text)
        mistake_at(lowering, param, NO_PATTERN);
    if (options->format)
        lower_format(lowering, param, options->format, item);
    if (options->ext && node->kind != TENON_KIND_PATHS)
        mistake_at(lowering, param, ".ext is for paths");
    if (node->kind == TENON_KIND_MAP && (options->unique || options->comma))
        mistake_at(lowering, param, ".unique and .comma are for lists");
    node->list.unique = options->unique;
    node->list.comma  = options->comma;
    node->json_text   = options->json_text;
    node->list.item   = item;
    if (node->kind == TENON_KIND_MAP)
        node->secret = true; /* as a whole: any of its names may be that of a credential */
}

static void lower_ints(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_ints_options *options = &param->row->rule.ints;
    struct tn_node           *item    = new_item(lowering, node, TENON_KIND_INT, sizeof(int64_t));

    if (!item)
        return;
    lower_sizes(lowering, param, "count", options->count, &node->list.min, &node->list.max);
    lower_int_range(lowering, param, options->range, item);
    node->list.unique = options->unique;
    node->list.comma  = true;
    node->json_text   = options->json_text;
    node->list.item   = item;
}

static void lower_nums(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_nums_options *options = &param->row->rule.nums;
    struct tn_node           *item    = new_item(lowering, node, TENON_KIND_NUM, sizeof(double));

    if (!item)
        return;
    lower_sizes(lowering, param, "count", options->count, &node->list.min, &node->list.max);
    lower_num_range(lowering, param, options->range, item);
    node->list.unique = options->unique;
    node->list.comma  = true;
    node->json_text   = options->json_text;
    node->list.item   = item;
}

static void lower_enums(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_enums_options *options = &param->row->rule.choices;
    struct tn_node            *item    = new_item(lowering, node, TENON_KIND_ENUM, sizeof(int));

    if (!item)
        return;
    if (node->flavour == 0 && options->name_count > 64)
        mistake_at(lowering, param, "a tenon_set holds 64 values, and its enum has more: use tenon_enums");
    lower_sizes(lowering, param, "count", options->count, &node->list.min, &node->list.max);
    item->choice      = lower_choice(lowering, param, options->names, options->name_count, options->exact,
                                     options->noun);
    node->list.unique = options->unique;
    node->list.comma  = true;
    node->json_text   = options->json_text;
    node->list.item   = item;
}

/* ---- Objects ----------------------------------------------------------------------------------------------- */

static void lower_object(struct tn_row_compilation *lowering, struct tn_param *param, struct tn_node *node)
{
    const tenon_object_options *options = &param->row->rule.object;
    struct tn_node             *item;

    node->json_text = options->json_text;
    if (node->kind == TENON_KIND_JSON)
        return;
    lower_sizes(lowering, param, "count", options->count, &node->list.min, &node->list.max);
    if (node->kind == TENON_KIND_OBJECT && tn_pair_is_written(options->count))
        mistake_at(lowering, param, ".count is for lists");
    if (node->kind == TENON_KIND_OBJECT && node->flavour == 1 && tn_row_has_default(param->row))
        mistake_at(lowering, param, ".def is for a struct, not for a pointer to one");
    if (++lowering->depth > ROWS_DEPTH_MAX)
        mistake_at(lowering, param, "its rows nest too deep (do they contain themselves?)");
    else
        node->object = tn_row_table_compile(lowering, options->rows());
    lowering->depth--;
    if (!node->object)
        return;
    for (size_t i = 0; i < node->object->count; i++) /* what holds a secret is not repeated either */
        node->secret |= node->object->params[i].node->secret;
    if (node->kind == TENON_KIND_OBJECT)
        return;
    item = new_item(lowering, node, TENON_KIND_OBJECT, node->object->size);
    if (item)
        item->object = node->object;
    node->list.item = item;
}

/* ---- Defaults ---------------------------------------------------------------------------------------------- */

/* "a,b" as ["a","b"], so that a list's default is published as a list. */
static void comma_as_json(struct tn_buf *out, const struct tn_node *item, const char *text)
{
    struct tn_slice rest = tn_slice_of(text), part;
    bool            any  = false;

    tn_buf_char(out, '[');
    while (tn_slice_split(&rest, ',', &part)) {
        part = tn_slice_trim(part);
        if (any)
            tn_buf_char(out, ',');
        any = true;
        if (item->kind == TENON_KIND_INT || item->kind == TENON_KIND_NUM)
            tn_buf_add(out, part.at, part.len);
        else
            tn_json_string(out, part.at, part.len);
    }
    tn_buf_char(out, ']');
}

static void write_default(struct tn_row_compilation *lowering, const struct tn_param *param,
                          const struct tn_node *node, struct tn_buf *out)
{
    const tenon_row *row = param->row;
    const char      *text;

    switch (node->kind) {
    case TENON_KIND_INT: tn_buf_int(out, node->integer.def); return;
    case TENON_KIND_NUM: tn_json_number(out, row->rule.number.def); return;
    case TENON_KIND_BOOL: tn_buf_text(out, row->rule.boolean.def ? "true" : "false"); return;
    case TENON_KIND_ENUM: {
        int value = row->rule.choice.def;

        if (value < 0 || (size_t)value >= node->choice->count || !node->choice->names[value].at)
            mistake_at(lowering, param, "its default is not a value of its enum");
        else
            tn_json_string(out, node->choice->names[value].at, node->choice->names[value].len);
        return;
    }
    default: text = tn_row_default_text(row); break;
    }
    if (tn_kind_is_text(node->kind) || node->kind == TENON_KIND_DATE || node->kind == TENON_KIND_TIMESTAMP)
        tn_json_string(out, text, strlen(text));
    else if (node->list.comma && tn_slice_trim(tn_slice_of(text)).len > 0 &&
             tn_slice_trim(tn_slice_of(text)).at[0] != '[')
        comma_as_json(out, node->list.item, text);
    else
        tn_buf_text(out, text);
}

static struct tn_slice lower_default(struct tn_row_compilation *lowering, const struct tn_param *param,
                                     const struct tn_node *node)
{
    struct tn_buf out;

    tn_buf_init(&out, &lowering->shape->arena, 64, VALUE_LEN_MAX);
    write_default(lowering, param, node, &out);
    tn_buf_keep(&out);
    return tn_buf_slice(&out);
}

/* The row's own example, else its default unless that is empty ("", [] or {}), else one that is made up. The default of a
 * number is no example either: it says nothing about the form, and means something else than what was sent. */
static struct tn_slice lower_example(struct tn_row_compilation *lowering, const struct tn_param *param,
                                     struct tn_node *node)
{
    const char *own   = param->row->rule.any.example;
    bool        plain = tn_kind_is_text(node->kind) || node->kind == TENON_KIND_ENUM ||
                 node->kind == TENON_KIND_DATE || node->kind == TENON_KIND_TIMESTAMP;
    bool          kept   = param->has_default && param->def.len != 2;
    bool          number = node->kind == TENON_KIND_INT || node->kind == TENON_KIND_NUM;
    struct tn_buf out;

    node->made_up = !own && (!kept || number);
    if (!own)
        return kept ? param->def : tn_example_of(&lowering->shape->arena, node);
    tn_buf_init(&out, &lowering->shape->arena, strlen(own) + 8, VALUE_LEN_MAX);
    if (plain)
        tn_json_string(&out, own, strlen(own));
    else
        tn_buf_text(&out, own);
    tn_buf_keep(&out);
    return tn_buf_slice(&out);
}

static struct tn_slice lower_expected(struct tn_row_compilation *lowering, const struct tn_node *node)
{
    struct tn_buf out;

    if (lowering->shape->tried)
        return (struct tn_slice){ "", 0 };
    tn_buf_init(&out, &lowering->shape->arena, 64, VALUE_LEN_MAX);
    tn_emit_expected(&out, node);
    tn_buf_keep(&out);
    return tn_buf_slice(&out);
}

/* ---- The row ----------------------------------------------------------------------------------------------- */

static void (*const lower_kind[])(struct tn_row_compilation *, struct tn_param *, struct tn_node *) = {
    [TENON_KIND_STR] = lower_text,       [TENON_KIND_PATH] = lower_text,
    [TENON_KIND_ABSPATH] = lower_text,   [TENON_KIND_UUID] = lower_text,
    [TENON_KIND_URL] = lower_text,       [TENON_KIND_ID] = lower_text,
    [TENON_KIND_DATE] = lower_time,      [TENON_KIND_TIMESTAMP] = lower_time,
    [TENON_KIND_INT] = lower_int,        [TENON_KIND_NUM] = lower_num,
    [TENON_KIND_BOOL] = lower_bool,      [TENON_KIND_ENUM] = lower_enum,
    [TENON_KIND_STRS] = lower_strs,      [TENON_KIND_PATHS] = lower_strs,
    [TENON_KIND_INTS] = lower_ints,      [TENON_KIND_NUMS] = lower_nums,
    [TENON_KIND_ENUMS] = lower_enums,    [TENON_KIND_OBJECT] = lower_object,
    [TENON_KIND_OBJECTS] = lower_object, [TENON_KIND_MAP] = lower_strs,
    [TENON_KIND_JSON] = lower_object,
};

/* A group's maximum, lowered; its default never exceeds that. */
static void lower_tuned(struct tn_row_compilation *lowering, const struct tn_param *param,
                        struct tn_node *node, int64_t max)
{
    if (max > node->integer.max)
        mistake_at(lowering, param, "the group's .max is above its .range");
    if (max < node->integer.min)
        mistake_at(lowering, param, "the group's .max is below its .range");
    if (node->integer.def > max && node->integer.def <= node->integer.max)
        node->integer.def = max;
    node->integer.max = max;
}

/* The row's rules of its own, the short form first. */
static void lower_checks(struct tn_row_compilation *lowering, const tenon_row *row, struct tn_node *node)
{
    tenon_with *checks;

    if (!row->rule.any.check && !row->rule.any.checks[0].check)
        return;
    checks = tn_arena_array(&lowering->shape->arena, TENON_CHECKS_MAX + 1, tenon_with);
    if (!checks)
        return;
    if (row->rule.any.check)
        checks[node->check_count++].check = row->rule.any.check;
    for (size_t i = 0; i < TENON_CHECKS_MAX && row->rule.any.checks[i].check; i++)
        checks[node->check_count++] = row->rule.any.checks[i];
    node->check = checks;
}

bool tn_row_compile_node(struct tn_row_compilation *lowering, struct tn_param *param, int64_t tuned_max)
{
    struct tn_arena *arena = &lowering->shape->arena;
    const tenon_row *row   = param->row;
    size_t           noted = lowering->mistake.count;
    struct tn_node  *node  = tn_arena_new(arena, struct tn_node), *item;

    if (!node)
        return false;
    node->kind     = row->kind;
    node->flavour  = row->flavour;
    node->size     = row->size;
    node->strict   = row->rule.any.strict;
    node->secret   = row->rule.any.secret;
    node->text.max = node->list.max = SIZE_MAX;
    node->number.min                = -INFINITY;
    node->number.max                = INFINITY;
    node->lookup                    = row->rule.any.lookup;
    lower_checks(lowering, row, node);
    lower_kind[row->kind](lowering, param, node);
    if (tuned_max != INT64_MAX)
        lower_tuned(lowering, param, node, tuned_max);
    param->node = node;
    if (lowering->mistake.count != noted || arena->failed)
        return false;
    param->has_default = tn_row_has_default(row);
    if (param->has_default)
        param->def = lower_default(lowering, param, node);
    item = (struct tn_node *)(uintptr_t)node->list.item; /* ours, and not yet shared */
    if (item) {
        item->example  = tn_example_of(arena, item);
        item->made_up  = true;
        item->expected = lower_expected(lowering, item);
    }
    node->expected = lower_expected(lowering, node);
    node->example  = lower_example(lowering, param, node);
    return true;
}
