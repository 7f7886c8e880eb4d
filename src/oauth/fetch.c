/* fetch.c - fetches documents with libcurl. */
#define _GNU_SOURCE
#include "oauth/fetch.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"

#define CONNECT_MS 3000L

/* ---- URLs ---------------------------------------------------------------------------------------------------- */

/* Only what is a loopback address by its letters: any other name could lead elsewhere. */
static bool is_loopback(const char *host)
{
    int dots = 0;

    if (strcmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0)
        return true;
    if (strncmp(host, "127.", 4) != 0)
        return false;
    for (const char *at = host; *at; at++) {
        if (!tn_ascii_is_digit(*at) && *at != '.')
            return false;
        dots += *at == '.';
    }
    return dots == 3;
}

static char *part_of(CURLU *url, CURLUPart part)
{
    char *text = NULL;

    return curl_url_get(url, part, &text, 0) == CURLUE_OK ? text : NULL;
}

static const char *judge_url(CURLU *url, const char *text, bool *loopback)
{
    const char *mistake = NULL;
    char       *scheme = NULL, *host = NULL, *user = NULL;

    if (curl_url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK)
        return "it is not a URL";
    scheme    = part_of(url, CURLUPART_SCHEME);
    host      = part_of(url, CURLUPART_HOST);
    user      = part_of(url, CURLUPART_USER);
    *loopback = host && is_loopback(host);
    if (!scheme || !host)
        mistake = "it is not a URL";
    else if (user)
        mistake = "it has a user name in it";
    else if (strcmp(scheme, "https") != 0 && strcmp(scheme, "http") != 0)
        mistake = "it must begin with https://";
    else if (strcmp(scheme, "http") == 0 && !*loopback)
        mistake = "it must begin with https://; http:// is for this machine only";
    curl_free(scheme);
    curl_free(host);
    curl_free(user);
    return mistake;
}

static const char *check_url(const char *text, bool *loopback)
{
    CURLU      *url     = curl_url();
    const char *mistake = url ? judge_url(url, text, loopback) : "out of memory";

    curl_url_cleanup(url);
    return mistake;
}

const char *fetch_mistake(const char *url)
{
    bool loopback;

    return check_url(url, &loopback);
}

/* ---- Fetching ------------------------------------------------------------------------------------------------ */

static size_t fetch_take(char *at, size_t one, size_t count, void *user)
{
    struct tn_buf *body = user;

    tn_buf_add(body, at, one * count);
    return body->failed ? 0 : one * count; /* less than came ends it */
}

/* Keeps DPoP-Nonce, where it is short and printable. */
static size_t take_header(char *at, size_t one, size_t count, void *user)
{
    static const char    name[] = "DPoP-Nonce:";
    struct fetch_answer *answer = user;
    size_t               len    = one * count;
    struct tn_slice      value;
    bool                 is_name = len >= sizeof name;

    if (!is_name || !tn_slice_fold_equal((struct tn_slice){ at, sizeof name - 1 }, tn_slice_of(name)))
        return len;
    value = tn_slice_trim((struct tn_slice){ at + sizeof name - 1, len - sizeof name + 1 });
    if (value.len == 0 || value.len >= sizeof answer->nonce)
        return len;
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] <= ' ' || value.at[i] > '~')
            return len;
    memcpy(answer->nonce, value.at, value.len);
    answer->nonce[value.len] = '\0';
    return len;
}

static enum fetch_nearness nearness_of_v4(const unsigned char *at)
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

static enum fetch_nearness nearness_of_v6(const unsigned char *at)
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

