/* account.c - sums, shares, and a table of callers that is found by name. */
#include "base/account.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"

#define BUCKETS ((size_t)1024)
#define MOST    (SIZE_MAX / 128) /* so that no product with a percentage overflows */

struct ledger {
    tenon_allocator  memory;
    unsigned         share;
    size_t           most[HELD_KINDS];
    atomic_size_t    sum[HELD_KINDS], peak[HELD_KINDS];
    _Atomic uint64_t refused[HELD_KINDS];

    pthread_mutex_t    lock; /* of the table */
    struct tn_account *buckets[BUCKETS];
    size_t             count;
    size_t             hand; /* the bucket in which room is looked for next */
    struct tn_account *others;
};

static const char *const names[HELD_KINDS] = {
    [HELD_CONNECTIONS]   = "connections",
    [HELD_INCOMING]      = "incoming_bytes",
    [HELD_OUTGOING]      = "outgoing_bytes",
    [HELD_STREAMS]       = "streams",
    [HELD_CALLS]         = "calls",
    [HELD_WAITING]       = "waiting_bytes",
    [HELD_SESSIONS]      = "sessions",
    [HELD_SUBSCRIPTIONS] = "subscription_bytes",
    [HELD_LISTENERS]     = "listeners",
    [HELD_TASKS]         = "tasks",
    [HELD_RESULTS]       = "result_bytes",
    [HELD_REPLAYS]       = "replay_bytes",
};

const char *tn_held_name(enum tn_held held)
{
    return names[held];
}

/* ---- The ledger ---------------------------------------------------------------------------------------------- */

static struct tn_account *account_make(struct ledger *ledger, size_t name_len)
{
    struct tn_account *account = tn_memory_new(&ledger->memory, sizeof *account + name_len);

    if (!account)
        return NULL;
    memset(account, 0, sizeof *account);
    account->ledger   = ledger;
    account->name_len = name_len;
    return account;
}

static void account_destroy(struct tn_account *account)
{
    const tenon_allocator *memory = &account->ledger->memory;

    tn_memory_free(memory, account, sizeof *account + account->name_len);
}

struct ledger *tn_ledger_new(const tenon_allocator *memory)
{
    tenon_allocator from   = tn_memory_of(memory);
    struct ledger  *ledger = tn_memory_new(&from, sizeof *ledger);

    if (!ledger)
        return NULL;
    memset(ledger, 0, sizeof *ledger);
    ledger->memory = from;
    ledger->share  = ACCOUNT_SHARE;
    for (size_t i = 0; i < HELD_KINDS; i++)
        ledger->most[i] = MOST;
    ledger->others = account_make(ledger, 0);
    if (!ledger->others) {
        tn_memory_free(&from, ledger, sizeof *ledger);
        return NULL;
    }
    ledger->others->is_others = true;
    pthread_mutex_init(&ledger->lock, NULL);
    return ledger;
}

void tn_ledger_free(struct ledger *ledger)
{
    tenon_allocator memory;

    if (!ledger)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        while (ledger->buckets[i]) {
            struct tn_account *account = ledger->buckets[i];

            assert(atomic_load(&account->refs) == 0 && "an account outlives its ledger");
            ledger->buckets[i] = account->next;
            account_destroy(account);
        }
    account_destroy(ledger->others);
    pthread_mutex_destroy(&ledger->lock);
    memory = ledger->memory;
    tn_memory_free(&memory, ledger, sizeof *ledger);
}

void tn_ledger_limit(struct ledger *ledger, enum tn_held held, size_t most)
{
    ledger->most[held] = most < MOST ? most : MOST;
}

void tn_ledger_share(struct ledger *ledger, unsigned percent)
{
    assert(percent > 0 && percent <= ACCOUNT_SHARE_MOST);
    ledger->share = percent;
}

size_t tn_ledger_most(const struct ledger *ledger, enum tn_held held)
{
    return ledger->most[held];
}

unsigned tn_ledger_share_of(const struct ledger *ledger)
{
    return ledger->share;
}

size_t tn_ledger_sum(const struct ledger *ledger, enum tn_held held)
{
    return atomic_load_explicit(&ledger->sum[held], memory_order_relaxed);
}

/* ---- Accounts ------------------------------------------------------------------------------------------------ */

/* A name is kept with its kind before it; of a very long one only as much as fits, and its hash. Two long names that are
 * the same so far would share an account, which harms no other caller. */
