/* host.h - names and addresses of hosts, as text. */
#ifndef TEXT_HOST_H
#define TEXT_HOST_H

#include <stdbool.h>

#include "base/str.h"

/* RFC 1123: labels of 1 to 63 letters, digits and inner hyphens, 253 bytes in all, no dot at the end. A label that
 * begins with xn-- is one like any other. */
bool tn_host_is_name(struct tn_slice text);

/* The same, where bytes beyond ASCII count as letters; whether they are UTF-8 is not asked. */
bool tn_host_is_wide_name(struct tn_slice text);

/* Four decimal numbers up to 255 without leading zeros. */
bool tn_host_is_ipv4(struct tn_slice text);

/* RFC 4291 section 2.2, without a zone. */
bool tn_host_is_ipv6(struct tn_slice text);

#endif
