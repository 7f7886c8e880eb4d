/* work.c - statements, their values and their rows.
 *
 * A statement is prepared when it runs first, and all of its rows come at once: others may run while they are read. Values are sent as text, whose type the server takes from where they stand; bytes are sent as they are.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/pg/pg.h"

#define VALUES_MAX  32
#define NUMBER_ROOM 32
#define TYPE_OF_TEXT 25 /* as PostgreSQL numbers its own */

struct pg_statement {
    struct statement statement;
    char            *text; /* with $1 */
    char             name[16];
    bool             is_known; /* to the server, by its name */
    PGresult        *rows;
    int              row;
    bool             has_run;
    int              count;        /* of values: the largest index */
    Oid         types[VALUES_MAX]; /* 0: the server finds out; of one that the text does not have it cannot */
    const char *at[VALUES_MAX];
    int         len[VALUES_MAX], format[VALUES_MAX];
    char        digits[VALUES_MAX][NUMBER_ROOM];
    char       *ended[VALUES_MAX]; /* texts that had no NUL at their end */
    unsigned char *blob;           /* of the column that was asked for last */
};

static struct pg_statement *own(const struct statement *statement)
{
    return (struct pg_statement *)statement;
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

struct statement *pg_prepare(struct sql *sql, const char *text)
{
    struct pg_statement *made = calloc(1, sizeof *made);
    uint64_t             used = 0;

