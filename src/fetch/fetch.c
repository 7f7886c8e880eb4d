/* fetch.c - requests from their start to their end.
 *
 * Redirects are followed here and not by libcurl, so that each is judged like the first request, and what was meant for one
 * origin is not carried to another.
 */
#include "fetch/fetch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "fetch/inside.h"
#include "fetch/url.h"

#define LOOK_MS 50 /* between two looks at whether a request is cancelled */
#define WAIT_MS 1000

static const char *const end_texts[] = {
    [FETCH_DONE]      = "",
    [FETCH_STOPPED]   = "it was stopped",
    [FETCH_CANCELLED] = "it was cancelled",
    [FETCH_BAD_URL]   = "it is not a URL",
    [FETCH_BAD_SCHEME] =
        "it begins with neither https:// nor http://, or with http:// where only https:// is allowed",
    [FETCH_BAD_HOP]       = "its host is not allowed",
    [FETCH_BAD_ADDRESS]   = "its address is not allowed",
    [FETCH_TOO_FAR]       = "it redirects too often",
    [FETCH_LATE]          = "Timeout was reached",
    [FETCH_HEAD_TOO_LONG] = "its headers are too long",
    [FETCH_BODY_TOO_LONG] = "it is too long",
    [FETCH_FAILED]        = "it cannot be reached",
    [FETCH_NO_MEMORY]     = "out of memory",
};

/* ---- Pools and places ------------------------------------------------------------------------------------------ */

