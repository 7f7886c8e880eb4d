/* unbind.c - structs to JSON, by the rows that declare them, checked on the way out.
 *
 * One pass: every value is checked just before it is written. A parameter's name is written first and taken back when
 * its value turns out to be absent. Fields are read with memcpy, by the size and flavour that the compiler saw.
 */
#include "rows/unbind.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "json/write.h"
#include "model/unique.h"
#include "text/date.h"
#include "text/format.h"
#include "text/path.h"

/* What the program's log says after the name of the parameter. */
#define WHY_MISSING   "is missing"
#define WHY_UTF8      "is not valid UTF-8"
#define WHY_NUL       "contains a NUL character"
#define WHY_SHORT     "is too short"
#define WHY_LONG      "is too long"
#define WHY_PATTERN   "does not match its pattern"
#define WHY_FORMAT    "is not of its format"
#define WHY_SCHEME    "has a scheme that its row does not allow"
#define WHY_PATH      "is not a path that its row allows"
#define WHY_RANGE     "is out of range"
#define WHY_NUMBER    "is not a finite number"
#define WHY_CHOICE    "is not one of its enum's values"
#define WHY_FEW       "has too few items"
#define WHY_MANY      "has too many items"
#define WHY_NO_ITEMS  "has a count but no items"
#define WHY_REPEATED  "contains duplicate values"
#define WHY_KEY_TWICE "contains a key twice"
#define WHY_DEPTH     "is nested too deep"

#define INDEX_TEXT_MAX 24

enum unbind_outcome { FAULT, WRITTEN, ABSENT };

typedef enum unbind_outcome (*write_fn)(struct tn_unbind *unbind, const struct tn_node *node,
                                        const void *field, bool required);

static enum unbind_outcome write_object(struct tn_unbind *unbind, const struct tn_object *object,
                                        const char *data);

/* ---- Faults ---------------------------------------------------------------------------------------------------- */

static enum unbind_outcome unbind_fault(struct tn_unbind *unbind, const char *why)
{
    unbind->fault.why = why;
    return FAULT;
}

/* Memory is the world's fault, not the value's. */
static enum unbind_outcome fault_memory(struct tn_unbind *unbind)
{
    unbind->out->failed = true;
    return unbind_fault(unbind, NULL);
}

/* Puts "/name" in front of where the fault is, on the way up. */
static void fault_below(struct tn_unbind *unbind, const char *name, size_t len)
{
    const char *below = unbind->fault.param ? unbind->fault.param : "";
    size_t      rest  = strlen(below);
    char       *path  = tn_arena_take(unbind->out->arena, 1 + len + rest + 1, 1);

    if (!path)
        return;
    path[0] = '/';
    memcpy(path + 1, name, len);
    memcpy(path + 1 + len, below, rest + 1);
    unbind->fault.param = path;
}

static enum unbind_outcome fault_at_item(struct tn_unbind *unbind, size_t index)
{
    char text[INDEX_TEXT_MAX];
    int  len = snprintf(text, sizeof text, "%zu", index);

    fault_below(unbind, text, (size_t)len);
    return FAULT;
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

/* NULL when the length is right. Bytes bound code points from both sides, so that few texts are counted. */
static const char *length_fault(const struct tn_text_rules *rules, struct tn_slice text)
{
    size_t count;

    if (text.len <= rules->max && text.len / 4 >= rules->min)
        return NULL;
    count = tn_utf8_count(text.at, text.len);
    if (count < rules->min)
        return WHY_SHORT;
    return count > rules->max ? WHY_LONG : NULL;
}

/* NULL when the text has the form of its kind; a path is normalised. */
static const char *form_fault(struct tn_unbind *unbind, const struct tn_node *node, struct tn_slice *text)
{
    struct tn_path_wanted wanted = { node->kind == TENON_KIND_ABSPATH, node->text.ext };

    if (node->text.format && !node->text.format->accepts(*text))
        return WHY_FORMAT;
    switch (node->kind) {
    case TENON_KIND_PATH:
    case TENON_KIND_ABSPATH:
        return tn_path_check(unbind->out->arena, *text, &wanted, text) == PATH_FINE ? NULL : WHY_PATH;
    case TENON_KIND_ID: return tn_format_is_identifier(*text) ? NULL : WHY_FORMAT;
    case TENON_KIND_URL:
        return !node->text.schemes || tn_format_has_scheme(*text, node->text.schemes) ? NULL : WHY_SCHEME;
    default: return NULL;
    }
}

static enum unbind_outcome match(struct tn_unbind *unbind, const struct pattern *pattern,
                                 struct tn_slice text)
{
    enum tn_pattern_result result = PATTERN_NO_MEMORY;

