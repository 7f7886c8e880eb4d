/* sqlite_inside.h - what sqlite.c and sqlite_open.c share. */
#ifndef KIT_SQLITE_INSIDE_H
#define KIT_SQLITE_INSIDE_H

#include "kit/sql_driver.h"
#include "kit/sqlite.h"

#define SQLITE_WAIT_MS 5000 /* for another writer */

struct sqlite_pool {
    struct sql_pool pool;
    char           *name; /* a path, or the address of a database in memory */
    bool            in_memory;
    int64_t         bytes_most; /* of sql_limit(); 0: no limit */
    bool (*connect)(struct sql *sql);
    struct sql *anchor; /* keeps a database in memory alive */
};

/* A new connection; NULL and *code, or without memory. */
struct sql *sqlite_connect(struct sqlite_pool *pool, int *code);

/* The driver's own, as sql_driver.h has them. */
struct sql_pool *sqlite_open(const char *path, const struct sql_schema *schema,
                             const struct sql_options *options, char **error);
bool             sqlite_backup(struct sql_pool *pool, const char *path, char **error);

#endif
