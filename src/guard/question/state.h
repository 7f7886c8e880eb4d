/* state.h - what a modern server gives a client to bring back: state of a request, and ids of tasks.
 *
 * To the server all clients of the guard are one. So that none can use what another was given, state travels in a seal of
 * the guard's, of caller, server and request; the id of a task after a mark, of caller and server, that stays the same.
 */
#ifndef GUARD_QUESTION_STATE_H
#define GUARD_QUESTION_STATE_H

#include "guard/route/route.h"

#define STATE_MAX      ((size_t)1 << 20) /* of a server's */
#define STATE_MS       ((int64_t)24 * 3600 * 1000)
#define STATE_KEYS_MAX ((size_t)32 << 10) /* of questions that the guard answers */

/* Takes the server's state out of a request. False when it is not valid, which was answered. */
bool tn_state_open(struct tn_relay *relay);

/* To the server that the id of a task is of. */
tn_route_fn tn_state_route;

/* Is this the id of a task of that server's, marked for the caller of `x`? Then `id` is the server's own, inside `token`. */
bool tn_state_is_task(const struct tn_exchange *x, const struct tn_upstream *upstream, struct tn_slice token,
                      struct tn_slice *id);

/* News of a task, as the client of the stream `x` gets them, who knows the task as `token`; `params` are those of the message
 * that the link has just got. False when they must not pass: the client asks for the task itself. */
bool tn_state_note(struct tn_arena *arena, struct tn_link *link, const struct tn_exchange *x,
                   struct tn_slice token, yyjson_val *params, struct tn_slice *message);

/* Takes the id of a task out of a request. False when there is no such task, which was answered. */
bool tn_state_open_task(struct tn_relay *relay);

/* Writes a member of params that is the guard's business; false when it is not. At the end, those that are still missing. */
bool tn_state_param(struct tn_relay *relay, struct tn_buf *out, yyjson_val *name, struct tn_slice value);
void tn_state_params_end(struct tn_relay *relay, struct tn_buf *out);

/* Is it a result of a modern server's that asks for input, or of a task? */
bool tn_state_concerns(const struct tn_relay *relay, yyjson_val *result);

/* Makes its text the one for the client. False when it was answered with an error. */
bool tn_state_result(struct tn_relay *relay, yyjson_val *result, struct tn_slice *text);

#endif
