/* share_live.c - the register of processes, and housekeeping.
 *
 * Each process renews its row. One of those that live, the first by name, sweeps: it drops the rows of processes that have
 * been silent for a lease, gives up what they worked at, and drops what has expired. All of it goes by the clock of the
 * database, inside the statements, so that one that was stopped in the middle and continued does nothing that is not right by
 * then.
 */
#include "kit/share_inside.h"

#include <stdio.h>

#include "kit/sql_driver.h"

#define SWEEP_ROUNDS 200 /* of SWEEP_ROWS each, at most: the next turn goes on */
#define SWEEP_ROWS   "1000"

struct life {
    const struct share *share;
    const char         *process;
    int                 lost_state;
    bool                sweeps;
};

/* After an outage of the database all look as if they were gone, and whichever is back first must not give up what the others
 * work at: only one that has been there for a whole lease, without a gap, sweeps. */
static tenon_share_result renew_once(struct sql *sql, void *user)
{
    struct life      *life    = user;
    struct statement *renewed = sql_statement(
        sql, "INSERT INTO processes (process, since, renewed) SELECT ?1, now, now FROM (SELECT " SHARE_NOW
             " AS now) n ON CONFLICT (process) DO UPDATE SET renewed = excluded.renewed, since = CASE"
             " WHEN processes.renewed > excluded.renewed - ?2 THEN processes.since ELSE excluded.since END");
    struct statement *first = sql_statement(
        sql, "SELECT min(process) = ?1 FROM processes WHERE renewed > " SHARE_NOW
             " - ?2 AND since <= " SHARE_NOW " - ?2");

    sql_bind_text(renewed, 1, life->process);
    sql_bind_number(renewed, 2, life->share->lease_ms);
    sql_bind_text(first, 1, life->process);
    sql_bind_number(first, 2, life->share->lease_ms);
    life->sweeps = sql_run(sql, renewed) && sql_row(sql, first) && !sql_is_null(first, 0) &&
                   sql_number(first, 0) != 0;
    sql_reset(first);
    return sql_failure(sql) == SQL_OK ? TENON_SHARE_DONE : TENON_SHARE_DOWN;
}

/* What no process works at any more. */
static void give_up_rows(struct sql *sql, int lost_state)
{
    struct statement *lost = sql_statement(
        sql, "UPDATE states SET state = ?1, done = 1, owner = '', number = number + 1, written = " SHARE_NOW
             " WHERE owner <> '' AND NOT EXISTS (SELECT 1 FROM processes WHERE process = states.owner)");

    sql_bind_number(lost, 1, lost_state);
    sql_run(sql, lost);
}

static tenon_share_result bury_once(struct sql *sql, void *user)
{
    const struct life *life = user;
    struct statement  *gone = sql_statement(sql, "DELETE FROM processes WHERE renewed <= " SHARE_NOW " - ?1");

    sql_bind_number(gone, 1, life->share->lease_ms);
    sql_run(sql, gone);
    give_up_rows(sql, life->lost_state);
    return sql_failure(sql) == SQL_OK ? TENON_SHARE_DONE : TENON_SHARE_DOWN;
}

struct sweep {
    const char *text;
    int64_t     count;
};

static tenon_share_result sweep_once(struct sql *sql, void *user)
{
    struct sweep     *sweep = user;
    struct statement *swept = sql_statement(sql, sweep->text);

    sweep->count = sql_run(sql, swept) ? sql_changes(sql) : 0;
    return sql_failure(sql) == SQL_OK ? TENON_SHARE_DONE : TENON_SHARE_DOWN;
}

/* In small transactions, which no call waits for. */
static void drop_expired(struct share *share)
{
    static const char *const texts[] = {
        "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE at < " SHARE_NOW
        " - " SHARE_MESSAGE_MS " ORDER BY at LIMIT " SWEEP_ROWS ")",
        "DELETE FROM states WHERE (kind, key) IN (SELECT kind, key FROM states WHERE expires <= " SHARE_NOW
        " ORDER BY expires LIMIT " SWEEP_ROWS ")",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sweep sweep = { texts[i], 1 };

        for (int round = 0; round < SWEEP_ROUNDS && sweep.count > 0; round++)
            if (share_transact(share, sweep_once, &sweep) != TENON_SHARE_DONE)
                return;
    }
}

tenon_share_result share_renew(void *user, const char *process, int lost_state)
{
    struct share      *share  = user;
    struct life        life   = { share, process, lost_state, false };
    tenon_share_result result = share_transact(share, renew_once, &life);

    if (result == TENON_SHARE_DONE && life.sweeps &&
        share_transact(share, bury_once, &life) == TENON_SHARE_DONE)
        drop_expired(share);
    return result;
}

static tenon_share_result leave_once(struct sql *sql, void *user)
{
    const struct life *life = user;
    struct statement  *gone = sql_statement(sql, "DELETE FROM processes WHERE process = ?1");

    sql_bind_text(gone, 1, life->process);
    sql_run(sql, gone);
    give_up_rows(sql, life->lost_state);
    return sql_failure(sql) == SQL_OK ? TENON_SHARE_DONE : TENON_SHARE_DOWN;
}

void share_leave(void *user, const char *process, int lost_state)
{
    struct share *share = user;

    share_transact(share, leave_once, &(struct life){ share, process, lost_state, false });
    atomic_store(&share->over, true);
}