    if (!*unbind->matcher)
        *unbind->matcher = tn_matcher_new(unbind->memory);
    if (*unbind->matcher)
        result = tn_pattern_match_within(pattern, *unbind->matcher, text, &unbind->patterns);
    if (result == PATTERN_NO_MEMORY)
        return fault_memory(unbind);
    return result == PATTERN_YES ? WRITTEN : unbind_fault(unbind, WHY_PATTERN);
}

static enum unbind_outcome put_text(struct tn_unbind *unbind, const struct tn_node *node,
                                    struct tn_slice text)
{
    const char *why;

    if (memchr(text.at, '\0', text.len))
        return unbind_fault(unbind, WHY_NUL);
    if (!tn_utf8_valid(text.at, text.len))
        return unbind_fault(unbind, WHY_UTF8);
    why = length_fault(&node->text, text);
    if (!why && (node->kind != TENON_KIND_STR || node->text.format))
        why = form_fault(unbind, node, &text);
    if (unbind->out->arena->failed)
        return fault_memory(unbind);
    if (why)
        return unbind_fault(unbind, why);
    if (node->text.pattern && match(unbind, node->text.pattern, text) == FAULT)
        return FAULT;
    tn_json_string(unbind->out, text.at, text.len);
    return WRITTEN;
}

/* True when an empty text can only mean that there is none. */
static bool empty_is_absent(const struct tn_node *node)
{
    return node->kind != TENON_KIND_STR || node->text.min > 0 || node->text.pattern || node->text.format;
}

static enum unbind_outcome write_text(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                      bool required)
{
    tenon_str       counted;
    const char     *plain;
    struct tn_slice text;

    if (node->flavour == 1) {
        memcpy(&counted, field, sizeof counted);
        text = (struct tn_slice){ counted.at, counted.len };
    } else {
        memcpy(&plain, field, sizeof plain);
        text = (struct tn_slice){ plain, plain ? strlen(plain) : 0 };
    }
    if (!text.at || (text.len == 0 && !required && empty_is_absent(node)))
        return ABSENT;
    return put_text(unbind, node, text);
}

static enum unbind_outcome unbind_write_time(struct tn_unbind *unbind, const struct tn_node *node,
                                             const void *field, bool required)
{
    char       text[TIMESTAMP_TEXT_LEN + 1];
    tenon_time time;

    (void)required;
    memcpy(&time, field, sizeof time);
    if (!time.set)
        return ABSENT;
    if (time.ms < DATE_MIN_MS || time.ms > DATE_MAX_MS)
        return unbind_fault(unbind, WHY_RANGE);
    tn_moment_format(time.ms, node->kind == TENON_KIND_DATE, text);
    tn_json_string(unbind->out, text, strlen(text));
    return WRITTEN;
}

/* ---- Numbers --------------------------------------------------------------------------------------------------- */

static enum unbind_outcome put_int(struct tn_unbind *unbind, const struct tn_node *node, int64_t value)
{
    if (value < node->integer.min || value > node->integer.max)
        return unbind_fault(unbind, WHY_RANGE);
    tn_buf_int(unbind->out, value);
    return WRITTEN;
}

static enum unbind_outcome write_unsigned(struct tn_unbind *unbind, const struct tn_node *node,
                                          const void *field)
{
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;

    switch (node->size) {
    case sizeof u16: memcpy(&u16, field, sizeof u16); return put_int(unbind, node, u16);
    case sizeof u32: memcpy(&u32, field, sizeof u32); return put_int(unbind, node, u32);
    default:
        memcpy(&u64, field, sizeof u64);
        return u64 > INT64_MAX ? unbind_fault(unbind, WHY_RANGE) : put_int(unbind, node, (int64_t)u64);
    }
}

static enum unbind_outcome write_int(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                     bool required)
{
    int64_t i64;
    int32_t i32;
    int16_t i16;

