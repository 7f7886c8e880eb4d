/* mentions.h - URIs that answers to one client have named, and which upstream named them last. */
#ifndef GUARD_MENTIONS_H
#define GUARD_MENTIONS_H

#include <yyjson.h>

#include "base/str.h"
#include "guard/upstream.h"

#define MENTIONS_MAX     256 /* the oldest makes room */
#define MENTIONS_URI_MAX ((size_t)2048)

struct tn_mention {
    char                     *uri;
    size_t                    len;
    const struct tn_upstream *upstream;
};

struct tn_mentions {
    tenon_allocator   *memory;
    struct tn_mention *at; /* NULL before the first */
    size_t             next;
};

/* Keeps the URIs of the links and resources in a result. */
void tn_mentions_take(struct tn_mentions *mentions, yyjson_val *result, const struct tn_upstream *upstream);

/* NULL when no upstream has named it. */
const struct tn_upstream *tn_mentions_find(const struct tn_mentions *mentions, struct tn_slice uri);

void tn_mentions_free(struct tn_mentions *mentions);

#endif
