/* exchange.c - a request, its response, and what that means. */
#define _GNU_SOURCE
#include "http/exchange.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"
#include "http/leave.h"

#define CLOSE_MS       2000L
#define BARREN_MAX     100   /* resumptions in a row of a stream that bring nothing */
#define RETRY_MS       1000  /* where the server does not say it */
#define RETRY_MOST_MS  30000 /* of a stream to listen to that brings nothing */
#define RETRY_LEAST_MS 20    /* of one that brings nothing but places to go on after */
#define EXCERPT_MAX    120
#define ADDRESS_MAX    ((size_t)150)
#define BURST_MAX      ((size_t)1 << 20) /* of a stream in one step, beyond one message */
#define CHALLENGE_MAX  ((size_t)8 << 10)

int64_t http_now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

static void end(struct exchange *exchange, enum tn_end how, const char *format, ...) TENON_PRINTF(3, 4);

/* ---- What curl hands over ----------------------------------------------------------------------------------- */

static size_t receive_body(char *at, size_t one, size_t len, void *user)
{
    struct exchange *exchange = user;

    (void)one;
    tn_buf_add(&exchange->body, at, len);
    exchange->too_long = exchange->body.failed;
    return exchange->too_long ? 0 : len;
}

/* Copies the value of a header, if it is `name` and its value is short and printable. */
static void copy_header(struct tn_slice line, const char *name, char *to, size_t room)
{
    size_t          len   = strlen(name);
    struct tn_slice value = { "", 0 };

    if (line.len <= len || line.at[len] != ':' || strncasecmp(line.at, name, len) != 0)
        return;
    value = tn_slice_trim((struct tn_slice){ line.at + len + 1, line.len - len - 1 });
    if (value.len >= room)
        return;
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] <= ' ' || value.at[i] > '~')
            return;
    memcpy(to, value.at, value.len);
    to[value.len] = '\0';
}

static void add_challenge(struct exchange *exchange, struct tn_slice line)
{
    static const char name[] = "WWW-Authenticate:";

    if (line.len < sizeof name || strncasecmp(line.at, name, sizeof name - 1) != 0)
        return;
    line = tn_slice_trim((struct tn_slice){ line.at + sizeof name - 1, line.len - sizeof name + 1 });
    if (exchange->challenge.len > 0)
        tn_buf_lit(&exchange->challenge, ", ");
    tn_buf_add(&exchange->challenge, line.at, line.len);
}

static size_t receive_header(char *at, size_t one, size_t len, void *user)
{
    struct exchange *exchange = user;
    struct tn_slice  line     = { at, len };

    (void)one;
    copy_header(line, "Location", exchange->location, sizeof exchange->location);
    copy_header(line, "Mcp-Session-Id", exchange->session, sizeof exchange->session);
    copy_header(line, "DPoP-Nonce", exchange->nonce, sizeof exchange->nonce);
    add_challenge(exchange, line);
    if (tn_slice_blank(line))
        exchange->headed = true;
    return len;
}