    (void)required;
    if (node->flavour == 1)
        return write_unsigned(unbind, node, field);
    switch (node->size) {
    case sizeof i16: memcpy(&i16, field, sizeof i16); return put_int(unbind, node, i16);
    case sizeof i32: memcpy(&i32, field, sizeof i32); return put_int(unbind, node, i32);
    default: memcpy(&i64, field, sizeof i64); return put_int(unbind, node, i64);
    }
}

/* The double with the fewest digits that is the same float: 0.1 for 0.1f, which as a double would be
 * 0.10000000149011612. Writing and reading use the same locale, so that it does not matter which. */
static double widened(float value)
{
    char text[32];

    for (int digits = 6; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            return strtod(text, NULL);
    }
    return (double)value;
}

static enum unbind_outcome put_num(struct tn_unbind *unbind, const struct tn_node *node, double value)
{
    const struct tn_num_rules *rules = &node->number;

    if (!isfinite(value))
        return unbind_fault(unbind, WHY_NUMBER);
    if (value < rules->min && value >= rules->min - rules->tolerance)
        value = rules->min;
    if (value > rules->max && value <= rules->max + rules->tolerance)
        value = rules->max;
    if (value < rules->min || value > rules->max)
        return unbind_fault(unbind, WHY_RANGE);
    tn_json_number(unbind->out, value);
    return WRITTEN;
}

static enum unbind_outcome write_num(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                     bool required)
{
    double d;
    float  f;

    (void)required;
    if (node->size == sizeof d) {
        memcpy(&d, field, sizeof d);
        return put_num(unbind, node, d);
    }
    memcpy(&f, field, sizeof f);
    return put_num(unbind, node, isfinite(f) ? widened(f) : (double)f);
}

static enum unbind_outcome write_bool(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                      bool required)
{
    unsigned char byte; /* a bool that was never set may be neither */

    (void)node, (void)required;
    memcpy(&byte, field, sizeof byte);
    tn_buf_text(unbind->out, byte ? "true" : "false");
    return WRITTEN;
}

/* ---- Enums ----------------------------------------------------------------------------------------------------- */

static enum unbind_outcome put_choice(struct tn_unbind *unbind, const struct tn_node *node, int64_t value)
{
    const struct tn_choice *choice = node->choice;

