/* address.h - the way of a guard to an upstream at an address. */
#ifndef CLI_GUARD_ADDRESS_H
#define CLI_GUARD_ADDRESS_H

#include "guard/upstream.h"

/* With the credential of the upstream. NULL without memory; an address that is not used is the transport's `why`. Is NULL itself in a
 * program that reaches no addresses. */
typedef struct tn_transport *(*address_fn)(const struct tn_upstream        *upstream,
                                           const struct tn_transport_frame *frame);
extern const address_fn address_connect;

/* Waits for what is still sent to servers, at the end of the program. */
void address_end(void);

#endif
