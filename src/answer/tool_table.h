/* tool_table.h - the tables of rows that the tools of a box declare, each of them once.
 *
 * A table is checked when the first tool that has it is added, and what was compiled for that is freed again: a program may
 * have a thousand tools of which ten are called. It is compiled when the first of its tools is called, and what is published
 * of it is written when that is first asked for. Both then stay, for every tool that has the same table.
 */
#ifndef ANSWER_TOOL_TABLE_H
#define ANSWER_TOOL_TABLE_H

#include <tenon/toolbox.h>

#include "model/shape.h"
#include "rows/headers.h"

/* A published text, with a NUL after it. */
struct tn_tool_text {
    struct tn_tool_text *next;
    unsigned             key; /* which text of the table it is (publish.c) */
    size_t               len;
    char                 at[];
};

struct tn_tool_table {
    struct tn_tool_table        *next; /* of the box */
    tenon_rows                   rows;
    size_t                       room;    /* that its shape takes */
    size_t                       bound;   /* no text that is published of it is longer */
    const struct tn_tool_header *headers; /* of its rows, when it was a tool's arguments */
    uint32_t                     header_count;
    bool                         walked; /* the headers were looked for */
    bool                         cursor; /* it has the group of cursors */
    tenon_shape         *shape; /* NULL before the first call; this and the next under the lock of the box */
    struct tn_tool_text *texts;
};

/* The table of these rows in the box, or NULL: it was not yet checked. */
struct tn_tool_table *tn_tool_table_find(const tenon_toolbox *box, const tenon_rows *rows);

/* Adds it, with what is to be known of a shape that was tried. NULL when memory is refused. */
struct tn_tool_table *tn_tool_table_add(tenon_toolbox *box, const tenon_rows *rows, const tenon_shape *tried);

/* Compiles it, unless that was done. Under the lock of the box. TENON_E_DECLARATION when the program changed the rows since
 * they were checked, which is logged. */
tenon_status tn_tool_table_compile(tenon_toolbox *box, struct tn_tool_table *table);

/* A shape of it for a short time, in `*shape`, not for judging: the table's own, or one that tn_tool_table_return() frees. */
tenon_status tn_tool_table_borrow(tenon_toolbox *box, const struct tn_tool_table *table, tenon_shape **shape);
void         tn_tool_table_return(const struct tn_tool_table *table, tenon_shape *shape);

void tn_tool_tables_free(tenon_toolbox *box);

/* A copy of the text that stays, at the head of the list. NULL when memory is refused. */
struct tn_tool_text *tn_tool_text_keep(const tenon_toolbox *box, struct tn_tool_text **list, unsigned key,
                                       struct tn_slice text);
void                 tn_tool_texts_free(const tenon_toolbox *box, struct tn_tool_text *list);

#endif
