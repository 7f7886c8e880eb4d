/* family.h - what families of models expect: words in front of a text, how tokens become one vector, the longest text. */
#ifndef KIT_EMBED_FAMILY_H
#define KIT_EMBED_FAMILY_H

#include <stddef.h>

#include "kit/embed/embed.h"

#define EMBED_PREFIX_MAX 200 /* bytes that the operator may put in front of a text */

enum embed_pooling { POOL_MEAN, POOL_CLS };

struct embed_family {
    const char        *name;             /* for the operator */
    const char        *query, *document; /* prefixes; "" for none */
    enum embed_pooling pooling;          /* of the model in the process */
    size_t             longest;          /* tokens of a text, the two special ones included */
};

/* By the model's name as registries write it, with or without an owner and a tag: "bge-small-en-v1.5",
 * "nomic-embed-text:latest", "intfloat/e5-base-v2". A name that is not known has no prefixes. */
const struct embed_family *embed_family_of(const char *model);

/* The prefixes of both roles: the operator's where they are given (the empty text is one, too), else the family's. */
struct embed_prefixes {
    const char *at[2]; /* by enum embed_role; never NULL */
};
struct embed_prefixes embed_prefixes_of(const struct embed_options *options,
                                        const struct embed_family  *family);

/* Which prefixes vectors were made with, for the model's name in the store: "" for none, else '/' and eight hex digits. */
#define EMBED_PREFIX_MARK 10
void embed_prefix_mark(const struct embed_prefixes *prefixes, char out[EMBED_PREFIX_MARK]);

/* False and *mistake (free it) when a prefix of the operator is too long or has control characters. */
bool embed_prefixes_are_fine(const struct embed_options *options, char **mistake);

#endif
