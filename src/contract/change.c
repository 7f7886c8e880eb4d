/* change.c - kinds of changes, in words that quote nothing new. */
#include "contract/change.h"

#include <stdarg.h>

#include "contract/phrases.h"
#include "json/echo.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define NAMED_MAX       3 /* parameters that are named; more are counted */
#define NAME_MAX_SHOWN  ((size_t)64)

/* Members that the protocol knows, and what a change of them is called. */
static const struct {
    const char *name, *word;
} known[] = {
    { "annotations", SAY_CHANGE_HINTS },
    { "outputSchema", SAY_CHANGE_OUTPUT },
    { "description", "description" },
    { "title", "title" },
    { "_meta", "_meta" },
    { "icons", "icons" },
    { "execution", "execution" },
    { "arguments", "arguments" },
    { "mimeType", "mimeType" },
    { "name", "name" },
    { "uriTemplate", "uriTemplate" },
};

struct change {
    struct tn_buf   *out;
    struct tn_arena *arena;
    size_t           from; /* where the list of changes begins */
};

static bool is_same(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    struct tn_buf left, right;

    if (!a || !b)
        return a == b;
    tn_buf_init(&left, arena, 256, CANONICAL_BYTES_MAX);
    tn_buf_init(&right, arena, 256, CANONICAL_BYTES_MAX);
    return tn_canonical_write(&left, arena, a) == CANONICAL_FINE &&
           tn_canonical_write(&right, arena, b) == CANONICAL_FINE &&
           tn_slice_same(tn_buf_slice(&left), tn_buf_slice(&right));
}

TENON_PRINTF(2, 3)
static void change_add(struct change *change, const char *format, ...)
{
    va_list args;

    if (change->out->len > change->from)
        tn_buf_lit(change->out, ", ");
    va_start(args, format);
    tn_buf_addv(change->out, format, args);
    va_end(args);
}

static yyjson_val *get(yyjson_val *object, struct tn_slice name)
{
    return yyjson_obj_getn(object, name.at, name.len);
}

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

/* Is `only` all that differs? */
static bool differs_only_in(struct tn_arena *arena, yyjson_val *a, yyjson_val *b, const char *only)
{
    yyjson_val     *both[] = { a, b }, *name;
    yyjson_obj_iter each;

    if (!yyjson_is_obj(a) || !yyjson_is_obj(b))
        return false;
    for (size_t i = 0; i < 2; i++)
        for (each = yyjson_obj_iter_with(both[i]); (name = yyjson_obj_iter_next(&each));)
            if (!yyjson_equals_str(name, only) &&
                !is_same(arena, get(a, tn_json_slice(name)), get(b, tn_json_slice(name))))
                return false;
    return true;
}

static void add_changed(struct change *change, struct tn_slice name, yyjson_val *a, yyjson_val *b)
{
    static const char *const parts[] = { "description", "default" };
    struct tn_slice          shown   = tn_echo_name(change->arena, name);

    if (shown.len > NAME_MAX_SHOWN)
        shown.len = NAME_MAX_SHOWN;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (differs_only_in(change->arena, a, b, parts[i])) {
            change_add(change, "%s of parameter '%.*s'", parts[i], (int)shown.len, shown.at);
            return;
        }
    change_add(change, SAY_CHANGE_CHANGED, (int)shown.len, shown.at);
}

static void add_removed(struct change *change, struct tn_slice name)
{
    struct tn_slice shown = tn_echo_name(change->arena, name);

    change_add(change, SAY_CHANGE_REMOVED, (int)(shown.len < NAME_MAX_SHOWN ? shown.len : NAME_MAX_SHOWN),
               shown.at);
}

