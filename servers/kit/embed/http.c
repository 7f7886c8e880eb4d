/* http.c - the provider over HTTP: batches, two at a time, tried again after 1, 2 and 4 seconds.
 *
 * Every try counts for the circuit breaker, so that a service that is down gets no more tries in the middle of a batch
 * either. A request that the service refuses is not tried again, and does not open the circuit: the service works, and
 * would refuse it again.
 */
#include "kit/embed/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONNECT_MS      5000
#define WHOLE_MS        30000
#define WAIT_STEP_MS    50 /* between two looks at whether the caller still wants it */
#define JITTER_PERCENT  25
#define COME_BACK_S     8        /* what is said after the last try: twice the last wait */
#define NUMBER_LEN      25       /* bytes of one number of an answer, generously */
#define ANSWER_LEN_WANT 2500000u /* batches are so small that answers are no longer than about this */

struct port {
    struct embed_line   *line;
    struct embed_reader *reader;
    struct text          request;
    bool                 taken;
};

struct http {
    struct embedder           base;
    char                      model[128];
    const struct embed_world *world;
    struct embed_service      service;
    struct breaker            breaker;
    pthread_mutex_t           lock; /* of which ports are taken */
    pthread_cond_t            given;
    struct port               ports[EMBED_LINES];
};

/* ---- The world ---- */

static int64_t real_now(void *user)
{
    struct timespec now;

    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool real_wait(void *user, int64_t ms, const tenon_call *call)
{
    int64_t end = real_now(user) + ms;

    for (int64_t left; (left = end - real_now(user)) > 0;) {
        if (call && tenon_is_cancelled(call))
            return false;
        left = left < WAIT_STEP_MS ? left : WAIT_STEP_MS;
        nanosleep(&(struct timespec){ .tv_nsec = (long)left * 1000000 }, NULL);
    }
    return !call || !tenon_is_cancelled(call);
}

/* Only spreads the tries of many processes: the clock will do. */
static unsigned real_random(void *user)
{
    struct timespec now;

    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned)now.tv_nsec * 2654435761u >> 8;
}

const struct embed_world embed_world = {
    .now = real_now, .wait = real_wait, .random = real_random, .connect_ms = CONNECT_MS, .whole_ms = WHOLE_MS
};

/* ---- Two lines for all threads ---- */

static struct port *find_port(struct http *http)
{
    for (int i = 0; i < EMBED_LINES; i++)
        if (!http->ports[i].taken)
            return &http->ports[i];
    return NULL;
}

/* NULL when the call was cancelled while all were taken. */
static struct port *take_port(struct http *http, const tenon_call *call)
{
    struct port *port;

    pthread_mutex_lock(&http->lock);
    while (!(port = find_port(http)) && !(call && tenon_is_cancelled(call))) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_STEP_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&http->given, &http->lock, &until);
    }
    if (port)
        port->taken = true;
    pthread_mutex_unlock(&http->lock);
    return port;
}

static void give_port(struct http *http, struct port *port)
{
    pthread_mutex_lock(&http->lock);
    port->taken = false;
    pthread_cond_signal(&http->given);
    pthread_mutex_unlock(&http->lock);
}

/* ---- One try ---- */

static const char *const answer_texts[] = {
    [ANSWER_GARBAGE]    = "The embedding service sends a response without embeddings.",
    [ANSWER_COUNT]      = "The embedding service sends another number of vectors than texts were sent.",
    [ANSWER_DIMENSIONS] = "The embedding service sends vectors of other dimensions than before.",
    [ANSWER_NUMBERS]    = "The embedding service sends vectors of length zero, or invalid numbers.",
    [ANSWER_NO_MEMORY]  = "There is no memory for the answer of the embedding service.",
};

struct batch {
    const tenon_call  *call;
    enum embed_role    role;
    const char *const *texts;
    size_t             count;
    float             *out;        /* NULL: a probe */
    size_t             dimensions; /* 0: found by the probe */
};

