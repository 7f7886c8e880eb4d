/* url.h - the parts of a URL, as libcurl reads them. This header stands alone. */
#ifndef FETCH_URL_H
#define FETCH_URL_H

#include <stdbool.h>

enum tn_url_part {
    URL_WHOLE,
    URL_SCHEME, /* in small letters */
    URL_USER,
    URL_PASSWORD,
    URL_HOST, /* an IPv6 address in brackets */
    URL_PORT, /* the scheme's own when none is written */
    URL_PATH,
    URL_QUERY,
    URL_FRAGMENT,
    URL_PART_COUNT
};

struct tn_url;

/* NULL when it is not an absolute URL of a scheme that libcurl knows, or without memory. */
struct tn_url *tn_url_new(const char *text);
void           tn_url_free(struct tn_url *url);

/* A part, valid until the URL is changed or freed; NULL when it has none. */
const char *tn_url_get(struct tn_url *url, enum tn_url_part part);

/* Replaces a part, or removes it with NULL. URL_WHOLE takes a reference, of any scheme, relative to what it was. */
bool tn_url_set(struct tn_url *url, enum tn_url_part part, const char *text);

/* Adds NAME=VALUE to the query, both escaped. */
bool tn_url_add(struct tn_url *url, const char *name, const char *value);

/* http or https? */
bool tn_url_is_web(struct tn_url *url);

/* A loopback address by its letters, or localhost: any other name could lead elsewhere. */
bool tn_url_is_loopback(const char *host);

#endif
