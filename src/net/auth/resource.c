/* resource.c - what the server is called by its tokens, and the metadata that tells clients (RFC 9728). */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "base/buf.h"
#include "json/write.h"
#include "net/auth/inside.h"

#define URL_MAX      ((size_t)4096)
#define METADATA_MAX ((size_t)64 << 10)

/* "https://host:port" and "/path" of a URL, without query and fragment. */
static bool split_url(struct tn_slice url, struct tn_slice *origin, struct tn_slice *path)
{
    const char *host = NULL, *end = url.at + url.len;

    for (size_t i = 0; i + 2 < url.len && !host; i++)
        if (memcmp(url.at + i, "://", 3) == 0)
            host = url.at + i + 3;
    if (!host)
        return false;
    for (const char *at = host; at < end; at++)
        if (*at == '?' || *at == '#')
            end = at;
    *origin = (struct tn_slice){ url.at, (size_t)(end - url.at) };
    *path   = (struct tn_slice){ "", 0 };
    for (const char *at = host; at < end; at++)
        if (*at == '/') {
            *origin = (struct tn_slice){ url.at, (size_t)(at - url.at) };
            *path   = (struct tn_slice){ at, (size_t)(end - at) };
            break;
        }
    return true;
}

/* "http://HOST:PORT" of the address that is listened on. */
static struct tn_slice own_origin(struct tn_arena *arena, const char *address, unsigned port)
{
    const char   *colon = address ? strrchr(address, ':') : NULL;
    struct tn_buf text;

    tn_buf_init(&text, arena, 0, URL_MAX);
    tn_buf_lit(&text, "http://");
    if (!colon)
        tn_buf_text(&text, address ? address : "localhost");
    else {
        tn_buf_add(&text, address, (size_t)(colon - address));
        if (colon == address)
            tn_buf_lit(&text, "localhost");
        if (strcmp(colon, ":0") == 0 && port != 0)
            tn_buf_addf(&text, ":%u", port);
        else
            tn_buf_text(&text, colon);
    }
    return tn_buf_end(&text) ? tn_buf_slice(&text) : (struct tn_slice){ NULL, 0 };
}

static const char *resource_join(struct tn_arena *arena, struct tn_slice a, const char *middle,
                                 struct tn_slice b)
{
    struct tn_buf text;

    tn_buf_init(&text, arena, 0, URL_MAX);
    tn_buf_add(&text, a.at, a.len);
    tn_buf_text(&text, middle);
    tn_buf_add(&text, b.at, b.len);
    return tn_buf_end(&text);
}

static const char *write_metadata(struct tn_arena *arena, const char *url, const struct tn_settings *settings)
{
    struct tn_slice rest = tn_slice_of(settings->oauth_scopes), scope;
    struct tn_buf   text;
    size_t          count = 0;

    tn_buf_init(&text, arena, 0, METADATA_MAX);
    tn_buf_lit(&text, "{\"resource\":");
    tn_json_string(&text, url, strlen(url));
    tn_buf_lit(&text, ",\"authorization_servers\":[");
    tn_json_string(&text, settings->oauth_issuer, strlen(settings->oauth_issuer));
    tn_buf_lit(&text, "]");
    while (tn_slice_split(&rest, ' ', &scope)) {
        if (scope.len == 0)
            continue;
        tn_buf_text(&text, count++ ? "," : ",\"scopes_supported\":[");
        tn_json_string(&text, scope.at, scope.len);
    }
    tn_buf_text(&text, count ? "]" : "");
    tn_buf_lit(&text, ",\"bearer_methods_supported\":[\"header\"]}");
    return tn_buf_end(&text);
}

bool tn_auth_resource_name(struct tn_auth_resource *resource, struct tn_settings *settings, unsigned port)
{
    struct tn_arena *arena = &settings->arena;
    struct tn_slice  origin, path, own = tn_slice_of(settings->path);

    if (!settings->public_url || !split_url(tn_slice_of(settings->public_url), &origin, &path)) {
        origin = own_origin(arena, settings->http, port);
        path   = own;
    }
    if (!origin.at)
        return false;
    if (path.len <= 1)
        path = own;
    if (path.len > 0 && path.at[path.len - 1] == '/')
        path.len--;
    resource->endings[0]   = own; /* a proxy may serve another path than it calls here */
    resource->endings[1]   = path;
    resource->url          = resource_join(arena, origin, "", path);
    resource->metadata_url = resource_join(arena, origin, AUTH_METADATA_PATH, path);
    resource->metadata     = NULL;
    if (!resource->url || !resource->metadata_url)
        return false;
    if (settings->oauth_issuer)
        resource->metadata = write_metadata(arena, resource->url, settings);
    return !settings->oauth_issuer || resource->metadata;
}
