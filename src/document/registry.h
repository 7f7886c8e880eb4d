/* registry.h - schema documents, the resources in them, and where references lead. Nothing is ever fetched. */
#ifndef DOCUMENT_REGISTRY_H
#define DOCUMENT_REGISTRY_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/str.h"
#include "document/dialect.h"
#include "model/mistake.h"
#include "model/name_table.h"

/* Of one document. */
#define LIBRARY_BYTES_MAX ((size_t)64 << 20)
#define LIBRARY_DEPTH_MAX ((size_t)256)
#define LIBRARY_NODES_MAX ((size_t)4000000)

/* The dynamic anchor of a resource with "$recursiveAnchor": true. No fragment has such a name. */
#define RECURSIVE_ANCHOR "#recursive"

struct anchor {
    struct slice   name;
    yyjson_val    *at;
    bool           dynamic;
    struct anchor *next;
};

/* A schema with a URI of its own. */
struct resource {
    struct slice     uri; /* without fragment; may be empty */
    yyjson_val      *root;
    struct slice     pointer; /* of the root in its document */
    enum dialect     dialect;
    unsigned         vocabularies;
    struct anchor   *anchors;
    struct named     by_name; /* the same */
    struct resource *parent;  /* that it is embedded in, or NULL */
    struct resource *next;    /* in the library */
};

/* Resources by URI and by root. A library may stand on another, which it only reads. */
struct library {
    struct arena         *arena;
    const struct library *below;
    struct resource      *resources; /* newest first */
    struct named          by_uri, by_root;
    struct named          members; /* of objects that are too large to search for each reference */
};

/* Adds a parsed document under `uri` (may be empty) and all resources in it. False: a mistake is noted, or memory was
 * refused. */
bool library_add(struct library *library, struct mistake *mistake, struct slice uri, yyjson_val *root,
                 enum dialect fallback, struct resource **added);

/* By absolute URI without fragment; built-in metaschemas are read when first asked for. NULL when there is none. */
struct resource *library_find(struct library *library, struct mistake *mistake, struct slice uri);

/* The resource whose root is `value`, or NULL. */
struct resource *library_at(const struct library *library, const yyjson_val *value);

/* Where "uri#fragment" leads, and the resource that it lies in. NULL: a mistake is noted. `place` is for its text. */
yyjson_val *library_resolve(struct library *library, struct mistake *mistake, const char *place,
                            struct slice uri, struct resource **resource, struct slice *pointer);

/* The same for "#fragment" inside one resource. */
yyjson_val *library_resolve_within(struct library *library, struct mistake *mistake, const char *place,
                                   struct resource *within, struct slice uri, struct resource **resource,
                                   struct slice *pointer);

const struct anchor *resource_anchor(const struct resource *resource, struct slice name, bool dynamic);

/* metaschema.c: the text of a built-in document, or NULL. */
const char *metaschema_text(struct slice uri);
const char *metaschema_old_text(struct slice uri); /* metaschema_old.c */

#endif
