/* library.c - finding every resource and anchor of a document once, so that references are looked up, not searched. */
#include "schema/library.h"

#include <string.h>

#include "base/buf.h"
#include "json/pointer.h"
#include "json/read.h"
#include "schema/reference.h"

#define DRAFT_07     "http://json-schema.org/draft-07/schema"
#define DRAFT_2020   "https://json-schema.org/draft/2020-12/schema"
#define VOCABULARY   "https://json-schema.org/draft/2020-12/vocab/"
#define POINTER_MAX  4096
#define MEMBERS_FEW  16 /* of an object that is searched each time */
#define CUT(text)    (int)((text).len < 300 ? (text).len : 300)

/* ---- Keywords ---------------------------------------------------------------------------------------------- */

enum holds library_holds(enum dialect dialect, struct slice keyword)
{
    static const struct {
        const char *name;
        enum holds  modern, draft_07;
    } table[] = {
        { "properties", HOLDS_MAP, HOLDS_MAP },
        { "items", HOLDS_ONE, HOLDS_ONE_OR_LIST },
        { "allOf", HOLDS_LIST, HOLDS_LIST },
        { "anyOf", HOLDS_LIST, HOLDS_LIST },
        { "oneOf", HOLDS_LIST, HOLDS_LIST },
        { "not", HOLDS_ONE, HOLDS_ONE },
        { "if", HOLDS_ONE, HOLDS_ONE },
        { "then", HOLDS_ONE, HOLDS_ONE },
        { "else", HOLDS_ONE, HOLDS_ONE },
        { "$defs", HOLDS_MAP, HOLDS_NONE },
        { "definitions", HOLDS_MAP, HOLDS_MAP },
        { "additionalProperties", HOLDS_ONE, HOLDS_ONE },
        { "patternProperties", HOLDS_MAP, HOLDS_MAP },
        { "propertyNames", HOLDS_ONE, HOLDS_ONE },
        { "contains", HOLDS_ONE, HOLDS_ONE },
        { "prefixItems", HOLDS_LIST, HOLDS_NONE },
        { "additionalItems", HOLDS_NONE, HOLDS_ONE },
        { "dependentSchemas", HOLDS_MAP, HOLDS_NONE },
        { "dependencies", HOLDS_MAP_OR_NAMES, HOLDS_MAP_OR_NAMES },
        { "unevaluatedItems", HOLDS_ONE, HOLDS_NONE },
        { "unevaluatedProperties", HOLDS_ONE, HOLDS_NONE },
        { "contentSchema", HOLDS_ONE, HOLDS_NONE },
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (slice_is(keyword, table[i].name))
            return dialect == DIALECT_DRAFT_07 ? table[i].draft_07 : table[i].modern;
    return HOLDS_NONE;
}

/* ---- Tables ------------------------------------------------------------------------------------------------ */

struct resource *library_at(const struct library *library, const yyjson_val *value)
{
    struct resource *found = NULL;

    for (; library && !found; library = library->below)
        found = named_find(&library->by_root, value, NAMED_NOTHING);
    return found;
}

static struct resource *lookup(const struct library *library, struct slice uri)
{
    struct resource *found = NULL;

    for (; library && !found; library = library->below)
        found = named_find(&library->by_uri, NULL, uri);
    return found;
}

/* ---- Dialects ---------------------------------------------------------------------------------------------- */

static struct slice member_text(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);

    return yyjson_is_str(value) ? (struct slice){ yyjson_get_str(value), yyjson_get_len(value) }
                                : (struct slice){ NULL, 0 };
}

static struct slice without_empty_fragment(struct slice uri)
{
    if (uri.len > 0 && uri.at[uri.len - 1] == '#')
        uri.len--;
    return uri;
}

/* Which vocabularies a metaschema of 2020-12 asks for; an unknown one that is required cannot be obeyed. */
static bool read_vocabularies(struct mistake *mistake, yyjson_val *metaschema, unsigned *out)
{
    yyjson_val     *declared = yyjson_obj_get(metaschema, "$vocabulary"), *key;
    yyjson_obj_iter iter;
    unsigned        found = 0;

    *out = VOCABULARY_ALL;
    if (!yyjson_is_obj(declared))
        return true;
    yyjson_obj_iter_init(declared, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct slice uri    = { yyjson_get_str(key), yyjson_get_len(key) };
        size_t       prefix = sizeof VOCABULARY - 1;
        struct slice name   = { uri.at + prefix, uri.len - prefix };
        bool         ours   = uri.len > prefix && memcmp(uri.at, VOCABULARY, prefix) == 0;

        if (ours && slice_is(name, "applicator"))
            found |= VOCABULARY_APPLICATOR;
        else if (ours && slice_is(name, "unevaluated"))
            found |= VOCABULARY_UNEVALUATED;
        else if (ours && slice_is(name, "validation"))
            found |= VOCABULARY_VALIDATION;
        else if (ours && slice_is(name, "format-assertion"))
            found |= VOCABULARY_FORMAT;
        else if (!ours && yyjson_get_bool(yyjson_obj_iter_get_val(key))) {
            mistake_note(mistake, NULL, "the vocabulary %.*s is required and not known", (int)uri.len,
                         uri.at);
            return false;
        }
    }
    *out = found;
    return true;
}