static struct tn_slice account_key_of(char room[ACCOUNT_NAME_MAX], enum tn_account_kind kind,
                                      struct tn_slice name)
{
    size_t   len  = name.len < ACCOUNT_NAME_MAX - 1 ? name.len : ACCOUNT_NAME_MAX - 1 - sizeof(uint64_t);
    uint64_t hash = 0;

    room[0] = (char)kind;
    if (len > 0)
        memcpy(room + 1, name.at, len);
    if (len == name.len)
        return (struct tn_slice){ room, len + 1 };
    hash = tn_table_hash(name);
    memcpy(room + 1 + len, &hash, sizeof hash);
    return (struct tn_slice){ room, len + 1 + sizeof hash };
}

static bool has_key(const struct tn_account *account, struct tn_slice key)
{
    return account->name_len == key.len && memcmp(account->name, key.at, key.len) == 0;
}

bool tn_account_is(const struct tn_account *account, enum tn_account_kind kind, struct tn_slice name)
{
    char room[ACCOUNT_NAME_MAX];

    if (name.len < ACCOUNT_NAME_MAX - 1) /* nearly always: nothing is copied */
        return account->name_len == name.len + 1 && account->name[0] == (char)kind &&
               tn_str_same(account->name + 1, name.at, name.len);
    return has_key(account, account_key_of(room, kind, name));
}

static bool holds_nothing(const struct tn_account *account)
{
    if (atomic_load_explicit(&account->refs, memory_order_acquire) > 0)
        return false;
    for (size_t i = 0; i < HELD_KINDS; i++)
        if (tn_account_holds(account, (enum tn_held)i) > 0)
            return false;
    return true;
}

/* A caller that holds nothing goes, though it may not have waited for its rate: better than that new ones share one account.
 * With the lock held. */
static void make_place(struct ledger *ledger)
{
    for (size_t i = 0; i < BUCKETS; i++, ledger->hand = (ledger->hand + 1) % BUCKETS)
        for (struct tn_account **at = &ledger->buckets[ledger->hand]; *at; at = &(*at)->next)
            if (holds_nothing(*at)) {
                struct tn_account *goes = *at;

                *at = goes->next;
                ledger->count--;
                account_destroy(goes);
                return;
            }
}

struct tn_account *tn_ledger_account(struct ledger *ledger, enum tn_account_kind kind, struct tn_slice name)
{
    char                room[ACCOUNT_NAME_MAX];
    struct tn_slice     key    = account_key_of(room, kind, name);
    struct tn_account **bucket = &ledger->buckets[tn_table_hash(key) % BUCKETS], *account;

    pthread_mutex_lock(&ledger->lock);
    account = *bucket;
    while (account && !has_key(account, key))
        account = account->next;
    if (!account && ledger->count >= ACCOUNTS_MAX)
        make_place(ledger);
    if (!account && ledger->count < ACCOUNTS_MAX && (account = account_make(ledger, key.len)) != NULL) {
        memcpy(account->name, key.at, key.len);
        account->alone = kind == ACCOUNT_PIPE;
        account->next  = *bucket;
        *bucket        = account;
        ledger->count++;
    }
    if (!account)
        account = ledger->others;
    tn_account_hold(account);
    pthread_mutex_unlock(&ledger->lock);
    return account;
}

void tn_account_hold(struct tn_account *account)
{
    if (account)
        atomic_fetch_add_explicit(&account->refs, 1, memory_order_relaxed);
}

/* It stays in the table: tn_ledger_tick() forgets it. */
void tn_account_release(struct tn_account *account)
{
    if (account)
        atomic_fetch_sub_explicit(&account->refs, 1, memory_order_release);
}

/* ---- Taking and giving --------------------------------------------------------------------------------------- */

/* May an account that now holds `own` of `sum` have it, `amount` of it new? */
static bool is_allowed(const struct tn_account *account, enum tn_held held, size_t own, size_t sum,
                       size_t amount)
{
    const struct ledger *ledger = account->ledger;
    size_t               most   = ledger->most[held];
    size_t               calls  = atomic_load_explicit(&account->calls_most, memory_order_relaxed);

    if (sum > most || (held == HELD_CALLS && calls > 0 && own > calls))
        return false;
    if (account->alone || own == amount)
        return true;
    return own * (ACCOUNT_SHARE_MOST - ledger->share) <= (most - sum) * ledger->share ||
           ledger->share == ACCOUNT_SHARE_MOST;
}

