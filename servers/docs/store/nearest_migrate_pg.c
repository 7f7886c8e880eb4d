/* nearest_migrate_pg.c - see nearest.h: which collections PostgreSQL searches, filled and with their indexes, while servers go on.
 *
 * A collection is entered under the lock of its writers: each of them has committed before, and what it wrote is found here, or sees
 * the entry and adds its vectors itself.
 */
#include "docs/store/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"
#include "kit/embed/embed.h"

#define BATCH       "500"
#define BATCH_TURNS 5 /* of a batch in which a vector was removed meanwhile */

struct moved {
    int64_t collection, dimensions;
};

/* Outside of what a transaction is for. */
static bool exec_made(struct sql *sql, struct text *text)
{
    bool good = !text->failed && sql_exec(sql, text_of(text));

    text_free(text);
    return good;
}

static bool find_extension(struct sql *sql, char schema[NEAREST_SCHEMA_ROOM])
{
    struct statement *row = sql_statement(
        sql, "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON"
             " n.oid = e.extnamespace WHERE e.extname = 'vector'");

    schema[0] = '\0';
    while (sql_row(sql, row))
        strncat(schema, sql_text(row, 0), NEAREST_SCHEMA_ROOM - 1);
    return schema[0] != '\0';
}

static bool make_tables(struct sql *sql, const char *schema)
{
    struct text text = { 0 };

    text_addf(
        &text,
        "CREATE TABLE IF NOT EXISTS nearest (part BIGINT PRIMARY KEY REFERENCES parts ON DELETE CASCADE,"
        " collection BIGINT NOT NULL, dimensions BIGINT NOT NULL, vector %s.vector NOT NULL);"
        "CREATE TABLE IF NOT EXISTS nearest_of (collection BIGINT PRIMARY KEY REFERENCES collections ON "
        "DELETE CASCADE,"
        " dimensions BIGINT NOT NULL, is_ready BIGINT NOT NULL)",
        schema);
    return sql_begin(sql) && exec_made(sql, &text) && sql_end(sql);
}

/* The collections that are too large, to be freed; *count is -1 after a failure. */
static struct moved *find_large(struct sql *sql, size_t bytes, int64_t *count)
{
    struct statement *row   = sql_statement(sql, "SELECT c.id, max(d.dimensions) FROM collections c JOIN "
                                                   "documents d ON d.collection = c.id WHERE d.dimensions"
                                                   " BETWEEN 1 AND 2000 GROUP BY c.id, c.pieces HAVING c.pieces "
                                                   "* max(d.dimensions) * 2 > ?1 ORDER BY c.id");
    struct moved     *found = NULL;

    *count = 0;
    sql_bind_number(row, 1, (int64_t)bytes);
    while (sql_row(sql, row)) {
        struct moved *grown = realloc(found, (size_t)(*count + 1) * sizeof *grown);

        if (!grown) {
            sql_run_out(sql);
            break;
        }
        found             = grown;
        found[(*count)++] = (struct moved){ sql_number(row, 0), sql_number(row, 1) };
    }
    if (sql_failure(sql) != SQL_OK)
        *count = -1;
    return found;
}

static bool enter(struct sql *sql, const struct moved *moved)
{
    struct statement *lock, *add;

    if (!sql_begin(sql))
        return false;
    lock = sql_statement(sql, "SELECT id FROM collections WHERE id = ?1" SQL_LOCK);
    sql_bind_number(lock, 1, moved->collection);
    sql_run(sql, lock);
    add = sql_statement(
        sql, "INSERT INTO nearest_of (collection, dimensions, is_ready) VALUES (?1, ?2, 0) ON CONFLICT "
             "(collection)"
             " DO UPDATE SET dimensions = excluded.dimensions, is_ready = CASE WHEN nearest_of.dimensions ="
             " excluded.dimensions THEN nearest_of.is_ready ELSE 0 END");
    sql_bind_number(add, 1, moved->collection);
    sql_bind_number(add, 2, moved->dimensions);
    sql_run(sql, add);
    return sql_end(sql);
}

