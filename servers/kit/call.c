/* call.c - see call.h. */
#include "kit/call.h"

#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TURNS_MORE 4
#define PAUSE_MS   10u /* before the first of them; each is twice the last */
#define SAVE_MS    5000

void call_run_out(tenon_call *call)
{
    (void)tenon_alloc(call, SIZE_MAX / 2);
}

const char *call_text(tenon_call *call, struct statement *row, int column)
{
    size_t      len;
    const char *text = sql_part(row, column, &len);

    if (!text)
        call_run_out(call);
    return text && text[0] ? tenon_format(call, "%s", text) : NULL;
}

const tenon_json *call_json(tenon_call *call, struct statement *row, int column)
{
    const char *text = call_text(call, row, column);

    return text ? tenon_json_parse(call, text, strlen(text)) : NULL;
}

const char *call_json_text(tenon_call *call, const tenon_json *value)
{
    tenon_writer *w = value ? tenon_call_writer(call) : NULL;

    tenon_write_json(w, NULL, value);
    return value ? tenon_writer_text(w, NULL) : "";
}

const char *call_json_strs(tenon_call *call, const tenon_strs *list)
{
    tenon_writer *w = list->count ? tenon_call_writer(call) : NULL;

    tenon_write_array(w, NULL);
    for (size_t i = 0; i < list->count; i++)
        tenon_write_str(w, NULL, list->at[i]);
    tenon_write_end(w);
    return tenon_writer_text(w, NULL);
}

const char *call_lower(tenon_call *call, const char *text)
{
    size_t len  = text ? strlen(text) : 0;
    char  *copy = text ? tenon_alloc(call, len + 1) : NULL;

    for (size_t i = 0; copy && i <= len; i++)
        copy[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    return copy;
}

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

static bool is_over(const void *call)
{
    return tenon_is_cancelled(call);
}

static void add_wait(void *call, int64_t us)
{
    tenon_waited(call, us);
}

struct sql *call_take(tenon_call *call, struct sql_pool *pool)
{
    int64_t left_ms = tenon_time_left(call);

    return sql_take_for(pool, &(struct sql_patience){ .ms      = left_ms < 0    ? SQL_PATIENCE_MS
                                                                 : left_ms == 0 ? 1
                                                                                : left_ms,
                                                      .is_over = is_over,
                                                      .waited  = add_wait,
                                                      .user    = call });
}

/* A row that came in between is there now: who looks again finds it. One who waited for a lock does so once more. */
static bool is_worth_another(enum sql_code code, int turn)
{
    return code == SQL_AGAIN || code == SQL_GONE || code == SQL_CONFLICT || (code == SQL_BUSY && turn == 0);
}

static bool has_time_for(const tenon_call *call, int turn)
{
    int64_t left_ms = tenon_time_left(call);

    return turn < TURNS_MORE && !tenon_is_cancelled(call) &&
           (left_ms < 0 || left_ms > 2 * (int64_t)(PAUSE_MS << turn));
}

/* Those who got in each other's way do not meet again at once. */
static void pause_before(int turn)
{
    uint32_t random = 0;

    getentropy(&random, sizeof random);
    nanosleep(&(struct timespec){ .tv_nsec = (long)((PAUSE_MS << turn) + random % PAUSE_MS) * 1000000 },
              NULL);
}

tenon_outcome call_transact(tenon_call *call, struct sql_pool *pool, call_work_fn work, const void *args)
{
    for (int turn = 0;; turn++) {
        struct sql   *sql = call_take(call, pool);
        enum sql_code why;
        tenon_outcome outcome;

        if (!sql)
            return call_failed(call, NULL);
        outcome = sql_begin(sql) ? work(call, sql, args) : call_failed(call, sql);
        why     = sql_failure(sql);
        sql_give(pool, sql); /* with what is left of the transaction */
        if (!is_worth_another(why, turn) || !has_time_for(call, turn))
            return outcome;
        sql_note_again(pool, why);
        pause_before(turn);
    }
}

bool call_save(tenon_call *call, struct sql_pool *pool, call_save_fn save, void *user, bool *is_over_limit)
{
    *is_over_limit = false;
    for (int turn = 0;; turn++) {
        struct sql   *sql = sql_take_for(pool, &(struct sql_patience){ .ms = SAVE_MS });
        enum sql_code why;
        bool          saved;

        if (!sql)
            return false;
        saved          = sql_begin(sql) && save(sql, user);
        why            = sql_failure(sql);
        *is_over_limit = sql_is_over_limit(sql);
        if (why != SQL_OK)
            tenon_log(call, TENON_LEVEL_WARNING, "%s", sql_failure_text(sql));
        sql_give(pool, sql);
        if (saved || turn == TURNS_MORE || !is_worth_another(why, turn))
            return saved;
        sql_note_again(pool, why);
        pause_before(turn);
    }
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

/* By SQL_ codes; those without a sentence are internal errors. */
static const struct failure {
    const char *code, *sentence;
} failures[] = {
    [SQL_BUSY]    = { TENON_CODE_UNAVAILABLE, "Another process is writing. Try again in a moment." },
    [SQL_FULL]    = { TENON_CODE_UNAVAILABLE,
                      "The disk is full; nothing was changed. Ask the operator for room, then try again." },
    [SQL_AGAIN]   = { TENON_CODE_UNAVAILABLE,
                      "Others are changing the same; nothing was changed. Try again in a moment." },
    [SQL_GONE]    = { TENON_CODE_UNAVAILABLE,
                      "The database cannot be reached; nothing was changed. Try again later." },
    [SQL_TIMEOUT] = { TENON_CODE_UNAVAILABLE,
                      "The database has not answered in time; nothing was changed. Try again later." },
    [SQL_UNKNOWN] = { TENON_CODE_UNAVAILABLE, "The database was lost while it saved this; it may be saved, "
                                              "or not. Look before you try again." },
    [SQL_ERROR]   = { NULL, NULL },
};

tenon_outcome call_failed(tenon_call *call, const struct sql *sql)
{
    const struct failure *failure;

    if (!sql)
        return tenon_fail(call, TENON_CODE_UNAVAILABLE, "The database cannot be opened. Try again later.");
    if (sql_is_over_limit(sql))
        return tenon_fail(call, TENON_CODE_LIMIT_EXCEEDED, CALL_OVER_LIMIT);
    failure = &failures[sql_failure(sql)];
    if (!failure->code)
        return tenon_internal(call, "%s", sql_failure_text(sql));
    if (sql_failure(sql) == SQL_UNKNOWN)
        tenon_detail(call, "outcome", "%s", "unknown");
    return tenon_fail(call, failure->code, "%s", failure->sentence);
}
