/* guardrail.c - the names that lead to this server, compared without their ports. */
#define _GNU_SOURCE
#include "net/auth/guardrail.h"

#include <arpa/inet.h>

#include "base/ascii.h"
#include "text/host.h"

static bool is_port(struct tn_slice text)
{
    unsigned value = 0;

    if (text.len == 0 || text.len > 5)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!tn_ascii_is_digit(text.at[i]))
            return false;
        value = value * 10 + (unsigned)(text.at[i] - '0');
    }
    return value <= 65535;
}

/* "name", "name:port", "[v6]" or "[v6]:port": the part before the port, without brackets. False for anything else. */
static bool read_authority(struct tn_slice text, struct tn_slice *host)
{
    const char *end;
    size_t      used;

    if (text.len > 0 && text.at[0] == '[') {
        end = memchr(text.at, ']', text.len);
        if (!end)
            return false;
        *host = (struct tn_slice){ text.at + 1, (size_t)(end - text.at) - 1 };
        used  = host->len + 2;
        if (!tn_host_is_ipv6(*host))
            return false;
    } else {
        end   = text.len ? memchr(text.at, ':', text.len) : NULL;
        *host = (struct tn_slice){ text.at, end ? (size_t)(end - text.at) : text.len };
        used  = host->len;
        if (!tn_host_is_name(*host) && !tn_host_is_ipv4(*host))
            return false;
    }
    if (used == text.len)
        return true;
    return text.at[used] == ':' && is_port((struct tn_slice){ text.at + used + 1, text.len - used - 1 });
}

/* "https", "//" and an authority: nothing before, nothing behind. */
static bool read_origin(struct tn_slice text, struct tn_slice *scheme, struct tn_slice *host)
{
    const char *colon = text.len ? memchr(text.at, ':', text.len) : NULL;
    size_t      len   = colon ? (size_t)(colon - text.at) : 0;

    if (len == 0 || text.len > ORIGIN_LEN_MAX || text.len < len + 4 || memcmp(colon, "://", 3) != 0)
        return false;
    *scheme = (struct tn_slice){ text.at, len };
    return read_authority((struct tn_slice){ colon + 3, text.len - len - 3 }, host);
}

/* Addresses are the same when they mean the same: ::1 is 0:0:0:0:0:0:0:1. */
static bool is_same_host(struct tn_slice a, struct tn_slice b)
{
    char            texts[2][INET6_ADDRSTRLEN];
    struct in6_addr addresses[2];

    if (tn_slice_fold_equal(a, b))
        return true;
    if (a.len >= INET6_ADDRSTRLEN || b.len >= INET6_ADDRSTRLEN || a.len == 0 || b.len == 0)
        return false;
    memcpy(texts[0], a.at, a.len);
    memcpy(texts[1], b.at, b.len);
    texts[0][a.len] = texts[1][b.len] = '\0';
    return inet_pton(AF_INET6, texts[0], &addresses[0]) == 1 &&
           inet_pton(AF_INET6, texts[1], &addresses[1]) == 1 &&
           memcmp(&addresses[0], &addresses[1], sizeof addresses[0]) == 0;
}

static bool is_host_known(const struct tn_guardrail *guardrail, struct tn_slice host)
{
    for (size_t i = 0; i < guardrail->host_count; i++)
        if (is_same_host(guardrail->hosts[i], host))
            return true;
    return false;
}

static void allow(struct tn_guardrail *guardrail, struct tn_slice host)
{
    if (guardrail->host_count < GUARDRAIL_HOSTS_MAX)
        guardrail->hosts[guardrail->host_count++] = host;
}

/* Every address of the machine: a name for none of them. */
static bool is_wildcard(struct tn_slice host)
{
    return tn_slice_is(host, "0.0.0.0") || tn_slice_is(host, "::");
}

static void allow_public_url(struct tn_guardrail *guardrail, const char *url)
{
    const char     *begin = url ? strstr(url, "://") : NULL;
    struct tn_slice host;

    if (!begin)
        return;
    begin += 3;
    if (read_authority((struct tn_slice){ begin, strcspn(begin, "/?#") }, &host))
        allow(guardrail, host);
}

void tn_guardrail_init(struct tn_guardrail *guardrail, const struct tn_settings *settings,
                       struct tn_slice bound)
{
    struct tn_slice host;

    *guardrail = (struct tn_guardrail){ .origins = &settings->allow_origins };
    /* Nobody else can make these names lead here, so they are allowed wherever they can lead here at all. */
    if (tn_settings_is_loopback(bound) || is_wildcard(bound)) {
        allow(guardrail, SLICE_LIT("localhost"));
        allow(guardrail, SLICE_LIT("127.0.0.1"));
        allow(guardrail, SLICE_LIT("::1"));
    }
    if (!is_wildcard(bound))
        allow(guardrail, bound);
    for (size_t i = 0; i < settings->allow_hosts.count; i++)
        if (read_authority(tn_slice_of(settings->allow_hosts.at[i]), &host))
            allow(guardrail, host);
    allow_public_url(guardrail, settings->public_url);
}

bool tn_guardrail_allows_host(struct tn_guardrail *guardrail, struct tn_slice host)
{
    struct tn_slice name;

    if (host.len > 0 && host.len == guardrail->latest_len &&
        tn_str_same(host.at, guardrail->latest, host.len))
        return true;
    if (!read_authority(host, &name) || !is_host_known(guardrail, name))
        return false;
    if (host.len <= sizeof guardrail->latest) {
        memcpy(guardrail->latest, host.at, host.len);
        guardrail->latest_len = host.len;
    }
    return true;
}

bool tn_guardrail_allows_origin(const struct tn_guardrail *guardrail, struct tn_slice origin)
{
    struct tn_slice scheme, host;

    if (!read_origin(origin, &scheme, &host))
        return false;
    for (size_t i = 0; i < guardrail->origins->count; i++)
        if (tn_slice_fold_equal(tn_slice_of(guardrail->origins->at[i]), origin))
            return true;
    return (tn_slice_is(scheme, "http") || tn_slice_is(scheme, "https")) && is_host_known(guardrail, host);
}