static bool set_dialect(struct library *library, struct mistake *mistake, struct resource *resource,
                        enum dialect fallback)
{
    struct slice     uri = member_text(resource->root, "$schema");
    struct resource *metaschema;

    resource->dialect      = resource->parent ? resource->parent->dialect : fallback;
    resource->vocabularies = resource->parent ? resource->parent->vocabularies : VOCABULARY_ALL;
    if (!uri.at)
        return true;
    uri                    = without_empty_fragment(uri);
    resource->vocabularies = VOCABULARY_ALL;
    if (slice_is(uri, DRAFT_2020)) {
        resource->dialect = DIALECT_2020_12;
        return true;
    }
    if (slice_is(uri, DRAFT_07)) {
        resource->dialect = DIALECT_DRAFT_07;
        return true;
    }
    metaschema = library_find(library, mistake, uri);
    if (!metaschema) {
        mistake_note(mistake, NULL,
                     "$schema names the dialect %.*s, which is neither 2020-12 nor draft-07 nor registered",
                     (int)uri.len, uri.at);
        return false;
    }
    resource->dialect = metaschema->dialect;
    return read_vocabularies(mistake, metaschema->root, &resource->vocabularies);
}

/* ---- Indexing ---------------------------------------------------------------------------------------------- */

struct walk {
    struct library *library;
    struct mistake *mistake;
    enum dialect    fallback;
};

/* A place in a document, on the stack. */
struct step {
    const struct step *up;
    struct slice       name; /* `at` is NULL for an index */
    size_t             index;
};

static void add_pointer(struct buf *out, const struct step *step)
{
    if (!step)
        return;
    add_pointer(out, step->up);
    if (step->name.at)
        pointer_add(out, step->name);
    else
        pointer_add_index(out, step->index);
}

static struct slice pointer_of(struct arena *arena, const struct step *step)
{
    struct buf out;

    buf_init(&out, arena, 32, POINTER_MAX);
    add_pointer(&out, step);
    buf_end(&out);
    return buf_slice(&out);
}

/* Puts a thing into a table; `what` says what such things are when there are too many in one place of it. */
static bool put(struct walk *walk, struct named *table, const void *in, struct slice name, void *thing,
                const char *what)
{
    struct arena *arena = walk->library->arena;

    if (named_put(table, arena, in, name, thing))
        return true;
    if (!arena->failed)
        mistake_note(walk->mistake, NULL, "the %s are made so that they cannot be told apart quickly", what);
    return false;
}

static bool add_anchor(struct walk *walk, struct resource *resource, struct slice name, yyjson_val *at,
                       bool dynamic)
{
    struct anchor *anchor = arena_new(walk->library->arena, struct anchor);

    if (!anchor)
        return false;
    if (resource_anchor(resource, name, false)) {
        mistake_note(walk->mistake, NULL, "the anchor '%.*s' stands twice in one resource", (int)name.len,
                     name.at);
        return false;
    }
    *anchor           = (struct anchor){ name, at, dynamic, resource->anchors };
    resource->anchors = anchor;
    return put(walk, &resource->by_name, NULL, name, anchor, "anchors");
}

static struct resource *add_resource(struct walk *walk, struct slice uri, yyjson_val *root,
                                     struct resource *parent, const struct step *step)
{
    struct library  *library  = walk->library;
    struct resource *resource = arena_new(library->arena, struct resource);

    if (!resource)
        return NULL;
    resource->uri     = uri;
    resource->root    = root;
    resource->parent  = parent;
    resource->pointer = pointer_of(library->arena, step);
    if (!set_dialect(library, walk->mistake, resource, walk->fallback))
        return NULL;
    if (uri.len > 0 && named_find(&library->by_uri, NULL, uri)) {
        mistake_note(walk->mistake, NULL, "the $id %.*s stands twice", (int)uri.len, uri.at);
        return NULL;
    }
    if (uri.len > 0 && !put(walk, &library->by_uri, NULL, uri, resource, "$ids"))
        return NULL;
    resource->next     = library->resources;
    library->resources = resource;
    return put(walk, &library->by_root, root, NAMED_NOTHING, resource, "resources") ? resource : NULL;
}

