/* module.h - the module's entry point, and how often it asks for keys. */
#ifndef OAUTH_MODULE_H
#define OAUTH_MODULE_H

#include "net/auth/module.h"

#define SPACING_MS       10000             /* between the end of one refresh and the next */
#define STALE_SPACING_MS 60000             /* the same, for keys that are only old */
#define FRESH_MS         (10 * 60000)      /* keys older than that are looked for again */
#define TRUSTED_MS       (24 * 60 * 60000) /* and older than that not believed any more */
#define WAITING_MAX      2                 /* threads that fetch or wait for who does */
#define FETCH_ARENA_MAX  ((size_t)8 << 20)

/* Of the headers it was compiled with, whatever library answers to tenon_version() in this process. */
#define OAUTH_TEXT_(number)  #number
#define OAUTH_TEXT(number)   OAUTH_TEXT_(number)
#define OAUTH_TENON_VERSION  \
    OAUTH_TEXT(TENON_VERSION_MAJOR) "." OAUTH_TEXT(TENON_VERSION_MINOR) "." OAUTH_TEXT(TENON_VERSION_PATCH)

TENON_API const struct tn_auth_module *tenon_oauth_module(void);

#endif
