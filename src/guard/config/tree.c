/* tree.c - reads a file, and finds where things in it stand. */
#define _GNU_SOURCE
#include "guard/config/tree.h"

#include "base/table.h"
#include "base/utf8.h"
#include "guard/phrases.h"
#include "json/member.h"
#include "json/pointer.h"
#include "json/read.h"

#define BOM "\xef\xbb\xbf"

/* ---- Writing with marks ---------------------------------------------------------------------------------------- */

void tn_marked_init(struct tn_marked *marked, struct tn_arena *arena)
{
    *marked = (struct tn_marked){ .count = 0 };
    tn_buf_init(&marked->json, arena, 0, CONFIG_BYTES_MAX * 8);
}

void tn_mark(struct tn_marked *marked, struct tn_json_position at)
{
    size_t          room = marked->room ? marked->room * 2 : 64;
    struct tn_mark *more;

    if (marked->count == marked->room) {
        more = tn_arena_resize(marked->json.arena, marked->marks, marked->room * sizeof *more,
                               room * sizeof *more);
        if (!more) {
            tn_buf_fail_(&marked->json);
            return;
        }
        marked->marks = more;
        marked->room  = room;
    }
    marked->marks[marked->count++] = (struct tn_mark){ marked->json.len, at };
}

/* ---- Places ----------------------------------------------------------------------------------------------------- */

struct tn_json_position tn_tree_position(const struct tn_tree *tree, size_t byte)
{
    size_t low = 0, high = tree->mark_count;

    if (!tree->marks)
        return tn_json_position(tree->source, byte);
    while (high - low > 1) { /* the last that does not stand after it */
        size_t middle = low + (high - low) / 2;

        if (tree->marks[middle].byte <= byte)
            low = middle;
        else
            high = middle;
    }
    return tree->mark_count ? tree->marks[low].at : (struct tn_json_position){ 1, 1 };
}

/* The member or item of a container that a token names, and its key; false when it has none. */
static bool step_into(struct tn_slice *text, yyjson_val **value, struct tn_slice token, const char **key)
{
    struct tn_members all = tn_members_of(*text);
    struct tn_member  one = { { NULL, 0 }, { NULL, 0 } };
    yyjson_obj_iter   names;
    yyjson_val       *name, *inner = tn_pointer_child(*value, token);
    size_t            index = 0;

    if (!inner)
        return false;
    if (yyjson_is_arr(*value)) {
        tn_pointer_index(token, &index);
        for (size_t i = 0; i <= index; i++)
            if (!tn_items_next(&all, text))
                return false;
        *key   = text->at;
        *value = inner;
        return true;
    }
    names = yyjson_obj_iter_with(*value);
    while ((name = yyjson_obj_iter_next(&names)) && tn_members_next(&all, &one)) {
        if (!tn_slice_same(tn_json_slice(name), token))
            continue;
        *key   = one.name.at - 1;
        *text  = one.value;
        *value = inner;
        return true;
    }
    return false;
}

struct tn_json_position tn_tree_place(const struct tn_tree *tree, struct tn_slice pointer, bool of_key)
{
    struct tn_slice text  = tree->json, token;
    yyjson_val     *value = tree->root;
    const char     *key   = text.at;
    bool            bad = false, found = true;

    while (value && found && tn_pointer_step(tree->arena, &pointer, &token, &bad))
        found = step_into(&text, &value, token, &key);
    if (text.at == tree->json.at) { /* the whole: without what stands before it */
        size_t byte;

        tn_json_locate(tree->json, SLICE_LIT(""), &byte);
        return tn_tree_position(tree, byte);
    }
    return tn_tree_position(tree, (size_t)((of_key && found ? key : text.at) - tree->json.at));
}

/* ---- What no value may have -------------------------------------------------------------------------------------- */

/* Names that stand twice, and texts that end early. The rest can be read all the same. */
struct look {
    struct tn_tree *tree;
    struct tn_table names;
};

static void refuse(struct look *look, const char *at, const char *sentence)
{
    tn_mistakes_add(look->tree->mistakes, tn_tree_position(look->tree, (size_t)(at - look->tree->json.at)),
                    false, "%s", sentence);
}

static void look_at_text(struct look *look, yyjson_val *value, const char *at)
{
    struct tn_slice text = tn_json_slice(value);

    if (text.len > 0 && memchr(text.at, '\0', text.len))
        refuse(look, at, SAY_CONFIG_NUL);
}

