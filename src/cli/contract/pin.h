/* pin.h - approving what servers offer, for `tenon pin` and `tenon guard --pin`. */
#ifndef CLI_CONTRACT_PIN_H
#define CLI_CONTRACT_PIN_H

#include "cli/contract/review.h"
#include "guard/upstream.h"

struct pin {
    struct targets    targets;
    struct tn_review *reviews;        /* one for each target */
    size_t            approval_count; /* NAME@HASH in remote.own */
    const char       *by;             /* who approves; NULL: the user of this program */
    bool              all, diff, writes;
    size_t            written; /* definitions */
    size_t            left;    /* that are not approved, and stay so */
    bool              mistaken;
};

/* Asks every target and compares it with the lock. False when one cannot be reached, which was reported. */
bool pin_review(struct pin *pin);

/* Writes what is approved: by name and hash, or all of it but what screening found something in. False when nothing could be
 * written, which was reported. */
bool pin_write(struct pin *pin);

/* Approves what upstreams offer that the policy's lock has nothing of, but for what has findings. They are called as they are
 * in the configuration (`named`), or as the servers call themselves. False when one of them cannot
 * be reached, or the lock cannot be written, which was reported. */
bool pin_first_use(const struct console *console, const struct tn_upstream *upstreams, size_t count,
                   bool named, const struct tn_policy *policy);

/* Prints what was found: ENDING_GOOD when all of it is approved. */
enum ending pin_show(struct pin *pin);

#endif
