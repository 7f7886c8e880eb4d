/* share_bus.c - messages, and which of them were seen.
 *
 * A message gets its number when it is written and can be read when it is committed: number 2 may come before number 1. Who
 * has read up to a number therefore keeps the numbers below it that were missing, and reads them again for a while; one that
 * has not come by then was rolled back.
 */
#include "kit/share_inside.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kit/sql_driver.h"

#define WAIT_MS 2000 /* for news, before the table is looked at anyway */
#define PAGE    500
#define AWAY_MS 50000 /* less than messages are kept */

/* ---- The place --------------------------------------------------------------------------------------------------- */

int64_t share_place_from(const struct share_place *place)
{
    return place->gap_count > 0 ? place->gaps[0].id : place->last + 1;
}

/* The oldest give way: so many at once are no messages that are being written. */
static void add_gap(struct share_place *place, int64_t id, int64_t now_ms)
{
    if (place->gap_count == SHARE_GAPS) {
        memmove(place->gaps, place->gaps + 1, (SHARE_GAPS - 1) * sizeof *place->gaps);
        place->gap_count--;
    }
    place->gaps[place->gap_count].id         = id;
    place->gaps[place->gap_count++].since_ms = now_ms;
}

static bool fill_gap(struct share_place *place, int64_t id)
{
    for (size_t i = 0; i < place->gap_count; i++)
        if (place->gaps[i].id == id) {
            place->gap_count--;
            memmove(place->gaps + i, place->gaps + i + 1, (place->gap_count - i) * sizeof *place->gaps);
            return true;
        }
    return false;
}

bool share_place_take(struct share_place *place, int64_t id, int64_t now_ms)
{
    if (id <= place->last)
        return fill_gap(place, id);
    for (int64_t missing = id - place->last > SHARE_GAPS ? id - SHARE_GAPS : place->last + 1; missing < id;
         missing++)
        add_gap(place, missing, now_ms);
    place->last = id;
    return true;
}

void share_place_forget(struct share_place *place, int64_t now_ms)
{
    size_t stays = 0;

    for (size_t i = 0; i < place->gap_count; i++)
        if (now_ms - place->gaps[i].since_ms <= SHARE_GAP_MS)
            place->gaps[stays++] = place->gaps[i];
    place->gap_count = stays;
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

struct message {
    const struct share *share;
    const char         *process, *text;
};

static tenon_share_result publish_once(struct sql *sql, void *user)
{
    const struct message *message = user;
    struct statement *sent = sql_statement(sql, "INSERT INTO messages (at, process, text) VALUES (" SHARE_NOW
                                                ", ?1, ?2)");
    struct statement *told = sql_statement(sql, "SELECT pg_notify(?1, '')");

    sql_bind_text(sent, 1, message->process);
    sql_bind_text(sent, 2, message->text);
    sql_bind_text(told, 1, message->share->name);
    if (sql_run(sql, sent) && sql_row(sql, told))
        sql_reset(told);
    return sql_failure(sql) == SQL_OK ? TENON_SHARE_DONE : TENON_SHARE_DOWN;
}

tenon_share_result share_publish(void *user, const char *process, const char *text)
{
    return text ? share_transact(user, publish_once, &(struct message){ user, process, text })
                : TENON_SHARE_DOWN;
}

/* ---- Listening --------------------------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_over(const void *user)
{
    return atomic_load(&((const struct share *)user)->over);
}

static tenon_share_result lose(struct share *share)
{
    sql_give(share->pool, share->listener); /* which does not keep one that is lost */
    share->listener = NULL;
    return TENON_SHARE_DOWN;
}

/* What one that comes back must not take for news: all that was there before it first listened. A standby that was promoted may
 * have given the numbers of messages that it did not get to others. */
static bool find_place(struct sql *sql, struct share_place *place, bool *missed)
{
    struct share_place now = { .last = -1, .read_ms = now_ms() };
    struct statement  *row = sql_statement(sql, "SELECT coalesce(max(id), 0), substr(pg_walfile_name("
                                                 "pg_current_wal_lsn()), 1, 8) FROM messages");

    if (sql_row(sql, row)) {
        now.last = sql_number(row, 0);
        strncat(now.timeline, sql_text(row, 1), sizeof now.timeline - 1);
    }
    sql_reset(row);
    if (now.last < 0)
        return false;
    if (place->last >= 0 && now.last >= place->last && now.read_ms - place->read_ms < AWAY_MS &&
        strcmp(now.timeline, place->timeline) == 0)
        return true; /* it goes on where it was */
    *missed = place->last >= 0;
    *place  = now;
    return true;
}

/* A connection that lives as long as this process, if it can. */
static bool connect(struct share *share, bool *missed)
{
    char listen[SHARE_NAME_ROOM + sizeof "LISTEN "];

    if (share->listener)
        return true;
    share->listener = sql_take_for(share->pool, &(struct sql_patience){ .ms = SHARE_PATIENCE_MS });
    if (!share->listener)
        return false;
    snprintf(listen, sizeof listen, "LISTEN %s", share->name);
    return sql_exec(share->listener, listen) && find_place(share->listener, &share->place, missed);
}

bool share_begin_listening(struct share *share)
{
    bool missed;

    if (connect(share, &missed))
        return true;
    sql_say(&share->error, "The tables of %s, which replicas share, cannot be listened to: %s.", share->name,
            share->listener ? sql_failure_text(share->listener) : "the database cannot be reached");
    return false;
}

struct found {
    const char         *process;
    tenon_share_text_fn visit;
    void               *visitor;
};

/* The next messages from `from` on; how many there were, *last the number of the last. */
static size_t read_page(struct share *share, const struct found *found, int64_t from, int64_t *last)
{
    struct sql       *sql = share->listener;
    struct statement *row = sql_statement(
        sql, "SELECT id, process, text FROM messages WHERE id >= ?1 ORDER BY id LIMIT ?2");
    size_t count = 0;

    sql_bind_number(row, 1, from);
    sql_bind_number(row, 2, PAGE);
    for (; sql_row(sql, row); count++) {
        *last = sql_number(row, 0);
        if (share_place_take(&share->place, *last, now_ms()) && strcmp(sql_text(row, 1), found->process) != 0)
            found->visit(found->visitor, sql_text(row, 2));
    }
    return count;
}

static bool read_messages(struct share *share, const struct found *found)
{
    int64_t from = share_place_from(&share->place), last = from;

    while (read_page(share, found, from, &last) == PAGE)
        from = last + 1;
    share_place_forget(&share->place, now_ms());
    if (sql_failure(share->listener) != SQL_OK)
        return false;
    share->place.read_ms = now_ms();
    return true;
}

/* Each time that it is asked, a listener has so long again. */
static bool renew_patience(struct share *share)
{
    return share->listener->driver->revive(
        share->listener,
        &(struct sql_patience){ .ms = SHARE_PATIENCE_MS + WAIT_MS, .is_over = is_over, .user = share });
}

tenon_share_result share_listen(void *user, const char *process, tenon_share_text_fn visit, void *visitor,
                                bool *missed)
{
    struct share      *share = user;
    const struct found found = { process, visit, visitor };

    if (!connect(share, missed))
        return share->listener ? lose(share) : TENON_SHARE_DOWN;
    if (!renew_patience(share) || !read_messages(share, &found))
        return lose(share);
    if (sql_wait(share->listener, WAIT_MS) == SQL_NEWS_LOST)
        return lose(share);
    return TENON_SHARE_DONE;
}