static enum embed_reply try_once(struct http *http, struct port *port, struct batch *batch, char *why,
                                 int *pause)
{
    const struct text *body;
    enum embed_answer  answer;
    enum embed_reply   reply = embed_line_post(port->line, &http->service, &port->request, batch->call, &body,
                                               why, pause);

    if (reply != REPLY_FINE)
        return reply;
    answer = embed_read_answer(port->reader, http->service.dialect, body, batch->count, &batch->dimensions,
                               batch->out);
    if (answer == ANSWER_FINE)
        return REPLY_FINE;
    snprintf(why, sizeof((struct embed_failure *)0)->text, "%s", answer_texts[answer]);
    return answer == ANSWER_NO_MEMORY ? REPLY_NO_MEMORY : REPLY_BROKEN;
}

static const struct {
    enum embed_status    status;
    enum breaker_outcome outcome;
} replies[] = {
    [REPLY_FINE]      = { EMBED_OK, BREAKER_PASSED },
    [REPLY_DOWN]      = { EMBED_UNAVAILABLE, BREAKER_FAILED },
    [REPLY_REFUSED]   = { EMBED_REFUSED, BREAKER_PASSED },
    [REPLY_BROKEN]    = { EMBED_REFUSED, BREAKER_FAILED },
    [REPLY_CANCELLED] = { EMBED_CANCELLED, BREAKER_ABANDONED },
    [REPLY_NO_MEMORY] = { EMBED_NO_MEMORY, BREAKER_ABANDONED },
};

/* ---- All tries of one batch ---- */

static bool wait_before(struct http *http, int try, int pause, const tenon_call *call)
{
    int64_t ms = (INT64_C(1000) << (try - 1));

    ms += (int64_t)(http->world->random(http->world->user) % (unsigned)(ms * JITTER_PERCENT / 100 + 1));
    if (ms < (int64_t)pause * 1000)
        ms = (int64_t)pause * 1000;
    return http->world->wait(http->world->user, ms, call);
}

static enum embed_status run_tries(struct http *http, struct port *port, struct batch *batch, char *why)
{
    enum embed_status status = EMBED_UNAVAILABLE;
    int               pause  = 0;

    for (int try = 0; try <= RETRIES; try++) {
        struct breaker_pass pass;
        enum embed_reply    reply;

        if (try && !wait_before(http, try, pause, batch->call))
            return EMBED_CANCELLED;
        if (!breaker_enter(&http->breaker, &pass)) {
            if (!*why)
                snprintf(why, sizeof((struct embed_failure *)0)->text,
                         "The embedding service failed too often.");
            return EMBED_UNAVAILABLE;
        }
        reply = try_once(http, port, batch, why, &pause);
        breaker_leave(&http->breaker, pass, replies[reply].outcome);
        status = replies[reply].status;
        if (reply != REPLY_DOWN)
            break;
    }
    return status;
}

static enum embed_status send_batch(struct http *http, struct batch *batch, struct embed_failure *failure)
{
    struct port      *port = take_port(http, batch->call);
    enum embed_status status;
    int               after;

    *failure = (struct embed_failure){ 0 };
    if (!port) {
        status = EMBED_CANCELLED;
    } else {
        text_clear(&port->request);
        embed_write_request(&port->request, &http->service, batch->role, batch->texts, batch->count);
        status = port->request.failed ? EMBED_NO_MEMORY : run_tries(http, port, batch, failure->text);
        give_port(http, port);
    }
    failure->circuit     = circuit_names[breaker_state(&http->breaker, &after)];
    failure->retry_after = after || status != EMBED_UNAVAILABLE ? after : COME_BACK_S;
    return status;
}

/* ---- The provider ---- */

static size_t batch_size(size_t dimensions)
{
    size_t count = ANSWER_LEN_WANT / (dimensions * NUMBER_LEN);

    return count < EMBED_BATCH ? count : EMBED_BATCH;
}

static enum embed_status embed(struct embedder *embedder, const tenon_call *call, enum embed_role role,
                               const char *const *texts, size_t count, float *out,
                               struct embed_failure *failure)
{
    struct http         *http   = (struct http *)embedder;
    enum embed_status    status = EMBED_OK;
    struct embed_failure nobody;
    size_t               most = batch_size(embedder->dimensions);

    for (size_t done = 0; done < count && status == EMBED_OK; done += most) {
        struct batch batch = { call,
                               role,
                               texts + done,
                               count - done < most ? count - done : most,
                               out + done * embedder->dimensions,
                               embedder->dimensions };

        status = call && tenon_is_cancelled(call) ? EMBED_CANCELLED
                                                  : send_batch(http, &batch, failure ? failure : &nobody);
    }
    return status;
}

