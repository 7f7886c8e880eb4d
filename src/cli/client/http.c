/* http.c - a server at an address: each message a POST, answered by one JSON text or a stream of events.
 *
 * Redirects are not followed, so that a token goes nowhere but where it was meant to go. A stream that ends before its
 * answer is taken up again from its last event, as legacy servers may ask for.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/client/transport.h"

#ifdef TENON_CURL

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"
#include "cli/client/sse_reader.h"
#include "login/login.h"

#define SESSION_MAX  256
#define LOCATION_MAX 200
#define CLOSE_MS     2000L
#define RESUMES_MAX  100
#define RETRY_MS     1000
#define EXCERPT_MAX  120
#define CHALLENGE_MAX ((size_t)8 << 10)
#define LISTEN_MS    2000 /* for a server to open the stream of what it says on its own */

struct web_transport {
    struct transport base;
    const char      *url, *token;
    struct login    *login; /* NULL when there is none */
    CURL            *easy;  /* for requests; its connection is used again */
    CURLM           *multi;
    struct listener *listener; /* once it was tried */
    char             session[SESSION_MAX];
};

/* What comes back for one request. */
struct response {
    struct web_transport *web;
    struct tn_buf         body; /* what was received and not taken yet */
    struct sse_reader     sse;
    char                  location[LOCATION_MAX], session[SESSION_MAX];
    bool                  headed, streams; /* headers are complete; it is a stream of events */
    bool                  too_long, answered;
    struct tn_buf         challenge; /* WWW-Authenticate, several of them with commas in between */
    char                  nonce[SESSION_MAX];
    char                  error[CURL_ERROR_SIZE];
};

/* The stream of a legacy server for what belongs to no request: some put their questions there. */
struct listener {
    struct response    response;
    struct curl_slist *headers;
    CURL              *easy; /* NULL when it has ended, or the server has none */
};

static struct web_transport *web_of(struct transport *transport)
{
    return (struct web_transport *)transport;
}

/* ---- What curl hands over ----------------------------------------------------------------------------------- */

static size_t receive_body(char *at, size_t one, size_t len, void *user)
{
    struct response *response = user;

    (void)one;
    tn_buf_add(&response->body, at, len);
    response->too_long = response->body.failed;
    return response->too_long ? 0 : len;
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

static void add_challenge(struct response *response, struct tn_slice line)
{
    static const char name[] = "WWW-Authenticate:";

    if (line.len < sizeof name || strncasecmp(line.at, name, sizeof name - 1) != 0)
        return;
    line = tn_slice_trim((struct tn_slice){ line.at + sizeof name - 1, line.len - sizeof name + 1 });
    if (response->challenge.len > 0)
        tn_buf_lit(&response->challenge, ", ");
    tn_buf_add(&response->challenge, line.at, line.len);
}

static size_t receive_header(char *at, size_t one, size_t len, void *user)
{
    struct response *response = user;
    struct tn_slice  line     = { at, len };

    (void)one;
    copy_header(line, "Location", response->location, sizeof response->location);
    copy_header(line, "Mcp-Session-Id", response->session, sizeof response->session);
    copy_header(line, "DPoP-Nonce", response->nonce, sizeof response->nonce);
    add_challenge(response, line);
    if (tn_slice_blank(line))
        response->headed = true;
    return len;
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

static struct curl_slist *add_header(struct transport *transport, struct curl_slist *list, const char *name,
                                     const char *value, bool *failed)
{
    struct tn_buf      text;
    struct curl_slist *longer;

    tn_buf_init(&text, transport->arena, 256, strlen(name) + strlen(value) + 4);
    tn_buf_text(&text, name);
    tn_buf_lit(&text, ": ");
    tn_buf_text(&text, value);
    longer  = tn_buf_end(&text) ? curl_slist_append(list, text.at) : NULL;
    *failed = *failed || !longer;
    return longer ? longer : list;
}

/* What a login gives to every request. */
static struct curl_slist *add_login(struct web_transport *web, struct curl_slist *list, const char *method,
                                    bool *failed)
{
    const char *authorization = login_authorization(web->login);
    const char *proof         = login_proof(web->login, method);

    if (authorization)
        list = add_header(&web->base, list, "Authorization", authorization, failed);
    if (proof)
        list = add_header(&web->base, list, "DPoP", proof, failed);
    return list;
}

/* The headers of a request; NULL when out of memory. */
static struct curl_slist *headers_of(struct web_transport *web, const struct parcel *parcel,
                                     const char *resumed)
{
    struct transport  *base   = &web->base;
    bool               failed = false;
    struct curl_slist *list   = add_header(base, NULL, "Content-Type", "application/json", &failed);

    list = add_header(base, list, "Accept",
                      resumed ? "text/event-stream" : "application/json, text/event-stream", &failed);
    for (size_t i = 0; parcel && i < parcel->header_count; i++)
        list = add_header(base, list, parcel->headers[i].name, parcel->headers[i].value, &failed);
    if (base->version)
        list = add_header(base, list, "MCP-Protocol-Version", base->version, &failed);
    if (web->session[0])
        list = add_header(base, list, "Mcp-Session-Id", web->session, &failed);
    if (web->login)
        list = add_login(web, list, parcel ? resumed ? "GET" : "POST" : resumed ? "GET" : "DELETE", &failed);
    if (resumed && *resumed)
        list = add_header(base, list, "Last-Event-ID", resumed, &failed);
    if (!failed)
        return list;
    curl_slist_free_all(list);
    return NULL;
}

static void set_up(struct web_transport *web, CURL *easy, struct response *response)
{
    curl_easy_reset(easy);
    curl_easy_setopt(easy, CURLOPT_URL, web->url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "tenon");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, response->error);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, response);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, response);
    if (web->token) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
        curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, web->token);
    }
}

