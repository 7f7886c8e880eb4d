/* module.c - what libtenon-http shows: its one function. */
#include "net/client/module.h"
#include "http/http.h"

/* Of the headers it was compiled with, whatever library answers to tenon_version() in this process. */
#define HTTP_TEXT_(number) #number
#define HTTP_TEXT(number)  HTTP_TEXT_(number)
#define HTTP_TENON_VERSION \
    HTTP_TEXT(TENON_VERSION_MAJOR) "." HTTP_TEXT(TENON_VERSION_MINOR) "." HTTP_TEXT(TENON_VERSION_PATCH)

static struct tn_transport *open_transport(const struct tn_transport_frame *frame, const char *url,
                                           const char *token)
{
    return http_transport_new(frame, url, token, NULL);
}

TENON_API const struct tn_http_module *tenon_http_module(void);

const struct tn_http_module *tenon_http_module(void)
{
    static const struct tn_http_module module = { .version = HTTP_MODULE_VERSION,
                                                  .tenon   = HTTP_TENON_VERSION,
                                                  .open    = open_transport };

    return &module;
}
