/* move_command.c - `tenon db`, on the command line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tenon/setting.h>

#include "kit/database.h"
#include "kit/move.h"
#include "kit/share.h"
#include "kit/sql_driver.h"

#define VECTOR_MEMORY ((size_t)1 << 30)

static const char help[] =
    "Usage: tenon db migrate [OPTION]... postgresql://... [SERVER]...\n"
    "       tenon db copy [OPTION]... FILE postgresql://...\n"
    "\n"
    "migrate  makes the tables of servers, all that know PostgreSQL without a name, or brings them to this\n"
    "         release; with the rights of their owner, before the servers are started\n"
    "copy     copies a database of SQLite to PostgreSQL, in one transaction, into tables without rows\n";

struct db {
    const struct sql_schema *const *schemas;
    const char                     *file;    /* --db-file */
    size_t                          vectors; /* --vector-memory */
    tenon_strs                      words;
};

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct db, file, "db-file", "FILE",
                       "a file of mode 0600 whose line is the address of PostgreSQL, instead of the\n"
                       "operand",
                       .group = "Options"),
    TENON_SETTING_BYTES(struct db, vectors, "vector-memory", "SIZE", 1, (size_t)1 << 46,
                        "migrate: where pgvector is, it searches the vectors of docs' collections\n"
                        "that are more than this (1GiB)"),
};

static int wrong(const char *format, const char *about)
{
    fputs("tenon db: ", stderr);
    fprintf(stderr, format, about);
    fputc('\n', stderr);
    return PROGRAM_MISUSED;
}

static int say(char *error)
{
    fprintf(stderr, "tenon db: %s\n", error ? error : "out of memory");
    free(error);
    return PROGRAM_FAILED;
}

/* The address: the operand at `*at`, which is moved on, or the file's line. To be freed. */
static char *read_address(const struct db *db, size_t *at, char **error)
{
    if (db->file)
        return database_read_file(db->file, error);
    if (*at < db->words.count && sql_is_shared(db->words.at[*at]))
        return strdup(db->words.at[(*at)++]);
    if (asprintf(error, "An address of PostgreSQL is needed: postgresql://user@host/name.") < 0)
        *error = NULL;
    return NULL;
}

/* ---- migrate ----------------------------------------------------------------------------------------------------- */

