/* document.c - fetches documents. */
#define _GNU_SOURCE
#include "fetch/document.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fetch/url.h"

#define CONNECT_MS 3000L

/* ---- URLs ---------------------------------------------------------------------------------------------------- */

static const char *check_url(const char *text, bool *loopback)
{
    struct tn_url *url     = tn_url_new(text);
    const char    *scheme  = url ? tn_url_get(url, URL_SCHEME) : NULL;
    const char    *host    = url ? tn_url_get(url, URL_HOST) : NULL;
    const char    *mistake = NULL;

    *loopback = host && tn_url_is_loopback(host);
    if (!scheme || !host)
        mistake = "it is not a URL";
    else if (tn_url_get(url, URL_USER))
        mistake = "it has a user name in it";
    else if (!tn_url_is_web(url))
        mistake = "it must begin with https://";
    else if (strcmp(scheme, "http") == 0 && !*loopback)
        mistake = "it must begin with https://; http:// is for this machine only";
    tn_url_free(url);
    return mistake;
}

const char *tn_document_mistake(const char *url)
{
    bool loopback;

    return check_url(url, &loopback);
}

/* ---- Addresses ------------------------------------------------------------------------------------------------- */

static enum tn_nearness nearness_of_v4(const unsigned char *at)
{
    if (at[0] == 127 || at[0] == 0)
        return NEAR_LOOPBACK;
    if (at[0] == 10 || (at[0] == 172 && at[1] >= 16 && at[1] < 32) || (at[0] == 192 && at[1] == 168) ||
        (at[0] == 100 && at[1] >= 64 && at[1] < 128))
        return NEAR_PRIVATE;
    if (at[0] == 169 && at[1] == 254)
        return NEAR_LINK;
    return NEAR_PUBLIC;
}

static enum tn_nearness nearness_of_v6(const unsigned char *at)
{
    static const unsigned char mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, nothing[15] = { 0 },
                               translated[12] = { 0, 0x64, 0xff, 0x9b };

    if (memcmp(at, mapped, sizeof mapped) == 0 || memcmp(at, translated, sizeof translated) == 0)
        return nearness_of_v4(at + 12);
    if (memcmp(at, nothing, sizeof nothing) == 0 && at[15] <= 1)
        return NEAR_LOOPBACK;
    if (at[0] == 0xfe && (at[1] & 0xc0) == 0x80)
        return NEAR_LINK;
    if ((at[0] & 0xfe) == 0xfc || (at[0] == 0xfe && (at[1] & 0x80)))
        return NEAR_PRIVATE;
    return NEAR_PUBLIC;
}

