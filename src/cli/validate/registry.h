/* registry.h - the schema documents of a folder, registered under the URIs that references name them by. */
#ifndef CLI_VALIDATE_REGISTRY_H
#define CLI_VALIDATE_REGISTRY_H

#include <sys/types.h>

#include <tenon/schema.h>

#include "base/arena.h"
#include "cli/console.h"

/* Of all folders together: documents, and folders below each other. */
#define REGISTRY_DOCUMENTS_MAX ((size_t)20000)
#define REGISTRY_DEPTH_MAX     32

/* The file of the schema that is compiled. It is not registered too; where it lies below a folder, `uri` is set to
 * the URI that it has there, so that its relative references lead to its neighbours. */
struct registry_own {
    dev_t       device;
    ino_t       number;
    const char *uri;
};

struct registry {
    const struct console *console;
    struct tn_arena      *arena;
    tenon_schemas        *schemas;
    struct registry_own   own;
    struct refusal       *refusals; /* documents that could not be registered so far; the newest first */
    size_t                count;
};

/* "BASE_URI=FOLDER" with an absolute URI; NULL, or what is wrong with it. The URI gets a slash at its end. */
const char *registry_split(struct tn_arena *arena, const char *given, const char **uri, const char **folder);

/* Registers every file *.json below the folder under its path there, behind the URI. False when the folder cannot be
 * read or a limit is reached, which is said; what cannot be registered waits for registry_settle(). Links to folders
 * are not followed, and links to files only while they stay below the folder. */
bool registry_add(struct registry *registry, const char *uri, const char *folder);

/* Tries once more what may only have come too early (a document whose metaschema came after it), and warns of what
 * is left out. False when out of memory. */
bool registry_settle(struct registry *registry);

#endif
