/* known.h - models that were tried, by the SHA-256 of their file. */
#ifndef KIT_EMBED_MODEL_KNOWN_H
#define KIT_EMBED_MODEL_KNOWN_H

#include <stddef.h>
#include <stdint.h>

#define KNOWN_DIMENSIONS 384
#define KNOWN_SENTENCE   "The quick brown fox jumps over the lazy dog." /* what a model is tested with */
#define KNOWN_COSINE     0.98 /* least: versions of the runtime and processors differ a little */

struct known_model {
    const char   *hash;     /* SHA-256 of the file, 64 hex digits */
    const char   *name;     /* decides the family */
    const int8_t *sentence; /* the direction of KNOWN_SENTENCE's vector, KNOWN_DIMENSIONS numbers */
};

/* NULL when it is not known. */
const struct known_model *known_model_find(const char *hash);
/* The cosine of a vector of length 1 with what it should be. */
double known_model_compare(const struct known_model *model, const float *vector);

#endif