    if (made)
        made->text = pg_text_translate(text, &made->count, &used);
    if (!made || !made->text) {
        free(made);
        sql_fail(sql, SQL_NO_MEMORY, "out of memory");
        return NULL;
    }
    made->statement.sql = sql;
    if (made->count > VALUES_MAX) {
        pg_drop(&made->statement);
        sql_fail(sql, SQL_ERROR, "a statement has too many values");
        return NULL;
    }
    for (int i = 0; i < made->count; i++)
        made->types[i] = used >> i & 1 ? 0 : TYPE_OF_TEXT;
    snprintf(made->name, sizeof made->name, "t%u", pg_of(sql)->names++);
    return &made->statement;
}

static void forget_values(struct pg_statement *made)
{
    for (int i = 0; i < made->count; i++) {
        free(made->ended[i]);
        made->ended[i] = NULL;
        made->at[i]    = NULL;
    }
}

/* The server drops what it has prepared with the connection. */
void pg_drop(struct statement *statement)
{
    struct pg_statement *made = own(statement);

    pg_reset(statement);
    forget_values(made);
    free(made->text);
    free(made);
}

void pg_renew(struct statement *statement)
{
    pg_reset(statement);
    forget_values(own(statement));
}

void pg_reset(struct statement *statement)
{
    struct pg_statement *made = own(statement);

    PQclear(made->rows);
    PQfreemem(made->blob);
    made->rows    = NULL;
    made->blob    = NULL;
    made->has_run = false;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static bool takes(struct pg_statement *made, int index)
{
    return index >= 1 && index <= made->count;
}

static void set(struct pg_statement *made, int index, const char *at, size_t len, int format)
{
    made->at[index - 1]     = at;
    made->len[index - 1]    = (int)len;
    made->format[index - 1] = format;
}

/* libpq reads a text to its NUL. One inside it cannot be stored, and would cut it. */
void pg_bind_text(struct statement *statement, int index, const char *text, size_t len)
{
    struct pg_statement *made = own(statement);

    if (!takes(made, index))
        return;
    free(made->ended[index - 1]);
    made->ended[index - 1] = text ? malloc(len + 1) : NULL;
    if (text && !made->ended[index - 1]) {
        sql_fail(statement->sql, SQL_NO_MEMORY, "out of memory");
        return;
    }
    if (text && memchr(text, '\0', len)) {
        sql_fail(statement->sql, SQL_ERROR,
                 "a text has the character NUL in it, which PostgreSQL cannot keep");
        return;
    }
    if (text) {
        memcpy(made->ended[index - 1], text, len);
        made->ended[index - 1][len] = '\0';
    }
    set(made, index, made->ended[index - 1], len, 0);
}

void pg_bind_number(struct statement *statement, int index, int64_t number)
{
    struct pg_statement *made = own(statement);

    if (!takes(made, index))
        return;
    snprintf(made->digits[index - 1], NUMBER_ROOM, "%" PRId64, number);
    set(made, index, made->digits[index - 1], 0, 0);
}

void pg_bind_real(struct statement *statement, int index, double number)
{
    struct pg_statement *made = own(statement);

    if (!takes(made, index))
        return;
    snprintf(made->digits[index - 1], NUMBER_ROOM, "%.17g",
             number == 0 ? 0.0 : number); /* SQLite has no -0 */
    set(made, index, made->digits[index - 1], 0, 0);
}

void pg_bind_blob(struct statement *statement, int index, const void *at, size_t len)
{
    if (takes(own(statement), index))
        set(own(statement), index, at ? at : "", len, 1);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static bool send_prepare(struct pg *pg, struct pg_statement *made)
{
    PGresult *result;
    bool      good;

    if (!PQsendPrepare(pg->conn, made->name, made->text, made->count, made->types))
        return pg_fail(pg, NULL);
    result = pg_receive(pg);
    good   = result && PQresultStatus(result) == PGRES_COMMAND_OK;
    if (result && !good)
        pg_fail(pg, result);
    PQclear(result);
    made->is_known = good;
    return good;
}

static bool send(struct pg *pg, struct pg_statement *made)
{
    bool is_sent;

    if (!pg->conn) {
        sql_fail(&pg->sql, SQL_GONE, "the connection is lost");
        return false;
    }
    if (!pg_settle_queue(pg))
        return false;
    if (pg->pool->is_pooled) { /* a name would be unknown to the next session */
        is_sent = PQsendQueryParams(pg->conn, made->text, made->count, made->types, made->at, made->len,
                                    made->format, 0);
    } else {
        if (!made->is_known && !send_prepare(pg, made))
            return false;
        is_sent = PQsendQueryPrepared(pg->conn, made->name, made->count, made->at, made->len, made->format,
                                      0);
    }
    return is_sent || pg_fail(pg, NULL);
}

/* A plan that does not fit the tables any more is made anew, once. */
static bool is_stale(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    return state && (strcmp(state, "0A000") == 0 || strcmp(state, "26000") == 0);
}

static PGresult *run(struct pg *pg, struct pg_statement *made)
{
    PGresult *result = send(pg, made) ? pg_receive(pg) : NULL;

    if (!result || !made->is_known || !is_stale(result))
        return result;
    made->is_known = false;
    snprintf(made->name, sizeof made->name, "t%u", pg->names++);
    PQclear(result);
    if (!pg->is_in_transaction)
        return send(pg, made) ? pg_receive(pg) : NULL;
    sql_fail(&pg->sql, SQL_AGAIN, "a plan was out of date"); /* with it the transaction has failed */
    return NULL;
}

/* Where sessions are pooled a statement alone is a transaction too, which says what its session has. */
static PGresult *run_alone(struct pg *pg, struct pg_statement *made)
{
    PGresult *result;

    if (!pg->pool->is_pooled || pg->is_in_transaction)
        return run(pg, made);
    if (!pg_begin(&pg->sql, false))
        return NULL;
    result = run(pg, made);
    if (result && PQresultStatus(result) == PGRES_FATAL_ERROR) {
        pg_cancel(&pg->sql);
        return result;
    }
    if (result && pg_commit(&pg->sql))
        return result;
    PQclear(result);
    return NULL;
}

enum sql_step pg_step(struct statement *statement)
{
    struct pg_statement *made = own(statement);
    struct pg           *pg   = pg_of(statement->sql);

    PQfreemem(made->blob);
    made->blob = NULL;
    if (made->has_run)
        return made->rows && ++made->row < PQntuples(made->rows) ? STEP_ROW : STEP_DONE;
    made->rows    = run_alone(pg, made);
    made->row     = 0;
    made->has_run = true;
    if (!made->rows)
        return STEP_FAILED;
    if (PQresultStatus(made->rows) != PGRES_TUPLES_OK && PQresultStatus(made->rows) != PGRES_COMMAND_OK) {
        pg_fail(pg, made->rows);
        return STEP_FAILED;
    }
    pg->changes = strtoll(PQcmdTuples(made->rows), NULL, 10);
    return PQntuples(made->rows) > 0 ? STEP_ROW : STEP_DONE;
}

#define QUEUE_MOST       256
#define QUEUE_BYTES_MOST ((size_t)1 << 20)

static size_t bytes_of(const struct pg_statement *made)
{
    size_t bytes = 0;

    for (int i = 0; i < made->count; i++)
        bytes += (size_t)made->len[i];
    return bytes;
}

/* One round trip for many. Where sessions are pooled each is waited for. */
bool pg_later(struct statement *statement)
{
    struct pg_statement *made = own(statement);
    struct pg           *pg   = pg_of(statement->sql);

    if (pg->pool->is_pooled || !pg->is_in_transaction || !pg->conn)
        return pg_step(statement) != STEP_FAILED;
    if (!made->is_known && (!pg_settle_queue(pg) || !send_prepare(pg, made)))
        return false;
    if ((!pg->queued && !PQenterPipelineMode(pg->conn)) ||
        !PQsendQueryPrepared(pg->conn, made->name, made->count, made->at, made->len, made->format, 0))
        return pg_fail(pg, NULL);
    pg->queued++;
    pg->queued_bytes += bytes_of(made);
    return (pg->queued < QUEUE_MOST && pg->queued_bytes < QUEUE_BYTES_MOST) || pg_settle_queue(pg);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

bool pg_is_null(const struct statement *row, int column)
{
    return PQgetisnull(own(row)->rows, own(row)->row, column);
}

static const char *value(const struct statement *row, int column)
{
    return PQgetvalue(own(row)->rows, own(row)->row, column);
}

int64_t pg_number(const struct statement *row, int column)
{
    const char *text = value(row, column);

    return text[0] == 't' ? 1 : strtoll(text, NULL, 10);
}

double pg_real(const struct statement *row, int column)
{
    return strtod(value(row, column), NULL);
}

const char *pg_text(const struct statement *row, int column, size_t *len)
{
    *len = (size_t)PQgetlength(own(row)->rows, own(row)->row, column);
    return value(row, column);
}

const void *pg_blob(const struct statement *row, int column, size_t *len)
{
    PQfreemem(own(row)->blob);
    own(row)->blob = PQunescapeBytea((const unsigned char *)value(row, column), len);
    if (!own(row)->blob) {
        sql_fail(row->sql, SQL_NO_MEMORY, "out of memory");
        *len = 0;
    }
    return *len > 0 ? own(row)->blob : NULL;
}
