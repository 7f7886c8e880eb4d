/* line.c - one line to a service: a request, and an answer within bounds of time and size.
 *
 * No redirects, no proxies, no other protocols, nothing from the environment or from files of curl.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/embed/http.h"

#define WHY_LEN 256

struct embed_line {
    CURL             *curl;
    struct text       body;
    const tenon_call *call;
    bool              too_large;
};

static size_t take_body(char *at, size_t size, size_t count, void *user)
{
    struct embed_line *line = user;
    size_t             len  = size * count;

    if (len > ANSWER_LEN_MAX - line->body.len) {
        line->too_large = true;
        return 0;
    }
    text_add(&line->body, at, len);
    return line->body.failed ? 0 : len;
}

static int look_at_call(void *user, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up)
{
    const struct embed_line *line = user;

    (void)down_all, (void)down, (void)up_all, (void)up;
    return line->call && tenon_is_cancelled(line->call);
}

struct embed_line *embed_line_new(const struct embed_world *world)
{
    struct embed_line *line = calloc(1, sizeof *line);

    if (!line)
        return NULL;
    line->curl = curl_easy_init();
    if (!line->curl) {
        free(line);
        return NULL;
    }
    curl_easy_setopt(line->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(line->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(line->curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(line->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(line->curl, CURLOPT_CONNECTTIMEOUT_MS, world->connect_ms);
    curl_easy_setopt(line->curl, CURLOPT_TIMEOUT_MS, world->whole_ms);
    curl_easy_setopt(line->curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)ANSWER_LEN_MAX);
    curl_easy_setopt(line->curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(line->curl, CURLOPT_WRITEDATA, line);
    curl_easy_setopt(line->curl, CURLOPT_XFERINFOFUNCTION, look_at_call);
    curl_easy_setopt(line->curl, CURLOPT_XFERINFODATA, line);
    curl_easy_setopt(line->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(line->curl, CURLOPT_USERAGENT, "tenon-docs");
    return line;
}

void embed_line_free(struct embed_line *line)
{
    if (!line)
        return;
    curl_easy_cleanup(line->curl);
    text_free(&line->body);
    free(line);
}

static enum embed_reply judge_failure(const struct embed_line *line, CURLcode code, char *why)
{
    if (code == CURLE_ABORTED_BY_CALLBACK) {
        snprintf(why, WHY_LEN, "The caller cancelled the request.");
        return REPLY_CANCELLED;
    }
    if (code == CURLE_OUT_OF_MEMORY || line->body.failed) {
        snprintf(why, WHY_LEN, "There is no memory for the answer of the embedding service.");
        return REPLY_NO_MEMORY;
    }
    if (code == CURLE_FILESIZE_EXCEEDED || line->too_large) {
        snprintf(why, WHY_LEN, "The answer of the embedding service is larger than %zu bytes.",
                 ANSWER_LEN_MAX);
        return REPLY_BROKEN;
    }
    snprintf(why, WHY_LEN, "The embedding service does not answer: %s.", curl_easy_strerror(code));
    return REPLY_DOWN;
}

static enum embed_reply judge_status(const struct embed_line *line, char *why, int *pause)
{
    curl_off_t after  = 0;
    long       status = 0;

    curl_easy_getinfo(line->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200)
        return REPLY_FINE;
    if (status >= 500 || status == 408 || status == 425 || status == 429) {
        curl_easy_getinfo(line->curl, CURLINFO_RETRY_AFTER, &after);
        *pause = after > 0 ? (int)(after < BREAKER_OPEN_S ? after : BREAKER_OPEN_S) : 0;
        snprintf(why, WHY_LEN, "The embedding service failed: HTTP status %ld.", status);
        return REPLY_DOWN;
    }
    snprintf(why, WHY_LEN, "The embedding service refuses the request: HTTP status %ld%s.", status,
             status == 401 || status == 403 ? ", check its key"
             : status == 404                ? ", no such address or model"
             : status / 100 == 3            ? ", which leads elsewhere and is not followed"
                                            : "");
    return REPLY_REFUSED;
}

/* The key is in memory twice while a request is sent: curl's copy is wiped too. */
static void free_headers(struct curl_slist *headers)
{
    for (struct curl_slist *header = headers; header; header = header->next)
        explicit_bzero(header->data, strlen(header->data));
    curl_slist_free_all(headers);
}

static struct curl_slist *make_headers(const struct embed_service *service)
{
    const char *const  lines[] = { "Content-Type: application/json", "Accept: application/json",
                                   "Expect:", service->authorization };
    struct curl_slist *headers = NULL;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct curl_slist *longer = lines[i] ? curl_slist_append(headers, lines[i]) : headers;

        if (!longer) {
            free_headers(headers);
            return NULL;
        }
        headers = longer;
    }
    return headers;
}

enum embed_reply embed_line_post(struct embed_line *line, const struct embed_service *service,
                                 const struct text *request, const tenon_call *call, const struct text **body,
                                 char *why, int *pause)
{
    struct curl_slist *headers = make_headers(service);
    CURLcode           code;

    *pause = 0;
    *why   = '\0';
    if (!headers) {
        snprintf(why, WHY_LEN, "There is no memory for the request to the embedding service.");
        return REPLY_NO_MEMORY;
    }
    text_clear(&line->body);
    line->call      = call;
    line->too_large = false;
    curl_easy_setopt(line->curl, CURLOPT_URL, service->url);
    curl_easy_setopt(line->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(line->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->len);
    curl_easy_setopt(line->curl, CURLOPT_POSTFIELDS, request->at);
    code = curl_easy_perform(line->curl);
    curl_easy_setopt(line->curl, CURLOPT_HTTPHEADER, NULL);
    free_headers(headers);
    line->call = NULL;
    *body      = &line->body;
    return code == CURLE_OK ? judge_status(line, why, pause) : judge_failure(line, code, why);
}
