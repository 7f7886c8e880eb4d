/* store.c - the database itself: its schema, tenants, collections, leases.
 *
 * The text index keeps no text (the pieces have it) and therefore must get the same words when a piece is removed as
 * when it was added: WORDS_VERSION says which.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "docs/search/words.h"
#include "docs/store/inside.h"
#include "kit/text.h"
#include "kit/words/words.h"

#define APPLICATION_ID 0x74646f63 /* "tdoc" */

/* Numbers are never used twice: whoever holds one of something that is gone finds nothing. The numbers of a document's
 * pieces follow each other, because one writer at a time adds them in one transaction. */
static const char version_1[] =
    "CREATE TABLE tenants ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, project TEXT NOT NULL, branch TEXT NOT NULL, path_hash TEXT NOT "
    "NULL,"
    " root TEXT NOT NULL, UNIQUE (project, branch, path_hash));"
    "CREATE TABLE collections ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,"
    " external INTEGER NOT NULL, change INTEGER NOT NULL, pruned INTEGER NOT NULL, pieces INTEGER NOT NULL,"
    " words_version INTEGER NOT NULL, UNIQUE (tenant, external));"
    "CREATE TABLE documents ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL REFERENCES collections ON DELETE "
    "CASCADE,"
    " path TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, doc_type TEXT NOT NULL, date TEXT NOT "
    "NULL,"
    " hash TEXT NOT NULL, level INTEGER NOT NULL, chars INTEGER NOT NULL, lines INTEGER NOT NULL, supersedes "
    "TEXT,"
    " model TEXT NOT NULL, dimensions INTEGER NOT NULL, change INTEGER NOT NULL, UNIQUE (collection, path));"
    "CREATE INDEX documents_type ON documents (collection, doc_type);"
    "CREATE INDEX documents_change ON documents (collection, change);"
    "CREATE INDEX documents_supersedes ON documents (collection, supersedes) WHERE supersedes IS NOT NULL;"
    "CREATE INDEX documents_critical ON documents (collection, path) WHERE level = 2;"
    "CREATE TABLE pieces ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,"
    " place INTEGER NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, header_path TEXT NOT "
    "NULL,"
    " text TEXT NOT NULL, UNIQUE (document, place));"
    "CREATE TABLE vectors (piece INTEGER PRIMARY KEY REFERENCES pieces ON DELETE CASCADE, vector BLOB NOT "
    "NULL);"
    "CREATE TABLE links ("
    " document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE, place INTEGER NOT NULL, path TEXT "
    "NOT NULL,"
    " PRIMARY KEY (document, place)) WITHOUT ROWID;"
    "CREATE TABLE removals ("
    " collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE, change INTEGER NOT NULL,"
    " first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (collection, change, first)) WITHOUT ROWID;"
    "CREATE TABLE leases ("
    " tenant INTEGER PRIMARY KEY REFERENCES tenants ON DELETE CASCADE, holder INTEGER NOT NULL, place TEXT "
    "NOT NULL,"
    " process INTEGER NOT NULL, expires INTEGER NOT NULL);";

/* Vectors are of parts, whose number is part_id(). What was indexed before has none: an empty hash makes it be read again. */
static const char version_2[] =
    "DROP TABLE vectors;"
    "CREATE TABLE parts ("
    " id INTEGER PRIMARY KEY, piece INTEGER NOT NULL REFERENCES pieces ON DELETE CASCADE, start INTEGER NOT "
    "NULL,"
    " stop INTEGER NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, heading_path TEXT NOT "
    "NULL,"
    " anchor TEXT NOT NULL);"
    "CREATE INDEX parts_piece ON parts (piece);"
    "CREATE TABLE vectors (part INTEGER PRIMARY KEY REFERENCES parts ON DELETE CASCADE, vector BLOB NOT "
    "NULL);"
    "ALTER TABLE documents ADD COLUMN tags TEXT NOT NULL DEFAULT '';"
    "UPDATE documents SET hash = '', model = '', dimensions = 0;";

static const char *const versions[] = { version_1, version_2 };

static const struct sql_schema schema = { .at             = versions,
                                          .count          = sizeof versions / sizeof *versions,
                                          .application_id = APPLICATION_ID,
                                          .connect        = words_connect };

/* ---- Opening ---- */

