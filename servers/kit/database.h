/* database.h - the database of a server as its operator names it.
 *
 *     DATABASE_SETTINGS(struct x_options, database.),
 *     ...
 *     pool = database_open(&options->database, "x.db", &schema, mistake);
 *     database_serve(server, pool);
 */
#ifndef KIT_DATABASE_H
#define KIT_DATABASE_H

#include <tenon/server.h>

#include "kit/program.h"
#include "kit/sql.h"

struct database_options {
    const char *address;  /* NULL: a file in the user's data folder, unless `file` is there */
    const char *file;     /* has the address in it */
    const char *state;    /* where replicas share; NULL: the database, if replicas can */
    int         lease_ms; /* after it a replica that says nothing counts as gone */
    bool        migrates;
    size_t      most; /* bytes of a file; 0: no limit */
};

/* `field` ends with a dot. The first has the heading. */
#define DATABASE_SETTINGS(T, field, default_name)                                                            \
    TENON_SETTING_TEXT(T, field address, "db", "FILE|postgresql://...",                                      \
                       "the database; default: tenon/" default_name " in the user's data folder",            \
                       .group = PROGRAM_GROUP),                                                              \
        TENON_SETTING_TEXT(T, field file, "db-file", "FILE",                                                 \
                           "a file of mode 0600 whose line is the address of the database,\n"                \
                           "if that has a password in it"),                                                  \
        TENON_SETTING_FLAG(T, field migrates, "db-migrate",                                                  \
                           "make the tables of PostgreSQL, which tenon db migrate does else"),               \
        TENON_SETTING_TEXT(T, field state, "state", "postgresql://...|none",                                 \
                           "where replicas share sessions and tasks (--db, of PostgreSQL)"),                  \
        TENON_SETTING_TIME(T, field lease_ms, "replica-time", "TIME", 3000, 600000,                          \
                           "after which a replica that says nothing is gone", .standard = "30s"),            \
        PROGRAM_MAX_DB(T, field most)

/* The address that is meant, to be freed; and what is there, open. NULL and *mistake. */
char *database_address(const struct database_options *options, const char *name, struct mistake *mistake);
struct sql_pool *database_open(const struct database_options *options, const char *name,
                               const struct sql_schema *schema, struct mistake *mistake);

/* The line of such a file, to be freed; NULL and *why a sentence (free it): it is another's, or others can read it. */
char *database_read_file(const char *file, char **why);

/* The admin's address tells of the database from now on, and replicas share beside it. */
void database_serve(tenon_server *server, struct sql_pool *pool);

#endif