static enum tn_nearness nearness_of(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return nearness_of_v4(
            (const unsigned char *)&((const struct sockaddr_in *)(const void *)address)->sin_addr);
    if (address->sa_family == AF_INET6)
        return nearness_of_v6(
            (const unsigned char *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
    return NEAR_LOOPBACK;
}

enum tn_nearness tn_nearness_of(const char *address)
{
    unsigned char bytes[16];

    if (inet_pton(AF_INET, address, bytes) == 1)
        return nearness_of_v4(bytes);
    return inet_pton(AF_INET6, address, bytes) == 1 ? nearness_of_v6(bytes) : NEAR_PUBLIC;
}

/* Judges the address that is really connected to: a name may lead anywhere, and elsewhere the next time. */
static bool approve_address(void *user, const struct sockaddr *address)
{
    const struct tn_document_request *request = user;
    enum tn_nearness                  near    = nearness_of(address);

    return near <= request->nearest && (near != NEAR_LINK || request->nearest == NEAR_LINK);
}

/* ---- Fetching ------------------------------------------------------------------------------------------------ */

/* Keeps DPoP-Nonce, where it is short and printable. */
static void keep_nonce(struct tn_document_answer *answer, const struct tn_fetch_answer *came)
{
    const char *nonce = tn_fetch_header_of(came, "DPoP-Nonce");
    size_t      len   = nonce ? strlen(nonce) : 0;

    for (size_t i = 0; i < len; i++)
        if (nonce[i] <= ' ' || nonce[i] > '~')
            return;
    if (len > 0 && len < sizeof answer->nonce)
        memcpy(answer->nonce, nonce, len + 1);
}

static bool take_answer(struct tn_arena *arena, const struct tn_fetch_answer *came,
                        struct tn_document_answer *answer, char why[FETCH_WHY_MAX])
{
    const char *body = came->end == FETCH_DONE ? tn_arena_copy(arena, came->body, came->body_len) : NULL;

    answer->status = came->status;
    keep_nonce(answer, came);
    if (body)
        answer->body = (struct tn_slice){ body, came->body_len };
    else if (came->end == FETCH_BAD_ADDRESS)
        snprintf(why, FETCH_WHY_MAX,
                 "it is at an address of a network nearer to this machine than the server's, or at a "
                 "link-local one");
    else
        snprintf(why, FETCH_WHY_MAX, "%s", came->end == FETCH_DONE ? "out of memory" : came->why);
    return body != NULL;
}

static bool send_request(struct tn_arena *arena, struct tn_document_request *request, bool loopback,
                         struct tn_document_answer *answer, char why[FETCH_WHY_MAX])
{
    const char             *headers[1 + DOCUMENT_HEADERS_MAX] = { "Accept: application/json" };
    struct tn_fetch        *fetch                             = tn_fetch_new(NULL);
    struct tn_fetch_request sent                              = {
                                     .url          = request->url,
                                     .headers      = headers,
                                     .header_count = 1,
                                     .type         = request->type,
                                     .has_body     = request->type != NULL,
                                     .body         = request->body.at,
                                     .body_len     = request->body.len,
                                     .connect_ms   = CONNECT_MS,
                                     .time_ms      = request->timeout_ms,
                                     .body_max     = DOCUMENT_BYTES_MAX,
                                     .https_only   = !loopback,
                                     .use_proxy    = !loopback, /* a proxy's loopback is another machine */
                                     .user         = request,
    };
    struct tn_fetch_answer came;
    bool                   fine;

    if (!fetch) {
        snprintf(why, FETCH_WHY_MAX, "out of memory");
        return false;
    }
    for (int i = 0; i < DOCUMENT_HEADERS_MAX && request->headers[i]; i++)
        headers[sent.header_count++] = request->headers[i];
    if (request->nearest < NEAR_ANY)
        sent.approve_address = approve_address;
    tn_fetch_run(fetch, &sent, &came);
    fine = take_answer(arena, &came, answer, why);
    tn_fetch_free(fetch);
    return fine;
}

bool tn_document_send(struct tn_arena *arena, const struct tn_document_request *request,
                      struct tn_document_answer *answer, char why[FETCH_WHY_MAX])
{
    struct tn_document_request own      = *request;
    bool                       loopback = false;
    const char                *mistake  = check_url(request->url, &loopback);

    *answer = (struct tn_document_answer){ .body = { "", 0 } };
    if (mistake)
        snprintf(why, FETCH_WHY_MAX, "%s", mistake);
    return !mistake && send_request(arena, &own, loopback, answer, why);
}

bool tn_document_fetch(struct tn_arena *arena, const char *url, long timeout_ms, struct tn_slice *body,
                       char why[FETCH_WHY_MAX])
{
    const struct tn_document_request request = { .url = url, .nearest = NEAR_ANY, .timeout_ms = timeout_ms };
    struct tn_document_answer        answer;

    *body = (struct tn_slice){ "", 0 };
    if (!tn_document_send(arena, &request, &answer, why))
        return false;
    if (answer.status != 200) {
        snprintf(why, FETCH_WHY_MAX, "status %ld", answer.status);
        return false;
    }
    *body = answer.body;
    return true;
}

bool tn_document_read(struct tn_arena *arena, const char *path, struct tn_slice *body,
                      char why[FETCH_WHY_MAX])
{
    int     fd   = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    char   *text = fd < 0 ? NULL : tn_arena_take(arena, DOCUMENT_BYTES_MAX + 1, 1);
    size_t  len  = 0;
    ssize_t got  = 1;

    *body  = (struct tn_slice){ "", 0 };
    why[0] = '\0';
    while (text && len <= DOCUMENT_BYTES_MAX &&
           (got = read(fd, text + len, DOCUMENT_BYTES_MAX + 1 - len)) != 0)
        if (got > 0)
            len += (size_t)got;
        else if (errno != EINTR)
            break;
    if (fd < 0 || got < 0)
        snprintf(why, FETCH_WHY_MAX, "%s", strerror(errno));
    else if (!text)
        snprintf(why, FETCH_WHY_MAX, "out of memory");
    else if (len > DOCUMENT_BYTES_MAX)
        snprintf(why, FETCH_WHY_MAX, "it has more than %zu bytes", DOCUMENT_BYTES_MAX);
    else
        *body = (struct tn_slice){ text, len };
    if (fd >= 0)
        close(fd);
    return why[0] == '\0';
}