/* This boot and this space of process numbers; "" when the system does not tell. */
static void name_place(char *place, size_t room)
{
    char        boot[48] = "";
    struct stat space;
    FILE       *file = fopen("/proc/sys/kernel/random/boot_id", "re");

    place[0] = '\0';
    if (!file)
        return;
    if (fgets(boot, sizeof boot, file) && stat("/proc/self/ns/pid", &space) == 0) {
        boot[strcspn(boot, "\n")] = '\0';
        snprintf(place, room, "%s %llu", boot, (unsigned long long)space.st_ino);
    }
    fclose(file);
}

struct store *store_open(const char *path, char **mistake)
{
    struct store *store = calloc(1, sizeof *store);

    *mistake = NULL;
    if (!store || !(store->path = strdup(path)) || pthread_mutex_init(&store->lock, NULL) != 0) {
        if (store)
            free(store->path);
        free(store);
        *mistake = strdup("Not enough memory.");
        return NULL;
    }
    store->vectors_most = VECTORS_MOST;
    name_place(store->place, sizeof store->place);
    if (getrandom(&store->holder, sizeof store->holder, 0) != (ssize_t)sizeof store->holder)
        store->holder = (int64_t)getpid() ^ (int64_t)time(NULL) << 20;
    store->pool = sql_open(path, &schema, mistake);
    if (!store->pool) {
        store_close(store);
        return NULL;
    }
    return store;
}

bool store_limit(struct store *store, int64_t bytes)
{
    return sql_limit(store->pool, bytes);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    vectors_free(store);
    sql_close(store->pool);
    pthread_mutex_destroy(&store->lock);
    free(store->path);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}

bool store_backup(struct store *store, const char *path, char **mistake)
{
    return sql_backup(store->pool, path, mistake);
}

/* ---- Connections and statuses ---- */

enum store_status store_status_of(const struct sql *sql)
{
    switch (sql_failure(sql)) {
    case SQL_OK: return STORE_OK;
    case SQL_BUSY: return STORE_BUSY;
    case SQL_FULL: return sql_is_over_limit(sql) ? STORE_OVER_LIMIT : STORE_FULL;
    case SQL_NO_MEMORY: return STORE_NO_MEMORY;
    default: return STORE_FAILED;
    }
}

static struct sql *begin(struct store *store, bool (*how)(struct sql *), enum store_status *status)
{
    struct sql *sql = sql_take(store->pool);

    *status = STORE_FAILED;
    if (!sql)
        return NULL;
    if (how(sql)) {
        *status = STORE_OK;
        return sql;
    }
    *status = store_status_of(sql);
    sql_give(store->pool, sql);
    return NULL;
}

struct sql *store_reading(struct store *store, enum store_status *status)
{
    return begin(store, sql_begin_reading, status);
}

struct sql *store_writing(struct store *store, enum store_status *status)
{
    return begin(store, sql_begin, status);
}

enum store_status store_done(struct store *store, struct sql *sql, enum store_status status)
{
    if (status != STORE_OK)
        sql_cancel(sql);
    else if (!sql_end(sql))
        status = store_status_of(sql) == STORE_OK ? STORE_FAILED : store_status_of(sql);
    sql_give(store->pool, sql);
    return status;
}

const char *store_copy(tenon_call *call, const char *text, size_t len)
{
    char *copy = tenon_alloc(call, len + 1);

    if (copy && len)
        memcpy(copy, text, len);
    return copy;
}

/* ---- Collections ---- */

struct statement *collection_statement(struct sql *sql, int64_t collection, const char *text)
{
    char   made[STATEMENT_ROOM];
    size_t len = 0;

    for (; *text && len < sizeof made - 24; text++) {
        if (*text == '@')
            len += (size_t)snprintf(made + len, sizeof made - len, "%lld", (long long)collection);
        else
            made[len++] = *text;
    }
    made[len] = '\0';
    return sql_statement(sql, made);
}

static enum store_status find_any(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection, int64_t *version)
{
    struct statement *find = sql_statement(sql,
                                           "SELECT id, change, pruned, pieces, words_version FROM collections"
                                           " WHERE tenant = ? AND external = ?");