    if (value < 0 || (uint64_t)value >= choice->count || !choice->names[value].at)
        return unbind_fault(unbind, WHY_CHOICE);
    tn_json_string(unbind->out, choice->names[value].at, choice->names[value].len);
    return WRITTEN;
}

static enum unbind_outcome write_choice(struct tn_unbind *unbind, const struct tn_node *node,
                                        const void *field, bool required)
{
    int32_t  i32; /* an unsigned one that does not fit is negative here, and no value either */
    uint16_t u16;
    uint8_t  u8;

    (void)required;
    switch (node->size) {
    case sizeof u8: memcpy(&u8, field, sizeof u8); return put_choice(unbind, node, u8);
    case sizeof u16: memcpy(&u16, field, sizeof u16); return put_choice(unbind, node, u16);
    default: memcpy(&i32, field, sizeof i32); return put_choice(unbind, node, i32);
    }
}

/* ---- Lists ----------------------------------------------------------------------------------------------------- */

/* What every list type of the library looks like. */
struct list {
    size_t      count;
    const void *at;
};

static enum unbind_outcome check_count(struct tn_unbind *unbind, const struct tn_node *node, size_t count)
{
    if (count < node->list.min)
        return unbind_fault(unbind, WHY_FEW);
    return count > node->list.max ? unbind_fault(unbind, WHY_MANY) : WRITTEN;
}

/* One item of a list, whose node is `item` (of a list of objects, the list's own). */
static enum unbind_outcome put_item(struct tn_unbind *unbind, const struct tn_node *item, const void *items,
                                    size_t index)
{
    const char *text;

    switch (item->kind) {
    case TENON_KIND_INT: return put_int(unbind, item, ((const int64_t *)items)[index]);
    case TENON_KIND_NUM: return put_num(unbind, item, ((const double *)items)[index]);
    case TENON_KIND_ENUM: return put_choice(unbind, item, ((const int *)items)[index]);
    case TENON_KIND_OBJECTS:
        return write_object(unbind, item->object, (const char *)items + index * item->object->size);
    default:
        text = ((const char *const *)items)[index];
        return text ? put_text(unbind, item, tn_slice_of(text)) : unbind_fault(unbind, WHY_MISSING);
    }
}

/* The bytes by which an item is the same as another. */
static struct tn_slice unbind_key_of(const struct tn_node *item, const void *items, size_t index)
{
    static const double zero; /* for -0 too */
    const double       *number;

    switch (item->kind) {
    case TENON_KIND_INT:
        return (struct tn_slice){ (const char *)((const int64_t *)items + index), sizeof(int64_t) };
    case TENON_KIND_ENUM: return (struct tn_slice){ (const char *)((const int *)items + index), sizeof(int) };
    case TENON_KIND_NUM:
        number = (const double *)items + index;
        return (struct tn_slice){ (const char *)(*number == 0 ? &zero : number), sizeof *number };
    default: return tn_slice_of(((const char *const *)items)[index]);
    }
}

static enum unbind_outcome check_unique(struct tn_unbind *unbind, const struct tn_node *item,
                                        const struct list *list)
{
    struct tn_arena *arena = unbind->out->arena;
    struct tn_slice *keys  = tn_arena_array(arena, list->count, struct tn_slice);
    size_t           found = 0;

    for (size_t i = 0; keys && i < list->count; i++)
        keys[i] = unbind_key_of(item, list->at, i);
    if (keys)
        found = tn_unique_find(arena, keys, list->count);
    if (!keys || arena->failed)
        return fault_memory(unbind);
    if (found == list->count)
        return WRITTEN;
    unbind_fault(unbind, WHY_REPEATED);
    return fault_at_item(unbind, found);
}

static struct list list_in(const struct tn_node *node, const void *field)
{
    struct list        list = { 0 };
    const char *const *texts;

    if (!tn_node_ends_with_null(node)) {
        memcpy(&list, field, sizeof list);
        return list;
    }
    memcpy(&texts, field, sizeof texts);
    list.at = texts;
    while (texts && texts[list.count])
        list.count++;
    return list;
}

static enum unbind_outcome write_list(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                      bool required)
{
    const struct tn_node *item = node->kind == TENON_KIND_OBJECTS ? node : node->list.item;
    struct list           list = list_in(node, field);

    (void)required;
    if (list.count > 0 && !list.at)
        return unbind_fault(unbind, WHY_NO_ITEMS);
    if (check_count(unbind, node, list.count) == FAULT)
        return FAULT;
    if (node->list.unique && list.count > 1 && item != node && check_unique(unbind, item, &list) == FAULT)
        return FAULT;

