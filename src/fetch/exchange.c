/* exchange.c - one exchange through libcurl: what it is set to, and what it asks back. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fetch/inside.h"

/* ---- What libcurl asks back ---------------------------------------------------------------------------------- */

/* Less than came ends the exchange. */
static size_t collect(struct tn_fetch *fetch, const char *at, size_t len)
{
    struct tn_fetch_exchange *exchange = &fetch->exchange;
    size_t                    room     = fetch->request.body_max - exchange->body.len;

    if (len > room && !fetch->request.cut_body) {
        exchange->body_too_long = true;
        return 0;
    }
    fetch->answer.cut = len > room;
    tn_buf_add(&exchange->body, at, len < room ? len : room);
    exchange->no_memory = exchange->body.failed;
    return fetch->answer.cut || exchange->no_memory ? 0 : len;
}

static size_t take_body(char *at, size_t size, size_t count, void *user)
{
    struct tn_fetch          *fetch    = user;
    struct tn_fetch_exchange *exchange = &fetch->exchange;
    size_t                    len = size * count, max = fetch->request.body_max;

    if (!fetch->request.take && !exchange->next)
        return collect(fetch, at, len);
    if (exchange->next && max == 0)
        max = FETCH_BODY_MAX; /* a stream has no bound, but a redirect to it has */
    if (max && len > max - exchange->taken) {
        exchange->body_too_long = !exchange->next;
        fetch->answer.cut       = exchange->next; /* of a redirect, only its head counts */
        return 0;
    }
    exchange->taken += len;
    exchange->stopped = !exchange->next && !fetch->request.take(fetch->request.user, at, len);
    return exchange->stopped ? 0 : len;
}

/* The head is complete, unless it was an interim one. False ends the exchange. */
static bool end_head(struct tn_fetch *fetch)
{
    struct tn_fetch_exchange *exchange = &fetch->exchange;
    struct tn_fetch_answer   *answer   = &fetch->answer;
    long                      status   = 0;

    curl_easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200 || exchange->headed)
        return true;
    exchange->headed     = true;
    answer->status       = (int)status;
    answer->headers      = exchange->came.at;
    answer->header_count = exchange->came.count;
    exchange->next       = tn_fetch_next(fetch);
    if (!exchange->next && fetch->request.begin && !fetch->request.begin(fetch->request.user, answer))
        exchange->stopped = true;
    return !exchange->stopped;
}

static size_t take_header(char *at, size_t size, size_t count, void *user)
{
    struct tn_fetch       *fetch = user;
    struct tn_fetch_lines *came  = &fetch->exchange.came;
    size_t                 len   = size * count;
    struct tn_slice        line  = { at, len };

    if (len > fetch->request.head_max - came->bytes) {
        fetch->exchange.head_too_long = true;
        return 0;
    }
    if (len >= 5 && memcmp(at, "HTTP/", 5) == 0)
        came->count = 0; /* what came before was an interim answer */
    else if (tn_slice_blank(line))
        return end_head(fetch) ? len : 0;
    came->bytes += len;
    fetch->exchange.no_memory = !tn_fetch_add_line(fetch, came, line);
    return fetch->exchange.no_memory ? 0 : len;
}

