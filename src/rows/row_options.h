/* row_options.h - which options a row's author wrote.
 *
 * In C, `.def = 0` and no .def at all leave the same bytes behind. A row therefore keeps its options as source text,
 * and this reads the names of the designators in it.
 */
#ifndef ROWS_ROW_OPTIONS_H
#define ROWS_ROW_OPTIONS_H

#include <stdbool.h>

/* Does `said`, ".doc = \"How many.\", .range = {1, 10}", write `option`, "range"? */
bool tn_row_options_has(const char *said, const char *option);

#endif
