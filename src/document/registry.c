/* registry.c - finding every resource and anchor of a document once, so that references are looked up, not searched. */
#include "document/registry.h"

#include <string.h>

#include "base/buf.h"
#include "json/pointer.h"
#include "text/uri.h"
#include "text/uri_reference.h"

#define POINTER_MAX  4096
#define MEMBERS_FEW  16 /* of an object that is searched each time */
#define CUT(text)    (int)((text).len < 300 ? (text).len : 300)

const struct tn_json_limits tn_registry_limits = { LIBRARY_BYTES_MAX, LIBRARY_DEPTH_MAX, LIBRARY_NODES_MAX };

/* ---- Tables ------------------------------------------------------------------------------------------------ */

struct tn_resource *tn_registry_at(const struct tn_registry *library, const yyjson_val *value)
{
    struct tn_resource *found = NULL;

    for (; library && !found; library = library->below)
        found = tn_table_find(&library->by_root, value, TABLE_NO_NAME);
    return found;
}

static struct tn_resource *lookup(const struct tn_registry *library, struct tn_slice uri)
{
    struct tn_resource *found = NULL;

    for (; library && !found; library = library->below)
        found = tn_table_find(&library->by_uri, NULL, uri);
    return found;
}

/* ---- Dialects ---------------------------------------------------------------------------------------------- */

static struct tn_slice member_text(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);

    return yyjson_is_str(value) ? (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) }
                                : (struct tn_slice){ NULL, 0 };
}

static struct tn_slice without_empty_fragment(struct tn_slice uri)
{
    if (uri.len > 0 && uri.at[uri.len - 1] == '#')
        uri.len--;
    return uri;
}

/* Which vocabularies a metaschema asks for; an unknown one that is required cannot be obeyed. */
static bool read_vocabularies(struct tn_mistake *mistake, const struct tn_resource *metaschema, unsigned *out)
{
    yyjson_val     *declared = yyjson_obj_get(metaschema->root, "$vocabulary"), *key;
    yyjson_obj_iter iter;
    unsigned        found = 0, brings;

    *out = VOCABULARY_ALL;
    if (!yyjson_is_obj(declared))
        return true;
    yyjson_obj_iter_init(declared, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct tn_slice uri      = { yyjson_get_str(key), yyjson_get_len(key) };
        bool            required = yyjson_get_bool(yyjson_obj_iter_get_val(key));

        if (!tn_dialect_vocabulary(metaschema->dialect, uri, required, &brings) && required) {
            tn_mistake_note(mistake, NULL, "the vocabulary %.*s is required and not known", (int)uri.len,
                            uri.at);
            return false;
        }
        found |= brings;
    }
    *out = found;
    return true;
}

/* The dialect that a schema names itself, if it is one of ours; else that of what it stands in. */
static enum tn_dialect dialect_at(yyjson_val *schema, enum tn_dialect around)
{
    struct tn_slice uri = member_text(schema, "$schema");
    enum tn_dialect own = around;

    if (uri.at)
        tn_dialect_of_uri(without_empty_fragment(uri), &own);
    return own;
}

static bool refuse_dialect(const struct tn_registry *library, struct tn_mistake *mistake, struct tn_slice uri)
{
    if (library->supply && library->supply->why)
        tn_mistake_note(mistake, NULL, "$schema names the dialect %.*s, which cannot be used: %s", CUT(uri),
                        uri.at, library->supply->why);
    tn_mistake_note(
        mistake, NULL,
        "$schema names the dialect %.*s, which is not one of 2020-12, 2019-09, draft-07, draft-06 "
        "and draft-04, and not registered",
        CUT(uri), uri.at);
    return false;
}

static bool set_dialect(struct tn_registry *library, struct tn_mistake *mistake, struct tn_resource *resource,
                        enum tn_dialect fallback)
{
    struct tn_slice     uri = member_text(resource->root, "$schema");
    struct tn_resource *metaschema;

    resource->dialect      = resource->parent ? resource->parent->dialect : fallback;
    resource->vocabularies = resource->parent ? resource->parent->vocabularies : VOCABULARY_ALL;
    if (!uri.at)
        return true;
    uri                    = without_empty_fragment(uri);
    resource->vocabularies = VOCABULARY_ALL;
    if (tn_dialect_of_uri(uri, &resource->dialect))
        return true;
    metaschema = tn_registry_find(library, mistake, uri);
    if (!metaschema)
        return refuse_dialect(library, mistake, uri);
    resource->dialect = metaschema->dialect;
    return read_vocabularies(mistake, metaschema, &resource->vocabularies);
}

