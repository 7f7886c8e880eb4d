/* http.h - the parts of the provider over HTTP: the service, one connection to it, and the messages on it. */
#ifndef KIT_EMBED_HTTP_H
#define KIT_EMBED_HTTP_H

#include "kit/embed/breaker.h"
#include "kit/embed/embed.h"
#include "kit/embed/family.h"
#include "kit/text.h"

#define ANSWER_LEN_MAX   (((size_t)4 << 20) - 64) /* what the library's reader takes, less what is put around it */
#define EMBED_TEXT_MAX   20000                    /* bytes: models take about 8,000 tokens, and some refuse more */
#define EMBED_MODEL_MAX  64                       /* letters of its name */
#define EMBED_URL_MAX    2000
#define EMBED_LINES      2 /* requests at the same time */
#define RETRIES          3

/* What tests replace. All of it may be used by several threads. */
struct embed_world {
    int64_t (*now)(void *user); /* ms */
    /* False when the call was cancelled meanwhile. */
    bool (*wait)(void *user, int64_t ms, const tenon_call *call);
    unsigned (*random)(void *user);
    void *user;
    long  connect_ms, whole_ms; /* of one request */
};
extern const struct embed_world embed_world;

/* embed_http_new() in another world, which must outlive it. */
struct embedder *embed_http_new_in(const struct embed_options *options, const struct embed_world *world,
                                   char **mistake);

/* Sets *mistake (free it), unless `mistake` is NULL; always false. */
bool embed_mistake(char **mistake, const char *format, ...) TENON_PRINTF(2, 3);

/* ---- The service ---- */

enum embed_dialect { DIALECT_OLLAMA, DIALECT_OPENAI };

struct embed_service {
    enum embed_dialect    dialect;
    char                  url[EMBED_URL_MAX + 32];
    char                  name[EMBED_MODEL_MAX + 1]; /* of the model */
    char                 *authorization;             /* the whole header line, or NULL; wiped when freed */
    size_t                dimensions;                /* 0 until it was probed */
    struct embed_prefixes prefixes;                  /* the operator's, or the family's */
    bool                  ask_dimensions; /* they are not the model's own: say them in every request */
};

/* False and *mistake (free it). */
bool embed_service_read(struct embed_service *service, const struct embed_options *options, char **mistake);
void embed_service_free(struct embed_service *service);

/* ---- What is said ---- */

void embed_write_request(struct text *out, const struct embed_service *service, enum embed_role role,
                         const char *const *texts, size_t count);

enum embed_answer {
    ANSWER_FINE,
    ANSWER_GARBAGE,    /* not JSON, or another shape */
    ANSWER_COUNT,      /* more or fewer vectors than texts */
    ANSWER_DIMENSIONS, /* another number than before, or out of bounds */
    ANSWER_NUMBERS,    /* something that is no number, or too large, or a vector without length */
    ANSWER_NO_MEMORY
};

struct embed_reader; /* used by one thread at a time */
struct embed_reader *embed_reader_new(void);
void                 embed_reader_free(struct embed_reader *reader);

/* The vectors of an answer, each of length 1. With *dimensions 0, sets it and writes nothing: a probe. */
enum embed_answer embed_read_answer(struct embed_reader *reader, enum embed_dialect dialect,
                                    const struct text *body, size_t count, size_t *dimensions, float *out);

/* ---- One line ---- */

enum embed_reply {
    REPLY_FINE,
    REPLY_DOWN,    /* worth another try */
    REPLY_REFUSED, /* the service is there, and does not want this */
    REPLY_BROKEN,  /* what came is no answer, and would not be the next time */
    REPLY_CANCELLED,
    REPLY_NO_MEMORY
};

struct embed_line; /* a connection that is kept; used by one thread at a time */
struct embed_line *embed_line_new(const struct embed_world *world);
void               embed_line_free(struct embed_line *line);

/* Sends the request and reads the body of the answer, which is the line's until the next. `why` gets a sentence (256 bytes)
 * and *pause the seconds that the service asked for, or 0. */
enum embed_reply embed_line_post(struct embed_line *line, const struct embed_service *service,
                                 const struct text *request, const tenon_call *call, const struct text **body,
                                 char *why, int *pause);

#endif
