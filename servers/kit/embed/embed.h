/* embed.h - providers of embeddings: texts in, unit vectors out. */
#ifndef KIT_EMBED_EMBED_H
#define KIT_EMBED_EMBED_H

#include <stdbool.h>
#include <stddef.h>

#include <tenon/tenon.h>

#define EMBED_DIMENSIONS_MIN   128
#define EMBED_DIMENSIONS_MAX   4096
#define EMBED_BATCH            32
#define EMBED_LOCAL_DIMENSIONS 384

/* What the operator decides. All text outlives the provider. */
struct embed_options {
    const char *provider;   /* --embedding embedded|model|ollama|openai; NULL: embedded */
    const char *url;        /* --embedding-url */
    const char *model;      /* --embedding-model */
    const char *key_file;   /* --embedding-key-file */
    int         dimensions; /* --embedding-dimensions; 0: the provider's own */
    const char *query_prefix,
        *document_prefix; /* --embedding-query-prefix and so on; NULL: as the model is known to expect */
    bool any_runtime; /* --embedding-runtime-any: also versions of ONNX Runtime that report to their maker */
};

/* What a text is: many models are given other words in front of a question than in front of what answers it. */
enum embed_role { EMBED_DOCUMENT, EMBED_QUERY };

enum embed_status {
    EMBED_OK,
    EMBED_UNAVAILABLE, /* the provider does not answer, or the circuit is open */
    EMBED_REFUSED,     /* it answers with an error, or something else than asked for */
    EMBED_LOADING, /* the model in the process is not ready yet: only questions get this, documents wait */
    EMBED_CANCELLED,
    EMBED_NO_MEMORY
};

/* What went wrong, for EMBEDDING_SERVICE_ERROR. */
struct embed_failure {
    const char *circuit;     /* "closed", "open", "half-open" */
    int         retry_after; /* seconds */
    char        text[256];   /* for the operator's log: no keys, no bodies */
};

struct embedder {
    const char *model; /* name and version: vectors of another are made again */
    size_t      dimensions;
    bool        is_local; /* words, hashed: costs next to nothing, and its cosines mean what words mean */
    bool        is_slow;  /* a text takes milliseconds of this machine: worth a progress bar */
    /* `out` has count * dimensions floats, each vector of length 1. Any thread. `call` may be NULL; else its cancellation
     * is seen. */
    enum embed_status (*embed)(struct embedder *embedder, const tenon_call *call, enum embed_role role,
                               const char *const *texts, size_t count, float *out,
                               struct embed_failure *failure);
    /* Until it can embed; false and *mistake (free it) when it never will. NULL: it can. */
    bool (*wait)(struct embedder *embedder, char **mistake);
    void (*free)(struct embedder *embedder);
};

/* What is embedded of a piece: lines with the document's title and the headings above it (each may be NULL), then its text.
 * embed_head() writes the lines, without a NUL, and returns where they end. How it is made is part of the models' names. */
#define EMBED_TEXT_VERSION 3
size_t embed_head_len(const char *title, const char *header_path);
char  *embed_head(char *out, const char *title, const char *header_path);

/* Deterministic, without network or download: words, their stems and pieces of them hashed with signs into a vector, the same
 * on every machine. Dimensions of 0 are EMBED_LOCAL_DIMENSIONS. NULL without memory, or for dimensions that are out of bounds. */
struct embedder *embed_local_new(size_t dimensions);

/* Ollama or an OpenAI-compatible endpoint: retries after 1, 2 and 4 s with jitter, a circuit breaker (50 %
 * of at least 5 in 30 s, open for 30 s, then one probe), bounded answers. Probes the dimensions at once: NULL and *mistake
 * (free it) when they are not those asked for, or nobody answers. */
struct embedder *embed_http_new(const struct embed_options *options, char **mistake);

/* ONNX Runtime keeps to itself: for main(), before any thread. */
void embed_quiet(void);

/* The one that the options ask for. */
struct embedder *embed_new(const struct embed_options *options, char **mistake);
/* Could it be had with these options, if the provider answers as they say? */
bool embed_could(const struct embed_options *options);

#endif
