/* registry.c - finding every resource and anchor of a document once, so that references are looked up, not searched. */
#include "document/registry.h"

#include <string.h>

#include "base/buf.h"
#include "json/pointer.h"
#include "json/read.h"
#include "text/uri_reference.h"

#define POINTER_MAX  4096
#define MEMBERS_FEW  16 /* of an object that is searched each time */
#define CUT(text)    (int)((text).len < 300 ? (text).len : 300)

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

/* Which vocabularies a metaschema asks for; an unknown one that is required cannot be obeyed. */
static bool read_vocabularies(struct mistake *mistake, const struct resource *metaschema, unsigned *out)
{
    yyjson_val     *declared = yyjson_obj_get(metaschema->root, "$vocabulary"), *key;
    yyjson_obj_iter iter;
    unsigned        found = 0, brings;

    *out = VOCABULARY_ALL;
    if (!yyjson_is_obj(declared))
        return true;
    yyjson_obj_iter_init(declared, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct slice uri      = { yyjson_get_str(key), yyjson_get_len(key) };
        bool         required = yyjson_get_bool(yyjson_obj_iter_get_val(key));

        if (!dialect_vocabulary(metaschema->dialect, uri, required, &brings) && required) {
            mistake_note(mistake, NULL, "the vocabulary %.*s is required and not known", (int)uri.len,
                         uri.at);
            return false;
        }
        found |= brings;
    }
    *out = found;
    return true;
}

/* The dialect that a schema names itself, if it is one of ours; else that of what it stands in. */
static enum dialect dialect_at(yyjson_val *schema, enum dialect around)
{
    struct slice uri = member_text(schema, "$schema");
    enum dialect own = around;

    if (uri.at)
        dialect_of_uri(without_empty_fragment(uri), &own);
    return own;
}

static bool refuse_dialect(struct mistake *mistake, struct slice uri)
{
    mistake_note(mistake, NULL,
                 "$schema names the dialect %.*s, which is none of 2020-12, 2019-09, draft-07, draft-06 and "
                 "draft-04, and not registered",
                 (int)uri.len, uri.at);
    return false;
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
    if (dialect_of_uri(uri, &resource->dialect))
        return true;
    metaschema = library_find(library, mistake, uri);
    if (!metaschema)
        return refuse_dialect(mistake, uri);
    resource->dialect = metaschema->dialect;
    return read_vocabularies(mistake, metaschema, &resource->vocabularies);
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

static bool refuse_id(struct walk *walk, struct slice id)
{
    mistake_note(walk->mistake, NULL, "the $id %.*s cannot be used", CUT(id), id.at);
    return false;
}

/* What $id makes of a schema: a resource of its own, or (until draft-07) a place with a name. */
static struct resource *enter_id(struct walk *walk, struct resource *resource, yyjson_val *schema,
                                 const struct step *step)
{
    const struct dialect_facts *facts = dialect_facts(dialect_at(schema, resource->dialect));
    struct slice                id    = member_text(schema, facts->id), uri, fragment;

    if (!id.at || resource->root == schema)
        return resource;
    if (facts->ref_alone && yyjson_obj_get(schema, "$ref"))
        return resource;
    if (facts->id_anchors && id.len > 0 && id.at[0] == '#')
        return id.len == 1 ||
                       add_anchor(walk, resource, (struct slice){ id.at + 1, id.len - 1 }, schema, false)
                   ? resource
                   : NULL;
    uri = reference_resolve(walk->library->arena, resource->uri, id);
    if (!uri.at)
        return refuse_id(walk, id), NULL;
    reference_split(uri, &uri, &fragment);
    resource = add_resource(walk, uri, schema, resource, step);
    if (resource && fragment.len > 0 && facts->id_anchors)
        return add_anchor(walk, resource, fragment, schema, false) ? resource : NULL;
    return resource;
}

/* $anchor and its dynamic kin. */
static bool add_anchors(struct walk *walk, struct resource *resource, yyjson_val *schema)
{
    const struct dialect_facts *facts = dialect_facts(resource->dialect);
    struct slice                name;

    name = facts->anchors ? member_text(schema, "$anchor") : SLICE_LIT("");
    if (name.len > 0 && !add_anchor(walk, resource, name, schema, false))
        return false;
    name = facts->dynamic_anchor ? member_text(schema, facts->dynamic_anchor) : SLICE_LIT("");
    if (name.len > 0 && !add_anchor(walk, resource, name, schema, true))
        return false;
    if (!facts->recursive_anchor || resource->root != schema ||
        !yyjson_is_true(yyjson_obj_get(schema, facts->recursive_anchor)))
        return true;
    return add_anchor(walk, resource, SLICE_LIT(RECURSIVE_ANCHOR), schema, true);
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
    yyjson_obj_iter iter;
    yyjson_val     *key;

    if (!yyjson_is_obj(schema))
        return true;
    resource = enter_id(walk, resource, schema, up);
    if (!resource)
        return false;
    if (!add_anchors(walk, resource, schema))
        return false;
    yyjson_obj_iter_init(schema, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct step step  = { .up = up, .name = { yyjson_get_str(key), yyjson_get_len(key) } };
        enum holds  holds = dialect_holds(resource->dialect, step.name);

        if (holds != HOLDS_NONE && !index_held(walk, resource, holds, yyjson_obj_iter_get_val(key), &step))
            return false;
    }
    return true;
}

bool library_add(struct library *library, struct mistake *mistake, struct slice uri, yyjson_val *root,
                 enum dialect fallback, struct resource **added)
{
    const struct dialect_facts *facts = dialect_facts(dialect_at(root, fallback));
    struct walk                 walk  = { library, mistake, fallback };
    struct slice                id = member_text(root, facts->id), own = uri, fragment;
    struct resource            *resource;

    reference_split(uri, &uri, &fragment);
    if (id.at && (id.len == 0 || id.at[0] != '#' || id.len == 1)) {
        own = reference_resolve(library->arena, uri, id);
        if (!own.at)
            return refuse_id(&walk, id);
        reference_split(own, &own, &fragment);
    }
    resource = add_resource(&walk, own, root, NULL, NULL);
    if (!resource)
        return false;
    /* Found under both names; one that is taken stays as it is. */
    if (uri.len > 0 && !named_find(&library->by_uri, NULL, uri) &&
        !put(&walk, &library->by_uri, NULL, uri, resource, "$ids"))
        return false;
    if (id.at && id.len > 1 && id.at[0] == '#' && facts->id_anchors &&
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
