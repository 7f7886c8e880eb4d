/* database.c - see database.h. */
#include "kit/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/place.h"
#include "kit/sql_driver.h"

#define ADDRESS_MAX 4096

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

static char *choose(const struct database_options *options, const char *name, struct mistake *mistake)
{
    if (options->address && options->file) {
        mistake_of_usage(mistake, "--db and --db-file both name the database; give one of them.");
        return NULL;
    }
    if (!options->file)
        return place_choose(options->address, name, &mistake->text);
    mistake->is_usage = true;
    return database_read_file(options->file, &mistake->text);
}

struct sql_pool *database_open(const struct database_options *options, const char *name,
                               const struct sql_schema *schema, struct mistake *mistake)
{
    char            *address = choose(options, name, mistake);
    struct sql_pool *pool;

    if (!address)
        return NULL;
    mistake->is_usage = false;
    pool              = sql_open_as(address, schema,
                                    &(struct sql_options){ .is_private = options->file != NULL,
                                                           .checks     = !options->migrates },
                                    &mistake->text);
    free(address);
    if (!pool || sql_limit(pool, (int64_t)options->most))
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
    state->conflicts = report.again[SQL_AGAIN] + report.again[SQL_CONFLICT] + report.again[SQL_BUSY];
    state->lost      = report.again[SQL_GONE];
}

void database_serve(tenon_server *server, struct sql_pool *pool)
{
    if (!pool->is_shared) /* a file needs no watching */
        return;
    pool->watch = sql_watch_new(pool);
    tenon_server_database(server, tell, pool);
}
