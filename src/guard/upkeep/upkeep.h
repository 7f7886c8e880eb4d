/* upkeep.h - what a link needs beside its messages: starts after an end, rest after failures, the end of what is idle.
 *
 * A command that ended is started again after a pause that grows, and by a call at once. One that ends again and again, and an
 * address that fails again and again, are left alone for a while (breaker.h); then an attempt that is not a call decides.
 */
#ifndef GUARD_UPKEEP_UPKEEP_H
#define GUARD_UPKEEP_UPKEEP_H

#include "guard/upkeep/breaker.h"
#include "net/client/client.h"

struct tn_link;
struct tn_relay;

struct tn_upkeep {
    struct tn_breaker starts;  /* of a command: its ends */
    tenon_request    *probe;   /* that tries an address which failed; or NULL */
    bool              idle;    /* it was ended because no call came */
    int64_t wake_ms, pause_ms; /* when it is started again, 0: by the next call; and the pause before */
    int64_t used_ms;           /* the last time that there was something to do */
    char    why[100];          /* it was lost last; or "" */
};

void tn_upkeep_begin(struct tn_link *link);

/* Before it is started, and before it is used: in how many milliseconds it may be. With 0 it may be now; relays wait for as long
 * as tn_upkeep_tries(). */
int  tn_upkeep_rest(struct tn_link *link);
bool tn_upkeep_tries(const struct tn_link *link);

void tn_upkeep_ready(struct tn_link *link); /* its server answers */
void tn_upkeep_lost(struct tn_link *link,
                    const char     *why); /* its server is gone; its client is freed already */
void tn_upkeep_answer(struct tn_relay     *relay,
                      const tenon_request *request); /* a request of a relay has ended */

/* In how many milliseconds tn_upkeep_step() has something to do; -1: never. */
int  tn_upkeep_due(struct tn_link *link);
void tn_upkeep_step(struct tn_link *link);

#endif