static void http_begin(struct web_transport *web, struct response *response)
{
    *response = (struct response){ .web = web };
    tn_buf_init(&response->body, web->base.arena, 0, MESSAGE_LEN_MAX);
    tn_buf_init(&response->challenge, web->base.arena, 0, CHALLENGE_MAX);
    sse_reader_init(&response->sse, web->base.arena, MESSAGE_LEN_MAX);
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

static bool has_type(CURL *easy, const char *wanted)
{
    char *type = NULL;

    return curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type &&
           strncasecmp(type, wanted, strlen(wanted)) == 0;
}

/* Takes the events that are complete. */
static void take_events(struct response *response, const struct parcel *parcel)
{
    struct tn_slice rest = tn_buf_slice(&response->body);

    while (!response->answered && sse_reader_next(&response->sse, &rest))
        response->answered = parcel->take && parcel->take(parcel->user, tn_buf_slice(&response->sse.data));
    response->body.len = 0;
    response->too_long = response->too_long || response->sse.data.failed || response->sse.line.failed;
}

static enum carried http_refused(struct response *response, CURL *easy, int status)
{
    struct transport *base  = &response->web->base;
    struct tn_slice   body  = tn_slice_trim(tn_buf_slice(&response->body));
    int               shown = (int)(body.len < EXCERPT_MAX ? body.len : EXCERPT_MAX);

    if (status == 401 && response->web->token) /* without one, the login says what is needed */
        return transport_fail(base, CARRIED_FAILED, "the server does not accept the token (HTTP 401)");
    if (status >= 300 && status < 400)
        return transport_fail(base, CARRIED_FAILED, "the server sends elsewhere (HTTP %d): %s", status,
                              response->location[0] ? response->location : "it does not say where");
    if (status < 300)
        return transport_fail(base, CARRIED_CLOSED, "the server answered HTTP %d without a message", status);
    if (has_type(easy, "text/html"))
        shown = 0;
    return transport_fail(base, CARRIED_FAILED, "the server answered HTTP %d%s%.*s", status,
                          shown ? ": " : "", shown, body.at);
}

/* A 403 is one when it says which scope is missing. */
static bool is_challenge(const struct response *response, int status)
{
    return response->web->login && (status == 401 || (status == 403 && response->challenge.len > 0));
}

/* What a response that is complete means. */
static enum carried http_judge(struct response *response, CURL *easy, const struct parcel *parcel)
{
    struct transport *base   = &response->web->base;
    long              status = 0;

    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    base->status = (int)status;
    if (response->session[0])
        memcpy(response->web->session, response->session, sizeof response->session);
    if (is_challenge(response, (int)status))
        return http_refused(response, easy, (int)status);
    if (response->answered)
        return CARRIED;
    if (!parcel->take)
        return status < 300 ? CARRIED : http_refused(response, easy, (int)status);
    if (response->streams)
        return transport_fail(base, CARRIED_CLOSED, "the server ended its stream without an answer");
    if (status != 401 && has_type(easy, "application/json") && response->body.len > 0 &&
        parcel->take(parcel->user, tn_buf_slice(&response->body)))
        return CARRIED;
    return http_refused(response, easy, (int)status);
}

static enum carried curl_failed(struct response *response, CURLcode code)
{
    struct transport *base = &response->web->base;

    if (response->too_long)
        return transport_fail(base, CARRIED_FAILED,
                              "the server's answer is longer than " MESSAGE_LEN_MAX_TEXT);
    return transport_fail(base, CARRIED_FAILED, "cannot reach %.150s: %.200s", response->web->url,
                          response->error[0] ? response->error : curl_easy_strerror(code));
}

static void take_stream(struct response *response, CURL *easy, const struct parcel *parcel)
{
    long status = 0;

    if (response->headed && !response->streams) {
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        response->streams = status == 200 && has_type(easy, "text/event-stream");
    }
    if (response->streams && parcel)
        take_events(response, parcel);
}

static void stop_listening(struct web_transport *web)
{
    struct listener *listener = web->listener;

    if (!listener || !listener->easy)
        return;
    curl_multi_remove_handle(web->multi, listener->easy);
    curl_easy_cleanup(listener->easy);
    curl_slist_free_all(listener->headers);
    listener->easy = NULL;
}

/* Moves bytes once. True when `easy` has come to its end, with *code; false with *code when nothing moves any more. */
static bool http_step(struct web_transport *web, CURL *easy, CURLM *multi, CURLcode *code)
{
    bool done = false;
    int  running, queued;

    *code = CURLE_OK;
    if (curl_multi_perform(multi, &running) != CURLM_OK)
        *code = CURLE_OUT_OF_MEMORY;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &queued));) {
        if (message->msg != CURLMSG_DONE)
            continue;
        if (message->easy_handle == easy) {
            done  = true;
            *code = message->data.result;
        } else
            stop_listening(web);
    }
    return done;
}

