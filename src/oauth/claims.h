/* claims.h - the claims of a token, compared with what they must be. */
#ifndef OAUTH_CLAIMS_H
#define OAUTH_CLAIMS_H

#include <yyjson.h>

#include "net/auth/module.h"

#define CLAIMS_LEEWAY_S 60 /* clocks differ; for what is not valid yet, never for what has expired */

struct claims_wanted {
    struct tn_slice issuer, audience;
    int64_t         now_s;
};

/* NULL, or what is wrong: a static text. Fills name and scopes, and when they end. */
const char *claims_judge(yyjson_val *claims, const struct claims_wanted *wanted, struct tn_arena *arena,
                         struct tn_oauth_judgement *judgement, int64_t *expires_s);

#endif
