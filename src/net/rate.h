/* rate.h - how many messages and bytes a caller may send in a time.
 *
 *     ann=10/s                              ten messages a second
 *     ci=5000/h burst=100 calls=4           ... at most a hundred at once, and four calls that run at a time
 *     *=100/m bytes=1MiB/s                  each caller that has no row of its own
 *
 * A rate is a bucket that fills evenly: as many at once as its burst, then one after the other. A caller that was idle
 * for a while may send one message of any size; what exceeds the burst is waited for afterwards. Everything here may be
 * called by any thread; nothing waits.
 */
#ifndef NET_RATE_H
#define NET_RATE_H

#include "base/account.h"
#include "base/arena.h"

#define RATES_MAX 32

/* Of one kind of thing: `count` of them in `per_us`, `burst` at once. A count of 0 is no bound. */
struct tn_rate_bucket {
    int64_t count, per_us, burst;
};

struct tn_rate {
    struct tn_slice       caller; /* "*" for those without a row */
    struct tn_rate_bucket kinds[ACCOUNT_RATES];
    size_t                calls; /* that run at a time; 0 for no bound of its own */
};

#define RATE_WANTS                                                                                           \
    "CALLER=N/s, with /m, /h or /d as well, such as ann=10/s, or \"*=100/m burst=20 calls=4 bytes=1MiB/s\""

/* Reads one row; its texts are those of `text`. */
bool tn_rate_read(struct tn_slice text, struct tn_rate *rate);

/* Reads what stands after the caller and counts messages: "10/s", "100/m burst=20". */
bool tn_rate_read_bucket(struct tn_slice text, struct tn_rate_bucket *bucket);

/* One more of a bucket that is paid for at *due_ns: 0 when it may be taken, else in how many milliseconds to try again, which is
 * at least 1. */
int64_t tn_rate_take(const struct tn_rate_bucket *bucket, _Atomic(int64_t) *due_ns, int64_t now_us);

/* What was taken last is given back: it was refused for another reason. */
void tn_rate_give(const struct tn_rate_bucket *bucket, _Atomic(int64_t) *due_ns);

struct tn_rates {
    struct tn_rate   at[RATES_MAX];
    size_t           count;
    _Atomic uint64_t refused;
};

/* Rows as the settings have them, which were read before. */
void tn_rates_init(struct tn_rates *rates, const char *const *rows, size_t count);

/* The row of an account, or NULL. Its bound of calls is the account's from the first time on. */
const struct tn_rate *tn_rates_row(const struct tn_rates *rates, struct tn_account *account);

/* One message of so many bytes: 0 when it may be taken, else in how many milliseconds to try again, which is at least 1. */
int64_t tn_rates_take(struct tn_rates *rates, struct tn_account *account, size_t bytes, int64_t now_us);

/* Bytes that were not announced, and are here now: they are waited for afterwards. */
void tn_rates_owe(struct tn_rates *rates, struct tn_account *account, size_t bytes, int64_t now_us);

#endif
