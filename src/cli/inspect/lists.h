/* lists.h - all that a server lists: tools, resources, templates, prompts. */
#ifndef CLI_INSPECT_LISTS_H
#define CLI_INSPECT_LISTS_H

#include "cli/remote.h"

#define OFFERED_LISTS 4

struct offered_list {
    const char *method;     /* for tenon_client_list() */
    const char *capability; /* that the server must have */
    const char *member;     /* of the result */
    const char *noun, *nouns;
    const char *name; /* the member of an entry that names it */
};

/* In the order in which people read them. */
extern const struct offered_list offered_lists[OFFERED_LISTS];

/* An array, as long as the client lives; NULL when the server does not offer it, or did not answer, which was reported, and is then
 * counted in *failed. `about` is what the server says of itself, or NULL. */
yyjson_val *offered_read(struct remote *remote, yyjson_val *about, size_t list, size_t *failed);

#endif