    *collection = (struct collection){ 0 };
    *version    = 0;
    sql_bind_number(find, 1, tenant);
    sql_bind_number(find, 2, external);
    if (!sql_row(sql, find))
        return sql_failure(sql) == SQL_OK ? STORE_NONE : store_status_of(sql);
    *collection = (struct collection){ sql_number(find, 0), sql_number(find, 1), sql_number(find, 2),
                                       sql_number(find, 3) };
    *version    = sql_number(find, 4);
    sql_reset(find);
    return STORE_OK;
}

enum store_status collection_find(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection)
{
    int64_t           version;
    enum store_status status = find_any(sql, tenant, external, collection, &version);

    if (status == STORE_OK && version != WORDS_VERSION)
        return STORE_FAILED; /* a newer release has indexed it while this one runs */
    return status;
}

/* Words come as words_each() finds them, so that SQLite's own idea of a word must be: everything between blanks. */
static void make_words(struct sql *sql, int64_t collection)
{
    char text[STATEMENT_ROOM];

    snprintf(
        text, sizeof text,
        "CREATE VIRTUAL TABLE words_%lld USING fts5(text, content='', tokenize=\"ascii tokenchars '+#._'\");"
        "CREATE VIRTUAL TABLE vocabulary_%lld USING fts5vocab('words_%lld', 'row');",
        (long long)collection, (long long)collection, (long long)collection);
    sql_exec(sql, text);
}

static void drop_words(struct sql *sql, int64_t collection)
{
    char text[STATEMENT_ROOM];

    snprintf(text, sizeof text, "DROP TABLE IF EXISTS vocabulary_%lld; DROP TABLE IF EXISTS words_%lld;",
             (long long)collection, (long long)collection);
    sql_exec(sql, text);
}

enum store_status collection_make(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection)
{
    enum store_status status = collection_find(sql, tenant, external, collection);
    struct statement *add;

    if (status != STORE_NONE)
        return status;
    add = sql_statement(sql,
                        "INSERT INTO collections (tenant, external, change, pruned, pieces, words_version)"
                        " VALUES (?, ?, 0, 0, 0, ?) RETURNING id");
    sql_bind_number(add, 1, tenant);
    sql_bind_number(add, 2, external);
    sql_bind_number(add, 3, WORDS_VERSION);
    collection->id = sql_insert(sql, add);
    if (collection->id) {
        make_words(sql, collection->id);
    }
    return store_status_of(sql);
}

void collection_drop(struct sql *sql, int64_t collection)
{
    struct statement *drop;

    drop_words(sql, collection);
    drop = sql_statement(sql, "DELETE FROM collections WHERE id = ?");
    sql_bind_number(drop, 1, collection);
    sql_run(sql, drop);
}

/* ---- Tenants ---- */

/* The text index of a collection made again: what an older release called words are others. */
static enum store_status renew_words(struct sql *sql, int64_t collection)
{
    struct statement *read, *add, *mark;
    struct text       words = { 0 };

    drop_words(sql, collection);
    make_words(sql, collection);
    read = sql_statement(sql, "SELECT p.id, d.title, p.header_path, p.text FROM documents d"
                              " JOIN pieces p ON p.document = d.id WHERE d.collection = ?");
    add  = collection_statement(sql, collection, "INSERT INTO words_@ (rowid, text) VALUES (?, ?)");
    sql_bind_number(read, 1, collection);
    while (sql_row(sql, read)) {
        size_t      len;
        const char *text = sql_part(read, 3, &len);

        text_clear(&words);
        if (!text || !words_of_piece(&words, sql_text(read, 1), sql_text(read, 2), text, len)) {
            text_free(&words);
            return STORE_NO_MEMORY;
        }
        sql_bind_number(add, 1, sql_number(read, 0));
        sql_bind_part(add, 2, text_of(&words), words.len);
        sql_run(sql, add);
    }
    text_free(&words);
    mark = sql_statement(sql, "UPDATE collections SET words_version = ? WHERE id = ?");
    sql_bind_number(mark, 1, WORDS_VERSION);
    sql_bind_number(mark, 2, collection);
    sql_run(sql, mark);
    return store_status_of(sql);
}

static enum store_status check_words(struct sql *sql, int64_t tenant)
{
    for (int external = 0; external < 2; external++) {
        struct collection collection;
        int64_t           version;
        enum store_status status = find_any(sql, tenant, external != 0, &collection, &version);

        if (status == STORE_OK && version > WORDS_VERSION)
            return STORE_FAILED;
        if (status == STORE_OK && version < WORDS_VERSION)
            status = renew_words(sql, collection.id);
        if (status != STORE_OK && status != STORE_NONE)
            return status;
    }
    return STORE_OK;
}

