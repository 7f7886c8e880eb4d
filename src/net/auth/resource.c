/* resource.c - what the server is called by its tokens, and the metadata that tells clients (RFC 9728). */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "base/buf.h"
#include "json/write.h"
#include "net/auth/inside.h"

#define URL_MAX      ((size_t)4096)
#define METADATA_MAX ((size_t)64 << 10)

/* "https://host:port" and "/path" of a URL, without query and fragment. */
static bool split_url(struct slice url, struct slice *origin, struct slice *path)
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
    *origin = (struct slice){ url.at, (size_t)(end - url.at) };
    *path   = (struct slice){ "", 0 };
    for (const char *at = host; at < end; at++)
        if (*at == '/') {
            *origin = (struct slice){ url.at, (size_t)(at - url.at) };
            *path   = (struct slice){ at, (size_t)(end - at) };
            break;
        }
    return true;
}

/* "http://HOST:PORT" of the address that is listened on. */
static struct slice own_origin(struct arena *arena, const char *address, unsigned port)
{
    const char *colon = address ? strrchr(address, ':') : NULL;
    struct buf  text;

    buf_init(&text, arena, 0, URL_MAX);
    buf_lit(&text, "http://");
    if (!colon)
        buf_text(&text, address ? address : "localhost");
    else {
        buf_add(&text, address, (size_t)(colon - address));
        if (colon == address)
            buf_lit(&text, "localhost");
        if (strcmp(colon, ":0") == 0 && port != 0)
            buf_addf(&text, ":%u", port);
        else
            buf_text(&text, colon);
    }
    return buf_end(&text) ? buf_slice(&text) : (struct slice){ NULL, 0 };
}

static const char *join(struct arena *arena, struct slice a, const char *middle, struct slice b)
{
    struct buf text;

    buf_init(&text, arena, 0, URL_MAX);
    buf_add(&text, a.at, a.len);
    buf_text(&text, middle);
    buf_add(&text, b.at, b.len);
    return buf_end(&text);
}

static const char *write_metadata(struct arena *arena, const char *url, const struct settings *settings)
{
    struct slice rest = slice_of(settings->oauth_scopes), scope;
    struct buf   text;
    size_t       count = 0;

    buf_init(&text, arena, 0, METADATA_MAX);
    buf_lit(&text, "{\"resource\":");
    json_string(&text, url, strlen(url));
    buf_lit(&text, ",\"authorization_servers\":[");
    json_string(&text, settings->oauth_issuer, strlen(settings->oauth_issuer));
    buf_lit(&text, "]");
    while (slice_split(&rest, ' ', &scope)) {
        if (scope.len == 0)
            continue;
        buf_text(&text, count++ ? "," : ",\"scopes_supported\":[");
        json_string(&text, scope.at, scope.len);
    }
    buf_text(&text, count ? "]" : "");
    buf_lit(&text, ",\"bearer_methods_supported\":[\"header\"]}");
    return buf_end(&text);
}

bool auth_resource_name(struct auth_resource *resource, struct settings *settings, unsigned port)
{
    struct arena *arena = &settings->arena;
    struct slice  origin, path, own = slice_of(settings->path);

    if (!settings->public_url || !split_url(slice_of(settings->public_url), &origin, &path)) {
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
    resource->url          = join(arena, origin, "", path);
    resource->metadata_url = join(arena, origin, AUTH_METADATA_PATH, path);
    resource->metadata     = NULL;
    if (!resource->url || !resource->metadata_url)
        return false;
    if (settings->oauth_issuer)
        resource->metadata = write_metadata(arena, resource->url, settings);
    return !settings->oauth_issuer || resource->metadata;
}
