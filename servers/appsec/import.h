/* import.h - files into the database. A file is judged whole by a JSON Schema, then read by SQLite; what is wrong is said, and
 * then nothing of any file is taken in. A file that is taken in again changes nothing but what is new in it.
 */
#ifndef APPSEC_IMPORT_H
#define APPSEC_IMPORT_H

#include <stdio.h>

#include "kit/sql.h"

#define IMPORT_BYTES_MAX ((size_t)64 << 20)

/* The sample first, if wanted, then all files, in one transaction. Says on `out` what was taken in, or what is wrong. */
bool import_all(struct sql_pool *pool, bool sample, const char *const *files, size_t count, FILE *out);

/* ---- For its parts ------------------------------------------------------------------------------------------------- */

/* Statements that take ?1, the text of the file, ?2, its name, and ?3, the moment. End with NULL. */
extern const char *const form_statements[], *const sarif_statements[];
/* JSON Schemas, in pieces that end with NULL. */
extern const char *const form_schema[], *const sarif_schema[];
/* The sample: texts of our own form, in their order. Ends with NULL. */
extern const char *const sample_texts[];

#endif