/* What $id makes of a schema: a resource of its own, or (draft-07) a place with a name. */
static struct resource *enter_id(struct walk *walk, struct resource *resource, yyjson_val *schema,
                                 const struct step *step)
{
    struct slice id = member_text(schema, "$id"), uri, fragment;

    if (!id.at || resource->root == schema)
        return resource;
    if (resource->dialect == DIALECT_DRAFT_07) {
        if (yyjson_obj_get(schema, "$ref"))
            return resource; /* draft-07 ignores what stands beside $ref */
        if (id.len > 0 && id.at[0] == '#')
            return id.len == 1 ||
                           add_anchor(walk, resource, (struct slice){ id.at + 1, id.len - 1 }, schema, false)
                       ? resource
                       : NULL;
    }
    uri = reference_resolve(walk->library->arena, resource->uri, id);
    if (!uri.at) {
        mistake_note(walk->mistake, NULL, "the $id %.*s cannot be used", (int)(id.len < 200 ? id.len : 200),
                     id.at);
        return NULL;
    }
    reference_split(uri, &uri, &fragment);
    resource = add_resource(walk, uri, schema, resource, step);
    if (resource && fragment.len > 0 && resource->dialect == DIALECT_DRAFT_07)
        return add_anchor(walk, resource, fragment, schema, false) ? resource : NULL;
    return resource;
}

static bool index_schema(struct walk *walk, struct resource *resource, yyjson_val *schema,
                         const struct step *up);

static bool index_held(struct walk *walk, struct resource *resource, enum holds holds, yyjson_val *value,
                       const struct step *up)
{
    yyjson_obj_iter members;
    yyjson_arr_iter items;
    yyjson_val     *one;
    struct step     step = { .up = up };

    if (holds == HOLDS_ONE || (holds == HOLDS_ONE_OR_LIST && !yyjson_is_arr(value)))
        return index_schema(walk, resource, value, up);
    if ((holds == HOLDS_LIST || holds == HOLDS_ONE_OR_LIST) && yyjson_is_arr(value)) {
        yyjson_arr_iter_init(value, &items);
        for (; (one = yyjson_arr_iter_next(&items)); step.index++)
            if (!index_schema(walk, resource, one, &step))
                return false;
    }
    if ((holds == HOLDS_MAP || holds == HOLDS_MAP_OR_NAMES) && yyjson_is_obj(value)) {
        yyjson_obj_iter_init(value, &members);
        while ((one = yyjson_obj_iter_next(&members))) {
            step.name = (struct slice){ yyjson_get_str(one), yyjson_get_len(one) };
            if (!index_schema(walk, resource, yyjson_obj_iter_get_val(one), &step))
                return false;
        }
    }
    return true;
}

static bool index_schema(struct walk *walk, struct resource *resource, yyjson_val *schema,
                         const struct step *up)
{
    struct slice    name;
    yyjson_obj_iter iter;
    yyjson_val     *key;

    if (!yyjson_is_obj(schema))
        return true;
    resource = enter_id(walk, resource, schema, up);
    if (!resource)
        return false;
    if (resource->dialect == DIALECT_2020_12) {
        name = member_text(schema, "$anchor");
        if (name.at && !add_anchor(walk, resource, name, schema, false))
            return false;
        name = member_text(schema, "$dynamicAnchor");
        if (name.at && !add_anchor(walk, resource, name, schema, true))
            return false;
    }
    yyjson_obj_iter_init(schema, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct step step  = { .up = up, .name = { yyjson_get_str(key), yyjson_get_len(key) } };
        enum holds  holds = library_holds(resource->dialect, step.name);

        if (holds != HOLDS_NONE && !index_held(walk, resource, holds, yyjson_obj_iter_get_val(key), &step))
            return false;
    }
    return true;
}

bool library_add(struct library *library, struct mistake *mistake, struct slice uri, yyjson_val *root,
                 enum dialect fallback, struct resource **added)
{
    struct walk      walk = { library, mistake, fallback };
    struct slice     id = member_text(root, "$id"), own = uri, fragment;
    struct resource *resource;

    reference_split(uri, &uri, &fragment);
    if (id.at && (id.len == 0 || id.at[0] != '#' || id.len == 1)) {
        own = reference_resolve(library->arena, uri, id);
        if (!own.at) {
            mistake_note(mistake, NULL, "the $id %.*s cannot be used", (int)(id.len < 200 ? id.len : 200),
                         id.at);
            return false;
        }
        reference_split(own, &own, &fragment);
    }
    resource = add_resource(&walk, own, root, NULL, NULL);
    if (!resource)
        return false;
    /* Found under both names; one that is taken stays as it is. */
    if (uri.len > 0 && !named_find(&library->by_uri, NULL, uri) &&
        !put(&walk, &library->by_uri, NULL, uri, resource, "$ids"))
        return false;
    if (id.at && id.len > 1 && id.at[0] == '#' && resource->dialect == DIALECT_DRAFT_07 &&
        !add_anchor(&walk, resource, (struct slice){ id.at + 1, id.len - 1 }, root, false))
        return false;
    *added = resource;
    return index_schema(&walk, resource, root, NULL);
}

