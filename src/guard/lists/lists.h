/* lists.h - what upstreams offer: asked for, kept, published as one list, and looked at again.
 *
 * Each link has its own lists, because what a server offers may depend on who asks. A list is replaced as a whole, never
 * changed. With one upstream the guard keeps its tools only; all other lists pass.
 */
#ifndef GUARD_LISTS_H
#define GUARD_LISTS_H

#include "guard/lists/listing.h"
#include "guard/relay.h"

#define LISTS_CHANGE_MS 250   /* after the last cause of a change, before it is reported */
#define LISTS_CHANGE_MOST 1000 /* ... and after the first one, while causes go on */
#define LISTS_USED_MS   1000
#define LISTS_FRESH_MAX ((int64_t)86400000)
#define LISTS_WALK_MS   60000 /* for all pages of a list */

/* What the lists of one link may cost that its server announces again and again: so much of the loop's time at once, and then a
 * share of it. Each counts for a little at least. */
#define LISTS_BURST_US ((int64_t)200000)
#define LISTS_SHARE    20
#define LISTS_LEAST_US ((int64_t)1000)
#define LISTS_PAGE      ((size_t)1 << 20) /* bytes of a page that clients get */

/* Asks for a list, unless that is under way: then once more afterwards. */
void tn_lists_ask(struct tn_link *link, enum tn_list list);

/* The server has started, again perhaps; or is gone. */
void tn_lists_begin(struct tn_link *link);
void tn_lists_forget(struct tn_link *link);
void tn_lists_free(struct tn_link *link);

/* What was approved of the server is what it offers, until it has listed that itself. */
void tn_lists_approved(struct tn_link *link);

/* The lock has changed: lists are compared with it again. */
void tn_lists_recheck(struct tn_link *link);

/* Has the link taken no more than its share of the loop with its lists? */
bool tn_lists_may_ask(struct tn_link *link);

/* The server says that a list has changed: it is asked for, now or when the link may ask again. */
void tn_lists_note(struct tn_link *link, enum tn_list list);

/* Clients got it. One that does not hold any more is asked for again, once a second at most. */
void tn_lists_used(struct tn_link *link, enum tn_list list);

/* For how long it holds by its server's word. */
int64_t tn_lists_fresh_ms(const struct tn_link *link, enum tn_list list);

/* Does the link have this list? */
bool tn_lists_has(const struct tn_link *link, enum tn_list list);

/* Has every upstream of the seat its list, or had its time? `starts`: those that do not run are started. */
bool tn_lists_settled(struct tn_seat *seat, enum tn_list list, bool starts);

/* Answers a list of all upstreams. */
void tn_lists_answer(struct tn_relay *relay, enum tn_list list);

/* Reports changes and looks at lists again whose time has come. */
void tn_lists_due(struct tn_guard *guard, int64_t now);

#endif
