/* module.h - what libtenon-http offers to a client: the way to a server at an address. */
#ifndef NET_CLIENT_MODULE_H
#define NET_CLIENT_MODULE_H

#include "net/client/transport.h"

#define HTTP_MODULE_FILE    "libtenon-http.so"
#define HTTP_MODULE_ENTRY   "tenon_http_module"
#define HTTP_MODULE_VERSION 3u /* of this struct, and of the transport's */

struct tn_http_module {
    unsigned    version;
    const char *tenon; /* the version of the library that it was built with */
    struct tn_transport *(*open)(const struct tn_transport_frame *frame, const char *url, const char *token);
};

typedef const struct tn_http_module *(*http_module_fn)(void);

#endif