/* Parameters that are gone, or that differ; by name when they are few. */
static void compare_approved(struct change *change, yyjson_val *approved, yyjson_val *live, bool removed)
{
    yyjson_obj_iter each;
    yyjson_val     *name;
    size_t          count = 0;

    for (int round = 0; round < 2; round++)
        for (each = yyjson_obj_iter_with(approved); (name = yyjson_obj_iter_next(&each));) {
            yyjson_val *was = yyjson_obj_iter_get_val(name), *is = get(live, tn_json_slice(name));

            if (removed ? is != NULL : !is || is_same(change->arena, was, is))
                continue;
            if (round == 0)
                count++;
            else if (count <= NAMED_MAX && removed)
                add_removed(change, tn_json_slice(name));
            else if (count <= NAMED_MAX)
                add_changed(change, tn_json_slice(name), was, is);
        }
    if (count > NAMED_MAX)
        change_add(change, SAY_CHANGE_SOME, count, removed ? "removed" : "changed");
}

static void compare_parameters(struct change *change, yyjson_val *approved, yyjson_val *live)
{
    yyjson_obj_iter each  = yyjson_obj_iter_with(live);
    size_t          added = 0;
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&each)))
        added += !get(approved, tn_json_slice(name));
    if (added > 0)
        change_add(change, SAY_CHANGE_ADDED, added, added == 1 ? "" : "s");
    compare_approved(change, approved, live, true);
    compare_approved(change, approved, live, false);
}

/* Is the rest of the schema the same, without its parameters? */
static bool is_rest_same(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    yyjson_val     *both[] = { a, b }, *name;
    yyjson_obj_iter each;

    for (size_t i = 0; i < 2; i++)
        for (each = yyjson_obj_iter_with(both[i]); (name = yyjson_obj_iter_next(&each));)
            if (!yyjson_equals_str(name, "properties") && !yyjson_equals_str(name, "required") &&
                !is_same(arena, get(a, tn_json_slice(name)), get(b, tn_json_slice(name))))
                return false;
    return yyjson_is_obj(a) && yyjson_is_obj(b);
}

static void compare_input(struct change *change, yyjson_val *approved, yyjson_val *live)
{
    compare_parameters(change, yyjson_obj_get(approved, "properties"), yyjson_obj_get(live, "properties"));
    if (!is_same(change->arena, yyjson_obj_get(approved, "required"), yyjson_obj_get(live, "required")))
        change_add(change, "%s", SAY_CHANGE_REQUIRED);
    if (!is_rest_same(change->arena, approved, live))
        change_add(change, "%s", SAY_CHANGE_SCHEMA);
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

/* What a change of this member is called; NULL when the protocol does not know it. */
static const char *word_of(struct tn_slice name)
{
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (tn_slice_is(name, known[i].name))
            return known[i].word;
    return NULL;
}

/* A member that the protocol does not know is named only if it was approved. */
static void compare_member(struct change *change, struct tn_slice name, yyjson_val *was, yyjson_val *is,
                           size_t *others)
{
    const char *word = word_of(name);

    if (is_same(change->arena, was, is))
        return;
    if (tn_slice_is(name, "inputSchema"))
        compare_input(change, was, is);
    else if (word)
        change_add(change, "%s", word);
    else
        ++*others;
}

void tn_change_describe(struct tn_buf *out, struct tn_arena *arena, yyjson_val *approved, yyjson_val *live)
{
    struct change   change = { out, arena, out->len };
    yyjson_obj_iter each   = yyjson_obj_iter_with(approved);
    size_t          others = 0;
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&each)))
        compare_member(&change, tn_json_slice(name), yyjson_obj_iter_get_val(name),
                       get(live, tn_json_slice(name)), &others);
    for (each = yyjson_obj_iter_with(live); (name = yyjson_obj_iter_next(&each));)
        if (!get(approved, tn_json_slice(name)))
            compare_member(&change, tn_json_slice(name), NULL, yyjson_obj_iter_get_val(name), &others);
    if (others > 0)
        change_add(&change, SAY_CHANGE_OTHER, others, others == 1 ? "" : "s");
    if (out->len == change.from)
        tn_buf_text(out, SAY_CHANGE_ALL);
}
