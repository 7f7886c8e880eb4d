/* withdrawn.h - calls that were cancelled, which their server may still work on.
 *
 * A server need not stop: the call counts as running until its answer comes, or for WITHDRAWN_MS. Otherwise a client that cancels
 * and calls again would have as many calls run there as it likes.
 */
#ifndef GUARD_POLICY_WITHDRAWN_H
#define GUARD_POLICY_WITHDRAWN_H

#include <stddef.h>
#include <stdint.h>

struct tn_account;
struct tn_link;
struct tn_relay;

#define WITHDRAWN_MS  30000
#define WITHDRAWN_MAX ((size_t)64) /* of one link; the oldest is forgotten */

struct tn_withdrawn {
    int64_t            id; /* of its request */
    int64_t            until_ms;
    struct tn_account *account; /* held; or NULL */
};

struct tn_withdrawns {
    struct tn_withdrawn at[WITHDRAWN_MAX]; /* the oldest first */
    size_t              count;
};

/* The relay ends: its call may still run. */
void tn_withdrawn_add(struct tn_relay *relay);

/* An answer to no open request has come. */
void tn_withdrawn_answered(struct tn_link *link, int64_t id);

/* Its server is gone. */
void tn_withdrawn_forget(struct tn_link *link);

/* How many of a link may still run; *own: those of this account. */
size_t tn_withdrawn_count(const struct tn_link *link, const struct tn_account *account, size_t *own);

#endif
