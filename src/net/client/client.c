/* client.c - a client: made, polled, freed. */
#include "net/client/client.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "json/read.h"

#define CAPABILITIES_MAX ((size_t)1 << 20)
#define PEER_SHOWN_MAX   200
#define BYTES_MAX        (SIZE_MAX / 64) /* of a message: sums and products of it do not overflow */

int64_t tn_client_now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

bool tn_client_is_modern(const tenon_client *client)
{
    return client->version == V2026_07_28;
}

void tn_client_fail(tenon_client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(client->error, sizeof client->error, format, args);
    va_end(args);
}

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

static void set_default(size_t *value, size_t preset)
{
    if (*value == 0)
        *value = preset;
}

static const char *copy_text(tenon_client *client, const char *text, const char *preset)
{
    text = text ? text : preset;
    return text ? tn_arena_copy(&client->arena, text, strlen(text)) : NULL;
}

tenon_status tn_client_check_object(const tenon_client *client, const char *json, size_t max)
{
    const struct tn_json_limits limits = { max, 1024, 10000000 };
    struct tn_arena             arena;
    struct tn_json_text         text;
    bool                        good;

    tn_arena_init(&arena, &client->memory, 0);
    text = tn_json_read(&arena, json ? json : "", json ? strlen(json) : 0, &limits);
    good = text.fault == JSON_FINE && yyjson_is_obj(text.root);
    tn_arena_free(&arena);
    return good ? TENON_OK : text.fault == JSON_NO_MEMORY ? TENON_E_NOMEM : TENON_E_DECLARATION;
}

