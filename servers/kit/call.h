/* call.h - between the database and a call: texts in its memory, failures in its words. */
#ifndef KIT_CALL_H
#define KIT_CALL_H

#include <tenon/tenon.h>

#include "kit/sql.h"

/* The text of a column in the call's memory; NULL when it is empty, so that it is left out of answers. */
const char *call_text(tenon_call *call, struct statement *row, int column);
/* A column that has JSON text, as a value; NULL when it is empty. */
const tenon_json *call_json(tenon_call *call, struct statement *row, int column);
/* JSON for a column, in the call's memory: a value, or "" for none; texts as an array, or NULL for none. Without memory the
 * call fails as a whole, and it is NULL. */
const char *call_json_text(tenon_call *call, const tenon_json *value);
const char *call_json_strs(tenon_call *call, const tenon_strs *list);
/* Memory that the database does not get is missing to the call; without this an answer would only have less in it. */
void call_run_out(tenon_call *call);

/* A database that may not grow any more (--max-db). */
#define CALL_OVER_LIMIT                                                                                      \
    "The database has reached the size that the operator allows (--max-db); nothing was changed. Delete what is not " \
    "needed, or ask the operator for more."

/* A copy in the call's memory with ASCII letters in lower case; NULL for NULL, or without memory. What is compared so is folded
 * here, by whatever asks, because engines and their locales fold differently. */
const char *call_lower(tenon_call *call, const char *text);

/* A connection for as long as the call may take; NULL when the database cannot be reached. sql_give() ends it. */
struct sql *call_take(tenon_call *call, struct sql_pool *pool);

/* Runs `work` in a transaction, so that what it sees is still so when it writes. It ends the transaction itself when it
 * succeeds; otherwise everything it wrote is taken back. When another transaction was in its way, or the connection was lost
 * before anything was committed, it is run again, a few times and not beyond the call's deadline: it touches nothing but the database and the call's memory, and
 * only what it returns last counts. */
typedef tenon_outcome (*call_work_fn)(tenon_call *call, struct sql *sql, const void *args);
tenon_outcome call_transact(tenon_call *call, struct sql_pool *pool, call_work_fn work, const void *args);

/* The same for what a call saves beside its answer, also when it was cancelled or its time is over. */
typedef bool (*call_save_fn)(struct sql *sql, void *user);
bool call_save(tenon_call *call, struct sql_pool *pool, call_save_fn save, void *user, bool *is_over_limit);

/* What a failure of the database is to a caller; `sql` NULL: there is no connection. */
tenon_outcome call_failed(tenon_call *call, const struct sql *sql);

#endif