static const struct sql_schema *find_schema(const struct db *db, const char *name)
{
    for (const struct sql_schema *const *at = db->schemas; *at; at++)
        if ((*at)->shared && strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

/* What can be made only when the tables are there, and takes as long as it takes. */
static bool settle(const struct db *db, struct sql_pool *pool, const struct sql_schema *schema, char **error)
{
    struct sql *sql   = schema->migrated ? sql_take_for(pool, &(struct sql_patience){ .ms = 0 }) : NULL;
    int64_t     count = sql ? schema->migrated(sql, db->vectors ? db->vectors : VECTOR_MEMORY) : 0;

    if (schema->migrated && (!sql || count < 0))
        sql_say(error, "The vectors of %s cannot be brought to pgvector: %s.", schema->name,
                sql ? sql_failure_text(sql) : "the database cannot be reached");
    if (count > 0)
        printf("%s: pgvector searches %lld collection%s\n", schema->name, (long long)count,
               count == 1 ? "" : "s");
    sql_give(pool, sql);
    return count >= 0 && (sql || !schema->migrated);
}

static bool migrate_one(const struct db *db, const char *address, const struct sql_schema *schema,
                        char **error)
{
    const struct sql_options options = { .is_private = db->file != NULL };
    struct sql_pool         *pool    = sql_open_as(address, schema, &options, error);
    size_t                   shared;
    bool                     good = pool && share_migrate(address, schema->name, &options, &shared, error);

    if (good)
        printf("%s: version %zu\n%s_runtime: version %zu\n", schema->name, schema->count, schema->name,
               shared);
    good = good && settle(db, pool, schema, error);
    sql_close(pool);
    return good;
}

static int migrate(const struct db *db)
{
    size_t at      = 0;
    char  *error   = NULL;
    char  *address = read_address(db, &at, &error);
    bool   good    = address != NULL;

    for (size_t i = at; good && i < db->words.count; i++)
        if (!find_schema(db, db->words.at[i])) {
            free(address);
            return wrong("there is no server %s that knows PostgreSQL", db->words.at[i]);
        }
    for (size_t i = at; good && i < db->words.count; i++)
        good = migrate_one(db, address, find_schema(db, db->words.at[i]), &error);
    for (const struct sql_schema *const *each = db->schemas; good && at == db->words.count && *each; each++)
        if ((*each)->shared)
            good = migrate_one(db, address, *each, &error);
    free(address);
    return good ? 0 : say(error);
}

/* ---- copy -------------------------------------------------------------------------------------------------------- */

/* Whose file it is: all of them are asked, and those of others refuse without a change. */
static struct sql_pool *open_file(const struct db *db, const char *file, const struct sql_schema **schema,
                                  char **error)
{
    struct sql_pool *pool = NULL;

    for (const struct sql_schema *const *at = db->schemas; !pool && *at; at++) {
        free(*error);
        *error = NULL;
        pool   = sql_open(file, *at, error);
        if (pool)
            *schema = *at;
    }
    if (pool && !(*schema)->shared) {
        sql_close(pool);
        pool = NULL;
        if (asprintf(error, "The server of %s keeps its data in SQLite only.", file) < 0)
            *error = NULL;
    }
    return pool;
}

static int copy(const struct db *db)
{
    const struct sql_schema *schema = NULL;
    size_t                   at     = 1;
    char                    *error  = NULL;
    char                    *address;
    struct sql_pool         *from = NULL, *to = NULL;
    int64_t                  count  = 0;
    int                      result = 0;

    if (db->words.count < 1 || sql_is_shared(db->words.at[0]))
        return wrong("a file of SQLite is needed first%s", "");
    if (access(db->words.at[0], R_OK | W_OK) != 0)
        return wrong("%s is no file that can be read and written", db->words.at[0]);
    address = read_address(db, &at, &error);
    if (address && at < db->words.count) {
        free(address);
        return wrong("%s is too much", db->words.at[at]);
    }
    if (address)
        from = open_file(db, db->words.at[0], &schema, &error);
    if (from)
        to = sql_open_as(address, schema, &(struct sql_options){ .is_private = db->file != NULL }, &error);
    if (!to || !move_copy(from, to, schema, &count, &error))
        result = say(error);
    else
        printf("%s: %lld row%s\n", schema->name, (long long)count, count == 1 ? "" : "s");
    sql_close(from);
    sql_close(to);
    free(address);
    return result;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(const struct db *db);
} actions[] = { { "migrate", migrate }, { "copy", copy } };

int db_command(int argc, char **argv, const struct sql_schema *const *schemas)
{
    struct db       db       = { .schemas = schemas };
    tenon_settings *settings = tenon_settings_new("tenon db", tenon_version(), rows, &db, .usage = help);
    int             result   = PROGRAM_MISUSED;
    bool            is_help  = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);

    if (is_help) {
        char *words[] = { "tenon db", "--help", NULL };

        tenon_settings_read(settings, 2, words, &result);
        tenon_settings_free(settings);
        return result;
    }
    for (size_t i = 0; argc > 0 && i < sizeof actions / sizeof *actions; i++)
        if (strcmp(argv[0], actions[i].name) == 0) {
            if (tenon_settings_read(settings, argc, argv, &result)) {
                db.words = tenon_settings_operands(settings);
                result   = actions[i].run(&db);
            }
            tenon_settings_free(settings);
            return result;
        }
    tenon_settings_free(settings);
    return argc > 0 ? wrong("'%s' is neither migrate nor copy", argv[0])
                    : wrong("migrate or copy is needed%s", "");
}
