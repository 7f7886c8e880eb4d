/* fetch.h - a document from a URL: over https (or http, on this machine), within bounds, without detours. */
#ifndef OAUTH_FETCH_H
#define OAUTH_FETCH_H

#include "base/arena.h"
#include "base/str.h"

#define FETCH_BYTES_MAX ((size_t)256 << 10)
#define FETCH_WHY_MAX   300

/* NULL when it may be fetched: https, or http to a loopback address, and no user or password in it. Otherwise what is
 * wrong, a static text. */
const char *fetch_mistake(const char *url);

/* False, and `why` in words, when there is no document of status 200 within `timeout_ms`. Redirects are not followed. */
bool fetch_url(struct arena *arena, const char *url, long timeout_ms, struct slice *body,
               char why[FETCH_WHY_MAX]);

/* The same of a file. */
bool fetch_file(struct arena *arena, const char *path, struct slice *body, char why[FETCH_WHY_MAX]);

#endif