/* The next vectors after *last that are not there yet. */
static bool fill_batch(struct sql *sql, const struct moved *moved, int64_t *last, bool *more)
{
    struct statement *row = sql_statement(
        sql, "SELECT v.part, v.vector FROM documents d JOIN pieces p ON p.document = d.id JOIN parts x ON "
             "x.piece = p.id"
             " JOIN vectors v ON v.part = x.id WHERE d.collection = ?1 AND d.dimensions = ?2 AND v.part > ?3 "
             "AND NOT EXISTS"
             " (SELECT 1 FROM nearest n WHERE n.part = v.part) ORDER BY v.part LIMIT " BATCH);
    int64_t at     = *last;
    size_t  wanted = (size_t)moved->dimensions * sizeof(float);
    float   vector[EMBED_DIMENSIONS_MAX];

    *more = false;
    sql_bind_number(row, 1, moved->collection);
    sql_bind_number(row, 2, moved->dimensions);
    sql_bind_number(row, 3, at);
    while (sql_row(sql, row)) {
        size_t      len;
        const void *blob = sql_blob(row, 1, &len);

        at    = sql_number(row, 0);
        *more = true;
        if (!blob || len != wanted)
            continue;
        memcpy(vector, blob, wanted);
        nearest_add(sql, moved->collection, at, vector, (size_t)moved->dimensions);
    }
    if (!sql_end(sql))
        return false;
    *last = at;
    return true;
}

static bool fill(struct sql *sql, const struct moved *moved)
{
    int64_t last = 0;
    bool    more = true;

    for (int turn = 0; more && turn < BATCH_TURNS; turn++) {
        sql_clear(sql);
        while (more && sql_begin(sql) && fill_batch(sql, moved, &last, &more))
            turn = 0;
        if (sql_failure(sql) != SQL_OK) {
            sql_cancel(sql);
            more = true;
        }
    }
    return !more;
}

/* One that was left unfinished is made again. */
static bool make_index(struct sql *sql, const char *schema, const struct moved *moved)
{
    long long         collection = moved->collection, dimensions = moved->dimensions;
    struct text       name = { 0 }, text = { 0 };
    struct statement *row = sql_statement(
        sql, "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?1)");
    int state = 0; /* 1: good, -1: not */

    text_addf(&name, "nearest_%lld_%lld", collection, dimensions);
    sql_bind_text(row, 1, text_of(&name));
    while (sql_row(sql, row))
        state = sql_number(row, 0) ? 1 : -1;
    if (state < 0) {
        text_addf(&text, "DROP INDEX CONCURRENTLY %s", text_of(&name));
        exec_made(sql, &text);
    }
    text_addf(
        &text,
        "CREATE INDEX CONCURRENTLY %s ON nearest USING hnsw ((vector::%s.vector(%lld)) %s.vector_cosine_ops)"
        " WHERE collection = %lld AND dimensions = %lld",
        text_of(&name), schema, dimensions, schema, collection, dimensions);
    if (state > 0)
        text_free(&text);
    else
        exec_made(sql, &text);
    text_free(&name);
    return sql_failure(sql) == SQL_OK;
}

static bool open_it(struct sql *sql, const struct moved *moved)
{
    struct statement *ready;

    if (!sql_exec(sql, "ANALYZE nearest") || !sql_begin(sql))
        return false;
    ready = sql_statement(sql,
                          "UPDATE nearest_of SET is_ready = 1 WHERE collection = ?1 AND dimensions = ?2");
    sql_bind_number(ready, 1, moved->collection);
    sql_bind_number(ready, 2, moved->dimensions);
    sql_run(sql, ready);
    return sql_end(sql);
}

int64_t nearest_migrate(struct sql *sql, size_t bytes)
{
    char          schema[NEAREST_SCHEMA_ROOM];
    struct moved *moved;
    int64_t       count;

    if (!find_extension(sql, schema))
        return sql_failure(sql) == SQL_OK ? 0 : -1;
    if (!make_tables(sql, schema))
        return -1;
    moved = find_large(sql, bytes, &count);
    for (int64_t i = 0; i < count; i++)
        if (!enter(sql, &moved[i]) || !fill(sql, &moved[i]) || !make_index(sql, schema, &moved[i]) ||
            !open_it(sql, &moved[i])) {
            count = -1;
            break;
        }
    free(moved);
    return count;
}