/* ---- Indexing ---------------------------------------------------------------------------------------------- */

struct registry_walk {
    struct tn_registry *library;
    struct tn_mistake  *mistake;
    enum tn_dialect     fallback;
};

/* A place in a document, on the stack. */
struct step {
    const struct step *up;
    struct tn_slice    name; /* `at` is NULL for an index */
    size_t             index;
};

static void add_pointer(struct tn_buf *out, const struct step *step)
{
    if (!step)
        return;
    add_pointer(out, step->up);
    if (step->name.at)
        tn_pointer_add(out, step->name);
    else
        tn_pointer_add_index(out, step->index);
}

static struct tn_slice pointer_of(struct tn_arena *arena, const struct step *step)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 32, POINTER_MAX);
    add_pointer(&out, step);
    tn_buf_end(&out);
    return tn_buf_slice(&out);
}

/* Where an anchor stands; by its name when pointers take too much room. */
static struct tn_slice anchor_pointer(struct tn_registry *library, struct tn_slice name,
                                      const struct step *step)
{
    struct tn_buf   out;
    struct tn_slice pointer;

    if (library->pointer_bytes < LIBRARY_POINTERS_MAX) {
        pointer = pointer_of(library->arena, step);
        library->pointer_bytes += pointer.len;
        return pointer;
    }
    tn_buf_init(&out, library->arena, name.len + 2, POINTER_MAX);
    tn_buf_char(&out, '#');
    tn_buf_add(&out, name.at, name.len);
    tn_buf_end(&out);
    return tn_buf_slice(&out);
}

static bool add_anchor(struct registry_walk *walk, struct tn_resource *resource, struct tn_slice name,
                       yyjson_val *at, const struct step *step, bool dynamic)
{
    struct tn_anchor *anchor = tn_arena_new(walk->library->arena, struct tn_anchor);

    if (!anchor)
        return false;
    if (tn_resource_anchor(resource, name, false)) {
        tn_mistake_note(walk->mistake, NULL, "the anchor '%.*s' stands twice in one resource", (int)name.len,
                        name.at);
        return false;
    }
    *anchor           = (struct tn_anchor){ name, at, anchor_pointer(walk->library, name, step), dynamic,
                                            resource->anchors };
    resource->anchors = anchor;
    return tn_table_add(&resource->by_name, walk->library->arena, NULL, name, anchor) != NULL;
}

static struct tn_resource *add_resource(struct registry_walk *walk, struct tn_slice uri, yyjson_val *root,
                                        struct tn_resource *parent, const struct step *step)
{
    struct tn_registry *library  = walk->library;
    struct tn_resource *resource = tn_arena_new(library->arena, struct tn_resource);

    if (!resource)
        return NULL;
    resource->uri     = uri;
    resource->root    = root;
    resource->parent  = parent;
    resource->pointer = pointer_of(library->arena, step);
    if (!set_dialect(library, walk->mistake, resource, walk->fallback))
        return NULL;
    if (uri.len > 0 && tn_table_find(&library->by_uri, NULL, uri)) {
        tn_mistake_note(walk->mistake, NULL, "the $id %.*s stands twice", (int)uri.len, uri.at);
        return NULL;
    }
    if (uri.len > 0 && !tn_table_add(&library->by_uri, library->arena, NULL, uri, resource))
        return NULL;
    resource->next     = library->resources;
    library->resources = resource;
    return tn_table_add(&library->by_root, library->arena, root, TABLE_NO_NAME, resource);
}

static bool refuse_id(struct registry_walk *walk, struct tn_slice id)
{
    tn_mistake_note(walk->mistake, NULL, "the $id %.*s cannot be used", CUT(id), id.at);
    return false;
}

