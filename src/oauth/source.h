/* source.h - where an issuer's keys are: named by the operator, or by the issuer's own metadata. */
#ifndef OAUTH_SOURCE_H
#define OAUTH_SOURCE_H

#include "oauth/keyset.h"

#define SOURCE_URL_MAX ((size_t)2048)
#define SOURCE_MS      10000 /* for everything together */
#define SOURCE_ONE_MS  5000  /* for one document */

struct source {
    const char *issuer, *keys; /* keys: a URL, a file, or NULL to ask the issuer */
};

/* NULL when it can work; a sentence in the arena otherwise. Fetches nothing. */
const char *source_mistake(const struct source *source, struct tn_arena *arena);

/* Is it read from a file, and so there whenever it is asked for? */
bool source_is_file(const struct source *source);

/* Waits. NULL, and a sentence in the arena, when there are no keys to be had. */
struct keyset *source_fetch(const struct source *source, const tenon_allocator *memory,
                            struct tn_arena *arena, const char **mistake);

#endif