/* What the server says on its own is taken while a request waits; the stream does not end with the answer. */
static void take_heard(struct web_transport *web, CURLM *multi, const struct parcel *parcel, bool *answered)
{
    struct listener *listener = web->listener;

    if (multi != web->multi || !listener || !listener->easy)
        return;
    take_stream(&listener->response, listener->easy, parcel);
    *answered                   = *answered || listener->response.answered;
    listener->response.answered = false; /* the stream goes on */
    if (listener->response.too_long)
        stop_listening(web);
}

/* Runs one request to its end, or to its answer. */
static enum carried http_perform(struct web_transport *web, CURL *easy, CURLM *multi,
                                 struct response *response, const struct parcel *parcel)
{
    CURLcode code = CURLE_OK;

    for (bool done = false; !done && !response->answered && !response->too_long;) {
        if (transport_left_ms(&web->base) == 0)
            return transport_fail(&web->base, CARRIED_LATE, "the server did not answer in time");
        done = http_step(web, easy, multi, &code);
        if (!done && code != CURLE_OK)
            return transport_fail(&web->base, CARRIED_FAILED, "out of memory");
        take_stream(response, easy, parcel);
        take_heard(web, multi, parcel, &response->answered);
        if (!done && !response->answered)
            curl_multi_poll(multi, NULL, 0, transport_left_ms(&web->base), NULL);
    }
    if (response->answered)
        return http_judge(response, easy, parcel);
    if (response->too_long || (code != CURLE_OK && !response->streams))
        return curl_failed(response, code);
    return http_judge(response, easy, parcel);
}

