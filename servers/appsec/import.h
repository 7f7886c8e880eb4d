/* import.h - files into the database. A file is validated whole by a JSON Schema, then read by SQLite, piece by piece:
 * memory holds the text of one file, and for a while what validating it takes. Problems are reported, and then nothing
 * of any file is imported. A file that is imported again changes nothing but what is new in it.
 *
 *   import_form   our own form
 *   import_sarif  SARIF 2.1.0: findings
 *   import_bom    CycloneDX and SPDX: libraries
 *   reports       what reports no longer have
 *   import_shared PostgreSQL
 */
#ifndef APPSEC_IMPORT_H
#define APPSEC_IMPORT_H

#include <stdio.h>

#include "appsec/pieces.h"
#include "kit/sql.h"

#define IMPORT_BYTES_MAX ((size_t)64 << 20)

/* The sample first, if it is asked for, then all files, in one transaction. A file is a path, or NAME=PATH for one of the
 * application NAME; what is a path as a whole is one. Says on `out` what is wrong. */
bool import_all(struct sql_pool *pool, bool sample, const char *const *files, size_t count, FILE *out);

/* The same into PostgreSQL; and what both do, in a transaction of SQLite. import_refuse() is false. */
bool import_shared(struct sql_pool *pool, bool sample, const char *const *files, size_t count, FILE *out);
bool import_into(struct sql *sql, bool sample, const char *const *files, size_t count, FILE *out);
bool import_refuse(FILE *out, const char *why);

/* ---- For its parts ------------------------------------------------------------------------------------------------- */

struct importing;

/* Values of a statement: ?1 to ?6. */
struct import_values {
    struct piece json;          /* what is taken in */
    const char  *stem;          /* the file's name */
    int64_t      at;            /* when the file was written */
    int64_t      first, second; /* places, as each part counts them; -1 is NULL */
    const char  *app;           /* the application that was given with the file, or NULL */
};

/* NULL when it failed, which is reported. */
struct statement *import_prepare(struct importing *importing, const char *statement);
/* Runs it once. Rows that it gives are problems in the file, after which it can go on, so that all of them are reported; false
 * when the database failed. */
bool import_run(struct importing *importing, struct statement *statement, const struct import_values *values);
/* The same for all of a list that ends with NULL. */
bool import_run_all(struct importing *importing, const char *const *statements,
                    const struct import_values *values);
bool import_is_fine(const struct importing *importing); /* no problem in the file so far */
bool import_out_of_memory(struct importing *importing); /* false */

/* Takes in a text that was judged; false when the database failed. */
bool form_store(struct importing *importing, const struct import_values *values);
bool sarif_store(struct importing *importing, const struct import_values *values);
bool cyclonedx_store(struct importing *importing, const struct import_values *values);
bool spdx_store(struct importing *importing, const struct import_values *values);

/* Around all files of one start, which are one state: several reports of one tool add to each other. What the last report
 * of a tool no longer has is closed then. `values` has the time it is now. */
bool reports_begin(struct importing *importing, const struct import_values *values);
bool reports_end(struct importing *importing, const struct import_values *values);

/* JSON Schemas, in pieces that end with NULL. */
extern const char *const form_schema[], *const sarif_schema[], *const cyclonedx_schema[],
                                                                   *const spdx_schema[];
/* The sample: texts of our own form, in their order. Ends with NULL. */
extern const char *const sample_texts[];

#endif
