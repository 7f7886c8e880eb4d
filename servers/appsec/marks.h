/* marks.h - SQL functions over texts that scanners write: what identifies a finding, and numbers of catalogues.
 *
 *   fingerprint(text)          16 digits
 *   line_mark(snippet, line)   the same of one line of code; spaces in it do not count, nor do numbers of lines
 *   cwe(text, catalogue)       "CWE-89" of "external/cwe/cwe-089", "CWE-89: SQL ...", or of "89" in the catalogue CWE
 *   advisory(text)             "CVE-2021-44228", "GHSA-jfh8-c2jp-5v3q", "PYSEC-2021-66"; in upper case, but for GHSA
 *
 * The last two are NULL for anything else.
 */
#ifndef APPSEC_MARKS_H
#define APPSEC_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kit/sql.h"

#define CWE_SIZE      16
#define ADVISORY_SIZE 40

uint64_t mark_line(const char *snippet, int64_t line);
bool     mark_cwe(const char *text, const char *catalogue, char out[CWE_SIZE]);
bool     mark_advisory(const char *text, char out[ADVISORY_SIZE]);

/* Makes the functions known to a connection. */
bool marks_connect(struct sql *sql);

#endif
