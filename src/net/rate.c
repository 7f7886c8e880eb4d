/* rate.c - buckets as due times: what a caller has used is paid for by the passing of time.
 *
 * An account has for each kind the time at which all that it used is paid for. One more thing moves that time by its cost,
 * and may, unless it would then lie more than a burst ahead. One number a bucket, no rounding that adds up, no lock.
 */
#define _GNU_SOURCE
#include "net/rate.h"

#include "base/ascii.h"
#include "net/settings_value.h"

#define SECOND_US  ((int64_t)1000000)
#define COUNT_MOST ((int64_t)1 << 40)
#define CALLS_MOST 1000000
#define COST_MOST  (INT64_MAX / 8) /* so that no sum overflows */

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static const struct {
    char    unit;
    int64_t us;
} units[] = {
    { 's', SECOND_US },
    { 'm', 60 * SECOND_US },
    { 'h', 3600 * SECOND_US },
    { 'd', 24 * 3600 * SECOND_US },
};

/* "10/s", the count read by `read`. */
static bool read_per(struct tn_slice        text, bool (*read)(struct tn_slice, int64_t *),
                     struct tn_rate_bucket *bucket)
{
    struct tn_slice count;

    if (text.len < 3 || text.at[text.len - 2] != '/')
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].unit == text.at[text.len - 1])
            bucket->per_us = units[i].us;
    count = (struct tn_slice){ text.at, text.len - 2 };
    return bucket->per_us > 0 && read(count, &bucket->count) && bucket->count > 0 &&
           bucket->count <= COUNT_MOST;
}

/* What stands after `name=`; false when it is not of this name. */
static bool is_named(struct tn_slice term, const char *name, struct tn_slice *value)
{
    size_t len = strlen(name);

    if (term.len <= len || memcmp(term.at, name, len) != 0)
        return false;
    *value = (struct tn_slice){ term.at + len, term.len - len };
    return true;
}

static bool read_term(struct tn_slice term, struct tn_rate *rate)
{
    struct tn_rate_bucket *messages = &rate->kinds[ACCOUNT_MESSAGES], *bytes = &rate->kinds[ACCOUNT_BYTES];
    struct tn_slice        value;
    int64_t                number;

    if (is_named(term, "burst=", &value))
        return messages->burst == 0 && tn_settings_read_count(value, &messages->burst) &&
               messages->burst > 0 && messages->burst <= COUNT_MOST;
    if (is_named(term, "calls=", &value)) {
        if (rate->calls > 0 || !tn_settings_read_count(value, &number) || number < 1 || number > CALLS_MOST)
            return false;
        rate->calls = (size_t)number;
        return true;
    }
    if (is_named(term, "bytes=", &value))
        return bytes->count == 0 && read_per(value, tn_settings_read_bytes, bytes);
    return messages->count == 0 && read_per(term, tn_settings_read_count, messages);
}

bool tn_rate_read(struct tn_slice text, struct tn_rate *rate)
{
    const char     *mark = memchr(text.at, '=', text.len);
    struct tn_slice rest, term;

    *rate = (struct tn_rate){ 0 };
    if (!mark)
        return false;
    rate->caller = tn_slice_trim((struct tn_slice){ text.at, (size_t)(mark - text.at) });
    rest         = (struct tn_slice){ mark + 1, text.len - (size_t)(mark + 1 - text.at) };
    while (tn_slice_split(&rest, ' ', &term))
        if (term.len > 0 && !read_term(term, rate))
            return false;
    for (size_t i = 0; i < ACCOUNT_RATES; i++)
        if (rate->kinds[i].count > 0 && rate->kinds[i].burst == 0)
            rate->kinds[i].burst = rate->kinds[i].count;
    if (rate->kinds[ACCOUNT_MESSAGES].burst > 0 && rate->kinds[ACCOUNT_MESSAGES].count == 0)
        return false; /* a burst of what? */
    return rate->caller.len > 0 && (rate->kinds[ACCOUNT_MESSAGES].count > 0 ||
                                    rate->kinds[ACCOUNT_BYTES].count > 0 || rate->calls > 0);
}

