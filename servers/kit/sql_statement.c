/* sql_statement.c - statements that are kept by their text, their values and their rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/sql_driver.h"

#define STATEMENTS_KEPT  192 /* of a connection; more are let go when it is given back */
#define STATEMENTS_FIRST 64
#define INSERT_ROOM      1024

struct sql_kept {
    uint64_t          hash;
    char             *text;
    struct statement *statement;
};

/* ---- Kept by their text ------------------------------------------------------------------------------------------ */

void sql_drop_statements(struct sql *sql)
{
    for (size_t i = 0; i < sql->kept_room; i++)
        if (sql->kept[i].statement) {
            sql->driver->drop(sql->kept[i].statement);
            free(sql->kept[i].text);
        }
    free(sql->kept);
    sql->kept       = NULL;
    sql->kept_count = sql->kept_room = 0;
}

void sql_trim_statements(struct sql *sql)
{
    if (sql->kept_count > STATEMENTS_KEPT)
        sql_drop_statements(sql);
    for (size_t i = 0; i < sql->kept_room; i++)
        sql_reset(sql->kept[i].statement);
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a: texts are ours, nobody chooses them to collide */

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* Where the statement is, or the empty place for it. */
static struct sql_kept *find_kept(const struct sql *sql, uint64_t hash, const char *text)
{
    for (size_t i = (size_t)hash;; i++) {
        struct sql_kept *kept = &sql->kept[i & (sql->kept_room - 1)];

        if (!kept->statement || (kept->hash == hash && strcmp(kept->text, text) == 0))
            return kept;
    }
}

static bool grow_kept(struct sql *sql)
{
    size_t           old_room = sql->kept_room;
    struct sql_kept *old      = sql->kept;
    size_t           room     = old_room ? old_room * 2 : STATEMENTS_FIRST;
    struct sql_kept *kept     = calloc(room, sizeof *kept);

    if (!kept)
        return false;
    sql->kept      = kept;
    sql->kept_room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].statement)
            *find_kept(sql, old[i].hash, old[i].text) = old[i];
    free(old);
    return true;
}

static bool add_kept(struct sql *sql, struct sql_kept *kept, uint64_t hash, const char *text)
{
    char *copy = strdup(text);

    if (!copy) {
        sql_fail(sql, SQL_NO_MEMORY, "out of memory");
        return false;
    }
    kept->statement = sql->driver->prepare(sql, text);
    if (!kept->statement) {
        free(copy);
        return false;
    }
    kept->hash = hash;
    kept->text = copy;
    sql->kept_count++;
    return true;
}

struct statement *sql_statement(struct sql *sql, const char *text)
{
    uint64_t         hash = hash_text(text);
    struct sql_kept *kept;

    if (sql->failure != SQL_OK)
        return NULL;
    if (sql->kept_count * 2 >= sql->kept_room && !grow_kept(sql)) {
        sql_fail(sql, SQL_NO_MEMORY, "out of memory");
        return NULL;
    }
    kept = find_kept(sql, hash, text);
    if (kept->statement)
        sql->driver->renew(kept->statement);
    else if (!add_kept(sql, kept, hash, text))
        return NULL;
    return kept->statement;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

void sql_reset(struct statement *statement)
{
    if (statement)
        statement->sql->driver->reset(statement);
}

bool sql_row(struct sql *sql, struct statement *statement)
{
    if (!statement || sql->failure != SQL_OK)
        return false;
    if (sql->driver->step(statement) == STEP_ROW)
        return true;
    sql->driver->reset(statement);
    return false;
}

bool sql_run(struct sql *sql, struct statement *statement)
{
    while (sql_row(sql, statement))
        ;
    return statement && sql->failure == SQL_OK;
}

bool sql_later(struct sql *sql, struct statement *statement)
{
    if (!sql->driver->later)
        return sql_run(sql, statement);
    return statement && sql->failure == SQL_OK && sql->driver->later(statement);
}

struct statement *sql_inserting(struct sql *sql, const char *text)
{
    char whole[INSERT_ROOM];
    int  len;

    if (sql->driver->inserted)
        return sql_statement(sql, text);
    len = snprintf(whole, sizeof whole, "%s RETURNING id", text);
    if (len < 0 || (size_t)len >= sizeof whole) {
        sql_fail(sql, SQL_ERROR, "a statement is too long");
        return NULL;
    }
    return sql_statement(sql, whole);
}

int64_t sql_insert(struct sql *sql, struct statement *statement)
{
    int64_t id;

    if (!sql_row(sql, statement))
        return statement && sql->failure == SQL_OK && sql->driver->inserted ? sql->driver->inserted(statement)
                                                                            : 0;
    id = sql_number(statement, 0);
    return sql_run(sql, statement) ? id : 0;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

void sql_bind_text(struct statement *statement, int index, const char *text)
{
    sql_bind_part(statement, index, text, text ? strlen(text) : 0);
}

void sql_bind_part(struct statement *statement, int index, const char *text, size_t len)
{
    if (statement)
        statement->sql->driver->bind_text(statement, index, text, len);
}

void sql_bind_number(struct statement *statement, int index, int64_t number)
{
    if (statement)
        statement->sql->driver->bind_number(statement, index, number);
}

void sql_bind_real(struct statement *statement, int index, double number)
{
    if (statement)
        statement->sql->driver->bind_real(statement, index, number);
}

void sql_bind_blob(struct statement *statement, int index, const void *at, size_t len)
{
    if (statement)
        statement->sql->driver->bind_blob(statement, index, at, len);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

bool sql_is_null(const struct statement *row, int column)
{
    return row->sql->driver->is_null(row, column);
}

int64_t sql_number(const struct statement *row, int column)
{
    return row->sql->driver->number(row, column);
}

double sql_real(const struct statement *row, int column)
{
    return row->sql->driver->real(row, column);
}

const char *sql_text(const struct statement *row, int column)
{
    size_t      len;
    const char *text = sql_part(row, column, &len);

    return text ? text : "";
}

const char *sql_part(const struct statement *row, int column, size_t *len)
{
    const char *text = row->sql->driver->text(row, column, len);

    if (!text) {
        *len = 0;
        sql_fail(row->sql, SQL_NO_MEMORY, "out of memory");
    }
    return text;
}

const void *sql_blob(const struct statement *row, int column, size_t *len)
{
    return row->sql->driver->blob(row, column, len);
}
