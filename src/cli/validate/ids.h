/* ids.h - which $id stands in which document of the registry, found by looking through all of them once.
 *
 * That is the last resort, for a URI that no path tells. Documents that cannot be read are passed over: it would matter only
 * if one of them had the $id that is looked for, so they are named when nothing has it.
 */
#ifndef CLI_VALIDATE_IDS_H
#define CLI_VALIDATE_IDS_H

#include <stdbool.h>

#include <yyjson.h>

#include <tenon/schema.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/table.h"

/* Of all places together: documents and their bytes, folders below each other, and what is kept. */
#define IDS_DOCUMENTS_MAX ((size_t)20000)
#define IDS_BYTES_MAX     ((size_t)1 << 30)
#define IDS_DEPTH_MAX     32
#define IDS_MAX           ((size_t)200000)
#define IDS_PASSED_MAX    3 /* that are named */

#define IDS_OF_DOCUMENT_MAX ((size_t)20000)

struct registry;
struct registry_place;

struct ids_where {
    const struct registry_place *place;
    const char                  *path;
};

struct ids {
    struct tn_table table; /* by URI: an ids_where */
    bool            made;
    size_t          documents, bytes;
    struct {
        const char *name, *why;
    } passed[IDS_PASSED_MAX];
    size_t passed_count;
};

/* Where the document is that has `uri` as an $id; NULL when none has. */
const struct ids_where *ids_find(struct registry *registry, struct tn_slice uri);

/* Has a document that stands at `base` the URI as an $id, at its root or deeper? */
bool ids_declare(struct tn_arena *arena, yyjson_val *root, struct tn_slice base, tenon_dialect dialect,
                 struct tn_slice uri);

/* Warns of what was passed over. */
void ids_warn(const struct registry *registry);

#endif
