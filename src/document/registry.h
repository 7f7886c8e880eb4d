/* registry.h - schema documents, the resources in them, and where references lead. Nothing is ever fetched. */
#ifndef DOCUMENT_REGISTRY_H
#define DOCUMENT_REGISTRY_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/table.h"
#include "document/dialect.h"
#include "json/read.h"
#include "model/mistake.h"

/* Of one document. */
#define LIBRARY_BYTES_MAX ((size_t)64 << 20)
#define LIBRARY_DEPTH_MAX ((size_t)256)
#define LIBRARY_NODES_MAX ((size_t)4000000)

/* Bytes of pointers to anchors; those beyond are known by their name. */
#define LIBRARY_POINTERS_MAX ((size_t)16 << 20)

/* Metaschemas of metaschemas that are asked for. */
#define LIBRARY_METASCHEMAS_MAX 32

/* The dynamic anchor of a resource with "$recursiveAnchor": true. No fragment has such a name. */
#define RECURSIVE_ANCHOR "#recursive"

struct tn_anchor {
    struct tn_slice   name;
    yyjson_val       *at;
    struct tn_slice   pointer; /* in its document */
    bool              dynamic;
    struct tn_anchor *next;
};

/* A schema with a URI of its own. */
struct tn_resource {
    struct tn_slice     uri; /* without fragment; may be empty */
    yyjson_val         *root;
    struct tn_slice     pointer; /* of the root in its document */
    enum tn_dialect     dialect;
    unsigned            vocabularies;
    struct tn_anchor   *anchors;
    struct tn_table     by_name; /* the same */
    struct tn_resource *parent;  /* that it is embedded in, or NULL */
    struct tn_resource *next;    /* in the library */
};

/* Where documents come from that are not registered: each is asked for once, when a reference or a $schema leads to it. */
struct tn_supply {
    tenon_load      load;
    void           *user;
    enum tn_dialect dialect; /* of documents that do not say theirs */
    struct tn_table asked;   /* by URI: a tn_answer */
    unsigned        depth;   /* documents that are being added, each for the $schema of the one before */
    const char     *why;     /* the last one that was asked for exists and cannot be used; or NULL */
};

/* Resources by URI and by root. A library may stand on another, which it only reads. */
struct tn_registry {
    struct tn_arena          *arena;
    const struct tn_registry *below;
    struct tn_supply         *supply;    /* may be NULL */
    struct tn_resource       *resources; /* newest first */
    struct tn_table           by_uri, by_root;
    size_t                    pointer_bytes; /* of anchors */
    struct tn_table           members;       /* of objects that are too large to search for each reference */
};

/* Of the text of each document. */
extern const struct tn_json_limits tn_registry_limits;

/* The text of a document, read into the arena. NULL: a mistake is noted, or memory was refused. */
yyjson_val *tn_registry_read(struct tn_arena *arena, struct tn_mistake *mistake, const char *json,
                             size_t len);

/* Adds a parsed document under `uri` (may be empty) and all resources in it. False: a mistake is noted, or memory was
 * refused. */
bool tn_registry_add(struct tn_registry *library, struct tn_mistake *mistake, struct tn_slice uri,
                     yyjson_val *root, enum tn_dialect fallback, struct tn_resource **added);

/* By absolute URI without fragment; built-in metaschemas are read when first asked for, and what the supply has. NULL when
 * there is none. */
struct tn_resource *tn_registry_find(struct tn_registry *library, struct tn_mistake *mistake,
                                     struct tn_slice uri);

/* The resource whose root is `value`, or NULL. */
struct tn_resource *tn_registry_at(const struct tn_registry *library, const yyjson_val *value);

/* Where "uri#fragment" leads, and the resource that it lies in. NULL: a mistake is noted. `place` is for its text. */
yyjson_val *tn_registry_resolve(struct tn_registry *library, struct tn_mistake *mistake, const char *place,
                                struct tn_slice uri, struct tn_resource **resource, struct tn_slice *pointer);

/* The same for "#fragment" inside one resource. */
yyjson_val *tn_registry_resolve_within(struct tn_registry *library, struct tn_mistake *mistake,
                                       const char *place, struct tn_resource *within, struct tn_slice uri,
                                       struct tn_resource **resource, struct tn_slice *pointer);

const struct tn_anchor *tn_resource_anchor(const struct tn_resource *resource, struct tn_slice name,
                                           bool dynamic);

/* metaschema.c: the text of a built-in document, or NULL. */
const char *tn_metaschema_text(struct tn_slice uri);
const char *tn_metaschema_old_text(struct tn_slice uri); /* metaschema_old.c */

#endif
