/* row_shape.h - tables of rows, compiled. */
#ifndef ROWS_ROW_SHAPE_H
#define ROWS_ROW_SHAPE_H

#include "model/shape.h"

/* Compiles rows that belong to `owner` (a tool's or a table's name, for texts about mistakes). NULL only when out of
 * memory. */
tenon_shape *tn_shape_compile(const tenon_rows *rows, const char *owner, const tenon_allocator *memory);

/* The same, to see whether there is a mistake and what is declared. It is not for judging: its patterns are slow, and it does not
 * know what issues expect. */
tenon_shape *tn_shape_try(const tenon_rows *rows, const char *owner, const tenon_allocator *memory);

/* How many bytes a shape of the same rows takes; of one that was tried, about how many. */
size_t tn_shape_room(const tenon_shape *shape);

/* The same rows once more, which had no mistake the first time: nothing is checked, no function of the program runs, and the
 * model lies in a block of `room` bytes, and more when that is too short. By any thread. A mistake, which rows have that were
 * changed since, is kept. */
tenon_shape *tn_shape_again(const tenon_rows *rows, size_t room, bool tried, const tenon_allocator *memory);

#endif