/* Each branch has an index of its own, and its name is the caller's: of one work tree there are BRANCHES_MAX at most. */
static bool has_room(struct sql *sql, const struct tenant *tenant)
{
    struct statement *count = sql_statement(
        sql, "SELECT count(*), total(branch = ?3) FROM tenants WHERE project = ?1 AND path_hash = ?2"
             " AND id IN (SELECT tenant FROM collections)");
    bool room = true;

    sql_bind_text(count, 1, tenant->project);
    sql_bind_text(count, 2, tenant->path_hash);
    sql_bind_text(count, 3, tenant->branch);
    while (sql_row(sql, count))
        room = sql_number(count, 0) < BRANCHES_MAX || sql_number(count, 1) > 0;
    return room;
}

enum store_status store_tenant(struct store *store, struct tenant *tenant, const char *root)
{
    enum store_status status;
    struct sql       *sql = store_writing(store, &status);
    struct statement *add;
    int64_t           id = 0;

    if (!sql)
        return status;
    if (!has_room(sql, tenant))
        return store_done(store, sql, STORE_LIMIT);
    add = sql_statement(sql, "INSERT INTO tenants (project, branch, path_hash, root) VALUES (?, ?, ?, ?)"
                             " ON CONFLICT DO UPDATE SET root = excluded.root RETURNING id");
    sql_bind_text(add, 1, tenant->project);
    sql_bind_text(add, 2, tenant->branch);
    sql_bind_text(add, 3, tenant->path_hash);
    sql_bind_text(add, 4, root ? root : "");
    while (sql_row(sql, add))
        id = sql_number(add, 0);
    status = store_status_of(sql);
    if (status == STORE_OK)
        status = check_words(sql, id);
    status = store_done(store, sql, status);
    if (status == STORE_OK)
        tenant->id = id;
    return status;
}

/* ---- Leases ---- */

/* True when the row's holder is known to be gone: its process lived where we live, and does not any more. */
static bool has_died(const struct store *store, const char *place, int64_t process)
{
    return store->place[0] && strcmp(place, store->place) == 0 && kill((pid_t)process, 0) != 0 &&
           errno == ESRCH;
}

static bool may_take(const struct store *store, struct sql *sql, int64_t tenant, int64_t now)
{
    struct statement *find = sql_statement(
        sql, "SELECT holder, place, process, expires FROM leases WHERE tenant = ?");
    bool may = true;

    sql_bind_number(find, 1, tenant);
    while (sql_row(sql, find)) {
        int64_t expires = sql_number(find, 3);

        may = sql_number(find, 0) == store->holder || expires <= now ||
              expires > now + LEASE_SECONDS /* the clock was put back */ ||
              has_died(store, sql_text(find, 1), sql_number(find, 2));
    }
    return may;
}

bool store_lease(struct store *store, const struct tenant *tenant)
{
    enum store_status status;
    struct sql       *sql = store_writing(store, &status);
    int64_t           now = (int64_t)time(NULL);
    struct statement *take;

    if (!sql)
        return false;
    if (!may_take(store, sql, tenant->id, now)) {
        store_done(store, sql, STORE_BUSY);
        return false;
    }
    take = sql_statement(sql, "INSERT OR REPLACE INTO leases (tenant, holder, place, process, expires)"
                              " VALUES (?, ?, ?, ?, ?)");
    sql_bind_number(take, 1, tenant->id);
    sql_bind_number(take, 2, store->holder);
    sql_bind_text(take, 3, store->place);
    sql_bind_number(take, 4, getpid());
    sql_bind_number(take, 5, now + LEASE_SECONDS);
    sql_run(sql, take);
    return store_done(store, sql, STORE_OK) == STORE_OK;
}

void store_lease_end(struct store *store, const struct tenant *tenant)
{
    enum store_status status;
    struct sql       *sql = store_writing(store, &status);
    struct statement *end;

    if (!sql)
        return;
    end = sql_statement(sql, "DELETE FROM leases WHERE tenant = ? AND holder = ?");
    sql_bind_number(end, 1, tenant->id);
    sql_bind_number(end, 2, store->holder);
    sql_run(sql, end);
    store_done(store, sql, STORE_OK);
}