/* What $id makes of a schema: a resource of its own, or (until draft-07) a place with a name. */
static struct tn_resource *enter_id(struct registry_walk *walk, struct tn_resource *resource,
                                    yyjson_val *schema, const struct step *step)
{
    const struct tn_dialect_facts *facts = tn_dialect_facts(dialect_at(schema, resource->dialect));
    struct tn_slice                id    = member_text(schema, facts->id), uri, fragment;

    if (!id.at || resource->root == schema)
        return resource;
    if (facts->ref_alone && yyjson_obj_get(schema, "$ref"))
        return resource;
    if (facts->id_anchors && id.len > 0 && id.at[0] == '#')
        return id.len == 1 || add_anchor(walk, resource, (struct tn_slice){ id.at + 1, id.len - 1 }, schema,
                                         step, false)
                   ? resource
                   : NULL;
    uri = tn_uri_reference_resolve(walk->library->arena, resource->uri, id);
    if (!uri.at)
        return refuse_id(walk, id), NULL;
    tn_uri_reference_split(uri, &uri, &fragment);
    resource = add_resource(walk, uri, schema, resource, step);
    if (resource && fragment.len > 0 && facts->id_anchors)
        return add_anchor(walk, resource, fragment, schema, step, false) ? resource : NULL;
    return resource;
}

/* $anchor and its dynamic kin. */
static bool add_anchors(struct registry_walk *walk, struct tn_resource *resource, yyjson_val *schema,
                        const struct step *step)
{
    const struct tn_dialect_facts *facts = tn_dialect_facts(resource->dialect);
    struct tn_slice                name;

    name = facts->anchors ? member_text(schema, "$anchor") : SLICE_LIT("");
    if (name.len > 0 && !add_anchor(walk, resource, name, schema, step, false))
        return false;
    name = facts->dynamic_anchor ? member_text(schema, facts->dynamic_anchor) : SLICE_LIT("");
    if (name.len > 0 && !add_anchor(walk, resource, name, schema, step, true))
        return false;
    if (!facts->recursive_anchor || resource->root != schema ||
        !yyjson_is_true(yyjson_obj_get(schema, facts->recursive_anchor)))
        return true;
    return add_anchor(walk, resource, SLICE_LIT(RECURSIVE_ANCHOR), schema, step, true);
}

static bool index_schema(struct registry_walk *walk, struct tn_resource *resource, yyjson_val *schema,
                         const struct step *up);

static bool index_held(struct registry_walk *walk, struct tn_resource *resource, enum tn_holds holds,
                       yyjson_val *value, const struct step *up)
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
            step.name = (struct tn_slice){ yyjson_get_str(one), yyjson_get_len(one) };
            if (!index_schema(walk, resource, yyjson_obj_iter_get_val(one), &step))
                return false;
        }
    }
    return true;
}

static bool index_schema(struct registry_walk *walk, struct tn_resource *resource, yyjson_val *schema,
                         const struct step *up)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;

    if (!yyjson_is_obj(schema))
        return true;
    resource = enter_id(walk, resource, schema, up);
    if (!resource)
        return false;
    if (!add_anchors(walk, resource, schema, up))
        return false;
    yyjson_obj_iter_init(schema, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct step   step  = { .up = up, .name = { yyjson_get_str(key), yyjson_get_len(key) } };
        enum tn_holds holds = tn_dialect_holds(resource->dialect, step.name);

        if (holds != HOLDS_NONE && !index_held(walk, resource, holds, yyjson_obj_iter_get_val(key), &step))
            return false;
    }
    return true;
}

bool tn_registry_add(struct tn_registry *library, struct tn_mistake *mistake, struct tn_slice uri,
                     yyjson_val *root, enum tn_dialect fallback, struct tn_resource **added)
{
    const struct tn_dialect_facts *facts = tn_dialect_facts(dialect_at(root, fallback));
    struct registry_walk           walk  = { library, mistake, fallback };
    struct tn_slice                id = member_text(root, facts->id), own = uri, fragment;
    struct tn_resource            *resource;

    tn_uri_reference_split(uri, &uri, &fragment);
    if (id.at && (id.len == 0 || id.at[0] != '#' || id.len == 1)) {
        own = tn_uri_reference_resolve(library->arena, uri, id);
        if (!own.at)
            return refuse_id(&walk, id);
        tn_uri_reference_split(own, &own, &fragment);
    }
    resource = add_resource(&walk, own, root, NULL, NULL);
    if (!resource)
        return false;
    /* Found under both names; one that is taken stays as it is. */
    if (uri.len > 0 && !tn_table_add(&library->by_uri, library->arena, NULL, uri, resource))
        return false;
    if (id.at && id.len > 1 && id.at[0] == '#' && facts->id_anchors &&
        !add_anchor(&walk, resource, (struct tn_slice){ id.at + 1, id.len - 1 }, root, NULL, false))
        return false;
    *added = resource;
    return index_schema(&walk, resource, root, NULL);
}

