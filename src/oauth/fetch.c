/* fetch.c - fetches documents with libcurl. */
#define _POSIX_C_SOURCE 200809L
#include "oauth/fetch.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
        if (!ascii_is_digit(*at) && *at != '.')
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

static size_t take(char *at, size_t one, size_t count, void *user)
{
    struct buf *body = user;

    buf_add(body, at, one * count);
    return body->failed ? 0 : one * count; /* less than came ends it */
}

static void set_up(CURL *curl, const char *url, bool loopback, long timeout_ms, struct buf *body)
{
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms < CONNECT_MS ? timeout_ms : CONNECT_MS);
    curl_easy_setopt(curl, CURLOPT_MAXFILESIZE, (long)FETCH_BYTES_MAX);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "tenon");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    if (loopback)
        curl_easy_setopt(curl, CURLOPT_PROXY, ""); /* a proxy's loopback is another machine */
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, loopback ? "http,https" : "https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, loopback ? CURLPROTO_HTTP | CURLPROTO_HTTPS : CURLPROTO_HTTPS);
#endif
}

bool fetch_url(struct arena *arena, const char *url, long timeout_ms, struct slice *body,
               char why[FETCH_WHY_MAX])
{
    bool        loopback = false;
    const char *mistake  = check_url(url, &loopback);
    CURL       *curl     = mistake ? NULL : curl_easy_init();
    long        status   = 0;
    struct buf  text;
    CURLcode    code;

    *body = (struct slice){ "", 0 };
    if (!curl) {
        snprintf(why, FETCH_WHY_MAX, "%s", mistake ? mistake : "out of memory");
        return false;
    }
    buf_init(&text, arena, 0, FETCH_BYTES_MAX);
    set_up(curl, url, loopback, timeout_ms, &text);
    code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(curl);
    if (text.failed || code == CURLE_FILESIZE_EXCEEDED)
        snprintf(why, FETCH_WHY_MAX, "it has more than %zu bytes", FETCH_BYTES_MAX);
    else if (code != CURLE_OK)
        snprintf(why, FETCH_WHY_MAX, "%s", curl_easy_strerror(code));
    else if (status != 200)
        snprintf(why, FETCH_WHY_MAX, "status %ld", status);
    else {
        *body = buf_slice(&text);
        return true;
    }
    return false;
}

bool fetch_file(struct arena *arena, const char *path, struct slice *body, char why[FETCH_WHY_MAX])
{
    int     fd   = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    char   *text = fd < 0 ? NULL : arena_take(arena, FETCH_BYTES_MAX + 1, 1);
    size_t  len  = 0;
    ssize_t got  = 1;

    *body  = (struct slice){ "", 0 };
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
        *body = (struct slice){ text, len };
    if (fd >= 0)
        close(fd);
    return why[0] == '\0';
}
