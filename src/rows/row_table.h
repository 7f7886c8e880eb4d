/* row_table.h - lowering rows into the model, and refusing those that contradict themselves. */
#ifndef ROWS_ROW_TABLE_H
#define ROWS_ROW_TABLE_H

#include "model/mistake.h"
#include "model/node.h"
#include "model/shape.h"
#include "text/pattern.h"

#define ROWS_DEPTH_MAX 16
#define ROWS_MAX       ((size_t)100000)
#define PARAM_NAME_MAX 64

/* One compilation. */
struct tn_row_compilation {
    tenon_shape      *shape;
    struct tn_mistake mistake;
    struct matcher   *matcher;
    struct tn_arena   scratch; /* for what is only tried */
    unsigned          depth;   /* of tables in tables */
    bool known; /* these rows were compiled before, without a mistake: nothing is checked again */
};

/* The object of a table, or NULL: a mistake, or memory was refused. */
const struct tn_object *tn_row_table_compile(struct tn_row_compilation *lowering, const tenon_rows *rows);

/* row_compile.c: the node of one row, and its default as JSON. `tuned_max` is a lower maximum, or INT64_MAX. False when
 * there is no node: a mistake, or memory was refused. */
bool tn_row_compile_node(struct tn_row_compilation *lowering, struct tn_param *param, int64_t tuned_max);

/* example.c: a good value for a node, as JSON. */
struct tn_slice tn_example_of(struct tn_arena *arena, const struct tn_node *node);
struct tn_slice tn_example_object(struct tn_arena *arena, const struct tn_object *object);

/* row_check.c: does the row make sense, and do its default and its example pass? Binds the default into `defaults`. Of rows
 * that are known, that is all it does, and no check of the program's own runs. */
void tn_row_check_row(struct tn_row_compilation *lowering, const struct tn_param *param);
void tn_row_check_values(struct tn_row_compilation *lowering, const struct tn_param *param, char *defaults);

/* row_check.c: can a call satisfy the rules over several rows? */
void tn_row_check_object(struct tn_row_compilation *lowering, const struct tn_object *object);

#endif
