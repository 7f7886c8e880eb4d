/* row_read.h - tables of rows as the program was compiled, older or newer than this library. */
#ifndef ROWS_ROW_READ_H
#define ROWS_ROW_READ_H

#include "rows/row_table.h"

/* Is the table one that can be walked? Else a mistake is noted. */
bool tn_rows_readable(struct tn_row_compilation *lowering, const tenon_rows *rows);

/* What every kind of row has, in place: its name, its kind and the options that all have. `index` is below the count. */
const tenon_row *tn_row_peek(const tenon_rows *rows, size_t index);

/* The whole row, as this library knows it. NULL when it has an option that this library does not know, which is a mistake,
 * or when memory was refused. */
const tenon_row *tn_row_read(struct tn_row_compilation *lowering, const tenon_rows *rows, size_t index);

#endif