/* ---- Finding ----------------------------------------------------------------------------------------------- */

/* What became of a URI that was asked for. */
struct tn_answer {
    const char *why; /* as in tn_supply */
};

static struct tn_resource *refuse_loaded(struct tn_supply *supply, struct tn_answer *answer, const char *why)
{
    supply->why = answer->why = why;
    return NULL;
}

/* Adds a document that was found, and returns what has `uri` in it. */
static struct tn_resource *add_loaded(struct tn_registry *library, struct tn_answer *answer,
                                      struct tn_slice uri, const tenon_loaded *loaded)
{
    struct tn_supply   *supply = library->supply;
    struct tn_slice     own    = loaded->uri ? tn_slice_of(loaded->uri) : uri;
    struct tn_mistake   mistake;
    struct tn_resource *added = NULL;
    yyjson_val         *root;

    if (loaded->uri && lookup(library, own))
        return NULL; /* it was there before, and has no such part */
    own.at  = tn_arena_copy(library->arena, own.at, own.len);
    mistake = (struct tn_mistake){ .arena = library->arena, .owner = own.at };
    root    = own.at ? tn_registry_read(library->arena, &mistake, loaded->json, loaded->len) : NULL;
    supply->depth++;
    if (root)
        tn_registry_add(library, &mistake, own, root, supply->dialect, &added);
    supply->depth--;
    if (mistake.text)
        return refuse_loaded(supply, answer, mistake.text + strlen(mistake.owner) + 2);
    supply->why = NULL; /* whatever its metaschemas met */
    return lookup(library, uri);
}

static struct tn_resource *load(struct tn_registry *library, struct tn_slice uri)
{
    struct tn_supply *supply = library->supply;
    tenon_loaded      loaded = { 0 };
    struct tn_answer *answer = supply ? tn_table_find(&supply->asked, NULL, uri) : NULL;
    const char       *name;

    if (supply)
        supply->why = answer ? answer->why : NULL;
    if (!supply || answer || !supply->load || !tn_uri_is_absolute(uri))
        return NULL;
    name   = tn_arena_copy(library->arena, uri.at, uri.len);
    answer = tn_arena_new(library->arena, struct tn_answer);
    if (!name || !answer || !tn_table_add(&supply->asked, library->arena, NULL, tn_slice_of(name), answer))
        return NULL;
    if (supply->depth >= LIBRARY_METASCHEMAS_MAX)
        return refuse_loaded(supply, answer, "it is the metaschema of too many others");
    if (!supply->load(supply->user, name, &loaded))
        return NULL;
    if (loaded.error || !loaded.json)
        return refuse_loaded(supply, answer,
                             loaded.error ? tn_arena_copy(library->arena, loaded.error, strlen(loaded.error))
                                          : "it has no text");
    return add_loaded(library, answer, uri, &loaded);
}

yyjson_val *tn_registry_read(struct tn_arena *arena, struct tn_mistake *mistake, const char *json, size_t len)
{
    struct tn_json_text read = tn_json_read(arena, json, len, &tn_registry_limits);

    if (read.root && !read.bad_utf8)
        return read.root;
    if (read.fault == JSON_SYNTAX)
        tn_mistake_note(mistake, NULL, "not JSON: %s at byte %zu", read.what, read.at);
    else if (read.fault != JSON_NO_MEMORY)
        tn_mistake_note(mistake, NULL, "%s",
                        read.bad_utf8 ? "not valid UTF-8" : "too long, too deep or too many values");
    return NULL;
}

struct tn_resource *tn_registry_find(struct tn_registry *library, struct tn_mistake *mistake,
                                     struct tn_slice uri)
{
    struct tn_resource *found = lookup(library, uri);
    const char         *text  = found ? NULL : tn_metaschema_text(uri);
    yyjson_val         *root;

    if (found)
        return found;
    if (!text)
        return load(library, uri);
    root = tn_registry_read(library->arena, mistake, text, strlen(text));
    if (!root || !tn_registry_add(library, mistake, uri, root, DIALECT_2020_12, &found))
        return NULL;
    return found;
}

