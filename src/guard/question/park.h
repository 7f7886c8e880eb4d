/* park.h - calls that outlive the requests they came with.
 *
 * A legacy server asks by a request while it works on a call; a modern client is asked by the answer to that call. So the
 * call goes on without a request of the client: it is parked. The client sends its request again, with answers and a state
 * that leads to the call, and waits for it from then on, until it is asked again or has the result.
 *
 *     relay (attached) ---- question, 20 ms ----> answered input_required, parked call detached
 *     new relay, state ---- attached -----------> answers go to the server; more questions, or the result
 *
 * All of it happens on the guard's loop.
 */
#ifndef GUARD_QUESTION_PARK_H
#define GUARD_QUESTION_PARK_H

#include <uv.h>

#include "guard/question/ask.h"

#define PARKED_MAX        ((size_t)256) /* calls, in all, ... */
#define PARKED_EACH       ((size_t)16)  /* ... and of one caller */
#define PARKED_BYTES      ((size_t)64 << 20)
#define PARKED_BYTES_EACH ((size_t)32 << 20)
#define PARKED_MS         ((int64_t)600 * 1000) /* without a request of the client */
#define PARKED_GATHER_MS  20                    /* for questions that are asked together */

/* Of a guard: every question that is open, and every call that is parked. */
struct tn_park {
    struct tn_guard *guard;
    tenon_allocator  memory;
    uv_timer_t       timer;
    struct tn_ring   questions, calls;
    uint64_t         asked, parked; /* so far */
    size_t           count, bytes;
    uint64_t         late; /* answers of clients to no open question */
};

/* Made when it is first needed; NULL without memory. */
struct tn_park *tn_park_of(struct tn_guard *guard);

/* Asks with this relay's call, or with the parked one; false when there is no room. */
bool tn_park_ask(struct tn_relay *relay, struct tn_parked *parked, struct tn_asked *asked);

/* The newest parked call of a link that no request waits for, or NULL. */
struct tn_parked *tn_park_newest(struct tn_link *link);
/* The parked call of a request, or NULL. */
struct tn_parked *tn_parked_of(const tenon_request *request);

/* Is this request the next one of a parked call? Then it goes on there, or is refused. */
bool tn_park_resume(struct tn_seat *seat, struct tn_exchange *x, const struct tn_sourced *request);

/* Its relay ends without an answer of the server's: so does the call. */
void tn_park_leave(struct tn_parked *parked);

/* The server of this link is gone, or must go. */
void tn_park_forget(struct tn_link *link);

/* Is a question of its server open, or a call parked? Then it must go on. */
bool tn_park_uses(const struct tn_link *link);

/* How many calls of an upstream are parked. */
size_t tn_park_count(const struct tn_guard *guard, const struct tn_upstream *upstream);

/* After the time of something open has changed. */
void tn_park_arm(struct tn_guard *guard);

/* The guard ends. */
void tn_park_stop(struct tn_guard *guard);

/* Answers that a state is not valid. */
void tn_park_refuse(struct tn_exchange *x);

#endif
