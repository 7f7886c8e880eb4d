/* extract_units.h - what an answer can be made of: sentences, items, tables and blocks of code, each with its lines. */
#ifndef DOCS_SEARCH_EXTRACT_UNITS_H
#define DOCS_SEARCH_EXTRACT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#define UNIT_LEN_MAX 2000 /* bytes; code and tables are cut between lines, a sentence that is longer is left out */

enum unit_kind { UNIT_SENTENCE, UNIT_TABLE, UNIT_CODE };

struct unit {
    enum unit_kind kind;
    size_t         begin, end;            /* bytes of the text */
    size_t         first_line, last_line; /* from 0 */
    size_t         heading, heading_len;  /* the one above it; 0, 0: none */
    size_t         place;                 /* among the units of the text */
};

/* Visits the units of `len` bytes of markdown in order, until false. */
void units_each(const char *at, size_t len, bool (*visit)(void *user, const struct unit *unit), void *user);

/* Is a text little more than links, as a table of contents is? */
bool is_made_of_links(const char *at, size_t len);

/* ---- What is shown of long ones ---- */

#define CODE_LINES_MOST 16
#define TABLE_TOP       2 /* lines: the names of the columns, and the rule */
#define TABLE_ROWS_MOST 6 /* of which all are shown */

/* Leaves only the rows that are wanted, if there are many and some are. */
void table_shorten(char *text, bool (*wanted)(void *user, const char *at, size_t len), void *user);

#endif
