/* runner.h - runs exchanges for transports: on a worker, or at once where there are none.
 *
 *     case HEED_RUN:
 *         runner_start(serving, exchange);
 *         break;
 *     ...
 *     if (exchange)
 *         exchange_release(exchange);
 *
 * References: the runner takes a hold of its own for as long as it needs the exchange; the caller's hold, from
 * mcp_receive(), stays the caller's and may be released as soon as runner_start() has returned, or kept to cancel it.
 * The answer comes through the exchange's port in every case, also when it is refused, and possibly before
 * runner_start() returns.
 */
#ifndef NET_RUNNER_H
#define NET_RUNNER_H

#include "net/endpoint/endpoint.h"
#include "net/loop.h"

struct runner;

/* What runs exchanges of `serving`, into serving->runner; also the server's host.spawn when there are workers. Only
 * needed with workers. */
tenon_status runner_open(struct serving *serving);

/* After workers_free(), and only when no worker was left behind. */
void runner_close(struct serving *serving);

/* Runs it: exchange_run() on a worker, watched by its deadline, or on the calling thread when serving->workers is NULL.
 * Refused in its place when more than settings->calls are in flight, the workers' queue is full or workers are lost.
 * From any thread. */
void runner_start(struct serving *serving, struct exchange *exchange);

/* Posts the letter to the loop once no exchange is in flight, after everything that they sent: perhaps now, perhaps never.
 * One letter at a time. An exchange that has overrun its deadline was answered and is not waited for. */
void runner_tell(struct serving *serving, struct loop *loop, struct letter *letter);

/* Counts the calls of this session from now on: those that run on a worker, and those that wait for one. A call that has
 * asked its client something and waits for the answer has no worker, and does not count; nor does one that has overrun. */
void runner_watch(struct serving *serving, const struct session *session);

/* Is there room for `more` calls of that session when it may have `most`? There is always when it has none. If not, the
 * letter is posted to the loop once there is; one letter at a time. */
bool runner_room(struct serving *serving, size_t more, size_t most, struct loop *loop, struct letter *letter);

/* Waits until no worker has an exchange any more, also none that has overrun. */
void runner_wait(struct serving *serving);

/* Forgets the letter of one of these; false when it is posted already, and must be waited for. */
bool runner_forget(struct serving *serving, struct letter *letter);

#endif
