/* compile.c - schemas into nodes, each once, however often it is referred to. */
#include "document/compile.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "json/pointer.h"
#include "text/uri_reference.h"

#define LOCATION_MAX    8192
#define PLACE_SHOWN_MAX 500

const struct node *read_memo(const struct reading *reading, const yyjson_val *schema)
{
    return named_find(&reading->memo, schema, NAMED_NOTHING);
}

static bool memo_put(struct reading *reading, const yyjson_val *schema, struct node *node)
{
    struct arena *arena = &reading->shape->arena;

    if (named_put(&reading->memo, arena, schema, NAMED_NOTHING, node))
        return true;
    if (!arena->failed)
        mistake_note(&reading->mistake, NULL,
                     "the schemas are made so that they cannot be told apart quickly");
    return false;
}

/* ---- Places ------------------------------------------------------------------------------------------------ */

static struct slice pointer_below(struct reading *reading, struct slice pointer, const char *keyword,
                                  struct slice name, size_t index)
{
    struct buf out;

    if (reading->place_bytes > READ_PLACES_MAX)
        return pointer;
    buf_init(&out, &reading->shape->arena, pointer.len + 32, LOCATION_MAX);
    buf_add(&out, pointer.at, pointer.len);
    pointer_add(&out, slice_of(keyword));
    if (name.at)
        pointer_add(&out, name);
    if (index != SIZE_MAX)
        pointer_add_index(&out, index);
    if (!buf_end(&out))
        return pointer;
    reading->place_bytes += out.len;
    return buf_slice(&out);
}

struct slice read_location(struct arena *arena, const struct schema *schema)
{
    const struct resource *resource = schema->resource;
    struct slice           pointer = schema->pointer, below = pointer;
    struct buf             out;

    if (pointer.len >= resource->pointer.len && resource->pointer.len > 0 &&
        memcmp(pointer.at, resource->pointer.at, resource->pointer.len) == 0) {
        below.at += resource->pointer.len;
        below.len -= resource->pointer.len;
    }
    buf_init(&out, arena, resource->uri.len + below.len + 2, LOCATION_MAX);
    buf_add(&out, resource->uri.at, resource->uri.len);
    buf_char(&out, '#');
    buf_add(&out, below.at, below.len);
    return buf_end(&out) ? buf_slice(&out) : SLICE_LIT("#");
}

bool read_mistake(struct reader *reader, const char *keyword, const char *text)
{
    struct slice at = read_location(&reader->reading->shape->arena, reader->schema);

    mistake_note(&reader->reading->mistake, NULL, "%.*s%s%s: %s",
                 (int)(at.len < PLACE_SHOWN_MAX ? at.len : PLACE_SHOWN_MAX), at.at, keyword ? "/" : "",
                 keyword ? keyword : "", text);
    return false;
}

/* ---- Schemas ----------------------------------------------------------------------------------------------- */

static struct node *new_node(struct reading *reading, yyjson_val *source, struct resource *resource,
                             struct slice pointer)
{
    struct arena  *arena  = &reading->shape->arena;
    struct node   *node   = arena_new(arena, struct node);
    struct schema *schema = arena_new(arena, struct schema);

    if (!node || !schema)
        return NULL;
    node->kind       = NODE_SCHEMA;
    node->schema     = schema;
    node->text.max   = SIZE_MAX;
    node->list.max   = SIZE_MAX;
    node->number.min = -INFINITY;
    node->number.max = INFINITY;
    *schema          = (struct schema){
                 .types = TYPE_ANY, .resource = resource, .pointer = pointer, .source = source
    };
    return node;
}

static const struct node *read_one(struct reading *reading, yyjson_val *source, struct resource *resource,
                                   struct slice pointer)
{
    const struct node *known = read_memo(reading, source);
    struct reader      reader;
    struct node       *node;
    bool               fine;

