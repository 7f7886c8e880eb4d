/* compile.c - schemas into nodes, each once, however often it is referred to. */
#include "document/compile.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "json/pointer.h"
#include "text/uri_reference.h"

#define LOCATION_MAX    8192
#define PLACE_SHOWN_MAX 500

const struct tn_node *tn_compile_memo(const struct tn_compilation *reading, const yyjson_val *schema)
{
    return tn_table_find(&reading->memo, schema, TABLE_NO_NAME);
}

static bool memo_put(struct tn_compilation *reading, const yyjson_val *schema, struct tn_node *node)
{
    return tn_table_add(&reading->memo, &reading->shape->arena, schema, TABLE_NO_NAME, node) != NULL;
}

/* ---- Places ------------------------------------------------------------------------------------------------ */

static struct tn_slice pointer_below(struct tn_compilation *reading, struct tn_slice pointer,
                                     const char *keyword, struct tn_slice name, size_t index)
{
    struct tn_buf out;

    if (reading->place_bytes > READ_PLACES_MAX)
        return pointer;
    tn_buf_init(&out, &reading->shape->arena, pointer.len + 32, LOCATION_MAX);
    tn_buf_add(&out, pointer.at, pointer.len);
    tn_pointer_add(&out, tn_slice_of(keyword));
    if (name.at)
        tn_pointer_add(&out, name);
    if (index != SIZE_MAX)
        tn_pointer_add_index(&out, index);
    if (!tn_buf_end(&out))
        return pointer;
    reading->place_bytes += out.len;
    return tn_buf_slice(&out);
}

struct tn_slice tn_compile_location(struct tn_arena *arena, const struct tn_schema *schema)
{
    const struct tn_resource *resource = schema->resource;
    struct tn_slice           pointer = schema->pointer, below = pointer;
    struct tn_buf             out;

    if (pointer.len >= resource->pointer.len && resource->pointer.len > 0 &&
        memcmp(pointer.at, resource->pointer.at, resource->pointer.len) == 0) {
        below.at += resource->pointer.len;
        below.len -= resource->pointer.len;
    }
    tn_buf_init(&out, arena, resource->uri.len + below.len + 2, LOCATION_MAX);
    tn_buf_add(&out, resource->uri.at, resource->uri.len);
    tn_buf_char(&out, '#');
    tn_buf_add(&out, below.at, below.len);
    return tn_buf_end(&out) ? tn_buf_slice(&out) : SLICE_LIT("#");
}

bool tn_compile_mistake(struct tn_schema_reader *reader, const char *keyword, const char *text)
{
    struct tn_slice at = tn_compile_location(&reader->reading->shape->arena, reader->schema);

    tn_mistake_note(&reader->reading->mistake, NULL, "%.*s%s%s: %s",
                    (int)(at.len < PLACE_SHOWN_MAX ? at.len : PLACE_SHOWN_MAX), at.at, keyword ? "/" : "",
                    keyword ? keyword : "", text);
    return false;
}

/* ---- Schemas ----------------------------------------------------------------------------------------------- */

static struct tn_node *new_node(struct tn_compilation *reading, yyjson_val *source,
                                struct tn_resource *resource, struct tn_slice pointer)
{
    struct tn_arena  *arena  = &reading->shape->arena;
    struct tn_node   *node   = tn_arena_new(arena, struct tn_node);
    struct tn_schema *schema = tn_arena_new(arena, struct tn_schema);

    if (!node || !schema)
        return NULL;
    node->kind       = NODE_SCHEMA;
    node->schema     = schema;
    node->text.max   = SIZE_MAX;
    node->list.max   = SIZE_MAX;
    node->number.min = -INFINITY;
    node->number.max = INFINITY;
    *schema          = (struct tn_schema){ .types       = TYPE_ANY,
                                           .resource    = resource,
                                           .pointer     = pointer,
                                           .source      = source,
                                           .read_before = reading->newest };
    reading->newest  = node;
    return node;
}

static const struct tn_node *read_one(struct tn_compilation *reading, yyjson_val *source,
                                      struct tn_resource *resource, struct tn_slice pointer)
{
    const struct tn_node   *known = tn_compile_memo(reading, source);
    struct tn_schema_reader reader;
    struct tn_node         *node;
    bool                    fine;

