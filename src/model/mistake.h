/* mistake.h - the first mistake in a declaration, with the names of its table and row. */
#ifndef MODEL_MISTAKE_H
#define MODEL_MISTAKE_H

#include "base/arena.h"
#include "model/node.h"

struct tn_mistake {
    struct tn_arena *arena;
    const char      *owner; /* "rag_query", the name of a tool or a table */
    const char      *text;  /* NULL while there is none */
};

/* Keeps the text if it is the first: "rag_query: parameter 'limit': FORMAT". `param` may be NULL. */
void tn_mistake_note(struct tn_mistake *mistake, const char *param, const char *format, ...)
    TENON_PRINTF(3, 4);

#endif
