/* spot.c - values of a configuration out of its tree. */
#define _GNU_SOURCE
#include "guard/config/spot.h"

#include "guard/phrases.h"
#include "json/pointer.h"
#include "json/read.h"
#include "net/settings_value.h"

#define POINTER_MAX ((size_t)4096)
#define PATH_LEN    ((size_t)4095)
#define PAUSE_MARK  ".."
#define PAUSE_MOST  3600000

struct tn_spot tn_spot_member(const struct tn_spot *up, const char *name)
{
    return (struct tn_spot){ .tree   = up->tree,
                             .up     = up,
                             .name   = name,
                             .value  = yyjson_obj_get(up->value, name),
                             .folder = up->folder };
}

struct tn_spot tn_spot_item(const struct tn_spot *up, size_t index, yyjson_val *value)
{
    return (
        struct tn_spot){ .tree = up->tree, .up = up, .index = index, .value = value, .folder = up->folder };
}

struct tn_spot tn_spot_named(const struct tn_spot *up, yyjson_val *name)
{
    return (struct tn_spot){ .tree   = up->tree,
                             .up     = up,
                             .name   = yyjson_get_str(name),
                             .value  = yyjson_obj_iter_get_val(name),
                             .folder = up->folder };
}

/* ---- Mistakes ---------------------------------------------------------------------------------------------------- */

static void write_pointer(struct tn_buf *out, const struct tn_spot *spot)
{
    if (!spot->up)
        return;
    write_pointer(out, spot->up);
    if (spot->name)
        tn_pointer_add(out, tn_slice_of(spot->name));
    else
        tn_pointer_add_index(out, spot->index);
}

static struct tn_json_position position_of(const struct tn_spot *spot, bool of_key)
{
    struct tn_buf pointer;

    tn_buf_init(&pointer, spot->tree->arena, 0, POINTER_MAX);
    write_pointer(&pointer, spot);
    return tn_tree_place(spot->tree, tn_buf_slice(&pointer), of_key);
}

void tn_spot_wrong(const struct tn_spot *spot, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tn_mistakes_addv(spot->tree->mistakes, position_of(spot, false), false, format, args);
    va_end(args);
}

void tn_spot_key_wrong(const struct tn_spot *spot, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tn_mistakes_addv(spot->tree->mistakes, position_of(spot, true), false, format, args);
    va_end(args);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Numbers are kept as their text. */
static const char *text_of(const struct tn_spot *spot, yyjson_val *value)
{
    if (!yyjson_is_str(value) && !yyjson_is_raw(value))
        return NULL;
    return tn_arena_copy(spot->tree->arena, unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value));
}

const char *tn_spot_text(const struct tn_spot *spot)
{
    return text_of(spot, spot->value);
}

static const char *path_of(const struct tn_spot *spot, yyjson_val *value)
{
    const char   *text = yyjson_get_str(value);
    struct tn_buf path;

    if (!text)
        return NULL;
    tn_buf_init(&path, spot->tree->arena, 0, PATH_LEN);
    if (text[0] != '/' && spot->folder[0])
        tn_buf_addf(&path, "%s/", strcmp(spot->folder, "/") == 0 ? "" : spot->folder);
    tn_buf_text(&path, text);
    if (!path.failed)
        return tn_buf_end(&path);
    tn_spot_wrong(spot, "%s", SAY_CONFIG_PATH);
    return NULL;
}

const char *tn_spot_path(const struct tn_spot *spot)
{
    return path_of(spot, spot->value);
}

bool tn_spot_bool(const struct tn_spot *spot, bool otherwise)
{
    return yyjson_is_bool(spot->value) ? yyjson_get_bool(spot->value) : otherwise;
}

size_t tn_spot_count(const struct tn_spot *spot, size_t otherwise)
{
    int64_t value;

    return yyjson_is_raw(spot->value) &&
                   tn_settings_read_count((struct tn_slice){ unsafe_yyjson_get_raw(spot->value),
                                                             unsafe_yyjson_get_len(spot->value) },
                                          &value)
               ? (size_t)value
               : otherwise;
}

int tn_spot_choice(const struct tn_spot *spot, const tenon_choice *choices, int otherwise)
{
    for (; choices->name; choices++)
        if (yyjson_equals_str(spot->value, choices->name))
            return choices->value;
    return otherwise;
}

const char *const *tn_spot_words(const struct tn_spot *spot)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(spot->value);
    const char    **at;
    yyjson_val     *item;
    size_t          count = 0;

    if (yyjson_arr_size(spot->value) == 0)
        return NULL;
    at = tn_arena_array(spot->tree->arena, yyjson_arr_size(spot->value) + 1, const char *);
    while (at && (item = yyjson_arr_iter_next(&items)))
        if ((at[count] = text_of(spot, item)))
            count++;
    return at && count > 0 ? at : NULL;
}