static void look_at(struct look *look, yyjson_val *value, struct tn_slice text);

static void look_at_object(struct look *look, yyjson_val *value, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(value);
    struct tn_member  one;
    yyjson_val       *name;

    while ((name = yyjson_obj_iter_next(&names)) && tn_members_next(&all, &one)) {
        look_at_text(look, name, one.name.at - 1);
        if (tn_table_find(&look->names, value, tn_json_slice(name)))
            refuse(look, one.name.at - 1, SAY_CONFIG_TWICE);
        else
            tn_table_add(&look->names, look->tree->arena, value, tn_json_slice(name), name);
        look_at(look, yyjson_obj_iter_get_val(name), one.value);
    }
}

/* As deep as the reader allows. */
static void look_at(struct look *look, yyjson_val *value, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_arr_iter   items = yyjson_arr_iter_with(value);
    yyjson_val       *item;
    struct tn_slice   one;

    if (yyjson_is_obj(value))
        look_at_object(look, value, text);
    else if (yyjson_is_arr(value))
        while ((item = yyjson_arr_iter_next(&items)) && tn_items_next(&all, &one))
            look_at(look, item, one);
    else
        look_at_text(look, value, text.at);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool read_json(struct tn_tree *tree)
{
    const struct tn_json_limits limits = { CONFIG_BYTES_MAX * 8, CONFIG_DEPTH_MAX, CONFIG_NODES_MAX };
    struct tn_json_text read = tn_json_read_literal(tree->arena, tree->json.at, tree->json.len, &limits);
    struct look         look = { .tree = tree };

    tree->root = read.root;
    if (read.fault == JSON_SYNTAX)
        tn_mistakes_add(tree->mistakes, tn_tree_position(tree, read.at), false, SAY_CONFIG_JSON, read.what);
    else if (read.bad_utf8)
        tn_mistakes_add(tree->mistakes, tn_tree_position(tree, read.at), false, "%s", SAY_CONFIG_UTF8);
    else if (read.fault == JSON_TOO_DEEP)
        tn_mistakes_add(tree->mistakes, (struct tn_json_position){ 1, 1 }, false, SAY_CONFIG_DEEP,
                        CONFIG_DEPTH_MAX);
    else if (read.fault != JSON_FINE)
        tn_mistakes_add(tree->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s",
                        read.fault == JSON_NO_MEMORY ? SAY_MEMORY : SAY_CONFIG_LARGE);
    if (read.fault != JSON_FINE || read.bad_utf8)
        return false;
    look_at(&look, tree->root, tree->json);
    if (tree->arena->failed)
        tn_mistakes_add(tree->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s", SAY_MEMORY);
    return !tree->arena->failed;
}

bool tn_tree_of(struct tn_tree *tree, struct tn_marked *marked)
{
    tree->json       = tn_buf_slice(&marked->json);
    tree->marks      = marked->marks;
    tree->mark_count = marked->count;
    if (!marked->json.failed)
        return read_json(tree);
    tn_mistakes_add(tree->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s", SAY_CONFIG_LARGE);
    return false;
}

bool tn_tree_read(struct tn_tree *tree, struct tn_slice text, bool is_yaml)
{
    struct tn_marked marked;
    const char      *nul = memchr(text.at, '\0', text.len);

    if (text.len >= strlen(BOM) && memcmp(text.at, BOM, strlen(BOM)) == 0)
        text = (struct tn_slice){ text.at + strlen(BOM), text.len - strlen(BOM) };
    tree->source = tree->json = text;
    tree->marks               = NULL;
    if (nul || text.len > CONFIG_BYTES_MAX) {
        tn_mistakes_add(tree->mistakes,
                        nul ? tn_json_position(text, (size_t)(nul - text.at))
                            : (struct tn_json_position){ 1, 1 },
                        false, "%s", nul ? SAY_CONFIG_NUL : SAY_CONFIG_LARGE);
        return false;
    }
    if (!is_yaml) {
        tree->json = tn_comments_blanked(tree->arena, text);
        return read_json(tree);
    }
    tn_marked_init(&marked, tree->arena);
    return tn_yaml_read(tree, &marked) && tn_tree_of(tree, &marked);
}
