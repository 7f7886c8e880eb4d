/* sqlite.h - for what is SQLite's own: functions that servers add to it, and its full-text index. */
#ifndef KIT_SQLITE_H
#define KIT_SQLITE_H

#include <sqlite3.h>

#include "kit/sql.h"

sqlite3      *sqlite_database(struct sql *sql);
sqlite3_stmt *sqlite_statement(struct statement *statement); /* NULL for NULL */

/* Keeps a failure with its primary code, and SQLite's text; every kind of full disk is SQL_FULL. True when nothing failed. */
bool sqlite_check(struct sql *sql, int code);

#endif