    if (known)
        return known;
    if (reading->memo.count >= READ_SCHEMAS_MAX || reading->depth >= READ_DEPTH_MAX) {
        tn_mistake_note(&reading->mistake, NULL,
                        "the schema has more than %zu subschemas, or nests deeper than %d", READ_SCHEMAS_MAX,
                        READ_DEPTH_MAX);
        return NULL;
    }
    node = new_node(reading, source, resource, pointer);
    if (!node || !memo_put(reading, source, node))
        return NULL;
    reader = (struct tn_schema_reader){ reading, resource, node, (struct tn_schema *)(uintptr_t)node->schema,
                                        source,  pointer };
    if (yyjson_is_bool(source)) {
        reader.schema->never = !yyjson_get_bool(source);
        reader.schema->types = reader.schema->never ? 0 : TYPE_ANY;
        return node;
    }
    if (!yyjson_is_obj(source)) {
        tn_compile_mistake(&reader, NULL, "a schema is an object, true or false");
        return NULL;
    }
    reading->depth++;
    fine = tn_compile_keywords(&reader);
    reading->depth--;
    return fine ? node : NULL;
}

const struct tn_node *tn_compile_inner(struct tn_schema_reader *reader, const char *keyword,
                                       struct tn_slice name, size_t index, yyjson_val *value)
{
    struct tn_compilation *reading  = reader->reading;
    struct tn_resource    *resource = tn_registry_at(reading->library, value);

    return read_one(reading, value, resource ? resource : reader->resource,
                    pointer_below(reading, reader->pointer, keyword, name, index));
}

const struct tn_node *tn_compile_reference(struct tn_schema_reader *reader, const char *keyword,
                                           struct tn_slice reference, yyjson_val **target,
                                           struct tn_resource **resource)
{
    struct tn_compilation *reading = reader->reading;
    struct tn_arena       *arena   = &reading->shape->arena;
    struct tn_slice        uri = tn_uri_reference_resolve(arena, reader->resource->uri, reference), pointer,
                    location;
    struct tn_buf place;

    if (!uri.at) {
        tn_compile_mistake(reader, keyword, "the reference cannot be resolved");
        return NULL;
    }
    tn_buf_init(&place, arena, 64, LOCATION_MAX);
    location = tn_compile_location(arena, reader->schema);
    tn_buf_add(&place, location.at, location.len < PLACE_SHOWN_MAX ? location.len : PLACE_SHOWN_MAX);
    tn_pointer_add(&place, tn_slice_of(keyword));
    if (!tn_buf_end(&place))
        return NULL;
    /* A document without a URI refers to itself with an empty one. */
    if (reader->resource->uri.len == 0 && (uri.len == 0 || uri.at[0] == '#')) {
        struct tn_resource *own = reader->resource;

        *target = tn_registry_resolve_within(reading->library, &reading->mistake, place.at, own, uri,
                                             resource, &pointer);
    } else {
        *target = tn_registry_resolve(reading->library, &reading->mistake, place.at, uri, resource, &pointer);
    }
    return *target ? read_one(reading, *target, *resource, pointer) : NULL;
}

/* Whatever a $dynamicRef may find at run time is read too: in every resource that can be on the way there. */
static bool read_dynamic(struct tn_compilation *reading)
{
    for (size_t before = SIZE_MAX; before != reading->memo.count;) {
        before = reading->memo.count;
        for (const struct tn_registry *library = reading->library; library; library = library->below)
            for (struct tn_resource *resource = library->resources; resource; resource = resource->next)
                for (const struct tn_anchor *anchor = resource->anchors; anchor; anchor = anchor->next) {
                    bool wanted = anchor->dynamic &&
                                  tn_table_find(&reading->dynamic_names, NULL, anchor->name) != NULL;

                    if (wanted && tn_compile_memo(reading, resource->root) == NULL &&
                        library != reading->library)
                        continue; /* nothing leads into that resource */
                    if (wanted && !read_one(reading, anchor->at, resource, anchor->pointer))
                        return false;
                }
    }
    return true;
}

const struct tn_node *tn_compile_schema(struct tn_compilation *reading, yyjson_val *root,
                                        struct tn_resource *resource)
{
    const struct tn_node *node = read_one(reading, root, resource, resource->pointer);

    if (!node || !read_dynamic(reading) || reading->mistake.text || reading->shape->arena.failed)
        return NULL;
    tn_check_compile(reading->newest, node);
    return node;
}