/* The highest sum that there was. */
static void raise_peak(struct ledger *ledger, enum tn_held held, size_t sum)
{
    size_t peak = atomic_load_explicit(&ledger->peak[held], memory_order_relaxed);

    while (sum > peak && !atomic_compare_exchange_weak_explicit(&ledger->peak[held], &peak, sum,
                                                                memory_order_relaxed, memory_order_relaxed))
        ;
}

bool tn_account_take(struct tn_account *account, enum tn_held held, size_t amount)
{
    struct ledger *ledger;
    size_t         own, sum;

    if (!account)
        return true;
    ledger = account->ledger;
    if (amount > MOST)
        return false;
    own = atomic_fetch_add_explicit(&account->held[held], amount, memory_order_relaxed) + amount;
    sum = atomic_fetch_add_explicit(&ledger->sum[held], amount, memory_order_relaxed) + amount;
    if (is_allowed(account, held, own, sum, amount)) {
        raise_peak(ledger, held, sum);
        return true;
    }
    tn_account_give(account, held, amount);
    atomic_fetch_add_explicit(&ledger->refused[held], 1, memory_order_relaxed);
    return false;
}

void tn_account_force(struct tn_account *account, enum tn_held held, size_t amount)
{
    size_t sum;

    if (!account)
        return;
    atomic_fetch_add_explicit(&account->held[held], amount, memory_order_relaxed);
    sum = atomic_fetch_add_explicit(&account->ledger->sum[held], amount, memory_order_relaxed) + amount;
    raise_peak(account->ledger, held, sum);
}

void tn_account_give(struct tn_account *account, enum tn_held held, size_t amount)
{
    if (!account)
        return;
    atomic_fetch_sub_explicit(&account->held[held], amount, memory_order_relaxed);
    atomic_fetch_sub_explicit(&account->ledger->sum[held], amount, memory_order_relaxed);
}

/* ---- Now and then -------------------------------------------------------------------------------------------- */

static bool is_settled(const struct tn_account *account, int64_t now_us)
{
    for (size_t i = 0; i < ACCOUNT_RATES; i++)
        if (atomic_load_explicit(&account->due_ns[i], memory_order_relaxed) / 1000 > now_us)
            return false;
    return holds_nothing(account);
}

void tn_ledger_tick(struct ledger *ledger, int64_t now_us)
{
    pthread_mutex_lock(&ledger->lock); /* nothing new refers to an account meanwhile */
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct tn_account **at = &ledger->buckets[i]; *at;) {
            struct tn_account *account = *at;

            if (!is_settled(account, now_us)) {
                at = &account->next;
                continue;
            }
            *at = account->next;
            ledger->count--;
            account_destroy(account);
        }
    pthread_mutex_unlock(&ledger->lock);
}

void tn_ledger_forget_rates(struct ledger *ledger)
{
    pthread_mutex_lock(&ledger->lock);
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct tn_account *account = ledger->buckets[i]; account; account = account->next) {
            atomic_store(&account->rate, NULL);
            atomic_store(&account->calls_most, 0);
        }
    atomic_store(&ledger->others->rate, NULL);
    atomic_store(&ledger->others->calls_most, 0);
    pthread_mutex_unlock(&ledger->lock);
}

void tn_ledger_read(struct ledger *ledger, struct tn_ledger_report *report)
{
    *report = (struct tn_ledger_report){ 0 };
    for (size_t i = 0; i < HELD_KINDS; i++) {
        report->sum[i]     = tn_ledger_sum(ledger, (enum tn_held)i);
        report->most[i]    = ledger->most[i];
        report->peak[i]    = atomic_load_explicit(&ledger->peak[i], memory_order_relaxed);
        report->refused[i] = atomic_load_explicit(&ledger->refused[i], memory_order_relaxed);
    }
    pthread_mutex_lock(&ledger->lock);
    report->callers = ledger->count;
    for (size_t b = 0; b < BUCKETS; b++)
        for (const struct tn_account *account = ledger->buckets[b]; account; account = account->next)
            for (size_t i = 0; i < HELD_KINDS; i++)
                if (tn_account_holds(account, (enum tn_held)i) > report->heaviest[i])
                    report->heaviest[i] = tn_account_holds(account, (enum tn_held)i);
    pthread_mutex_unlock(&ledger->lock);
}