/* What libcurl really writes, its own headers included. */
static int take_sent(CURL *curl, curl_infotype kind, char *at, size_t len, void *user)
{
    struct tn_fetch *fetch = user;
    size_t           room  = fetch->sent.max - fetch->sent.len;

    (void)curl;
    if (kind == CURLINFO_HEADER_OUT)
        tn_buf_add(&fetch->sent, at, len < room ? len : room);
    return 0;
}

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct tn_fetch *fetch = user;

    if (purpose != CURLSOCKTYPE_IPCXN)
        return CURL_SOCKET_BAD;
    if (fetch->request.approve_address && !fetch->request.approve_address(fetch->request.user, &to->addr)) {
        fetch->exchange.refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/* ---- Headers --------------------------------------------------------------------------------------------------- */

static bool has_name(const char *line, const char *name)
{
    size_t len = strlen(name);

    return strncasecmp(line, name, len) == 0 && (line[len] == ':' || line[len] == ';');
}

static bool sends(const struct tn_fetch *fetch, const char *name)
{
    for (size_t i = 0; fetch->exchange.with_headers && i < fetch->request.header_count; i++)
        if (has_name(fetch->request.headers[i], name))
            return true;
    return false;
}

static bool add_header(struct tn_fetch *fetch, const char *line)
{
    struct curl_slist *longer = curl_slist_append(fetch->headers, line);

    fetch->headers = longer ? longer : fetch->headers;
    return longer != NULL;
}

static bool add_type(struct tn_fetch *fetch)
{
    struct tn_buf line;

    tn_buf_init(&line, &fetch->arena, 64, 1024);
    tn_buf_lit(&line, "Content-Type: ");
    tn_buf_text(&line, fetch->request.type);
    return tn_buf_end(&line) && add_header(fetch, line.at);
}

static bool add_headers(struct tn_fetch *fetch)
{
    const struct tn_fetch_request *request = &fetch->request;
    bool                           lost = request->has_body && !fetch->exchange.with_body, fine = true;

    for (size_t i = 0; fetch->exchange.with_headers && i < request->header_count; i++)
        if (!lost || strncasecmp(request->headers[i], "Content-", 8) != 0)
            fine = fine && add_header(fetch, request->headers[i]);
    if (fetch->exchange.with_body && request->type && !sends(fetch, "Content-Type"))
        fine = fine && add_type(fetch);
    if (!sends(fetch, "Expect"))
        fine = fine && add_header(fetch, "Expect:");
    return fine;
}

void tn_fetch_release(struct tn_fetch *fetch)
{
    for (struct curl_slist *header = fetch->headers; header; header = header->next)
        tn_memory_scrub(header->data, strlen(header->data));
    curl_slist_free_all(fetch->headers);
    fetch->headers = NULL;
}

/* ---- Options: each counts. Without the one about proxies, the environment would name one. ------------------------ */

static bool set_method(struct tn_fetch *fetch)
{
    const struct tn_fetch_request  *request  = &fetch->request;
    const struct tn_fetch_exchange *exchange = &fetch->exchange;
    int                             failed   = 0;

    if (exchange->with_body) {
        failed |= (int)curl_easy_setopt(fetch->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                                        (curl_off_t)request->body_len);
        failed |= (int)curl_easy_setopt(fetch->easy, CURLOPT_POSTFIELDS, request->body ? request->body : "");
    }
    if (strcmp(exchange->method, "HEAD") == 0 && !exchange->with_body)
        failed |= (int)curl_easy_setopt(fetch->easy, CURLOPT_NOBODY, 1L);
    else if (strcmp(exchange->method, exchange->with_body ? "POST" : "GET") != 0)
        failed |= (int)curl_easy_setopt(fetch->easy, CURLOPT_CUSTOMREQUEST, exchange->method);
    return !failed;
}

static bool set_back(struct tn_fetch *fetch)
{
    CURL *curl   = fetch->easy;
    int   failed = 0;

    failed |= (int)curl_easy_setopt(curl, CURLOPT_PRIVATE, fetch);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, fetch->error);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_WRITEDATA, fetch);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_HEADERDATA, fetch);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, fetch);
    if (fetch->request.keep_sent && fetch->answer.hop_count == 0) {
        failed |= (int)curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L);
        failed |= (int)curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, take_sent);
        failed |= (int)curl_easy_setopt(curl, CURLOPT_DEBUGDATA, fetch);
    }
    return !failed;
}

static bool set_bounds(struct tn_fetch *fetch, long left_ms)
{
    const struct tn_fetch_request *request    = &fetch->request;
    CURL                          *curl       = fetch->easy;
    long                           connect_ms = request->connect_ms;
    int                            failed     = 0;

    if (left_ms && (connect_ms == 0 || connect_ms > left_ms))
        connect_ms = left_ms;
    failed |= (int)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, left_ms);
    if (request->body_max && !request->cut_body)
        failed |= (int)curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->body_max);
#if LIBCURL_VERSION_NUM >= 0x075500
    failed |= (int)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR,
                                    request->https_only ? "https" : "http,https");
#else
    failed |= (int)curl_easy_setopt(curl, CURLOPT_PROTOCOLS,
                                    (long)(CURLPROTO_HTTPS | (request->https_only ? 0 : CURLPROTO_HTTP)));
#endif
    if (!request->keep_connection || request->approve_address) { /* one that is kept was not approved by it */
        failed |= (int)curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
        failed |= (int)curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
        failed |= (int)curl_easy_setopt(curl, CURLOPT_DNS_CACHE_TIMEOUT, 0L); /* each hop looks its name up */
    }
    return !failed;
}

bool tn_fetch_prepare(struct tn_fetch *fetch, long left_ms)
{
    const struct tn_fetch_request *request = &fetch->request;
    CURL                          *curl    = fetch->easy;
    int                            failed  = 0;

    curl_easy_reset(curl);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_URL, fetch->exchange.url);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    failed |= (int)curl_easy_setopt(curl, CURLOPT_USERAGENT, request->agent ? request->agent : "tenon");
    if (!request->use_proxy)
        failed |= (int)curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (request->decode)
        failed |= (int)curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    if (request->ca_file)
        failed |= (int)curl_easy_setopt(curl, CURLOPT_CAINFO, request->ca_file);
    if (failed || !set_bounds(fetch, left_ms) || !set_back(fetch) || !set_method(fetch) ||
        !add_headers(fetch))
        return false;
    return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fetch->headers) == CURLE_OK;
}

/* ---- What it came to --------------------------------------------------------------------------------------------- */

enum tn_fetch_end tn_fetch_judge(const struct tn_fetch *fetch, CURLcode code)
{
    const struct tn_fetch_exchange *exchange = &fetch->exchange;

    if (exchange->no_memory || fetch->arena.failed || code == CURLE_OUT_OF_MEMORY)
        return FETCH_NO_MEMORY;
    if (exchange->stopped)
        return FETCH_STOPPED;
    if (code == CURLE_OK || fetch->answer.cut)
        return FETCH_DONE;
    if (exchange->head_too_long)
        return FETCH_HEAD_TOO_LONG;
    if (exchange->body_too_long || code == CURLE_FILESIZE_EXCEEDED)
        return FETCH_BODY_TOO_LONG;
    if (code == CURLE_OPERATION_TIMEDOUT)
        return FETCH_LATE;
    if (code == CURLE_COULDNT_CONNECT && exchange->refused)
        return FETCH_BAD_ADDRESS;
    return FETCH_FAILED;
}
