/* database.c - see database.h. */
#include "kit/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/place.h"
#include "kit/share.h"
#include "kit/sql_driver.h"

#define ADDRESS_MAX 4096
#define LEASE_MS    30000

/* ---- The address ------------------------------------------------------------------------------------------------- */

static bool read_line(int fd, char line[ADDRESS_MAX])
{
    ssize_t len = 0, more;

    while (len < ADDRESS_MAX - 1 && (more = read(fd, line + len, (size_t)(ADDRESS_MAX - 1 - len))) > 0)
        len += more;
    line[len] = '\0';
    if (len == ADDRESS_MAX - 1 || strlen(line) != (size_t)len)
        return false;
    while (len > 0 && strchr(" \t\r\n", line[len - 1]))
        line[--len] = '\0';
    return len > 0 && !strpbrk(line, "\r\n");
}

char *database_read_file(const char *file, char **why)
{
    char        line[ADDRESS_MAX];
    char       *address = NULL;
    struct stat about;
    int         fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

    if (fd < 0)
        sql_say(why, "--db-file %s cannot be read: %s.", file, strerror(errno));
    else if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || (about.st_mode & 077) != 0)
        sql_say(why, "--db-file %s must be a file that no other user can read (chmod 600).", file);
    else if (!read_line(fd, line))
        sql_say(why, "--db-file %s must have one line, the address of the database.", file);
    else
        address = strdup(line);
    if (fd >= 0)
        close(fd);
    return address;
}

char *database_address(const struct database_options *options, const char *name, struct mistake *mistake)
{
    char *address;

    if (options->address && options->file) {
        mistake_of_usage(mistake, "--db and --db-file both name the database; give one of them.");
        return NULL;
    }
    if (!options->file)
        return place_choose(options->address, name, &mistake->text);
    address           = database_read_file(options->file, &mistake->text);
    mistake->is_usage = !address;
    return address;
}

/* Where replicas share, if they do; false and *error, or without memory. */
static bool open_share(struct sql_pool *pool, const struct database_options *options, const char *address,
                       const char *name, char **error)
{
    const char *state = options->state ? options->state : sql_is_shared(address) ? address : "none";

    if (strcmp(state, "none") == 0)
        return true;
    if (!sql_is_shared(state) || !name) {
        sql_say(error, "--state needs an address of PostgreSQL, or none.");
        return false;
    }
    pool->share      = share_new(state, name,
                                 &(struct sql_options){ .is_private = !options->state && options->file,
                                                        .checks     = !options->migrates },
                            options->lease_ms > 0 ? options->lease_ms : LEASE_MS);
    pool->share_free = share_free;
    return pool->share != NULL;
}

struct sql_pool *database_open(const struct database_options *options, const char *name,
                               const struct sql_schema *schema, struct mistake *mistake)
{
    char            *address = database_address(options, name, mistake);
    struct sql_pool *pool;
    bool             good;

    if (!address)
        return NULL;
    pool = sql_open_as(address, schema,
                       &(struct sql_options){ .is_private = options->file != NULL,
                                              .checks     = !options->migrates },
                       &mistake->text);
    good = pool && sql_limit(pool, (int64_t)options->most) &&
           open_share(pool, options, address, schema->name, &mistake->text);
    free(address);
    if (good)
        return pool;
    sql_close(pool);
    return NULL;
}

/* ---- For operators ----------------------------------------------------------------------------------------------- */

static void tell(void *user, tenon_database_state *state)
{
    struct sql_report report = sql_report(user);

    state->is_up     = report.is_up;
    state->busy      = report.busy;
    state->idle      = report.idle;
    state->connects  = report.connects;
    state->refused   = report.refused;
    state->waited_us = report.waited_us;
    state->dead_rows = report.dead_rows;
    state->oldest_ms = report.oldest_ms;
    state->conflicts = report.again[SQL_AGAIN] + report.again[SQL_CONFLICT] + report.again[SQL_BUSY];
    state->lost      = report.again[SQL_GONE];
}

void database_serve(tenon_server *server, struct sql_pool *pool)
{
    if (pool->share)
        tenon_server_share(server, share_store(pool->share));
    if (!pool->is_shared) /* a file needs no watching */
        return;
    pool->watch = sql_watch_new(pool);
    tenon_server_database(server, tell, pool);
}
