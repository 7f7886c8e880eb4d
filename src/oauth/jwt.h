/* jwt.h - a JSON Web Token taken apart, before anything of it is trusted. */
#ifndef OAUTH_JWT_H
#define OAUTH_JWT_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/str.h"

#define JWT_LEN_MAX ((size_t)8192)

struct jwt {
    struct tn_slice      whole, signed_part; /* header.payload */
    struct tn_slice      alg, kid;           /* kid.at is NULL when there is none */
    const unsigned char *signature;
    size_t               signature_len;
    yyjson_val          *claims; /* an object */
};

/* NULL, or what is wrong with it: a static text. All in the arena. */
const char *jwt_read(struct jwt *jwt, struct tn_arena *arena, struct tn_slice token);

/* The text of a member that is a string; false when it is not one, or has control characters. */
bool jwt_text(yyjson_val *object, const char *name, struct tn_slice *text);

#endif
