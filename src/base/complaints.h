/* complaints.h - what is wrong with declarations: one text, a line for each mistake, each line once, and not without end. */
#ifndef BASE_COMPLAINTS_H
#define BASE_COMPLAINTS_H

#include "base/arena.h"

#define COMPLAINTS_MAX     ((size_t)50)
#define COMPLAINTS_LEN_MAX ((size_t)64 << 10)
#define COMPLAINTS_MORE    "there are more mistakes than are listed here"

struct tn_complaints {
    const char *text;  /* NULL while there is none */
    size_t      count; /* that were added; those that are in the text already are not counted again */
};

/* Adds a line (or several, which then count as one). False when memory is refused: the text stays as it was. */
bool tn_complaints_add(struct tn_complaints *complaints, struct tn_arena *arena, const char *line);

#endif