tenon_strs tn_spot_texts(const struct tn_spot *spot)
{
    const char *const *at    = tn_spot_words(spot);
    size_t             count = 0;

    while (at && at[count])
        count++;
    return (tenon_strs){ count, at };
}

static tenon_map map_of(const struct tn_spot *spot, const char *(*read)(const struct tn_spot *, yyjson_val *))
{
    yyjson_obj_iter names = yyjson_obj_iter_with(spot->value);
    tenon_pair     *at;
    yyjson_val     *name;
    size_t          count = 0;

    if (yyjson_obj_size(spot->value) == 0)
        return (tenon_map){ 0, NULL };
    at = tn_arena_array(spot->tree->arena, yyjson_obj_size(spot->value), tenon_pair);
    while (at && (name = yyjson_obj_iter_next(&names))) {
        struct tn_spot member = tn_spot_named(spot, name);

        at[count] = (tenon_pair){ member.name, read(&member, member.value) };
        count += at[count].value != NULL;
    }
    return (tenon_map){ count, at };
}

tenon_map tn_spot_map(const struct tn_spot *spot)
{
    return map_of(spot, text_of);
}

tenon_map tn_spot_paths(const struct tn_spot *spot)
{
    return map_of(spot, path_of);
}

/* ---- Units ------------------------------------------------------------------------------------------------------- */

static struct tn_slice slice_of(const struct tn_spot *spot)
{
    if (!yyjson_is_str(spot->value) && !yyjson_is_raw(spot->value))
        return (struct tn_slice){ NULL, 0 };
    return (struct tn_slice){ unsafe_yyjson_get_str(spot->value), unsafe_yyjson_get_len(spot->value) };
}

/* In the largest unit that leaves no rest. */
static const char *say_time(int ms, char out[32])
{
    static const struct {
        const char *name;
        int         ms;
    } units[] = { { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 } };

    for (size_t i = 0; ms > 0 && i < sizeof units / sizeof *units; i++)
        if (ms % units[i].ms == 0) {
            snprintf(out, 32, "%d%s", ms / units[i].ms, units[i].name);
            return out;
        }
    return "0";
}

static const char *say_size(size_t size, char out[32])
{
    static const char *const units[] = { "", "KiB", "MiB", "GiB" };
    size_t                   unit    = 0;

    for (; size >= 1024 && size % 1024 == 0 && unit < 3; unit++)
        size /= 1024;
    snprintf(out, 32, "%zu%s", size, units[unit]);
    return out;
}

void tn_spot_time(const struct tn_spot *spot, int min, int max, int *ms)
{
    struct tn_slice text = slice_of(spot);
    char            from[32], to[32];
    int64_t         value;

    if (!text.at)
        return;
    if (tn_settings_read_time(text, &value) && value >= min && value <= max)
        *ms = (int)value;
    else
        tn_spot_wrong(spot, SAY_CONFIG_TIME, spot->name, say_time(min, from), say_time(max, to));
}

void tn_spot_pause(const struct tn_spot *spot, struct tn_pause *pause)
{
    struct tn_slice text = slice_of(spot);
    const char     *mark;
    int64_t         first, most;

    if (!text.at)
        return;
    mark = memmem(text.at, text.len, PAUSE_MARK, strlen(PAUSE_MARK));
    if (mark &&
        tn_settings_read_time(tn_slice_trim((struct tn_slice){ text.at, (size_t)(mark - text.at) }),
                              &first) &&
        tn_settings_read_time(
            tn_slice_trim((struct tn_slice){ mark + strlen(PAUSE_MARK),
                                             (size_t)(text.at + text.len - mark) - strlen(PAUSE_MARK) }),
            &most) &&
        first > 0 && first <= most && most <= PAUSE_MOST)
        *pause = (struct tn_pause){ (int)first, (int)most };
    else
        tn_spot_wrong(spot, SAY_CONFIG_PAUSE, spot->name);
}

void tn_spot_size(const struct tn_spot *spot, size_t min, size_t max, size_t *size)
{
    struct tn_slice text = slice_of(spot);
    char            from[32], to[32];
    int64_t         value;

    if (!text.at)
        return;
    if (tn_settings_read_bytes(text, &value) && value >= 0 && (size_t)value >= min && (size_t)value <= max)
        *size = (size_t)value;
    else
        tn_spot_wrong(spot, SAY_CONFIG_SIZE, spot->name, say_size(min, from), say_size(max, to));
}

void tn_spot_rate(const struct tn_spot *spot, struct tn_rate_bucket *rate)
{
    struct tn_slice text = slice_of(spot);

    if (text.at && !tn_rate_read_bucket(text, rate)) {
        *rate = (struct tn_rate_bucket){ 0 };
        tn_spot_wrong(spot, SAY_CONFIG_RATE, spot->name);
    }
}
