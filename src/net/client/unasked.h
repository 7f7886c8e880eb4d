/* unasked.h - how much a server may send that answers nothing: so much at once, and then so much a millisecond.
 *
 * Notifications, log messages, lines that are no messages: a server that writes them without end would have all of the time of a
 * loop that it shares with others. What is over the measure waits in its pipe, and then it does. Answers are not measured.
 */
#ifndef NET_CLIENT_UNASKED_H
#define NET_CLIENT_UNASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNASKED_BURST ((int64_t)256 << 10) /* bytes at once */
#define UNASKED_DEBT  ((int64_t)1 << 20)   /* more is not counted: one long message may be a question */
#define UNASKED_LEAST ((size_t)4 << 10)    /* that are read at once of a server that has used all of it */

struct tn_unasked {
    int64_t a_ms;     /* bytes; 0: as many as it likes */
    int64_t left;     /* may be less than 0: what was read is taken */
    int64_t at_ms;    /* until when `left` was counted */
    int64_t until_ms; /* nothing is read before; 0: it may be */
};

static inline struct tn_unasked tn_unasked_of(size_t a_ms)
{
    return (struct tn_unasked){ .a_ms = (int64_t)a_ms, .left = UNASKED_BURST };
}

/* Time has passed. */
static inline void tn_unasked_pass(struct tn_unasked *unasked, int64_t now_ms)
{
    int64_t passed = now_ms - unasked->at_ms;

    unasked->at_ms = now_ms;
    if (passed > UNASKED_BURST || passed < 0)
        passed = UNASKED_BURST; /* more than enough, and no product of it is too large */
    unasked->left += passed * unasked->a_ms;
    if (unasked->left > UNASKED_BURST)
        unasked->left = UNASKED_BURST;
}

static inline void tn_unasked_spend(struct tn_unasked *unasked, size_t len)
{
    unasked->left = (int64_t)len > unasked->left + UNASKED_DEBT ? -UNASKED_DEBT
                                                                : unasked->left - (int64_t)len;
}

/* How much to read, of at most `most`. */
static inline size_t tn_unasked_room(const struct tn_unasked *unasked, size_t most)
{
    if (unasked->a_ms == 0 || unasked->left >= (int64_t)most)
        return most;
    return unasked->left > (int64_t)UNASKED_LEAST ? (size_t)unasked->left : UNASKED_LEAST;
}

/* Is it to rest, after what it sent? */
static inline bool tn_unasked_is_over(struct tn_unasked *unasked, int64_t now_ms)
{
    unasked->until_ms = 0;
    if (unasked->a_ms > 0 && unasked->left <= 0)
        unasked->until_ms = now_ms + 1 - unasked->left / unasked->a_ms;
    return unasked->until_ms > 0;
}

#endif
