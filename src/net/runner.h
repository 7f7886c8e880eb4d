/* runner.h - runs exchanges for transports: on a worker, or at once where there are none.
 *
 *     if (tn_received_runs(received))
 *         tn_runner_start(serving, exchange);
 *     tn_exchange_release(exchange);
 *
 * References: the runner takes a hold of its own for as long as it needs the exchange; the caller's hold, from
 * tn_mcp_receive(), stays the caller's and may be released as soon as tn_runner_start() has returned, or kept to cancel it.
 * The answer comes through the exchange's port in every case, also when it is refused, and possibly before
 * tn_runner_start() returns.
 */
#ifndef NET_RUNNER_H
#define NET_RUNNER_H

#include "net/endpoint/endpoint.h"
#include "net/loop.h"

struct runner;

/* What runs exchanges of `serving`, into serving->runner; also the server's host.spawn when there are workers. Only
 * needed with workers. */
tenon_status tn_runner_open(struct tn_serving *serving);

/* After tn_workers_free(), and only when no worker was left behind. */
void tn_runner_close(struct tn_serving *serving);

/* Runs it: tn_exchange_run() on a worker, watched by its deadline, or on the calling thread when serving->workers is NULL.
 * Refused in its place when more than settings->calls are in flight, the workers' queue is full or workers are lost.
 * From any thread. */
void tn_runner_start(struct tn_serving *serving, struct tn_exchange *exchange);

/* Posts the message to the loop once no exchange is in flight, after everything that they sent: perhaps now, perhaps never.
 * One message at a time. An exchange that has overrun its deadline was answered and is not waited for. */
void tn_runner_notify(struct tn_serving *serving, struct tn_loop *loop, struct tn_loop_message *message);

/* Counts the calls of this session from now on: those that run on a worker, and those that wait for one. A call that has
 * asked its client something and waits for the answer has no worker, and does not count; nor does one that has overrun. */
void tn_runner_watch(struct tn_serving *serving, const struct tn_session *session);

/* Is there room for `more` calls of that session when it may have `most`? There is always when it has none. If not, the
 * message is posted to the loop once there is; one message at a time. */
bool tn_runner_room(struct tn_serving *serving, size_t more, size_t most, struct tn_loop *loop,
                    struct tn_loop_message *message);

/* Waits until no worker has an exchange any more, also none that has overrun. */
void tn_runner_wait(struct tn_serving *serving);

/* Forgets the message of one of these; false when it is posted already, and must be waited for. */
bool tn_runner_forget(struct tn_serving *serving, struct tn_loop_message *message);

#endif
