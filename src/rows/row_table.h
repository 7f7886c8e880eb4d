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
struct lowering {
    tenon_shape    *shape;
    struct mistake  mistake;
    struct matcher *matcher;
    struct arena    scratch; /* for what is only tried */
    unsigned        depth;   /* of tables in tables */
};

/* The object of a table, or NULL: a mistake, or memory was refused. */
const struct object *rows_lower(struct lowering *lowering, const tenon_rows *rows);

/* lower.c: the node of one row, and its default as JSON. `tuned_max` is a lower maximum, or INT64_MAX. False when
 * there is no node: a mistake, or memory was refused. */
bool lower_node(struct lowering *lowering, struct param *param, int64_t tuned_max);

/* example.c: a good value for a node, as JSON. */
struct slice example_of(struct arena *arena, const struct node *node);
struct slice example_object(struct arena *arena, const struct object *object);

/* sound.c: does the row make sense, and do its default and its example pass? Binds the default into `defaults`. */
void sound_row(struct lowering *lowering, const struct param *param);
void sound_values(struct lowering *lowering, const struct param *param, char *defaults);

/* sound.c: can a call satisfy the rules over several rows? */
void sound_object(struct lowering *lowering, const struct object *object);

#endif