static enum carried send_request(struct web_transport *web, CURL *easy, CURLM *multi,
                                 struct response *response, const struct parcel *parcel, const char *resumed)
{
    struct curl_slist *headers = headers_of(web, parcel, resumed);
    enum carried       how;

    if (!headers)
        return transport_fail(&web->base, CARRIED_FAILED, "out of memory");
    set_up(web, easy, response);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    if (!resumed) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)parcel->json.len);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, parcel->json.at);
    }
    curl_multi_add_handle(multi, easy);
    how = http_perform(web, easy, multi, response, parcel);
    curl_multi_remove_handle(multi, easy);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    return how;
}

/* ---- Carrying ----------------------------------------------------------------------------------------------- */

static void wait_for(struct transport *transport, int milliseconds)
{
    int             left = transport_left_ms(transport);
    int             wait = milliseconds < left ? milliseconds : left;
    struct timespec time = { wait / 1000, (long)(wait % 1000) * 1000000 };

    nanosleep(&time, NULL);
}

/* Takes up a stream that ended early, where its last event has an id. */
static enum carried http_resume(struct web_transport *web, struct response *response,
                                const struct parcel *parcel, enum carried how)
{
    for (int i = 0; i < RESUMES_MAX && how == CARRIED_CLOSED && response->streams && response->sse.id.len > 0;
         i++) {
        const char *id    = tn_arena_copy(web->base.arena, response->sse.id.at, response->sse.id.len);
        int         retry = response->sse.retry_ms >= 0 ? response->sse.retry_ms : RETRY_MS;

        if (!id)
            return transport_fail(&web->base, CARRIED_FAILED, "out of memory");
        wait_for(&web->base, retry);
        http_begin(web, response);
        tn_buf_text(&response->sse.id, id);
        response->sse.retry_ms = retry;
        how                    = send_request(web, web->easy, web->multi, response, parcel, id);
    }
    return how;
}

/* Gets a token for the challenge of the last answer; the time that this takes is not the server's. */
static bool log_in(struct web_transport *web, struct response *response)
{
    struct tn_clock        clock     = tn_clock_system();
    int64_t                began     = clock.now_ms(clock.user);
    char                  *peer      = NULL;
    struct login_challenge challenge = { .status = web->base.status, .nonce = response->nonce };
    char                   why[LOGIN_WHY_MAX];
    bool                   done;

    curl_easy_getinfo(web->easy, CURLINFO_PRIMARY_IP, &peer);
    challenge.peer   = peer ? peer : "";
    challenge.header = response->challenge.len > 0 ? tn_buf_end(&response->challenge) : "";
    if (!challenge.header)
        challenge.header = "";
    done = login_answer(web->login, &challenge, why);
    web->base.deadline_ms += clock.now_ms(clock.user) - began;
    if (!done)
        transport_fail(&web->base, CARRIED_FAILED, "%s", why);
    return done;
}

/* A request, and again with a token when the server asks for one; how often that may be, the login knows. */
static enum carried send_logged_in(struct web_transport *web, struct response *response,
                                   const struct parcel *parcel)
{
    for (;;) {
        enum carried how;

        http_begin(web, response);
        how = send_request(web, web->easy, web->multi, response, parcel, NULL);
        if (!is_challenge(response, web->base.status)) {
            if (web->login && web->base.status > 0)
                login_worked(web->login);
            return how;
        }
        if (!log_in(web, response))
            return CARRIED_FAILED;
    }
}

/* A reply inside a stream goes out on a connection of its own. */
static enum carried carry_aside(struct web_transport *web, const struct parcel *parcel)
{
    struct response response;
    CURL           *easy  = curl_easy_init();
    CURLM          *multi = curl_multi_init();
    enum carried    how   = CARRIED_FAILED;

    http_begin(web, &response);
    if (easy && multi)
        how = send_request(web, easy, multi, &response, parcel, NULL);
    curl_multi_cleanup(multi);
    curl_easy_cleanup(easy);
    return how;
}