/* Programs that ours starts do not get it. */
static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *to)
{
    (void)user, (void)purpose;
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

static void add_header(struct exchange *exchange, const char *name, const char *value, bool *failed)
{
    struct tn_buf      text;
    struct curl_slist *longer;

    tn_buf_init(&text, &exchange->arena, 256, strlen(name) + strlen(value) + 4);
    tn_buf_text(&text, name);
    tn_buf_lit(&text, ": ");
    tn_buf_text(&text, value);
    longer  = tn_buf_end(&text) ? curl_slist_append(exchange->headers, text.at) : NULL;
    *failed = *failed || !longer;
    if (longer)
        exchange->headers = longer;
}

static void add_login(struct exchange *exchange, const char *method, bool *failed)
{
    const struct http_login *login         = exchange->way->login;
    const char              *authorization = login->authorization(login->user);
    const char              *proof         = login->proof(login->user, method);

    const struct tn_header *more;
    size_t                  count = 0;

    exchange->shown = "";
    if (authorization) {
        exchange->shown = tn_arena_copy(&exchange->arena, authorization, strlen(authorization));
        add_header(exchange, "Authorization", authorization, failed);
    }
    if (proof)
        add_header(exchange, "DPoP", proof, failed);
    more = login->headers ? login->headers(login->user, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        add_header(exchange, more[i].name, more[i].value, failed);
    *failed = *failed || !exchange->shown;
}

/* False when out of memory. */
static bool make_headers(struct exchange *exchange, const char *method)
{
    struct http_way *way    = exchange->way;
    bool             gets   = strcmp(method, "GET") == 0;
    bool             failed = false;

    add_header(exchange, "Content-Type", "application/json", &failed);
    add_header(exchange, "Accept", gets ? "text/event-stream" : "application/json, text/event-stream",
               &failed);
    for (size_t i = 0; i < exchange->own_count; i++)
        add_header(exchange, exchange->own[i].name, exchange->own[i].value, &failed);
    if (way->base.version)
        add_header(exchange, "MCP-Protocol-Version", way->base.version, &failed);
    if (way->session[0])
        add_header(exchange, "Mcp-Session-Id", way->session, &failed);
    if (way->login)
        add_login(exchange, method, &failed);
    if (gets && exchange->sse.id.len > 0)
        add_header(exchange, "Last-Event-ID", tn_buf_end(&exchange->sse.id), &failed);
    return !failed;
}

static void set_up(struct exchange *exchange)
{
    struct http_way *way  = exchange->way;
    CURL            *easy = exchange->easy;

    curl_easy_setopt(easy, CURLOPT_URL, way->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "tenon");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, exchange->error);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers);
    if (exchange->kind == EXCHANGE_NOTE) /* requests have a time of their own, which the client looks after */
        curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, way->note_ms);
    if (way->token) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
        curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, way->token);
    }
}

/* Forgets what came, but for the event that a stream goes on after. */
static void clear_response(struct exchange *exchange)
{
    exchange->body.len = exchange->challenge.len = exchange->sse.data.len = exchange->sse.line.len = 0;
    exchange->sse.after_cr = exchange->sse.has_data = exchange->sse.complete = false;
    exchange->headed = exchange->streams = exchange->too_long = exchange->brought = false;
    exchange->location[0] = exchange->session[0] = exchange->nonce[0] = exchange->error[0] = '\0';
}

void exchange_stop(struct exchange *exchange)
{
    if (exchange->easy) {
        curl_multi_remove_handle(exchange->way->multi, exchange->easy);
        curl_easy_cleanup(exchange->easy);
    }
    curl_slist_free_all(exchange->headers);
    exchange->easy    = NULL;
    exchange->headers = NULL;
}

/* Is there a token to send it with, or must it wait for one? False when it ended without. */
static bool may_start(struct exchange *exchange)
{
    const struct http_login *login = exchange->way->login;
    char                     why[TRANSPORT_WHY_MAX];
    enum http_login_state state = login && login->state ? login->state(login->user, why) : HTTP_LOGIN_READY;

    if (state == HTTP_LOGIN_READY)
        return true;
    if (state == HTTP_LOGIN_LATER)
        exchange->phase = PHASE_LOGIN;
    else
        end(exchange, END_REFUSED, "%s", why);
    return false;
}

bool exchange_start(struct exchange *exchange)
{
    bool gets = exchange->kind == EXCHANGE_LISTEN || exchange->resumes;

    exchange_stop(exchange);
    if (!may_start(exchange))
        return true;
    clear_response(exchange);
    exchange->easy = curl_easy_init();
    if (!exchange->easy || !make_headers(exchange, gets ? "GET" : "POST"))
        return false;
    set_up(exchange);
    if (!gets) {
        curl_easy_setopt(exchange->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)exchange->json.len);
        curl_easy_setopt(exchange->easy, CURLOPT_POSTFIELDS, exchange->json.at);
    }
    exchange->phase = PHASE_RUNNING;
    return curl_multi_add_handle(exchange->way->multi, exchange->easy) == CURLM_OK;
}

