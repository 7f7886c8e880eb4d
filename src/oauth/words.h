/* words.h - why a token is refused: sent to its bearer in a quoted string, and so without quotes. */
#ifndef OAUTH_WORDS_H
#define OAUTH_WORDS_H

#define WHY_NOT_JWT   "the token is neither known here nor a signed JWT"
#define WHY_HEADER    "the token's header is invalid"
#define WHY_KIND      "the token is not an access token"
#define WHY_ALGORITHM "the token is signed with an algorithm that is not accepted here"
#define WHY_ISSUER    "the token is from another issuer"
#define WHY_AUDIENCE  "the token is not for this server"
#define WHY_NO_EXPIRY "the token has no expiry"
#define WHY_EXPIRED   "the token has expired"
#define WHY_EARLY     "the token is not valid yet"
#define WHY_NOBODY    "the token names no subject"
#define WHY_SCOPES    "the token's scopes are invalid"
#define WHY_SIGNATURE "the token's signature is wrong"
#define WHY_KEY       "the token is signed with a key that is not known"

#endif