bool tn_rate_read_bucket(struct tn_slice text, struct tn_rate_bucket *bucket)
{
    struct tn_rate  rate = { 0 };
    struct tn_slice rest = text, term;

    while (tn_slice_split(&rest, ' ', &term))
        if (term.len > 0 && !read_term(term, &rate))
            return false;
    *bucket = rate.kinds[ACCOUNT_MESSAGES];
    if (bucket->burst == 0)
        bucket->burst = bucket->count;
    return bucket->count > 0 && rate.calls == 0 && rate.kinds[ACCOUNT_BYTES].count == 0;
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

static const struct tn_rate none; /* the row of an account that has none */

void tn_rates_init(struct tn_rates *rates, const char *const *rows, size_t count)
{
    *rates = (struct tn_rates){ .count = 0 };
    for (size_t i = 0; i < count && i < RATES_MAX; i++)
        rates->count += tn_rate_read(tn_slice_of(rows[i]), &rates->at[rates->count]);
}

/* Names are of callers; of an address only "*" can be. The last of several rows counts, as with other settings. */
static const struct tn_rate *rate_find(const struct tn_rates *rates, const struct tn_account *account)
{
    const struct tn_rate *found = NULL;

    for (size_t i = 0; i < rates->count; i++)
        if (tn_account_is(account, ACCOUNT_CALLER, rates->at[i].caller))
            found = &rates->at[i];
    for (size_t i = 0; i < rates->count && (!found || tn_slice_is(found->caller, "*")); i++)
        if (tn_slice_is(rates->at[i].caller, "*"))
            found = &rates->at[i];
    return found ? found : &none;
}

const struct tn_rate *tn_rates_row(const struct tn_rates *rates, struct tn_account *account)
{
    const struct tn_rate *row = atomic_load_explicit(&account->rate, memory_order_acquire);

    if (account->is_others) /* many callers that there was no place for: one rate would lock them all out */
        return NULL;
    if (!row) {
        row = rate_find(rates, account);
        atomic_store_explicit(&account->calls_most, row->calls, memory_order_relaxed);
        atomic_store_explicit(&account->rate, row, memory_order_release);
    }
    return row == &none ? NULL : row;
}

/* ---- Taking -------------------------------------------------------------------------------------------------- */

/* What `amount` costs, in nanoseconds. */
static int64_t cost_of(const struct tn_rate_bucket *bucket, int64_t amount)
{
    double cost = (double)amount * (double)bucket->per_us * 1000 / (double)bucket->count;

    return cost < (double)COST_MOST ? (int64_t)cost : COST_MOST;
}

/* 0, or how long to wait. */
static int64_t rate_take(const struct tn_rate_bucket *bucket, _Atomic(int64_t) *due_ns, int64_t amount,
                         int64_t now_ns)
{
    int64_t due = atomic_load_explicit(due_ns, memory_order_relaxed);
    int64_t cost, most, from;

    if (bucket->count == 0)
        return 0;
    cost = cost_of(bucket, amount);
    most = cost_of(bucket, bucket->burst);
    do {
        from = due > now_ns ? due : now_ns;
        if (from > now_ns && from - now_ns + cost > most)
            return from - now_ns + (cost < most ? cost : most) - most;
    } while (!atomic_compare_exchange_weak_explicit(due_ns, &due, from + cost, memory_order_relaxed,
                                                    memory_order_relaxed));
    return 0;
}

int64_t tn_rate_take(const struct tn_rate_bucket *bucket, _Atomic(int64_t) *due_ns, int64_t now_us)
{
    int64_t wait_ns = rate_take(bucket, due_ns, 1, now_us * 1000);

    return wait_ns > 0 ? wait_ns / 1000000 + 1 : 0;
}

void tn_rate_give(const struct tn_rate_bucket *bucket, _Atomic(int64_t) *due_ns)
{
    atomic_fetch_sub_explicit(due_ns, cost_of(bucket, 1), memory_order_relaxed);
}

/* A message may announce any length; one beyond what a rate can count waits for as long as that takes. */
static int64_t amount_of(size_t bytes)
{
    return bytes < (size_t)COUNT_MOST ? (int64_t)bytes : COUNT_MOST;
}

int64_t tn_rates_take(struct tn_rates *rates, struct tn_account *account, size_t bytes, int64_t now_us)
{
    const struct tn_rate *row    = account ? tn_rates_row(rates, account) : NULL;
    int64_t               now_ns = now_us * 1000, wait_ns;

    if (!row)
        return 0;
    wait_ns = rate_take(&row->kinds[ACCOUNT_MESSAGES], &account->due_ns[ACCOUNT_MESSAGES], 1, now_ns);
    if (wait_ns > 0) {
        atomic_fetch_add_explicit(&rates->refused, 1, memory_order_relaxed);
        return wait_ns / 1000000 + 1;
    }
    wait_ns = rate_take(&row->kinds[ACCOUNT_BYTES], &account->due_ns[ACCOUNT_BYTES], amount_of(bytes),
                        now_ns);
    if (wait_ns == 0)
        return 0;
    if (row->kinds[ACCOUNT_MESSAGES].count > 0) /* it was not taken, after all */
        tn_rate_give(&row->kinds[ACCOUNT_MESSAGES], &account->due_ns[ACCOUNT_MESSAGES]);
    atomic_fetch_add_explicit(&rates->refused, 1, memory_order_relaxed);
    return wait_ns / 1000000 + 1;
}

void tn_rates_owe(struct tn_rates *rates, struct tn_account *account, size_t bytes, int64_t now_us)
{
    const struct tn_rate *row    = account ? tn_rates_row(rates, account) : NULL;
    int64_t               now_ns = now_us * 1000, due, from;
    _Atomic(int64_t)     *due_ns;

    if (!row || row->kinds[ACCOUNT_BYTES].count == 0)
        return;
    due_ns = &account->due_ns[ACCOUNT_BYTES];
    due    = atomic_load_explicit(due_ns, memory_order_relaxed);
    do
        from = due > now_ns ? due : now_ns;
    while (!atomic_compare_exchange_weak_explicit(
        due_ns, &due, from + cost_of(&row->kinds[ACCOUNT_BYTES], amount_of(bytes)), memory_order_relaxed,
        memory_order_relaxed));
}
