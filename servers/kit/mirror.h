/* mirror.h - a schema of PostgreSQL as a database of SQLite in memory, for work that is written in SQLite's words, such as taking
 * in files of JSON.
 *
 *     mirror = mirror_new(shared, own, &schema, &error);   both in a transaction, `shared` with what it decides about locked
 *     ... work on `own` ...
 *     mirror_return(mirror, &error);                       what has changed goes back; committing is the caller's
 *
 * Memory has all rows for as long. Numbers that PostgreSQL gives are given anew when a row goes back.
 */
#ifndef KIT_MIRROR_H
#define KIT_MIRROR_H

#include "kit/sql.h"

struct mirror;

/* NULL and *error. */
struct mirror *mirror_new(struct sql *shared, struct sql *own, const struct sql_schema *schema, char **error);
bool           mirror_return(struct mirror *mirror, char **error);
void           mirror_free(struct mirror *mirror);

#endif