    if (known)
        return known;
    if (reading->memo.count >= READ_SCHEMAS_MAX || reading->depth >= READ_DEPTH_MAX) {
        mistake_note(&reading->mistake, NULL,
                     "the schema has more than %zu subschemas, or nests deeper than %d", READ_SCHEMAS_MAX,
                     READ_DEPTH_MAX);
        return NULL;
    }
    node = new_node(reading, source, resource, pointer);
    if (!node || !memo_put(reading, source, node))
        return NULL;
    reader = (struct reader){ reading, resource, node, (struct schema *)(uintptr_t)node->schema,
                              source,  pointer };
    if (yyjson_is_bool(source)) {
        reader.schema->never = !yyjson_get_bool(source);
        reader.schema->types = reader.schema->never ? 0 : TYPE_ANY;
        return node;
    }
    if (!yyjson_is_obj(source)) {
        read_mistake(&reader, NULL, "a schema is an object, true or false");
        return NULL;
    }
    reading->depth++;
    fine = read_keywords(&reader);
    reading->depth--;
    return fine ? node : NULL;
}

const struct node *read_inner(struct reader *reader, const char *keyword, struct slice name, size_t index,
                              yyjson_val *value)
{
    struct reading  *reading  = reader->reading;
    struct resource *resource = library_at(reading->library, value);

    return read_one(reading, value, resource ? resource : reader->resource,
                    pointer_below(reading, reader->pointer, keyword, name, index));
}

const struct node *read_reference(struct reader *reader, const char *keyword, struct slice reference,
                                  yyjson_val **target, struct resource **resource)
{
    struct reading *reading = reader->reading;
    struct arena   *arena   = &reading->shape->arena;
    struct slice    uri     = reference_resolve(arena, reader->resource->uri, reference), pointer, location;
    struct buf      place;

    if (!uri.at) {
        read_mistake(reader, keyword, "the reference cannot be resolved");
        return NULL;
    }
    buf_init(&place, arena, 64, LOCATION_MAX);
    location = read_location(arena, reader->schema);
    buf_add(&place, location.at, location.len < PLACE_SHOWN_MAX ? location.len : PLACE_SHOWN_MAX);
    pointer_add(&place, slice_of(keyword));
    if (!buf_end(&place))
        return NULL;
    /* A document without a URI refers to itself with an empty one. */
    if (reader->resource->uri.len == 0 && (uri.len == 0 || uri.at[0] == '#')) {
        struct resource *own = reader->resource;

        *target = library_resolve_within(reading->library, &reading->mistake, place.at, own, uri, resource,
                                         &pointer);
    } else {
        *target = library_resolve(reading->library, &reading->mistake, place.at, uri, resource, &pointer);
    }
    return *target ? read_one(reading, *target, *resource, pointer) : NULL;
}

/* Whatever a $dynamicRef may find at run time is read too: in every resource that can be on the way there. */
static bool read_dynamic(struct reading *reading)
{
    for (size_t before = SIZE_MAX; before != reading->memo.count;) {
        before = reading->memo.count;
        for (const struct library *library = reading->library; library; library = library->below)
            for (struct resource *resource = library->resources; resource; resource = resource->next)
                for (const struct anchor *anchor = resource->anchors; anchor; anchor = anchor->next) {
                    bool wanted = anchor->dynamic &&
                                  named_find(&reading->dynamic_names, NULL, anchor->name) != NULL;

                    if (wanted && read_memo(reading, resource->root) == NULL && library != reading->library)
                        continue; /* nothing leads into that resource */
                    if (wanted && !read_one(reading, anchor->at, resource, SLICE_LIT("")))
                        return false;
                }
    }
    return true;
}

const struct node *read_schema(struct reading *reading, yyjson_val *root, struct resource *resource)
{
    const struct node *node = read_one(reading, root, resource, resource->pointer);

    if (!node || !read_dynamic(reading) || reading->mistake.text || reading->shape->arena.failed)
        return NULL;
    return node;
}
