/* sql_inside.h - what sql.c and sql_open.c share. */
#ifndef KIT_SQL_INSIDE_H
#define KIT_SQL_INSIDE_H

#include <pthread.h>

#include "kit/sql.h"

#define SQL_BUSY_MS 5000

struct sql_pool {
    char   *name; /* a path, or the address of a database in memory */
    bool    in_memory;
    int64_t bytes_most; /* of sql_limit(); 0: no limit */
    int (*connect)(sqlite3 *db);
    struct sql     *anchor; /* keeps a database in memory alive */
    pthread_mutex_t lock;   /* of what follows */
    struct sql     *idle;
    size_t          idle_count;
};

/* A new connection; NULL and *code, or without memory. */
struct sql *sql_connect(struct sql_pool *pool, int *code);

/* The connection keeps to the limit. */
bool sql_keep_to(struct sql *sql, int64_t bytes);

#endif