    tn_buf_char(unbind->out, '[');
    for (size_t i = 0; i < list.count && !unbind->out->failed; i++) {
        if (i > 0)
            tn_buf_char(unbind->out, ',');
        if (put_item(unbind, item, list.at, i) == FAULT)
            return fault_at_item(unbind, i);
    }
    tn_buf_char(unbind->out, ']');
    return WRITTEN;
}

static enum unbind_outcome write_set(struct tn_unbind *unbind, const struct tn_node *node, const void *field)
{
    tenon_set set;
    size_t    count = 0;

    memcpy(&set, field, sizeof set);
    for (uint64_t left = set.bits; left; left &= left - 1)
        count++;
    if (check_count(unbind, node, count) == FAULT)
        return FAULT;

    tn_buf_char(unbind->out, '[');
    for (int value = 0, any = 0; value < 64; value++) {
        if (!tenon_set_has(set, value))
            continue;
        if (any++)
            tn_buf_char(unbind->out, ',');
        if (put_choice(unbind, node->list.item, value) == FAULT)
            return FAULT;
    }
    tn_buf_char(unbind->out, ']');
    return WRITTEN;
}

static enum unbind_outcome write_choices(struct tn_unbind *unbind, const struct tn_node *node,
                                         const void *field, bool required)
{
    return node->flavour == 1 ? write_list(unbind, node, field, required) : write_set(unbind, node, field);
}

/* ---- Objects --------------------------------------------------------------------------------------------------- */

static enum unbind_outcome put_pair(struct tn_unbind *unbind, const struct tn_node *item,
                                    const tenon_pair *pair)
{
    size_t len = strlen(pair->key);

    if (!tn_utf8_valid(pair->key, len))
        return unbind_fault(unbind, WHY_UTF8);
    tn_json_string(unbind->out, pair->key, len);
    tn_buf_char(unbind->out, ':');
    if (!pair->value)
        return unbind_fault(unbind, WHY_MISSING);
    return put_text(unbind, item, tn_slice_of(pair->value));
}

static enum unbind_outcome check_keys(struct tn_unbind *unbind, const tenon_map *map)
{
    struct tn_arena *arena = unbind->out->arena;
    struct tn_slice *keys  = tn_arena_array(arena, map->count, struct tn_slice);

    for (size_t i = 0; keys && i < map->count; i++) {
        if (!map->at[i].key) {
            unbind_fault(unbind, WHY_MISSING);
            return fault_at_item(unbind, i);
        }
        keys[i] = tn_slice_of(map->at[i].key);
    }
    if (keys && tn_unique_find(arena, keys, map->count) < map->count)
        return unbind_fault(unbind, WHY_KEY_TWICE);
    return keys && !arena->failed ? WRITTEN : fault_memory(unbind);
}

static enum unbind_outcome write_map(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                     bool required)
{
    tenon_map map;

    (void)required;
    memcpy(&map, field, sizeof map);
    if (map.count > 0 && !map.at)
        return unbind_fault(unbind, WHY_NO_ITEMS);
    if (check_count(unbind, node, map.count) == FAULT)
        return FAULT;
    if (map.count > 0 && check_keys(unbind, &map) == FAULT)
        return FAULT;

