/* places.c - walks a text and its schemas side by side. */
#include "contract/fuzz/places.h"

#include "base/buf.h"
#include "document/document.h"
#include "json/pointer.h"
#include "json/read.h"
#include "json/scan.h"

#define TEXT_MAX    ((size_t)256 << 10)
#define POINTER_MAX ((size_t)4096)

struct walk {
    struct tn_places *places;
    struct tn_arena  *arena;
    struct tn_scan    scan;
    size_t            depth;
    bool              failed;
};

static void walk_value(struct walk *walk, const struct tn_place *place);

static struct tn_slice child_pointer(struct walk *walk, struct tn_slice of, const struct tn_place *child)
{
    struct tn_buf out;

    tn_buf_init(&out, walk->arena, of.len + child->name.len + 8, POINTER_MAX);
    tn_buf_add(&out, of.at, of.len);
    if (child->name.at)
        tn_pointer_add(&out, child->name);
    else
        tn_pointer_add_index(&out, child->index);
    return tn_buf_slice(&out);
}

/* The value that is next in the text is a place of its own while there is room; it is walked over in any case. */
static void walk_child(struct walk *walk, size_t parent, struct tn_place *child)
{
    struct tn_places *places = walk->places;

    tn_scan_skip_spaces(&walk->scan);
    child->from = walk->scan.next;
    if (places->count == PLACES_MAX || walk->depth >= PLACES_DEPTH ||
        (!child->name.at && child->index >= PLACES_ITEMS)) {
        tn_scan_skip_value(&walk->scan);
        return;
    }
    child->parent  = parent;
    child->pointer = child_pointer(walk, places->at[parent].pointer, child);
    walk_value(walk, child);
}

static void walk_object(struct walk *walk, size_t at)
{
    const struct tn_place *object = &walk->places->at[at];
    yyjson_obj_iter        iter   = yyjson_obj_iter_with(object->value);
    yyjson_val            *key;
    char                   mark = '{';

    while ((key = yyjson_obj_iter_next(&iter)) && tn_scan_take(&walk->scan, mark)) {
        struct tn_place child = { .name = tn_json_slice(key), .value = yyjson_obj_iter_get_val(key) };

        mark = ',';
        tn_scan_skip_spaces(&walk->scan);
        child.key = walk->scan.next;
        tn_scan_take_string(&walk->scan);
        if (!tn_scan_take(&walk->scan, ':'))
            return;
        child.view = tn_view_member(&object->view, child.name.at, child.name.len, walk->places->way, false);
        walk_child(walk, at, &child);
    }
}

static void walk_array(struct walk *walk, size_t at)
{
    const struct tn_place *list = &walk->places->at[at];
    yyjson_arr_iter        iter = yyjson_arr_iter_with(list->value);
    yyjson_val            *item;
    char                   mark = '[';

    for (size_t i = 0; (item = yyjson_arr_iter_next(&iter)) && tn_scan_take(&walk->scan, mark); i++) {
        struct tn_place child = { .index = i, .value = item };

        mark       = ',';
        child.view = tn_view_item(&list->view, i, walk->places->way, false);
        walk_child(walk, at, &child);
    }
}

static void walk_value(struct walk *walk, const struct tn_place *place)
{
    struct tn_places *places = walk->places;
    size_t            at     = places->count++;

    places->at[at] = *place;
    if (!place->name.at)
        places->at[at].key = place->from;
    walk->depth++;
    if (yyjson_is_obj(place->value))
        walk_object(walk, at);
    else if (yyjson_is_arr(place->value))
        walk_array(walk, at);
    walk->depth--;
    walk->scan.next = place->from;
    tn_scan_skip_value(&walk->scan);
    places->at[at].to = walk->scan.next;
}

bool tn_places_find(struct tn_places *places, struct tn_arena *arena, const tenon_schema *schema,
                    struct tn_slice text, size_t way)
{
    static const struct tn_json_limits limits = { TEXT_MAX, 64, 100000 };
    struct tn_json_text                read   = tn_json_read(arena, text.at, text.len, &limits);
    struct walk                        walk = { .places = places, .arena = arena, .scan = tn_scan_of(text) };
    struct tn_place                    root = { .pointer = { "", 0 }, .value = read.root };

    *places = (struct tn_places){ .text = text, .way = way };
    if (read.fault != JSON_FINE || !yyjson_is_obj(read.root))
        return false;
    places->at = tn_arena_array(arena, PLACES_MAX, struct tn_place);
    if (!places->at)
        return false;
    root.view = tn_view_of(schema->node, way, false);
    walk_value(&walk, &root);
    return !arena->failed;
}

bool tn_place_is_required(const struct tn_places *places, const struct tn_place *place)
{
    const struct tn_view *object = &places->at[place->parent].view;

    for (size_t i = 0; place->name.at && i < object->count; i++) {
        const struct tn_object_rules *rules = object->at[i]->schema->object;
        const struct tn_property     *known = rules ? tn_view_property(rules, place->name.at, place->name.len)
                                                    : NULL;

        if (known && known->required)
            return true;
    }
    return false;
}
