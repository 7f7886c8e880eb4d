/* again.h - calls that the server refused because of what the guard believes of its tools: the list is asked for once more.
 *
 * An unknown tool: when it is gone from the list, that is the answer; else the server's own words are. Headers that do not fit
 * (2026-07-28): the definition says which there are; they are made anew, and the call is sent once more.
 */
#ifndef GUARD_AGAIN_H
#define GUARD_AGAIN_H

#include "guard/relay.h"

/* Did it end in such a refusal, for the first time? Then *kept has what is needed to go on, in the memory of the exchange. */
bool tn_again_needed(struct tn_relay *relay, const tenon_request *request);

/* The list is here. `send` sends the call with these params (`arguments` in the place of its own, if there are any). */
void tn_again_go(struct tn_relay *relay,
                 void (*send)(struct tn_relay *relay, struct tn_slice params, struct tn_slice arguments));

#endif