    tn_buf_char(unbind->out, '{');
    for (size_t i = 0; i < map.count && !unbind->out->failed; i++) {
        if (i > 0)
            tn_buf_char(unbind->out, ',');
        if (put_pair(unbind, node->list.item, &map.at[i]) == FAULT) {
            fault_below(unbind, map.at[i].key, strlen(map.at[i].key));
            return FAULT;
        }
    }
    tn_buf_char(unbind->out, '}');
    return WRITTEN;
}

static enum unbind_outcome write_json(struct tn_unbind *unbind, const struct tn_node *node, const void *field,
                                      bool required)
{
    yyjson_val *value; /* which is what a tenon_json is */

    (void)node, (void)required;
    memcpy(&value, field, sizeof value);
    if (!value)
        return ABSENT;
    tn_json_value(unbind->out, value);
    return WRITTEN;
}

static enum unbind_outcome write_nested(struct tn_unbind *unbind, const struct tn_node *node,
                                        const void *field, bool required)
{
    const char *pointed;

    (void)required;
    if (node->flavour == 0)
        return write_object(unbind, node->object, field);
    memcpy(&pointed, field, sizeof pointed);
    return pointed ? write_object(unbind, node->object, pointed) : ABSENT;
}

static enum unbind_outcome unbind_write_value(struct tn_unbind *unbind, const struct tn_param *param,
                                              const char *field)
{
    /* clang-format off */
    static const write_fn writers[] = {
        [TENON_KIND_STR]    = write_text,   [TENON_KIND_PATH]    = write_text,    [TENON_KIND_ABSPATH]   = write_text,
        [TENON_KIND_UUID]   = write_text,   [TENON_KIND_URL]     = write_text,    [TENON_KIND_ID]        = write_text,
        [TENON_KIND_DATE]   = unbind_write_time,   [TENON_KIND_ENUM]    = write_choice,  [TENON_KIND_TIMESTAMP] = unbind_write_time,
        [TENON_KIND_INT]    = write_int,    [TENON_KIND_NUM]     = write_num,     [TENON_KIND_BOOL]      = write_bool,
        [TENON_KIND_STRS]   = write_list,   [TENON_KIND_INTS]    = write_list,    [TENON_KIND_NUMS]      = write_list,
        [TENON_KIND_PATHS]  = write_list,   [TENON_KIND_ENUMS]   = write_choices, [TENON_KIND_OBJECTS]   = write_list,
        [TENON_KIND_OBJECT] = write_nested, [TENON_KIND_MAP]     = write_map,     [TENON_KIND_JSON]      = write_json,
    };
    /* clang-format on */

    assert(param->node->kind < sizeof writers / sizeof *writers && writers[param->node->kind]);
    return writers[param->node->kind](unbind, param->node, field, param->required);
}

static enum unbind_outcome write_params(struct tn_unbind *unbind, const struct tn_object *object,
                                        const char *data)
{
    struct tn_buf *out = unbind->out;
    bool           any = false;

    for (size_t i = 0; i < object->count && !out->failed; i++) {
        const struct tn_param *param = &object->params[i];
        size_t                 mark  = out->len;
        enum unbind_outcome    outcome;

        if (any)
            tn_buf_char(out, ',');
        tn_json_string(out, param->name, param->len);
        tn_buf_char(out, ':');
        outcome = unbind_write_value(unbind, param, data + param->offset);
        if (outcome == ABSENT && param->required)
            outcome = unbind_fault(unbind, WHY_MISSING);
        if (outcome == FAULT) {
            fault_below(unbind, param->name, param->len);
            return FAULT;
        }
        if (outcome == WRITTEN)
            any = true;
        else if (!out->failed)
            out->len = mark;
    }
    return WRITTEN;
}

static enum unbind_outcome write_object(struct tn_unbind *unbind, const struct tn_object *object,
                                        const char *data)
{
    enum unbind_outcome outcome;

    if (unbind->depth >= UNBIND_DEPTH_MAX)
        return unbind_fault(unbind, WHY_DEPTH);
    unbind->depth++;
    tn_buf_char(unbind->out, '{');
    outcome = write_params(unbind, object, data);
    tn_buf_char(unbind->out, '}');
    unbind->depth--;
    return outcome;
}

bool tn_unbind_object(struct tn_unbind *unbind, const struct tn_object *object, const void *data)
{
    unbind->fault = (struct tn_unbind_fault){ NULL, NULL };
    if (write_object(unbind, object, data) == WRITTEN && !unbind->out->failed)
        return true;
    if (!unbind->fault.why)
        unbind->fault.param = NULL;
    else if (unbind->fault.param && !strchr(unbind->fault.param + 1, '/'))
        unbind->fault.param++; /* at the top a name is enough */
    return false;
}