/* A copy on one line, as a message is; NULL when out of memory. JSON has line ends only where a space may be. */
static const char *copy_json(tenon_client *client, const char *json)
{
    char *copy = tn_arena_copy(&client->arena, json, strlen(json));

    for (char *at = copy; at && *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return copy;
}

/* The options of a caller that was compiled with fewer of them, as they will be used. False when out of memory. */
static bool take_options(tenon_client *client, const tenon_client_options *given)
{
    tenon_client_options *own    = &client->options;
    tenon_status          status = TENON_OK;

    memcpy(own, given, given->size < sizeof *own ? given->size : sizeof *own);
    own->name         = copy_text(client, own->name, "tenon");
    own->version      = copy_text(client, own->version, tenon_version());
    own->revision     = copy_text(client, own->revision, NULL);
    own->capabilities = own->capabilities ? copy_json(client, own->capabilities) : NULL;
    own->log_level    = copy_text(client, own->log_level, NULL);
    own->token        = copy_text(client, own->token, NULL);
    set_default(&own->max_bytes, TENON_CLIENT_MAX_BYTES);
    own->max_bytes = own->max_bytes < BYTES_MAX ? own->max_bytes : BYTES_MAX;
    set_default(&own->max_requests, TENON_CLIENT_MAX_REQUESTS);
    set_default(&own->max_questions, TENON_CLIENT_MAX_QUESTIONS);
    set_default(&own->max_pages, TENON_CLIENT_MAX_PAGES);
    set_default(&own->max_rounds, TENON_CLIENT_MAX_ROUNDS);
    set_default(&own->max_notes, TENON_CLIENT_MAX_NOTES);
    if (own->timeout_ms == 0)
        own->timeout_ms = TENON_CLIENT_TIMEOUT_MS;
    if (own->revision && tn_version_of(tn_slice_of(own->revision)) == VERSION_NONE)
        tn_client_fail(client, "there is no revision %.100s of the protocol", own->revision);
    else if (own->log_level && tn_level_of(tn_slice_of(own->log_level)) < 0)
        tn_client_fail(client, "there is no level %.100s of log lines", own->log_level);
    else if (own->capabilities)
        status = tn_client_check_object(client, own->capabilities, CAPABILITIES_MAX);
    if (status == TENON_E_DECLARATION)
        tn_client_fail(client, "the capabilities are no JSON object");
    return status != TENON_E_NOMEM && !client->arena.failed;
}

tenon_client *tn_client_new(const tenon_client_options *options)
{
    tenon_allocator memory = tn_memory_of(options->memory);
    tenon_client   *client = tn_memory_new(&memory, sizeof *client);

    if (!client)
        return NULL;
    memset(client, 0, sizeof *client);
    client->memory   = memory;
    client->version  = VERSION_NONE;
    client->watch.fd = -1;
    tn_ring_init(&client->open);
    tn_ring_init(&client->finished);
    tn_ring_init(&client->kept);
    tn_ring_init(&client->spare);
    tn_ring_init(&client->questions);
    tn_arena_init(&client->arena, &memory, 0);
    tn_arena_init(&client->about, &memory, 0);
    tn_arena_init(&client->inbox, &memory, 0);
    tn_arena_init(&client->outbox, &memory, 0);
    if (take_options(client, options))
        return client;
    tenon_client_free(client);
    return NULL;
}

void tn_client_frame(tenon_client *client, struct tn_transport_frame *frame)
{
    int timeout_ms = client->options.timeout_ms;

    if (!tn_watch_init(&client->watch) && !client->error[0])
        tn_client_fail(client, "the system has no descriptor left");
    *frame = (struct tn_transport_frame){ .memory    = client->memory,
                                          .watch     = &client->watch,
                                          .max_bytes = client->options.max_bytes,
                                          .note_ms = timeout_ms > 0 ? timeout_ms : TENON_CLIENT_TIMEOUT_MS };
}

static void transport_paused(void *user, int64_t elapsed_ms)
{
    tn_client_prolong(user, elapsed_ms);
}

tenon_client *tn_client_attach(tenon_client *client, struct tn_transport *transport)
{
    if (!transport) {
        tenon_client_free(client);
        return NULL;
    }
    client->transport = transport;
    transport->sink   = (struct tn_transport_sink){
          .message = tn_message_take, .ended = tn_message_ended, .paused = transport_paused, .user = client
    };
    if (!client->error[0] && transport->why[0])
        tn_client_fail(client, "%s", transport->why);
    if (client->error[0])
        client->stage = STAGE_LOST;
    else
        tn_negotiate_begin(client);
    return client;
}

tenon_client *tenon_client_memory_(tenon_server *server, const tenon_client_options *options)
{
    tenon_client             *client = tn_client_new(options);
    struct tn_transport_frame frame;

    if (!client)
        return NULL;
    tn_client_frame(client, &frame);
    return tn_client_attach(client, tn_memory_transport_new(&frame, server));
}

tenon_client *tenon_client_command_(const char *const *words, const tenon_client_options *options)
{
    tenon_client             *client = tn_client_new(options);
    struct tn_transport_frame frame;

    if (!client)
        return NULL;
    tn_client_frame(client, &frame);
    return tn_client_attach(client, tn_pipe_transport_new(&frame, words, client->options.environment,
                                                          client->options.directory));
}

static void free_requests(struct tn_ring *ring)
{
    while (!tn_ring_empty(ring))
        tn_request_forget((tenon_request *)ring->after);
}

void tenon_client_free(tenon_client *client)
{
    tenon_allocator memory;

    if (!client)
        return;
    memory = client->memory;
    for (struct tn_ring *one = client->open.after; one != &client->open; one = one->after)
        tn_request_withdraw((tenon_request *)one);
    free_requests(&client->open);
    free_requests(&client->finished);
    free_requests(&client->kept);
    while (!tn_ring_empty(&client->spare)) {
        tenon_request *request = (tenon_request *)client->spare.after;

        tn_ring_remove(&request->ring);
        tn_request_discard(request, &memory);
    }
    while (!tn_ring_empty(&client->questions))
        tn_question_free((tenon_question *)client->questions.after);
    if (client->transport)
        client->transport->free(client->transport);
    tn_watch_free(&client->watch);
    tn_arena_free(&client->inbox);
    tn_arena_free(&client->outbox);
    tn_arena_free(&client->about);
    tn_arena_rest(&client->arena, 0); /* a token may be in it */
    tn_arena_free(&client->arena);
    tn_memory_free(&memory, client, sizeof *client);
}

/* ---- What it is --------------------------------------------------------------------------------------------- */

const char *tenon_client_error(const tenon_client *client)
{
    return client ? client->error : "out of memory";
}

const char *tenon_client_revision(const tenon_client *client)
{
    return client && client->stage == STAGE_READY ? tn_version_text(client->version) : "";
}

const tenon_json *tenon_client_server(const tenon_client *client)
{
    return client ? (const tenon_json *)client->server : NULL;
}

int tenon_client_fd(const tenon_client *client)
{
    return client ? client->watch.fd : -1;
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

void tn_client_prolong(tenon_client *client, int64_t elapsed_ms)
{
    for (struct tn_ring *one = client->open.after; one != &client->open; one = one->after) {
        tenon_request *request = (tenon_request *)one;

        if (request->deadline_ms != TRANSPORT_NEVER)
            request->deadline_ms += elapsed_ms;
    }
}

/* Until when nothing needs to be done; while questions are open, the server's time stands still. */
static int64_t next_due(const tenon_client *client)
{
    int64_t due = TRANSPORT_NEVER;

    if (client->transport && client->transport->due && client->stage != STAGE_LOST)
        due = client->transport->due(client->transport);
    if (client->question_count > 0)
        return due;
    for (const struct tn_ring *one = client->open.after; one != &client->open; one = one->after)
        if (((const tenon_request *)one)->deadline_ms < due)
            due = ((const tenon_request *)one)->deadline_ms;
    return due;
}

int tenon_client_timeout(const tenon_client *client)
{
    int64_t due, left;

    if (!client)
        return -1;
    if (!tn_ring_empty(&client->finished))
        return 0;
    due = next_due(client);
    if (due == TRANSPORT_NEVER)
        return -1;
    left = due - tn_client_now_ms();
    return left <= 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX;
}

/* Of an address, what may be shown: after it may stand a key. */
static void end_as_late(const tenon_client *client, tenon_request *request)
{
    const char *peer    = client->transport->peer ? client->transport->peer : "";
    int         len     = (int)strcspn(peer, "?");
    double      seconds = (double)tn_request_timeout(request) / 1000;

    tn_request_end(request, TENON_REQUEST_LATE, "the server%s%.*s did not answer in time (%g s)",
                   len ? " " : "", len < PEER_SHOWN_MAX ? len : PEER_SHOWN_MAX, peer, seconds);
}

static void end_late(tenon_client *client)
{
    int64_t         now = tn_client_now_ms();
    struct tn_ring *one = client->open.after, *after;

    if (client->question_count > 0)
        return;
    for (; one != &client->open; one = after) {
        tenon_request *request = (tenon_request *)one;

        after = one->after;
        if (request->deadline_ms > now)
            continue;
        if (!request->internal)
            tn_request_withdraw(request);
        else if (client->transport->forget)
            client->transport->forget(client->transport, request->id);
        end_as_late(client, request);
    }
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

/* Calls what waits to be called; what the program does meanwhile may end more. */
static void call_done(tenon_client *client)
{
    while (!tn_ring_empty(&client->finished)) {
        tenon_request *request = (tenon_request *)client->finished.after;

        tn_ring_remove(&request->ring);
        tn_ring_add(&client->kept, &request->ring);
        if (request->internal)
            tn_negotiate_go_on(client, request);
        else if (request->options.done)
            request->options.done(request->options.user, request);
    }
}

/* What is ready. Of a single descriptor that is not to be waited for, reading it shows as much. */
static size_t wait_ready(tenon_client *client, struct tn_ready ready[WATCH_READY_MAX], int timeout_ms)
{
    if (timeout_ms != 0 || client->transport->sole <= 0)
        return tn_watch_wait(&client->watch, ready, timeout_ms);
    ready[0] = (struct tn_ready){ client->transport->sole, WATCH_READ };
    return 1;
}

int tenon_client_poll(tenon_client *client, int timeout_ms)
{
    struct tn_ready ready[WATCH_READY_MAX];
    size_t          count;
    int             due;

    if (!client || client->polling)
        return -1;
    client->polling = true;
    client->came    = 0;
    if (client->stage != STAGE_LOST) {
        due   = tenon_client_timeout(client);
        due   = due >= 0 && (timeout_ms < 0 || due < timeout_ms) ? due : timeout_ms;
        count = wait_ready(client, ready, due);
        client->transport->step(client->transport, ready, count);
        end_late(client);
    }
    call_done(client);
    client->polling = false;
    return client->stage == STAGE_LOST && client->came == 0 ? -1 : client->came;
}

void tenon_client_run(tenon_client *client)
{
    while (client && !client->polling && (client->open_count > 0 || !tn_ring_empty(&client->finished)))
        tenon_client_poll(client, -1);
}

bool tenon_client_ready(tenon_client *client)
{
    while (client && !client->polling && client->stage != STAGE_READY && client->stage != STAGE_LOST)
        tenon_client_poll(client, -1);
    return client && client->stage == STAGE_READY;
}

const tenon_json *tenon_client_wait(tenon_request *request)
{
    while (request && request->state == TENON_REQUEST_OPEN && !request->client->polling)
        tenon_client_poll(request->client, -1);
    return tenon_request_result(request);
}

/* ---- Messages out ------------------------------------------------------------------------------------------- */

int64_t tn_client_post(tenon_client *client, struct tn_slice json)
{
    struct tn_parcel parcel = { .key = ++client->last_id, .json = json };

    if (client->stage == STAGE_LOST || !client->transport->send(client->transport, &parcel))
        return 0;
    return parcel.key;
}

void tn_client_lose(tenon_client *client, const char *why, bool closed)
{
    if (client->stage != STAGE_READY && client->negotiation) {
        client->negotiation->closed = closed; /* it may try another way */
        tn_request_end(client->negotiation, TENON_REQUEST_LOST, "%s", why);
        return;
    }
    tn_client_fail(client, "%s", why);
    client->stage = STAGE_LOST;
    while (!tn_ring_empty(&client->open)) {
        tenon_request *request = (tenon_request *)client->open.after;

        request->closed    = closed;
        request->untouched = !request->sent ||
                             (!client->transport->is_http && client->transport->queued > 0 &&
                              request->mark >= client->transport->written);
        tn_request_end(request, TENON_REQUEST_LOST, "%s", why);
    }
}
