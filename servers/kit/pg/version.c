/* version.c - which release made the tables, and making them.
 *
 * Several servers share one database by schemas of their own. Each has a row in tenon.schemas: its version, and the oldest
 * version whose releases may go on beside it, so that replicas can be replaced one after the other. Steps run in a transaction
 * that holds this row: of several who start at once one makes them. A step that waits for a table stops everyone after it, so
 * it waits a short time, and is tried again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/pg/pg.h"

#define TRIES      20
#define TRY_MS     50
#define PAUSE_MS   500 /* for those that waited after us */
#define STEP_LOCK  "2s"
#define SETUP_ROOM 320

struct version {
    int64_t number; /* 0: nothing is there; -1: it could not be read */
    int64_t readable_from;
};

static bool run_text(struct pg *pg, const char *text)
{
    PGresult *result = pg_query(pg, text);
    bool      good   = result != NULL;

    PQclear(result);
    return good;
}

static bool make_book(struct pg *pg)
{
    char text[SETUP_ROOM];

    snprintf(
        text, sizeof text,
        "INSERT INTO tenon.schemas (name, version, readable_from) VALUES ('%s', 0, 0) ON CONFLICT (name) "
        "DO NOTHING",
        pg->pool->schema);
    return run_text(pg, "CREATE SCHEMA IF NOT EXISTS tenon") &&
           run_text(pg, "CREATE TABLE IF NOT EXISTS tenon.schemas (name TEXT PRIMARY KEY, version BIGINT NOT "
                        "NULL, readable_from BIGINT NOT NULL)") &&
           run_text(pg, text);
}

/* With the row locked if it is to be changed. */
static struct version read_version(struct pg *pg, const char *lock)
{
    char           text[SETUP_ROOM];
    PGresult      *result;
    struct version version = { .number = -1 };

    snprintf(text, sizeof text, "SELECT version, readable_from FROM tenon.schemas WHERE name = '%s'%s",
             pg->pool->schema, lock);
    result = pg_query(pg, text);
    if (result)
        version.number = 0;
    if (result && PQntuples(result) == 1) {
        version.number        = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
        version.readable_from = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
    }
    PQclear(result);
    return version;
}

static bool make_step(struct pg *pg, const struct sql_schema *schema, int64_t version)
{
    char text[SETUP_ROOM];

    snprintf(text, sizeof text,
             "SET LOCAL lock_timeout = '" STEP_LOCK
             "'; CREATE SCHEMA IF NOT EXISTS %s; SET LOCAL search_path = %s",
             schema->name, schema->name);
    if (!run_text(pg, text) || !run_text(pg, schema->shared[version]))
        return false;
    snprintf(text, sizeof text,
             "UPDATE tenon.schemas SET version = %lld, readable_from = %lld WHERE name = '%s'",
             (long long)version + 1, (long long)schema->readable_from, schema->name);
    return run_text(pg, text);
}

/* All steps that are missing; false when one failed. */
static bool migrate(struct pg *pg, const struct sql_schema *schema)
{
    int64_t version;
    bool    good = pg_begin(&pg->sql, false);

    version = good ? read_version(pg, " FOR UPDATE").number : -1;
    good    = version >= 0;
    for (; good && version < (int64_t)schema->count; version++)
        good = make_step(pg, schema, version);
    if (good)
        return pg_commit(&pg->sql);
    pg_cancel(&pg->sql);
    return false;
}

/* Two that make the same at once: one of them fails, whatever IF NOT EXISTS says. */
static bool is_race(const struct pg *pg)
{
    return pg->sql.failure == SQL_CONFLICT || pg->sql.failure == SQL_AGAIN || pg->sql.failure == SQL_BUSY ||
           strstr(pg->sql.text, "already exists") != NULL;
}

/* As long as it takes: tables that are full may need minutes. */
static struct version bring_up(struct pg *pg, const struct sql_schema *schema)
{
    pg->deadline_ms = INT64_MAX;
    for (int turn = 0;; turn++) {
        struct version version;
        long           wait_ms;

        sql_clear(&pg->sql);
        if (make_book(pg) && migrate(pg, schema))
            return read_version(pg, "");
        version = (struct version){ .number = -1 };
        if (!is_race(pg) || turn >= TRIES)
            return version;
        wait_ms = pg->sql.failure == SQL_BUSY ? PAUSE_MS : TRY_MS;
        nanosleep(&(struct timespec){ .tv_nsec = wait_ms * 1000000L }, NULL);
    }
}

static bool is_usable(struct version version, const struct sql_schema *schema)
{
    int64_t own = (int64_t)schema->count;

    return version.number == own ||
           (version.number > own && version.readable_from > 0 && version.readable_from <= own);
}

bool pg_version_settle(struct pg *pg, const struct sql_schema *schema, bool checks, char **error)
{
    const char    *shown   = pg->pool->shown;
    struct version version = read_version(pg, "");

    if (version.number < (int64_t)schema->count && !checks)
        version = bring_up(pg, schema);
    if (is_usable(version, schema)) {
        sql_clear(&pg->sql);
        return true;
    }
    if (version.number > (int64_t)schema->count)
        sql_say(error,
                "The database %s has version %lld of %s, made by a newer release; this one knows versions up "
                "to %zu.",
                shown, (long long)version.number, schema->name, schema->count);
    else if (checks && (version.number >= 0 || strstr(pg->sql.text, "does not exist")))
        sql_say(error,
                "The database %s has %s of %s, and this release needs version %zu. Run tenon db migrate with "
                "the rights of the owner, or start with --db-migrate.",
                shown, version.number > 0 ? "an older version" : "no tables", schema->name, schema->count);
    else if (checks)
        sql_say(error, "The database %s cannot be used: %s.", shown, pg->sql.text);
    else
        sql_say(error, "The database %s cannot be brought to version %zu of %s: %s.", shown, schema->count,
                schema->name, pg->sql.text);
    return false;
}