static void begin_curl(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

struct tn_fetch_pool *tn_fetch_pool_new(void)
{
    static pthread_once_t once   = PTHREAD_ONCE_INIT;
    tenon_allocator       memory = tn_memory_of(NULL);
    struct tn_fetch_pool *pool   = tn_memory_new(&memory, sizeof *pool);

    if (!pool)
        return NULL;
    pthread_once(&once, begin_curl);
    *pool = (struct tn_fetch_pool){ .multi = curl_multi_init() };
    if (pool->multi)
        return pool;
    tn_memory_free(&memory, pool, sizeof *pool);
    return NULL;
}

void tn_fetch_pool_free(struct tn_fetch_pool *pool)
{
    tenon_allocator memory = tn_memory_of(NULL);

    if (!pool)
        return;
    curl_multi_cleanup(pool->multi);
    tn_memory_free(&memory, pool, sizeof *pool);
}

struct tn_fetch *tn_fetch_new(struct tn_fetch_pool *pool)
{
    tenon_allocator  memory = tn_memory_of(NULL);
    struct tn_fetch *fetch  = tn_memory_new(&memory, sizeof *fetch);

    if (!fetch)
        return NULL;
    *fetch = (struct tn_fetch){ .own_pool = !pool, .pool = pool ? pool : tn_fetch_pool_new() };
    tn_arena_init(&fetch->arena, &memory, 0);
    fetch->easy = fetch->pool ? curl_easy_init() : NULL;
    if (fetch->easy)
        return fetch;
    tn_fetch_free(fetch);
    return NULL;
}

/* Takes the exchange that runs out of the pool. */
static void leave(struct tn_fetch *fetch)
{
    struct tn_fetch **at;

    if (!fetch->running)
        return;
    for (at = &fetch->pool->running; *at != fetch; at = &(*at)->next)
        continue;
    *at            = fetch->next;
    fetch->running = false;
    curl_multi_remove_handle(fetch->pool->multi, fetch->easy);
    curl_easy_setopt(fetch->easy, CURLOPT_HTTPHEADER, NULL);
    tn_fetch_release(fetch);
}

void tn_fetch_free(struct tn_fetch *fetch)
{
    tenon_allocator memory = tn_memory_of(NULL);

    if (!fetch)
        return;
    leave(fetch);
    curl_easy_cleanup(fetch->easy);
    if (fetch->own_pool)
        tn_fetch_pool_free(fetch->pool);
    tn_arena_rest(&fetch->arena, 0);
    tn_arena_free(&fetch->arena);
    tn_memory_free(&memory, fetch, sizeof *fetch);
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static int64_t elapsed_ms(const struct tn_fetch *fetch)
{
    return tn_clock_now_us() / 1000 - fetch->began;
}

static void read_sent(struct tn_fetch *fetch)
{
    struct tn_slice       rest = tn_buf_slice(&fetch->sent), line;
    struct tn_fetch_lines sent = { 0 };

    tn_slice_split(&rest, '\n', &line); /* the request itself, which may have a colon in it */
    while (tn_slice_split(&rest, '\n', &line))
        if (!tn_fetch_add_line(fetch, &sent, line))
            fetch->answer.end = FETCH_NO_MEMORY;
    fetch->answer.sent       = sent.at;
    fetch->answer.sent_count = sent.count;
}

static void end(struct tn_fetch *fetch, enum tn_fetch_end how, CURLcode code)
{
    struct tn_fetch_answer *answer = &fetch->answer;
    char                   *body   = tn_buf_end(&fetch->exchange.body);

    answer->end          = how;
    answer->elapsed_ms   = elapsed_ms(fetch);
    answer->address      = answer->address ? answer->address : "";
    answer->headers      = fetch->exchange.came.at;
    answer->header_count = fetch->exchange.came.count;
    answer->body         = body ? body : "";
    answer->body_len     = body ? fetch->exchange.body.len : 0;
    read_sent(fetch);
    if (!body || fetch->arena.failed)
        answer->end = FETCH_NO_MEMORY;
    if (answer->end == FETCH_BODY_TOO_LONG)
        snprintf(answer->why, sizeof answer->why, "it has more than %zu bytes", fetch->request.body_max);
    else
        snprintf(answer->why, sizeof answer->why, "%s",
                 answer->end == FETCH_FAILED ? curl_easy_strerror(code) : end_texts[answer->end]);
    answer->detail = answer->end == FETCH_FAILED ? fetch->error : "";
    atomic_store(&fetch->cancelled, false);
}

/* ---- Hops -------------------------------------------------------------------------------------------------------- */

/* May the exchange go there? */
static enum tn_fetch_end check_hop(struct tn_fetch *fetch, int status)
{
    struct tn_fetch_exchange *exchange = &fetch->exchange;
    struct tn_url            *url      = tn_url_new(exchange->url);
    struct tn_fetch_hop       hop      = { .url          = exchange->url,
                                           .status       = status,
                                           .method       = exchange->method,
                                           .with_headers = exchange->with_headers };
    const char               *port     = url ? tn_url_get(url, URL_PORT) : NULL;
    enum tn_fetch_end         how      = FETCH_DONE;

    hop.host = url ? tn_url_get(url, URL_HOST) : NULL;
    hop.port = port ? atoi(port) : 0;
    if (!url)
        how = FETCH_BAD_URL;
    else if (!tn_url_is_web(url) ||
             (fetch->request.https_only && strcmp(tn_url_get(url, URL_SCHEME), "https") != 0))
        how = FETCH_BAD_SCHEME;
    else if (!hop.host)
        how = FETCH_BAD_URL;
    else if (fetch->request.approve_hop && !fetch->request.approve_hop(fetch->request.user, &hop))
        how = FETCH_BAD_HOP;
    tn_url_free(url);
    return how;
}

/* Sends the exchange that is prepared; ends the request when it cannot. */
static void begin(struct tn_fetch *fetch, int status)
{
    struct tn_fetch_exchange *exchange = &fetch->exchange;
    int64_t           left_ms = fetch->request.time_ms ? fetch->request.time_ms - elapsed_ms(fetch) : 0;
    enum tn_fetch_end how;

    fetch->answer.url    = exchange->url;
    fetch->answer.method = exchange->method;
    fetch->error[0]      = '\0';
    tn_buf_init(&exchange->body, &fetch->arena, 0, fetch->request.body_max);
    how = exchange->url && exchange->method ? check_hop(fetch, status) : FETCH_NO_MEMORY;
    if (how == FETCH_DONE && fetch->request.time_ms && left_ms <= 0)
        how = FETCH_LATE;
    if (how == FETCH_DONE && (!tn_fetch_prepare(fetch, (long)left_ms) ||
                              curl_multi_add_handle(fetch->pool->multi, fetch->easy) != CURLM_OK))
        how = FETCH_NO_MEMORY;
    if (how != FETCH_DONE) {
        tn_fetch_release(fetch);
        end(fetch, how, CURLE_OK);
        return;
    }
    fetch->running       = true;
    fetch->next          = fetch->pool->running;
    fetch->pool->running = fetch;
}

/* As RFC 9110 has it: 303 asks again with GET, and so do 301 and 302 of a POST. */
static void turn(struct tn_fetch_exchange *exchange, int status)
{
    bool posted = strcmp(exchange->method, "POST") == 0;

    if (status == 307 || status == 308 || strcmp(exchange->method, "HEAD") == 0)
        return;
    if (status == 303 || posted) {
        exchange->method    = "GET";
        exchange->with_body = false;
    }
}

/* The same scheme, host and port? */
static bool same_origin(const char *one, const char *other)
{
    static const enum tn_url_part parts[] = { URL_SCHEME, URL_HOST, URL_PORT };
    struct tn_url                *a = tn_url_new(one), *b = tn_url_new(other);
    bool                          same = a && b;

    for (size_t i = 0; same && i < sizeof parts / sizeof *parts; i++) {
        const char *left = tn_url_get(a, parts[i]), *right = tn_url_get(b, parts[i]);

        same = left && right && strcmp(left, right) == 0;
    }
    tn_url_free(a);
    tn_url_free(b);
    return same;
}

static bool may_use(const struct tn_fetch *fetch, const char *next)
{
    return strncmp(next, "https://", 8) == 0 ||
           (!fetch->request.https_only && strncmp(next, "http://", 7) == 0);
}

/* Goes where the answer leads. */
static void go_on(struct tn_fetch *fetch)
{
    struct tn_fetch_answer   *answer   = &fetch->answer;
    struct tn_fetch_exchange  before   = fetch->exchange;
    struct tn_fetch_exchange *exchange = &fetch->exchange;
    int                       status   = answer->status;

    if (answer->hop_count == FETCH_HOPS_MAX || !may_use(fetch, before.next)) {
        answer->next = before.next;
        end(fetch, may_use(fetch, before.next) ? FETCH_TOO_FAR : FETCH_BAD_SCHEME, CURLE_OK);
        return;
    }
    answer->hops[answer->hop_count].status = status;
    answer->hops[answer->hop_count++].url  = before.url;
    *exchange                              = (struct tn_fetch_exchange){ .url          = before.next,
                                                                         .method       = before.method,
                                                                         .with_headers = before.with_headers,
                                                                         .with_body    = before.with_body };
    turn(exchange, status);
    if (!same_origin(before.url, before.next)) {
        exchange->with_headers = false; /* and it stays so, should another redirect lead back */
        answer->dropped        = true;
    }
    answer->status = 0;
    answer->cut    = false;
    begin(fetch, status);
}

/* An exchange came to its end. */
static void finish(struct tn_fetch *fetch, CURLcode code)
{
    enum tn_fetch_end how     = tn_fetch_judge(fetch, code);
    char             *address = NULL;
    curl_off_t        after   = 0;

    curl_easy_getinfo(fetch->easy, CURLINFO_PRIMARY_IP, &address);
    curl_easy_getinfo(fetch->easy, CURLINFO_RETRY_AFTER, &after);
    fetch->answer.address     = tn_fetch_copy(fetch, address ? address : "");
    fetch->answer.retry_after = after > 0 ? (int)(after < INT32_MAX ? after : INT32_MAX) : 0;
    leave(fetch);
    if (how == FETCH_DONE && fetch->exchange.next)
        go_on(fetch);
    else
        end(fetch, how, code);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

void tn_fetch_start(struct tn_fetch *fetch, const struct tn_fetch_request *request)
{
    struct tn_fetch_request *own = &fetch->request;

    leave(fetch);
    tn_arena_reset(&fetch->arena);
    *own = *request;
    if (!own->head_max)
        own->head_max = FETCH_HEAD_MAX;
    if (!own->body_max && !own->take)
        own->body_max = FETCH_BODY_MAX;
    if (!own->method)
        own->method = own->has_body ? "POST" : "GET";
    fetch->answer   = (struct tn_fetch_answer){ .address = "", .body = "", .detail = "" };
    fetch->exchange = (struct tn_fetch_exchange){ .url          = tn_fetch_copy(fetch, own->url),
                                                  .method       = tn_fetch_copy(fetch, own->method),
                                                  .with_headers = true,
                                                  .with_body    = own->has_body };
    fetch->began    = tn_clock_now_us() / 1000;
    tn_buf_init(&fetch->sent, &fetch->arena, 0, own->head_max);
    begin(fetch, 0);
}

/* Ends those that are cancelled. How long a step may wait until it looks again. */
static int look_around(struct tn_fetch_pool *pool, int wait_ms)
{
    struct tn_fetch *next;

    for (struct tn_fetch *fetch = pool->running; fetch; fetch = next) {
        bool (*is_cancelled)(void *) = fetch->request.is_cancelled;

        next = fetch->next;
        if (atomic_load(&fetch->cancelled) || (is_cancelled && is_cancelled(fetch->request.user))) {
            leave(fetch);
            end(fetch, FETCH_CANCELLED, CURLE_OK);
        } else if (is_cancelled && wait_ms > LOOK_MS)
            wait_ms = LOOK_MS;
    }
    return wait_ms;
}

/* Moves what can move; true when an exchange came to its end. */
static bool move(struct tn_fetch_pool *pool)
{
    int  running, queued;
    bool ended = false;

    if (curl_multi_perform(pool->multi, &running) != CURLM_OK)
        while (pool->running)
            finish(pool->running, CURLE_OUT_OF_MEMORY);
    for (CURLMsg *message; (message = curl_multi_info_read(pool->multi, &queued));) {
        char    *fetch = NULL;
        CURLcode code  = message->data.result;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &fetch);
        finish((struct tn_fetch *)(void *)fetch, code);
        ended = true;
    }
    return ended;
}

void tn_fetch_step(struct tn_fetch_pool *pool, int wait_ms)
{
    wait_ms = look_around(pool, wait_ms);
    if (move(pool) || !pool->running || wait_ms <= 0)
        return;
    curl_multi_poll(pool->multi, NULL, 0, wait_ms, NULL);
    move(pool);
}

bool tn_fetch_run(struct tn_fetch *fetch, const struct tn_fetch_request *request,
                  struct tn_fetch_answer *answer)
{
    tn_fetch_start(fetch, request);
    while (fetch->running)
        tn_fetch_step(fetch->pool, WAIT_MS);
    *answer = fetch->answer;
    return answer->end == FETCH_DONE;
}

bool tn_fetch_is_over(const struct tn_fetch *fetch)
{
    return !fetch->running;
}

const struct tn_fetch_answer *tn_fetch_answer_of(const struct tn_fetch *fetch)
{
    return &fetch->answer;
}

void tn_fetch_cancel(struct tn_fetch *fetch)
{
    atomic_store(&fetch->cancelled, true);
    curl_multi_wakeup(fetch->pool->multi);
}

void tn_fetch_wake(struct tn_fetch_pool *pool)
{
    curl_multi_wakeup(pool->multi);
}