static enum fetch_nearness nearness_of(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return nearness_of_v4(
            (const unsigned char *)&((const struct sockaddr_in *)(const void *)address)->sin_addr);
    if (address->sa_family == AF_INET6)
        return nearness_of_v6(
            (const unsigned char *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
    return NEAR_LOOPBACK;
}

enum fetch_nearness fetch_nearness_of(const char *address)
{
    unsigned char bytes[16];

    if (inet_pton(AF_INET, address, bytes) == 1)
        return nearness_of_v4(bytes);
    return inet_pton(AF_INET6, address, bytes) == 1 ? nearness_of_v6(bytes) : NEAR_PUBLIC;
}

/* What may be connected to, and whether something else was asked for. */
struct gate {
    enum fetch_nearness nearest;
    bool                closed;
};

/* Judges the address that is really connected to: a name may lead anywhere, and elsewhere the next time. */
static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct gate        *gate = user;
    enum fetch_nearness near = nearness_of(&address->addr);

    (void)purpose;
    if (near > gate->nearest || (near == NEAR_LINK && gate->nearest != NEAR_LINK)) {
        gate->closed = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static void set_up(CURL *curl, const struct fetch_request *request, struct gate *gate, bool loopback,
                   struct tn_buf *body)
{
    long timeout_ms = request->timeout_ms;

    curl_easy_setopt(curl, CURLOPT_URL, request->url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms < CONNECT_MS ? timeout_ms : CONNECT_MS);
    curl_easy_setopt(curl, CURLOPT_MAXFILESIZE, (long)FETCH_BYTES_MAX);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "tenon");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, fetch_take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    if (gate->nearest < NEAR_ANY) {
        curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
        curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, gate);
    }
    if (loopback)
        curl_easy_setopt(curl, CURLOPT_PROXY, ""); /* a proxy's loopback is another machine */
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, loopback ? "http,https" : "https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, loopback ? CURLPROTO_HTTP | CURLPROTO_HTTPS : CURLPROTO_HTTPS);
#endif
}

/* The request's own headers; false when out of memory. */
static bool add_headers(const struct fetch_request *request, struct tn_arena *arena, struct curl_slist **list)
{
    struct curl_slist *longer = curl_slist_append(NULL, "Accept: application/json");
    struct tn_buf      type;

    *list = longer;
    if (longer && request->type) {
        tn_buf_init(&type, arena, 64, 200);
        tn_buf_lit(&type, "Content-Type: ");
        tn_buf_text(&type, request->type);
        longer = tn_buf_end(&type) ? curl_slist_append(*list, type.at) : NULL;
    }
    for (int i = 0; longer && i < FETCH_HEADERS_MAX && request->headers[i]; i++)
        longer = curl_slist_append(*list, request->headers[i]);
    return longer != NULL;
}

static CURLcode fetch_perform(CURL *curl, const struct fetch_request *request, struct tn_arena *arena,
                              struct fetch_answer *answer)
{
    struct curl_slist *headers = NULL;
    CURLcode           code    = CURLE_OUT_OF_MEMORY;

    if (request->type) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body.at);
    }
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, answer);
    if (add_headers(request, arena, &headers)) {
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        code = curl_easy_perform(curl);
    }
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return code;
}

bool fetch_send(struct tn_arena *arena, const struct fetch_request *request, struct fetch_answer *answer,
                char why[FETCH_WHY_MAX])
{
    bool          loopback = false;
    const char   *mistake  = check_url(request->url, &loopback);
    CURL         *curl     = mistake ? NULL : curl_easy_init();
    struct gate   gate     = { .nearest = request->nearest };
    struct tn_buf text;
    CURLcode      code;

    *answer = (struct fetch_answer){ .body = { "", 0 } };
    if (!curl) {
        snprintf(why, FETCH_WHY_MAX, "%s", mistake ? mistake : "out of memory");
        return false;
    }
    tn_buf_init(&text, arena, 0, FETCH_BYTES_MAX);
    set_up(curl, request, &gate, loopback, &text);
    code = fetch_perform(curl, request, arena, answer);
    if (text.failed || code == CURLE_FILESIZE_EXCEEDED)
        snprintf(why, FETCH_WHY_MAX, "it has more than %zu bytes", FETCH_BYTES_MAX);
    else if (code == CURLE_COULDNT_CONNECT && gate.closed)
        snprintf(why, FETCH_WHY_MAX,
                 "it is at an address of a network nearer to this machine than the server's, or at a "
                 "link-local one");
    else if (code != CURLE_OK)
        snprintf(why, FETCH_WHY_MAX, "%s", curl_easy_strerror(code));
    else {
        answer->body = tn_buf_slice(&text);
        return true;
    }
    return false;
}

bool fetch_url(struct tn_arena *arena, const char *url, long timeout_ms, struct tn_slice *body,
               char why[FETCH_WHY_MAX])
{
    const struct fetch_request request = { .url = url, .nearest = NEAR_ANY, .timeout_ms = timeout_ms };
    struct fetch_answer        answer;

    *body = (struct tn_slice){ "", 0 };
    if (!fetch_send(arena, &request, &answer, why))
        return false;
    if (answer.status != 200) {
        snprintf(why, FETCH_WHY_MAX, "status %ld", answer.status);
        return false;
    }
    *body = answer.body;
    return true;
}

bool fetch_file(struct tn_arena *arena, const char *path, struct tn_slice *body, char why[FETCH_WHY_MAX])
{
    int     fd   = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    char   *text = fd < 0 ? NULL : tn_arena_take(arena, FETCH_BYTES_MAX + 1, 1);
    size_t  len  = 0;
    ssize_t got  = 1;

    *body  = (struct tn_slice){ "", 0 };
    why[0] = '\0';
    while (text && len <= FETCH_BYTES_MAX && (got = read(fd, text + len, FETCH_BYTES_MAX + 1 - len)) != 0)
        if (got > 0)
            len += (size_t)got;
        else if (errno != EINTR)
            break;
    if (fd < 0 || got < 0)
        snprintf(why, FETCH_WHY_MAX, "%s", strerror(errno));
    else if (!text)
        snprintf(why, FETCH_WHY_MAX, "out of memory");
    else if (len > FETCH_BYTES_MAX)
        snprintf(why, FETCH_WHY_MAX, "it has more than %zu bytes", FETCH_BYTES_MAX);
    else
        *body = (struct tn_slice){ text, len };
    if (fd >= 0)
        close(fd);
    return why[0] == '\0';
}
