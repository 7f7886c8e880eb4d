/* follow.h - resources and tasks that clients follow, and the streams of changes of modern servers.
 *
 * A legacy client follows a resource by resources/subscribe, a modern one by subscriptions/listen. Behind the guard each link
 * counts who follows what, and asks its server once: a legacy one by resources/subscribe, a modern one by one
 * subscriptions/listen for everything, which also reports changes of lists. When the server was started again it is asked again,
 * before anything else, and what is followed is taken for changed.
 */
#ifndef GUARD_FOLLOW_H
#define GUARD_FOLLOW_H

#include "guard/seat.h"

#define FOLLOWS_MAX       ((size_t)4096) /* resources and tasks of one link */
#define FOLLOW_PAUSE_MS   1000 /* before a stream that has ended is asked for again; doubled each time */
#define FOLLOW_PAUSE_MOST 60000
#define FOLLOW_AGAIN_MS   50 /* before more is asked of a server that has many requests to answer */

/* A client begins to follow a resource: in its session, or by a stream `x`. False when there are too many, or no memory. */
bool tn_follow_add(struct tn_seat *seat, struct tn_link *link, struct tn_exchange *x, struct tn_slice uri);

/* It does not any more. False when it did not. */
bool tn_follow_drop(struct tn_seat *seat, struct tn_exchange *x, struct tn_slice uri);

/* Does some client follow it on this link? */
bool tn_follow_has(const struct tn_link *link, struct tn_slice uri);

/* A stream of a modern client begins or ends; which tasks it may follow (mcp/source.h). */
void tn_follow_listens(void *user, struct tn_exchange *x, const struct tn_listened *what, bool begins);
bool tn_follow_knows_task(void *user, struct tn_exchange *x, struct tn_slice token);

/* The server says that a resource has changed. */
void tn_follow_updated(struct tn_link *link, struct tn_slice uri);

/* The server has news of a task: `params` of the message that the link has just got. */
void tn_follow_task(struct tn_link *link, yyjson_val *params);

/* Is a notification of the stream that counts? Agreements are taken here. */
bool tn_follow_is_current(struct tn_link *link, struct tn_slice method, yyjson_val *params);

/* The server has started; is gone; is not used any more; the seat is given up. */
void tn_follow_begin(struct tn_link *link);
void tn_follow_forget(struct tn_link *link);
void tn_follow_free(struct tn_link *link);
void tn_follow_leave(struct tn_seat *seat);

/* Listens again where the time for it has come. */
void tn_follow_due(struct tn_guard *guard, int64_t now);

#endif
