/* account.h - who holds how much of what a server has in sum: one account a caller, one ledger a server.
 *
 * Every table, queue and buffer of a server that callers fill has a row here: the most of it that all callers together may
 * hold. Taking from it asks two questions: does the sum allow it, and does this caller leave enough for others?
 *
 *     if (!tn_account_take(account, HELD_TASKS, 1))
 *         ... refuse, or give up something older of the same caller ...
 *     tn_account_give(account, HELD_TASKS, 1);
 *
 * The second one is a rule without a list of callers: what a caller holds may not be more than what is still free,
 * times `share / (100 - share)`. With a share of 50 a lone caller gets half of the sum, the next greedy one half of the
 * rest; when all ask at once, n of them get one part of n + 1 each. The limit is the same for all at any moment, so
 * that the caller that holds most is refused first, and one that holds nothing yet always gets something while anything
 * is left. A share of 100 leaves only the sum.
 *
 * Everything here may be called by any thread; taking and giving need no lock.
 */
#ifndef BASE_ACCOUNT_H
#define BASE_ACCOUNT_H

#include <stdatomic.h>

#include <tenon/base.h>

#include "base/str.h"

#define ACCOUNTS_MAX       ((size_t)16384) /* callers that are known at a time; the next ones share an account */
#define ACCOUNT_NAME_MAX   ((size_t)256)   /* of longer names the rest is hashed */
#define ACCOUNT_SHARE      50              /* in percent, when nothing else is said */
#define ACCOUNT_SHARE_MOST 100

/* What is held: counts of things, or bytes. account.c has their names. */
enum tn_held {
    HELD_CONNECTIONS,
    HELD_INCOMING, /* bytes of requests that are being read, or were read ahead */
    HELD_OUTGOING, /* bytes of answers that their clients did not take yet */
    HELD_STREAMS,
    HELD_CALLS,   /* that run or wait for a worker */
    HELD_WAITING, /* bytes of the messages of calls that wait: for a worker, for their client, as a task */
    HELD_SESSIONS,
    HELD_SUBSCRIPTIONS, /* bytes of what sessions subscribed to */
    HELD_LISTENERS,     /* open subscriptions/listen */
    HELD_TASKS,         /* that run, or have ended and are kept */
    HELD_RESULTS,       /* bytes of the answers of tasks that have ended */
    HELD_REPLAYS,       /* bytes of streams that may be resumed */
    HELD_KINDS
};

/* Its name in metrics. */
const char *tn_held_name(enum tn_held held);

struct ledger;

/* What a rate may count of a caller. */
enum tn_account_rate {
    ACCOUNT_MESSAGES,
    ACCOUNT_BYTES,
    ACCOUNT_GUARDED, /* calls of guarded servers, by what the policy of a guard says of the caller */
    ACCOUNT_RATES
};

struct tn_account {
    struct ledger        *ledger;
    struct tn_account    *next; /* in its bucket */
    atomic_uint           refs;
    bool                  alone;      /* of a pipe */
    bool                  is_others;  /* shared by those that there was no room for */
    atomic_size_t         calls_most; /* of this caller; 0: what the share allows */
    atomic_size_t         held[HELD_KINDS];
    _Atomic(int64_t)      due_ns[ACCOUNT_RATES]; /* until when what it used is paid for (net/rate.c) */
    _Atomic(const void *) rate;                  /* the row that it follows, once it was looked for */

    void  *newest, *oldest; /* sessions of this caller, with the server's lock (mcp/session.c) */
    size_t name_len;
    char   name[];
};

/* NULL without memory. No sum has a limit at first. */
struct ledger *tn_ledger_new(const tenon_allocator *memory);
void           tn_ledger_free(struct ledger *ledger); /* after the last tn_account_release() */

/* The most of all callers together; and the share, in percent. Before anything is taken. */
void     tn_ledger_limit(struct ledger *ledger, enum tn_held held, size_t most);
void     tn_ledger_share(struct ledger *ledger, unsigned percent);
size_t   tn_ledger_most(const struct ledger *ledger, enum tn_held held);
unsigned tn_ledger_share_of(const struct ledger *ledger);
size_t   tn_ledger_sum(const struct ledger *ledger, enum tn_held held);

/* Keeps names of different origin apart. Who is at the other end of a pipe leaves nothing to others. */
enum tn_account_kind { ACCOUNT_ADDRESS = 'a', ACCOUNT_CALLER = 'c', ACCOUNT_PIPE = 'p' };

/* The account of a name, held; never NULL: without memory, or when too many are known, it is the one of all others. */
struct tn_account *tn_ledger_account(struct ledger *ledger, enum tn_account_kind kind, struct tn_slice name);
void               tn_account_hold(struct tn_account *account);
void               tn_account_release(struct tn_account *account); /* NULL is fine */
bool tn_account_is(const struct tn_account *account, enum tn_account_kind kind, struct tn_slice name);

/* Takes `amount` more, or nothing. An account of NULL is without bounds. */
bool tn_account_take(struct tn_account *account, enum tn_held held, size_t amount);
/* The same without asking: for what moves from one account to another. */
void tn_account_force(struct tn_account *account, enum tn_held held, size_t amount);
void tn_account_give(struct tn_account *account, enum tn_held held, size_t amount);

static inline size_t tn_account_holds(const struct tn_account *account, enum tn_held held)
{
    return account ? atomic_load_explicit(&account->held[held], memory_order_relaxed) : 0;
}

/* Accounts look for their row of a rate again: the old rows are gone. */
void tn_ledger_forget_rates(struct ledger *ledger);

/* Forgets callers that hold nothing and have used nothing of their rate. Now and then. */
void tn_ledger_tick(struct ledger *ledger, int64_t now_us);

/* For metrics: callers that are known, the highest sum so far, the most that one of them holds now, and how often it was refused. */
struct tn_ledger_report {
    size_t   callers;
    size_t   sum[HELD_KINDS], most[HELD_KINDS], peak[HELD_KINDS], heaviest[HELD_KINDS];
    uint64_t refused[HELD_KINDS];
};
void tn_ledger_read(struct ledger *ledger, struct tn_ledger_report *report);

#endif
