/* mistake.h - the first mistake in a declaration, or all of them, with the names of their table and row. */
#ifndef MODEL_MISTAKE_H
#define MODEL_MISTAKE_H

#include "base/arena.h"
#include "model/node.h"

struct tn_mistake {
    struct tn_arena *arena;
    const char      *owner; /* "rag_query", the name of a tool or a table */
    const char      *text;  /* NULL while there is none */
    bool             all;   /* those that follow are kept, too: one of each parameter, a line each */
    size_t           count; /* of the calls of tn_mistake_note() */
    const char      *param; /* that the last line is about, or NULL */
};

/* Keeps the text if it is the first, or if all are kept: "rag_query: parameter 'limit': FORMAT". `param` may be NULL; a
 * parameter is known by where its name lies, not by the name. */
void tn_mistake_note(struct tn_mistake *mistake, const char *param, const char *format, ...)
    TENON_PRINTF(3, 4);

#endif
