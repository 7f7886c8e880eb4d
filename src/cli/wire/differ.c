/* differ.c - walking both. */
#include "cli/wire/differ.h"

#include "base/buf.h"
#include "cli/each.h"
#include "cli/value.h"
#include "json/read.h"
#include "json/write.h"

#define PATH_MAX_ ((size_t)1000)
#define SHOWN_MAX ((size_t)200) /* of a value */
#define DEPTH_MAX 200

struct walk {
    const struct differ *differ;
    struct tn_buf        path;
    yyjson_val          *was, *is; /* that differ; either may be NULL */
};

static bool is_ignored(const struct differ *differ, yyjson_val *name)
{
    for (size_t i = 0; i < differ->ignored_count; i++)
        if (yyjson_equals_str(name, differ->ignored[i]))
            return true;
    return false;
}

static bool walk(struct walk *walk, yyjson_val *was, yyjson_val *is, int depth);

/* One step down; the path goes back when nothing was found there. */
static bool walk_member(struct walk *state, yyjson_val *name, yyjson_val *was, yyjson_val *is, int depth)
{
    size_t len = state->path.len;

    tn_buf_addf(&state->path, "%s%.100s", len ? "." : "", yyjson_get_str(name));
    if (walk(state, was, is, depth))
        return true;
    state->path.len = len;
    return false;
}

static bool walk_object(struct walk *state, yyjson_val *was, yyjson_val *is, int depth)
{
    yyjson_val *name, *value;

    EACH_MEMBER(was, at, name, value)
    if (!is_ignored(state->differ, name) &&
        walk_member(state, name, value, yyjson_obj_getn(is, yyjson_get_str(name), yyjson_get_len(name)),
                    depth))
        return true;
    EACH_MEMBER(is, at, name, value)
    if (!is_ignored(state->differ, name) &&
        !yyjson_obj_getn(was, yyjson_get_str(name), yyjson_get_len(name)) &&
        walk_member(state, name, NULL, value, depth))
        return true;
    return false;
}

static bool walk_array(struct walk *state, yyjson_val *was, yyjson_val *is, int depth)
{
    size_t len  = state->path.len,
           most = yyjson_arr_size(was) > yyjson_arr_size(is) ? yyjson_arr_size(was) : yyjson_arr_size(is);
    yyjson_arr_iter old = yyjson_arr_iter_with(was), new = yyjson_arr_iter_with(is);

    for (size_t i = 0; i < most; i++) {
        tn_buf_addf(&state->path, "[%zu]", i);
        if (walk(state, yyjson_arr_iter_next(&old), yyjson_arr_iter_next(&new), depth))
            return true;
        state->path.len = len;
    }
    return false;
}

/* True at the first difference. */
static bool walk(struct walk *state, yyjson_val *was, yyjson_val *is, int depth)
{
    bool objects = yyjson_is_obj(was) && yyjson_is_obj(is), arrays = yyjson_is_arr(was) && yyjson_is_arr(is);

    if (depth < DEPTH_MAX && objects)
        return walk_object(state, was, is, depth + 1);
    if (depth < DEPTH_MAX && arrays)
        return walk_array(state, was, is, depth + 1);
    state->was = was;
    state->is  = is;
    return !(was && is && yyjson_equals(was, is));
}

static void show(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value)
{
    struct tn_buf text;

    tn_buf_init(&text, arena, 64, (size_t)64 << 20);
    if (value)
        tn_json_value(&text, value);
    tn_buf_addf(out, "%.*s%s", (int)(text.len < SHOWN_MAX ? text.len : SHOWN_MAX),
                value ? tn_buf_end(&text) : "",
                !value                 ? "not there"
                : text.len > SHOWN_MAX ? "..."
                                       : "");
}

const char *differ_find(const struct differ *differ, yyjson_val *was, yyjson_val *is)
{
    struct walk   state = { .differ = differ };
    struct tn_buf out;

    tn_buf_init(&state.path, differ->arena, 64, PATH_MAX_);
    if (!walk(&state, was, is, 0))
        return NULL;
    tn_buf_init(&out, differ->arena, 256, PATH_MAX_ + 4 * SHOWN_MAX + 64);
    tn_buf_addf(&out, "%s was ", state.path.len ? tn_buf_end(&state.path) : "the message");
    show(&out, differ->arena, state.was);
    tn_buf_lit(&out, ", is ");
    show(&out, differ->arena, state.is);
    return out.failed ? "it differs" : tn_buf_end(&out);
}