static bool copy_parcel(struct exchange *exchange, const struct tn_parcel *parcel)
{
    const char *json = tn_arena_copy(&exchange->arena, parcel->json.at, parcel->json.len);

    exchange->key  = parcel->key;
    exchange->json = (struct tn_slice){ json, parcel->json.len };
    exchange->own  = tn_arena_array(&exchange->arena, parcel->header_count + 1, struct tn_header);
    for (size_t i = 0; exchange->own && i < parcel->header_count; i++) {
        const struct tn_header *from = &parcel->headers[i];

        exchange->own[i].name  = tn_arena_copy(&exchange->arena, from->name, strlen(from->name));
        exchange->own[i].value = tn_arena_copy(&exchange->arena, from->value, strlen(from->value));
    }
    exchange->own_count = parcel->header_count;
    return !exchange->arena.failed;
}

struct exchange *exchange_new(struct http_way *way, enum exchange_kind kind, const struct tn_parcel *parcel)
{
    struct exchange *exchange = tn_memory_new(&way->memory, sizeof *exchange);

    if (!exchange)
        return NULL;
    memset(exchange, 0, sizeof *exchange);
    exchange->way  = way;
    exchange->kind = kind;
    tn_arena_init(&exchange->arena, &way->memory, 0);
    tn_buf_init(&exchange->body, &exchange->arena, 0, way->max + BURST_MAX);
    tn_buf_init(&exchange->challenge, &exchange->arena, 0, CHALLENGE_MAX);
    sse_reader_init(&exchange->sse, &exchange->arena, way->max);
    way->base.notes += kind == EXCHANGE_NOTE;
    if (parcel && !copy_parcel(exchange, parcel)) {
        exchange_free(exchange);
        return NULL;
    }
    *way->last = exchange;
    way->last  = &exchange->next;
    return exchange;
}