static void free_http(struct embedder *embedder)
{
    struct http *http = (struct http *)embedder;

    if (!http)
        return;
    for (int i = 0; i < EMBED_LINES; i++) {
        embed_line_free(http->ports[i].line);
        embed_reader_free(http->ports[i].reader);
        text_free(&http->ports[i].request);
    }
    embed_service_free(&http->service);
    breaker_free(&http->breaker);
    pthread_cond_destroy(&http->given);
    pthread_mutex_destroy(&http->lock);
    free(http);
}

/* ---- Its beginning ---- */

/* The dimensions of one vector as the service is asked now; 0 and *mistake. */
static size_t probe_once(struct http *http, char **mistake)
{
    static const char *const text  = "How many dimensions?";
    struct batch             batch = { .texts = &text, .count = 1 };
    struct embed_failure     failure;

    if (send_batch(http, &batch, &failure) == EMBED_OK && batch.dimensions)
        return batch.dimensions;
    embed_mistake(mistake, "No embeddings from %s with the model %s. %s", http->service.url,
                  http->service.name, failure.text);
    return 0;
}

/* The model's own dimensions, or, where the operator wants others, what OpenAI's parameter makes of them. */
static bool probe(struct http *http, size_t wanted, char **mistake)
{
    size_t dimensions = probe_once(http, mistake);

    if (dimensions && wanted && wanted != dimensions && http->service.dialect == DIALECT_OPENAI) {
        char  *other = NULL;
        size_t made;

        http->service.ask_dimensions = true;
        http->service.dimensions     = wanted;
        made                         = probe_once(http, &other);
        free(other);
        dimensions = made == wanted ? made : dimensions;
    }
    if (!dimensions)
        return false;
    if (wanted && wanted != dimensions)
        return embed_mistake(mistake, "The model %s has %zu dimensions, but --embedding-dimensions says %zu.",
                             http->service.name, dimensions, wanted);
    if (dimensions < EMBED_DIMENSIONS_MIN || dimensions > EMBED_DIMENSIONS_MAX)
        return embed_mistake(mistake, "The model %s has %zu dimensions; from %d to %d can be used.",
                             http->service.name, dimensions, EMBED_DIMENSIONS_MIN, EMBED_DIMENSIONS_MAX);
    http->service.dimensions = dimensions;
    return true;
}

static bool open_ports(struct http *http)
{
    for (int i = 0; i < EMBED_LINES; i++) {
        http->ports[i].line   = embed_line_new(http->world);
        http->ports[i].reader = embed_reader_new();
        if (!http->ports[i].line || !http->ports[i].reader)
            return false;
    }
    return true;
}

struct embedder *embed_http_new_in(const struct embed_options *options, const struct embed_world *world,
                                   char **mistake)
{
    struct http *http = calloc(1, sizeof *http);
    char         mark[EMBED_PREFIX_MARK];

    if (!http) {
        embed_mistake(mistake, "There is no memory for embeddings.");
        return NULL;
    }
    http->world = world;
    pthread_mutex_init(&http->lock, NULL);
    pthread_cond_init(&http->given, NULL);
    breaker_init(&http->breaker, world->now, world->user);
    if (!embed_service_read(&http->service, options, mistake) ||
        !(open_ports(http) || embed_mistake(mistake, "There is no memory for embeddings.")) ||
        !probe(http, (size_t)options->dimensions, mistake)) {
        free_http(&http->base);
        return NULL;
    }
    embed_prefix_mark(&http->service.prefixes, mark);
    snprintf(http->model, sizeof http->model, "%s/%s/%zu/%d%s",
             http->service.dialect == DIALECT_OPENAI ? "openai" : "ollama", http->service.name,
             http->service.dimensions, EMBED_TEXT_VERSION, mark);
    http->base = (struct embedder){
        .model = http->model, .dimensions = http->service.dimensions, .embed = embed, .free = free_http
    };
    return &http->base;
}

struct embedder *embed_http_new(const struct embed_options *options, char **mistake)
{
    return embed_http_new_in(options, &embed_world, mistake);
}
