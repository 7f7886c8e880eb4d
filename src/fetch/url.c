/* url.c - the parts of a URL. */
#include "fetch/url.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"

struct tn_url {
    CURLU *parser;
    char  *parts[URL_PART_COUNT]; /* libcurl's copies of those that were asked for */
};

static const struct {
    CURLUPart part;
    unsigned  get, set; /* flags */
} parts[URL_PART_COUNT] = {
    [URL_WHOLE]    = { CURLUPART_URL, 0, CURLU_NON_SUPPORT_SCHEME },
    [URL_SCHEME]   = { CURLUPART_SCHEME, 0, 0 },
    [URL_USER]     = { CURLUPART_USER, 0, 0 },
    [URL_PASSWORD] = { CURLUPART_PASSWORD, 0, 0 },
    [URL_HOST]     = { CURLUPART_HOST, 0, 0 },
    [URL_PORT]     = { CURLUPART_PORT, CURLU_DEFAULT_PORT, 0 },
    [URL_PATH]     = { CURLUPART_PATH, 0, 0 },
    [URL_QUERY]    = { CURLUPART_QUERY, 0, 0 },
    [URL_FRAGMENT] = { CURLUPART_FRAGMENT, 0, 0 },
};

struct tn_url *tn_url_new(const char *text)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_url  *url    = tn_memory_new(&memory, sizeof *url);

    if (!url)
        return NULL;
    *url = (struct tn_url){ .parser = curl_url() };
    if (url->parser && curl_url_set(url->parser, CURLUPART_URL, text, 0) == CURLUE_OK)
        return url;
    tn_url_free(url);
    return NULL;
}

/* What was read out of it, before it changes or ends. */
static void forget_parts(struct tn_url *url)
{
    for (int i = 0; i < URL_PART_COUNT; i++) {
        curl_free(url->parts[i]);
        url->parts[i] = NULL;
    }
}

void tn_url_free(struct tn_url *url)
{
    tenon_allocator memory = tn_memory_of(NULL);

    if (!url)
        return;
    forget_parts(url);
    curl_url_cleanup(url->parser);
    tn_memory_free(&memory, url, sizeof *url);
}

const char *tn_url_get(struct tn_url *url, enum tn_url_part part)
{
    if (!url->parts[part] &&
        curl_url_get(url->parser, parts[part].part, &url->parts[part], parts[part].get) != CURLUE_OK)
        url->parts[part] = NULL;
    return url->parts[part];
}

bool tn_url_set(struct tn_url *url, enum tn_url_part part, const char *text)
{
    forget_parts(url);
    return curl_url_set(url->parser, parts[part].part, text, parts[part].set) == CURLUE_OK;
}

bool tn_url_add(struct tn_url *url, const char *name, const char *value)
{
    tenon_allocator memory = tn_memory_of(NULL);
    char           *key    = curl_easy_escape(NULL, name, 0);
    char           *text   = curl_easy_escape(NULL, value, 0);
    size_t          len    = (key ? strlen(key) : 0) + (text ? strlen(text) : 0) + 2;
    char           *pair   = key && text ? tn_memory_new(&memory, len) : NULL;
    bool            added  = false;

    if (pair) {
        snprintf(pair, len, "%s=%s", key, text);
        forget_parts(url);
        added = curl_url_set(url->parser, CURLUPART_QUERY, pair, CURLU_APPENDQUERY) == CURLUE_OK;
        tn_memory_free(&memory, pair, len);
    }
    curl_free(key);
    curl_free(text);
    return added;
}

bool tn_url_is_web(struct tn_url *url)
{
    const char *scheme = tn_url_get(url, URL_SCHEME);

    return scheme && (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);
}

bool tn_url_is_loopback(const char *host)
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
