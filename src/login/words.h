/* words.h - messages of logins that fail. What they quote is other people's text: the code that prints it spells out its
 * control characters. Never a secret, a code or a token. */
#ifndef LOGIN_WORDS_H
#define LOGIN_WORDS_H

#define SAY_MEMORY       "out of memory"
#define SAY_FETCH        "%s cannot be fetched from %.150s: %.150s"
#define SAY_NO_OBJECT    "%s at %.150s is not a JSON object"
#define SAY_STATUS       "%s at %.150s answers with HTTP %ld"
#define SAY_RESOURCE     "the server's metadata is for '%.120s', not for %.120s: it is not used"
#define SAY_NO_ISSUER    "the server's metadata names no authorization server"
#define SAY_NO_AUTHORITY "the authorization server %.150s has no metadata"
#define SAY_ENDPOINT     "the authorization server's %s '%.150s' is not used: %.80s"
#define SAY_NO_ENDPOINT  "the authorization server has no %s"
#define SAY_OTHER_ISSUER "the metadata of the authorization server is for '%.120s', not for %.120s"
#define SAY_NOT_ISSUER                                                                                       \
    "the server names the authorization server '%.120s', not %.120s of --issuer: nothing was sent to it"
#define SAY_NEW_ISSUER                                                                                       \
    "the server now names the authorization server '%.120s'; this client's secret was used with %.120s: "    \
    "nothing was sent; if the new one is right, give it with --issuer"
#define SAY_NO_PKCE                                                                                          \
    "the authorization server has no page to log in at that supports PKCE (S256): it is not opened"
#define SAY_NO_CLIENT                                                                                        \
    "the authorization server registers no clients: give the id that it knows with --client-id"
#define SAY_REGISTER  "the authorization server does not register this program (HTTP %ld)%s%.150s"
#define SAY_NO_METHOD "the authorization server supports none of the authentication methods of this client"
#define SAY_TOKEN     "the authorization server gives no token (HTTP %ld): %.60s%s%.200s"
#define SAY_NO_REASON "it does not say why"
#define SAY_TOKEN_BAD "the authorization server's token cannot be used: %s"
#define SAY_LISTEN    "this machine's port for the login cannot be opened: %s"
#define SAY_WAIT      "no login response within %d minutes"
#define SAY_REFUSED   "the login was refused: %.60s%s%.200s"
#define SAY_STATE     "too many responses that do not belong to this login arrived"
#define SAY_ISS       "the login response is from the issuer '%.120s', not from %.120s: it is not used"
#define SAY_NO_ISS    "the login response does not name its issuer, as %.120s promised: it is not used"
#define SAY_NO_CODE   "the login response has no code"
#define SAY_NO_TOKEN  "the server needs a token (HTTP %d): --login, --token-file FILE, or TENON_TOKEN"
#define SAY_NOT_RENEWED                                                                                      \
    "the server needs a token (HTTP %d), and the kept login was not renewed: %.250s (--login makes a new one)"
#define SAY_AGAIN     "the server does not accept the token of this login (HTTP %d)"
#define SAY_SCOPE     "the server needs more than this login can give: %.200s"
#define SAY_SCOPES    "the scopes that the server names have more than %zu bytes"
#define SAY_ROUNDS    "the server asks for a login again and again"
#define SAY_NO_KEYS   "this tenon was built without libcrypto and cannot sign with a key"
#define SAY_KEY       "the key cannot be used: a private key in PEM of the kind P-256 or RSA is needed"
#define SAY_ALGORITHM "the authorization server does not accept signatures of the kind %s"
#define SAY_EXCHANGE  "the identity provider gives no assertion (HTTP %ld): %.60s%s%.200s"
#define SAY_NO_ID     "--client-id is needed to log in as a service"

#endif
