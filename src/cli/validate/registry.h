/* registry.h - where the documents are that references lead to. A document is read when one leads to it, and not before.
 *
 * A URI is looked for in this order: at the path that it has below a base URI; in files of a like name that have it as
 * their $id; then, once in a run, in the $id of all documents.
 */
#ifndef CLI_VALIDATE_REGISTRY_H
#define CLI_VALIDATE_REGISTRY_H

#include <tenon/root.h>
#include <tenon/schema.h>

#include "base/arena.h"
#include "cli/console.h"
#include "cli/file.h"
#include "cli/validate/ids.h"

/* Of one run: documents that are asked for, and their bytes. */
#define REGISTRY_DOCUMENTS_MAX ((size_t)20000)
#define REGISTRY_BYTES_MAX     ((size_t)256 << 20)

/* A folder, or one file. */
struct registry_place {
    const char *uri;   /* of the folder, with a slash at its end; of the file */
    const char *given; /* as it was given, for texts */
    const char *only;  /* the file's name below `root`; NULL for a folder */
    tenon_root *root;
};

struct registry {
    const struct console  *console;
    struct tn_arena       *arena;
    struct tn_arena        text;    /* of one document at a time */
    tenon_dialect          dialect; /* of documents without $schema */
    struct registry_place *places;
    size_t                 count;
    struct ids             ids;
    size_t                 documents, bytes; /* read so far */
};

/* `most` places at most. False when out of memory. */
bool registry_init(struct registry *registry, size_t most);
void registry_free(struct registry *registry);

/* "BASE_URI=PATH" with an absolute URI, or "PATH", whose documents are known by their $id, and by file: URIs. False when the
 * call is wrong or nothing can be read there, which is printed; `help` ends the sentence about a wrong call. */
bool registry_add(struct registry *registry, const char *given, const char *help);

/* The URI of a file that lies in one of the places, so that its relative references lead to its neighbours; else NULL. */
const char *registry_uri_of(struct registry *registry, const char *path);

/* A tenon_load; `user` is the registry. */
bool registry_load(void *user, const char *uri, tenon_loaded *loaded);

/* Between its two files: a document below a place, read into `text`; and what it is called in texts. */
tenon_status registry_read(struct registry *registry, const struct registry_place *place, const char *path,
                           struct file *file);
const char  *registry_name(struct tn_arena *arena, const struct registry_place *place, const char *path);

/* The URI of a path below a place. NULL: too long, or no memory. */
const char *registry_uri(struct tn_arena *arena, const struct registry_place *place, const char *path);

#endif
