/* move.h - what `tenon db` does: a schema made, a file of SQLite copied to PostgreSQL. */
#ifndef KIT_MOVE_H
#define KIT_MOVE_H

#include "kit/sql.h"

/* `tenon db migrate` and `tenon db copy`, for the servers of this program: the arguments begin with the action. The list ends
 * with NULL. */
int db_command(int argc, char **argv, const struct sql_schema *const *schemas);

/* Copies all tables, in one transaction, to a database that has none of their rows; *rows is how many. False and *error, and
 * nothing was copied. */
bool move_copy(struct sql_pool *from, struct sql_pool *to, const struct sql_schema *schema, int64_t *rows,
               char **error);

#endif