/* ---- Finding ----------------------------------------------------------------------------------------------- */

struct resource *library_find(struct library *library, struct mistake *mistake, struct slice uri)
{
    static const struct json_limits limits = { LIBRARY_BYTES_MAX, LIBRARY_DEPTH_MAX, LIBRARY_NODES_MAX };
    struct resource                *found  = lookup(library, uri);
    const char                     *text   = found ? NULL : metaschema_text(uri);
    struct json_text                read;

    if (!text)
        return found;
    read = json_read(library->arena, text, strlen(text), &limits);
    if (!read.root || !library_add(library, mistake, uri, read.root, DIALECT_2020_12, &found))
        return NULL;
    return found;
}

const struct anchor *resource_anchor(const struct resource *resource, struct slice name, bool dynamic)
{
    const struct anchor *anchor = named_find(&resource->by_name, NULL, name);

    return anchor && (anchor->dynamic || !dynamic) ? anchor : NULL;
}

/* Puts all members of an object into the table, once; of a name that stands twice the first counts. */
static bool index_members(struct library *library, yyjson_val *object)
{
    yyjson_obj_iter iter;
    yyjson_val     *key = unsafe_yyjson_get_first(object);

    if (named_find(&library->members, object, (struct slice){ yyjson_get_str(key), yyjson_get_len(key) }))
        return true;
    yyjson_obj_iter_init(object, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct slice name = { yyjson_get_str(key), yyjson_get_len(key) };

        if (!named_find(&library->members, object, name) &&
            !named_put(&library->members, library->arena, object, name, yyjson_obj_iter_get_val(key)))
            return false;
    }
    return true;
}

static yyjson_val *child_of(struct library *library, yyjson_val *value, struct slice token)
{
    if (!yyjson_is_obj(value) || yyjson_obj_size(value) <= MEMBERS_FEW)
        return pointer_child(value, token);
    if (!token.at)
        token.at = "";
    return index_members(library, value) ? named_find(&library->members, value, token) : NULL;
}

static yyjson_val *follow_pointer(struct library *library, yyjson_val *at, struct slice rest,
                                  struct resource **resource)
{
    struct slice token;
    bool         bad = false;

    while (at && pointer_step(library->arena, &rest, &token, &bad)) {
        struct resource *inner;

        at    = child_of(library, at, token);
        inner = at ? library_at(library, at) : NULL;
        if (inner)
            *resource = inner;
    }
    return bad ? NULL : at;
}

static struct slice joined(struct arena *arena, struct slice a, struct slice b)
{
    struct buf out;

    buf_init(&out, arena, a.len + b.len + 1, POINTER_MAX * 2);
    buf_add(&out, a.at, a.len);
    buf_add(&out, b.at, b.len);
    buf_end(&out);
    return buf_slice(&out);
}

yyjson_val *library_resolve_within(struct library *library, struct mistake *mistake, const char *place,
                                   struct resource *within, struct slice uri, struct resource **resource,
                                   struct slice *pointer)
{
    struct slice         without, fragment;
    const struct anchor *anchor;
    yyjson_val          *found = NULL;

    *resource = within;
    reference_split(uri, &without, &fragment);
    fragment = reference_decode(library->arena, fragment);
    if (!fragment.at) {
        mistake_note(mistake, NULL, "%s: the fragment of %.*s is malformed", place, CUT(uri), uri.at);
        return NULL;
    }
    if (fragment.len == 0) {
        *pointer = within->pointer;
        return within->root;
    }
    if (fragment.at[0] == '/') {
        *pointer = joined(library->arena, within->pointer, fragment);
        found    = follow_pointer(library, within->root, fragment, resource);
    } else {
        anchor = resource_anchor(within, fragment, false);
        if (anchor) {
            found    = anchor->at;
            *pointer = joined(library->arena, SLICE_LIT("#"), fragment);
        }
    }
    if (!found)
        mistake_note(mistake, NULL, "%s: %.*s leads nowhere", place, CUT(uri), uri.at);
    return found;
}

yyjson_val *library_resolve(struct library *library, struct mistake *mistake, const char *place,
                            struct slice uri, struct resource **resource, struct slice *pointer)
{
    struct slice     without, fragment;
    struct resource *within;

    reference_split(uri, &without, &fragment);
    within = library_find(library, mistake, without);
    if (within)
        return library_resolve_within(library, mistake, place, within, uri, resource, pointer);
    mistake_note(mistake, NULL, "%s: nothing is registered under %.*s", place, CUT(without), without.at);
    return NULL;
}