/* Opens the stream once, and gives the server a moment to accept it: what it says before would be lost. */
static void listen_once(struct web_transport *web)
{
    struct listener *listener = web->listener ? NULL : tn_arena_new(web->base.arena, struct listener);
    CURLcode         code     = CURLE_OK;
    int64_t          until    = web->base.deadline_ms;

    if (!listener)
        return;
    web->listener     = listener;
    listener->headers = headers_of(web, NULL, "");
    listener->easy    = listener->headers ? curl_easy_init() : NULL;
    if (!listener->easy)
        return;
    http_begin(web, &listener->response);
    set_up(web, listener->easy, &listener->response);
    curl_easy_setopt(listener->easy, CURLOPT_HTTPHEADER, listener->headers);
    curl_multi_add_handle(web->multi, listener->easy);
    if (transport_left_ms(&web->base) > LISTEN_MS)
        web->base.deadline_ms -= transport_left_ms(&web->base) - LISTEN_MS;
    while (listener->easy && !listener->response.headed && transport_left_ms(&web->base) > 0) {
        http_step(web, NULL, web->multi, &code);
        if (listener->easy && !listener->response.headed && code == CURLE_OK)
            curl_multi_poll(web->multi, NULL, 0, transport_left_ms(&web->base), NULL);
    }
    web->base.deadline_ms = until;
}

static enum carried http_carry(struct transport *transport, const struct parcel *parcel)
{
    struct web_transport *web = web_of(transport);
    struct response       response;

    transport->status = 0;
    if (!web->easy)
        return CARRIED_FAILED;
    if (!parcel->take)
        return carry_aside(web, parcel);
    if (transport->listens && web->session[0])
        listen_once(web);
    return http_resume(web, &response, parcel, send_logged_in(web, &response, parcel));
}

/* Ends the session, if there is one; that is not waited for long. */
static void close_web(struct transport *transport)
{
    struct web_transport *web = web_of(transport);
    struct response       response;
    struct curl_slist    *headers;

    stop_listening(web);
    if (web->easy && web->session[0]) {
        http_begin(web, &response);
        headers = headers_of(web, NULL, NULL);
        set_up(web, web->easy, &response);
        curl_easy_setopt(web->easy, CURLOPT_CUSTOMREQUEST, "DELETE");
        curl_easy_setopt(web->easy, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(web->easy, CURLOPT_TIMEOUT_MS, CLOSE_MS);
        curl_easy_perform(web->easy);
        curl_slist_free_all(headers);
    }
    curl_easy_cleanup(web->easy);
    curl_multi_cleanup(web->multi);
    web->easy  = NULL;
    web->multi = NULL;
    curl_global_cleanup();
}

struct transport *web_transport_new(struct tn_arena *arena, const char *url, const char *token,
                                    struct login *login)
{
    struct web_transport *web = tn_arena_new(arena, struct web_transport);

    if (!web)
        return NULL;
    web->base = (struct transport){
        .carry = http_carry, .close = close_web, .arena = arena, .is_http = true
    };
    web->url   = url;
    web->token = token;
    web->login = login;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        transport_fail(&web->base, CARRIED_FAILED, "libcurl does not start");
    web->easy  = curl_easy_init();
    web->multi = curl_multi_init();
    return web->easy && web->multi ? &web->base : NULL;
}

#else

static enum carried carry_nothing(struct transport *transport, const struct parcel *parcel)
{
    (void)transport, (void)parcel;
    return CARRIED_FAILED;
}

static void close_nothing(struct transport *transport)
{
    (void)transport;
}

struct transport *web_transport_new(struct tn_arena *arena, const char *url, const char *token,
                                    struct login *login)
{
    struct transport *transport = tn_arena_new(arena, struct transport);

    (void)url, (void)token, (void)login;
    if (!transport)
        return NULL;
    *transport = (struct transport){ .carry = carry_nothing, .close = close_nothing, .arena = arena };
    transport_fail(transport, CARRIED_FAILED,
                   "this tenon was built without libcurl and reaches no addresses");
    return transport;
}

#endif
