/* lease.c - one process indexes a tenant at a time.
 *
 * On one machine a lease ends with its process, and the machine's clock says when it is over. Replicas have PostgreSQL's clock
 * alone; each taking has a number that rises, and writes check it: one that was stopped for a while and goes on changes nothing.
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

#include "docs/store/inside.h"

/* One that this store has taken from replicas; under the store's lock. */
struct lease {
    struct lease *next;
    int64_t       tenant, taking;
};

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

void lease_name_holder(struct store *store)
{
    name_place(store->place, sizeof store->place);
    if (getrandom(&store->holder, sizeof store->holder, 0) != (ssize_t)sizeof store->holder)
        store->holder = (int64_t)getpid() ^ (int64_t)time(NULL) << 20;
}

/* ---- On one machine ---- */

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

static enum store_status take_here(struct store *store, struct sql *sql, const struct tenant *tenant)
{
    int64_t           now = (int64_t)time(NULL);
    struct statement *take;

    if (!may_take(store, sql, tenant->id, now))
        return STORE_BUSY;
    take = sql_statement(
        sql, "INSERT INTO leases (tenant, holder, place, process, expires) VALUES (?, ?, ?, ?, ?)"
             " ON CONFLICT (tenant) DO UPDATE SET holder = excluded.holder, place = excluded.place,"
             " process = excluded.process, expires = excluded.expires");
    sql_bind_number(take, 1, tenant->id);
    sql_bind_number(take, 2, store->holder);
    sql_bind_text(take, 3, store->place);
    sql_bind_number(take, 4, getpid());
    sql_bind_number(take, 5, now + LEASE_SECONDS);
    sql_run(sql, take);
    return store_status_of(sql);
}

/* ---- Among replicas ---- */

#define NOW "CAST(extract(epoch FROM now()) AS BIGINT)"

/* What it was taken as; 0: it was not. */
static int64_t *find_taking(struct store *store, int64_t tenant, bool make)
{
    struct lease *lease = store->leases;

    while (lease && lease->tenant != tenant)
        lease = lease->next;
    if (!lease && make && (lease = calloc(1, sizeof *lease))) {
        lease->tenant = tenant;
        lease->next   = store->leases;
        store->leases = lease;
    }
    return lease ? &lease->taking : NULL;
}

static bool note_taking(struct store *store, int64_t tenant, int64_t taking)
{
    int64_t *noted;

    pthread_mutex_lock(&store->lock);
    noted = find_taking(store, tenant, taking != 0);
    if (noted)
        *noted = taking;
    pthread_mutex_unlock(&store->lock);
    return noted != NULL;
}

static int64_t taking_of(struct store *store, int64_t tenant)
{
    const int64_t *noted;
    int64_t        taking;

    pthread_mutex_lock(&store->lock);
    noted  = find_taking(store, tenant, false);
    taking = noted ? *noted : 0;
    pthread_mutex_unlock(&store->lock);
    return taking;
}

void leases_free(struct store *store)
{
    while (store->leases) {
        struct lease *lease = store->leases;

        store->leases = lease->next;
        free(lease);
    }
}

static enum store_status take_shared(struct store *store, struct sql *sql, const struct tenant *tenant)
{
    struct statement *take = sql_statement(
        sql,
        "INSERT INTO leases (tenant, holder, place, process, expires, taking) VALUES (?1, ?2, ?3, ?4, " NOW
        " + ?5, 1)"
        " ON CONFLICT (tenant) DO UPDATE SET holder = excluded.holder, place = excluded.place, process ="
        " excluded.process, expires = excluded.expires, taking = leases.taking + CASE WHEN leases.holder ="
        " excluded.holder THEN 0 ELSE 1 END WHERE leases.holder = excluded.holder OR leases.expires <= " NOW
        " RETURNING taking");
    int64_t taking = 0;

    sql_bind_number(take, 1, tenant->id);
    sql_bind_number(take, 2, store->holder);
    sql_bind_text(take, 3, store->place);
    sql_bind_number(take, 4, getpid());
    sql_bind_number(take, 5, LEASE_SECONDS);
    while (sql_row(sql, take))
        taking = sql_number(take, 0);
    if (sql_failure(sql) != SQL_OK)
        return store_status_of(sql);
    return taking && note_taking(store, tenant->id, taking) ? STORE_OK : STORE_BUSY;
}

/* Under the lock of the collection: a process that takes the lease meanwhile waits for it before it writes. */
enum store_status lease_check(struct store *store, struct sql *sql, int64_t tenant)
{
    int64_t           taking = taking_of(store, tenant), now_has = 0;
    struct statement *find;

    if (!taking) /* it writes without one: a tool, which was asked to */
        return STORE_OK;
    find = sql_statement(sql, "SELECT taking FROM leases WHERE tenant = ?1 AND holder = ?2");
    sql_bind_number(find, 1, tenant);
    sql_bind_number(find, 2, store->holder);
    while (sql_row(sql, find))
        now_has = sql_number(find, 0);
    if (sql_failure(sql) != SQL_OK)
        return store_status_of(sql);
    return now_has == taking ? STORE_OK : STORE_BUSY;
}

/* ---- Both ---- */

bool store_lease(struct store *store, const struct tenant *tenant)
{
    enum store_status status;
    struct sql       *sql = store_writing(store, &status);

    if (!sql)
        return false;
    status = (sql_is_postgresql(sql) ? take_shared : take_here)(store, sql, tenant);
    return store_done(store, sql, status) == STORE_OK;
}

void store_lease_end(struct store *store, const struct tenant *tenant)
{
    enum store_status status;
    struct sql       *sql = store_writing(store, &status);
    struct statement *end;

    if (!sql)
        return;
    end = sql_statement(sql, SQL_EITHER("DELETE FROM leases",
                                        "UPDATE leases SET expires = 0") " WHERE tenant = ? AND holder = ?");
    sql_bind_number(end, 1, tenant->id);
    sql_bind_number(end, 2, store->holder);
    sql_run(sql, end);
    store_done(store, sql, STORE_OK);
    note_taking(store, tenant->id, 0);
}
