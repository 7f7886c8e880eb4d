/* names.h - the names under which what upstreams offer is published: tools, and prompts.
 *
 * A published name is the prefix of its upstream and the upstream's own name, in the characters that clients accept. It leads
 * back by a look-up in this table, never by taking it apart. Of two upstreams with one name the first in the configuration has it;
 * once clients were shown it, it stays with its upstream until the guard ends, so that no other server can take calls that are
 * meant for it.
 */
#ifndef GUARD_NAMES_H
#define GUARD_NAMES_H

#include "base/table.h"
#include "guard/upstream.h"

#define NAMES_LEN      ((size_t)64) /* of a published name, unless the policy says otherwise ... */
#define NAMES_LEN_MIN  ((size_t)16) /* ... within these bounds */
#define NAMES_LEN_MAX  ((size_t)256)
#define NAMES_OWN_MAX  ((size_t)1024)  /* of an upstream's own name */
#define NAMES_EACH_MAX ((size_t)20000) /* that one upstream has published since the guard began */

struct tn_name {
    struct tn_slice           published, own;
    const struct tn_upstream *upstream;
    bool                      shown; /* to a client: it stays where it is */
};

struct tn_names {
    struct tn_arena           arena;
    struct tn_table           table;
    const struct tn_upstream *upstreams;
    size_t                    count, len_max;
    size_t                    published[UPSTREAMS_MAX]; /* by upstream */
};

enum tn_naming_fault {
    NAMING_FINE,
    NAMING_TAKEN,    /* `other` has published the name */
    NAMING_RESERVED, /* it begins with the prefix of `other` */
    NAMING_LONG,
    NAMING_MANY
};

/* One entry of a list of an upstream. */
struct tn_naming {
    struct tn_slice           own;       /* in */
    struct tn_slice           published; /* as long as the table lives; empty when it cannot be published */
    enum tn_naming_fault      fault;
    const struct tn_upstream *other; /* why not; or of a fine one, the upstream that has lost it */
};

void tn_names_init(struct tn_names *names, const tenon_allocator *memory, const struct tn_upstream *upstreams,
                   size_t count, size_t len_max);
void tn_names_free(struct tn_names *names);

/* Are names published as they are? So they are for one upstream without a prefix. */
bool tn_names_are_own(const struct tn_names *names);

/* Names all entries of one list of this upstream, in the memory of the table and of `scratch`. False without memory. */
bool tn_names_publish(struct tn_names *names, const struct tn_upstream *upstream, struct tn_naming *all,
                      size_t count, struct tn_arena *scratch);

/* Whose name it is, for a client that is going to see it or knows it; NULL when it was never published. */
const struct tn_name *tn_names_find(const struct tn_names *names, struct tn_slice published);

/* Is it this upstream's? It may have lost it. */
bool tn_names_has(const struct tn_names *names, const struct tn_upstream *upstream,
                  struct tn_slice published);

#endif
