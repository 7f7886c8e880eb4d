/* process.h - the way to a server that the guard runs: lines over its pipes, its standard error to the log. */
#ifndef GUARD_PROCESS_PROCESS_H
#define GUARD_PROCESS_PROCESS_H

#include "guard/guard.h"
#include "net/client/transport.h"

/* NULL without memory; a command that cannot be run is the transport's `why`. */
struct tn_transport *tn_process_transport_new(struct tn_guard *guard, const struct tn_upstream *upstream,
                                              const struct tn_transport_frame *frame);

#endif
