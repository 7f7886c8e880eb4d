/* row_shape.h - tables of rows, compiled. */
#ifndef ROWS_ROW_SHAPE_H
#define ROWS_ROW_SHAPE_H

#include "model/shape.h"

/* Compiles rows that belong to `owner` (a tool's or a table's name, for texts about mistakes). NULL only when out of
 * memory. */
tenon_shape *tn_shape_compile(const tenon_rows *rows, const char *owner, const tenon_allocator *memory);

#endif