const struct tn_anchor *tn_resource_anchor(const struct tn_resource *resource, struct tn_slice name,
                                           bool dynamic)
{
    const struct tn_anchor *anchor = tn_table_find(&resource->by_name, NULL, name);

    return anchor && (anchor->dynamic || !dynamic) ? anchor : NULL;
}

/* Puts all members of an object into the table, once; of a name that stands twice the first counts. */
static bool index_members(struct tn_registry *library, yyjson_val *object)
{
    yyjson_obj_iter iter;
    yyjson_val     *key = unsafe_yyjson_get_first(object);

    if (tn_table_find(&library->members, object,
                      (struct tn_slice){ yyjson_get_str(key), yyjson_get_len(key) }))
        return true;
    yyjson_obj_iter_init(object, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) };

        if (!tn_table_add(&library->members, library->arena, object, name, yyjson_obj_iter_get_val(key)))
            return false;
    }
    return true;
}

static yyjson_val *child_of(struct tn_registry *library, yyjson_val *value, struct tn_slice token)
{
    if (!yyjson_is_obj(value) || yyjson_obj_size(value) <= MEMBERS_FEW)
        return tn_pointer_child(value, token);
    if (!token.at)
        token.at = "";
    return index_members(library, value) ? tn_table_find(&library->members, value, token) : NULL;
}

static yyjson_val *follow_pointer(struct tn_registry *library, yyjson_val *at, struct tn_slice rest,
                                  struct tn_resource **resource)
{
    struct tn_slice token;
    bool            bad = false;

    while (at && tn_pointer_step(library->arena, &rest, &token, &bad)) {
        struct tn_resource *inner;

        at    = child_of(library, at, token);
        inner = at ? tn_registry_at(library, at) : NULL;
        if (inner)
            *resource = inner;
    }
    return bad ? NULL : at;
}

static struct tn_slice registry_joined(struct tn_arena *arena, struct tn_slice a, struct tn_slice b)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, a.len + b.len + 1, POINTER_MAX * 2);
    tn_buf_add(&out, a.at, a.len);
    tn_buf_add(&out, b.at, b.len);
    tn_buf_end(&out);
    return tn_buf_slice(&out);
}

yyjson_val *tn_registry_resolve_within(struct tn_registry *library, struct tn_mistake *mistake,
                                       const char *place, struct tn_resource *within, struct tn_slice uri,
                                       struct tn_resource **resource, struct tn_slice *pointer)
{
    struct tn_slice         without, fragment;
    const struct tn_anchor *anchor;
    yyjson_val             *found = NULL;

    *resource = within;
    tn_uri_reference_split(uri, &without, &fragment);
    fragment = tn_uri_reference_decode(library->arena, fragment);
    if (!fragment.at) {
        tn_mistake_note(mistake, NULL, "%s: the fragment of %.*s is malformed", place, CUT(uri), uri.at);
        return NULL;
    }
    if (fragment.len == 0) {
        *pointer = within->pointer;
        return within->root;
    }
    if (fragment.at[0] == '/') {
        *pointer = registry_joined(library->arena, within->pointer, fragment);
        found    = follow_pointer(library, within->root, fragment, resource);
    } else {
        anchor = tn_resource_anchor(within, fragment, false);
        if (anchor) {
            found    = anchor->at;
            *pointer = anchor->pointer;
        }
    }
    if (!found)
        tn_mistake_note(mistake, NULL, "%s: %.*s leads nowhere", place, CUT(uri), uri.at);
    return found;
}

yyjson_val *tn_registry_resolve(struct tn_registry *library, struct tn_mistake *mistake, const char *place,
                                struct tn_slice uri, struct tn_resource **resource, struct tn_slice *pointer)
{
    struct tn_slice     without, fragment;
    struct tn_resource *within;

    tn_uri_reference_split(uri, &without, &fragment);
    within = tn_registry_find(library, mistake, without);
    if (within)
        return tn_registry_resolve_within(library, mistake, place, within, uri, resource, pointer);
    if (library->supply && library->supply->why)
        tn_mistake_note(mistake, NULL, "%s: %.*s cannot be used: %s", place, CUT(without), without.at,
                        library->supply->why);
    tn_mistake_note(mistake, NULL, "%s: nothing is registered under %.*s", place, CUT(without), without.at);
    return NULL;
}