void exchange_free(struct exchange *exchange)
{
    tenon_allocator memory = exchange->way->memory;

    exchange_stop(exchange);
    exchange->way->base.notes -= exchange->kind == EXCHANGE_NOTE;
    tn_arena_rest(&exchange->arena, 0); /* tokens */
    tn_arena_free(&exchange->arena);
    tn_memory_free(&memory, exchange, sizeof *exchange);
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

static bool has_type(const struct exchange *exchange, const char *wanted)
{
    char *type = NULL;

    return curl_easy_getinfo(exchange->easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type &&
           strncasecmp(type, wanted, strlen(wanted)) == 0;
}

static int status_of(const struct exchange *exchange)
{
    long status = 0;

    curl_easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

/* Ends it; of a stream to listen to, no one is to know. */
static void end(struct exchange *exchange, enum tn_end how, const char *format, ...)
{
    const struct tn_transport_sink *sink   = &exchange->way->base.sink;
    int                             status = exchange->easy && !exchange->resumes ? status_of(exchange) : 0;
    char                            why[TRANSPORT_WHY_MAX];
    va_list                         args;

    va_start(args, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun above */
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    exchange->phase = PHASE_OVER;
    if (exchange->kind != EXCHANGE_LISTEN)
        sink->ended(sink->user, exchange->key, how, status, why);
}

static void end_too_long(struct exchange *exchange)
{
    size_t max = exchange->way->max;

    if (max % ((size_t)1 << 20) == 0)
        end(exchange, END_FAILED, "the server's answer is longer than %zu MiB", max >> 20);
    else
        end(exchange, END_FAILED, "the server's answer is longer than %zu bytes", max);
}

/* Did the server refuse the message itself? Redirects, and what is wrong with a request, are seen before anything is done;
 * 408 is not, nor is any answer to a stream that was taken up again. */
static bool is_undone(const struct exchange *exchange, int status)
{
    return !exchange->resumes && status >= 300 && status < 500 && status != 408;
}

static void end_refused(struct exchange *exchange)
{
    int             status = status_of(exchange);
    struct tn_slice body   = tn_slice_trim(tn_buf_slice(&exchange->body));
    int             shown  = (int)(body.len < EXCERPT_MAX ? body.len : EXCERPT_MAX);

    enum tn_end how = is_undone(exchange, status) ? END_REFUSED : END_FAILED;

    if (status == 401 && exchange->way->token) /* without one, the login says what is needed */
        end(exchange, how, "the server does not accept the token (HTTP 401)");
    else if (status >= 300 && status < 400)
        end(exchange, how, "the server sends elsewhere (HTTP %d): %s", status,
            exchange->location[0] ? exchange->location : "it does not say where");
    else if (status < 300)
        end(exchange, END_CLOSED, "the server answered HTTP %d without a message", status);
    else {
        if (has_type(exchange, "text/html"))
            shown = 0;
        end(exchange, how, "the server answered HTTP %d%s%.*s", status, shown ? ": " : "", shown, body.at);
    }
}

/* Hands a message over; those of a stream to listen to belong to no request. */
static void hand_over(struct exchange *exchange, struct tn_slice json)
{
    const struct tn_transport_sink *sink = &exchange->way->base.sink;
    int64_t                         key  = exchange->kind == EXCHANGE_LISTEN ? 0 : exchange->key;

    sink->message(sink->user, key, status_of(exchange), json);
}

/* Takes the events that are complete. */
static void take_events(struct exchange *exchange)
{
    struct tn_slice rest = tn_buf_slice(&exchange->body);

    size_t before = exchange->sse.id_changes;

    while (exchange->phase != PHASE_OVER && sse_reader_next(&exchange->sse, &rest)) {
        exchange->brought = exchange->brought || exchange->kind == EXCHANGE_LISTEN;
        hand_over(exchange, tn_buf_slice(&exchange->sse.data));
    }
    exchange->brought  = exchange->brought || exchange->sse.id_changes != before;
    exchange->body.len = 0;
    exchange->too_long = exchange->too_long || exchange->sse.data.failed || exchange->sse.line.failed;
}

/* Gets a token for the challenge, and sends the request again. How often that may be, the login knows. */
static void log_in(struct exchange *exchange)
{
    const struct http_login *login     = exchange->way->login;
    const char              *header    = exchange->challenge.len > 0 ? tn_buf_end(&exchange->challenge) : "";
    int64_t                  began     = http_now_ms();
    char                    *peer      = NULL;
    struct http_challenge    challenge = { .status = status_of(exchange),
                                           .header = header ? header : "",
                                           .nonce  = exchange->nonce,
                                           .shown  = exchange->shown ? exchange->shown : "" };
    char                     why[TRANSPORT_WHY_MAX];
    enum http_login_state    state;

    curl_easy_getinfo(exchange->easy, CURLINFO_PRIMARY_IP, &peer);
    challenge.peer = peer ? peer : "";
    state          = login->answer(login->user, &challenge, why);
    exchange->way->base.sink.paused(exchange->way->base.sink.user, http_now_ms() - began);
    if (state == HTTP_LOGIN_NONE)
        end(exchange, END_REFUSED, "%s", why);
    else if (state == HTTP_LOGIN_LATER) {
        exchange_stop(exchange);
        exchange->phase = PHASE_LOGIN;
    } else if (!exchange_start(exchange))
        end(exchange, END_FAILED, "out of memory");
}

/* When a stream is asked for again: when the server says, and later and later when it brings nothing. */
static int retry_ms(struct exchange *exchange)
{
    int retry = exchange->sse.retry_ms >= 0 ? exchange->sse.retry_ms : RETRY_MS;

    if (retry < RETRY_LEAST_MS)
        retry = RETRY_LEAST_MS;
    for (int i = 1; exchange->kind == EXCHANGE_LISTEN && i < exchange->barren && retry < RETRY_MOST_MS; i++)
        retry *= 2;
    return retry;
}

/* A stream ended early. One with an answer is taken up again where its last event has an id, for as long as its request
 * is waited for; one to listen to is asked for again in any case. */
static void resume(struct exchange *exchange)
{
    bool listens = exchange->kind == EXCHANGE_LISTEN;

    exchange->barren = exchange->brought ? 0 : exchange->barren + 1;
    if (!listens && (exchange->sse.id.len == 0 || exchange->barren > BARREN_MAX)) {
        end(exchange, END_CLOSED, "the server ended its stream without an answer");
        return;
    }
    exchange_stop(exchange);
    exchange->resumes = true;
    exchange->phase   = PHASE_WAITING;
    exchange->due_ms  = http_now_ms() + retry_ms(exchange);
}

/* May a stream be there another time, though it is not now? */
static bool is_passing(const struct exchange *exchange, int status)
{
    if (exchange->kind == EXCHANGE_LISTEN)
        return status == 0 || status == 401 || status == 408 || status == 429 || status >= 500;
    return exchange->resumes && (status == 0 || status == 429 || status >= 500);
}

static bool was_sent(CURLcode code)
{
    return code != CURLE_COULDNT_RESOLVE_HOST && code != CURLE_COULDNT_RESOLVE_PROXY &&
           code != CURLE_COULDNT_CONNECT && code != CURLE_SSL_CONNECT_ERROR &&
           code != CURLE_PEER_FAILED_VERIFICATION;
}

/* A 403 is a challenge when it says which scope is missing. */
static bool is_challenge(const struct exchange *exchange, int status)
{
    return exchange->way->login && exchange->kind == EXCHANGE_REQUEST &&
           (status == 401 || (status == 403 && exchange->challenge.len > 0));
}

static void note_worked(const struct exchange *exchange)
{
    const struct http_login *login = exchange->way->login;
    char                    *peer  = NULL;

    curl_easy_getinfo(exchange->easy, CURLINFO_PRIMARY_IP, &peer);
    login->worked(login->user, peer ? peer : "");
}

/* Of an address, what may be shown: after it may stand a key. */
static int shown_len(const char *url)
{
    size_t len = strcspn(url, "?");

    return (int)(len < ADDRESS_MAX ? len : ADDRESS_MAX);
}

/* What a response that is complete means. */
static void judge(struct exchange *exchange)
{
    const struct http_login *login  = exchange->way->login;
    int                      status = status_of(exchange);

    if (is_challenge(exchange, status)) {
        log_in(exchange);
        return;
    }
    if (login && status > 0 && exchange->kind == EXCHANGE_REQUEST)
        note_worked(exchange);
    if (exchange->streams || is_passing(exchange, status)) {
        resume(exchange);
        return;
    }
    if (exchange->code != CURLE_OK) {
        end(exchange, was_sent(exchange->code) ? END_FAILED : END_UNSENT, "cannot reach %.*s: %.200s",
            shown_len(exchange->way->url), exchange->way->url,
            exchange->error[0] ? exchange->error : curl_easy_strerror(exchange->code));
        return;
    }
    if (exchange->kind == EXCHANGE_NOTE && status < 300) {
        end(exchange, END_DONE, "%s", "");
        return;
    }
    if (exchange->kind == EXCHANGE_REQUEST && status != 401 && has_type(exchange, "application/json") &&
        exchange->body.len > 0)
        hand_over(exchange, tn_buf_slice(&exchange->body));
    if (exchange->phase != PHASE_OVER)
        end_refused(exchange);
}

void exchange_take(struct exchange *exchange)
{
    struct http_way *way = exchange->way;

    if (exchange->headed && exchange->session[0]) {
        memcpy(way->session, exchange->session, sizeof way->session);
        way->base.in_session = true;
    }
    if (exchange->headed && !exchange->streams && exchange->kind != EXCHANGE_NOTE)
        exchange->streams = status_of(exchange) == 200 && has_type(exchange, "text/event-stream");
    if (exchange->streams)
        take_events(exchange);
    else if (exchange->body.len > way->max)
        exchange->too_long = true;
    if (exchange->phase == PHASE_OVER) {
        if (way->login && exchange->kind == EXCHANGE_REQUEST)
            note_worked(exchange);
    } else if (exchange->too_long)
        end_too_long(exchange);
    else if (exchange->phase == PHASE_ENDED)
        judge(exchange);
}

void exchange_end_session(struct http_way *way)
{
    struct exchange *exchange = way->session[0] ? exchange_new(way, EXCHANGE_NOTE, NULL) : NULL;

    if (!exchange)
        return;
    exchange->easy = curl_easy_init();
    if (!exchange->easy || !make_headers(exchange, "DELETE"))
        return;
    set_up(exchange);
    curl_easy_setopt(exchange->easy, CURLOPT_CUSTOMREQUEST, "DELETE");
    curl_easy_setopt(exchange->easy, CURLOPT_TIMEOUT_MS, CLOSE_MS);
    if (!way->login || !way->login->leaves) {
        curl_easy_perform(exchange->easy);
        return;
    }
    http_leave(exchange->easy, exchange->headers);
    exchange->easy    = NULL;
    exchange->headers = NULL;
}
