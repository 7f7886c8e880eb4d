/* line.h - lines that a person types: edited, completed and remembered on a terminal, read as they are elsewhere.
 *
 * Editing is libedit's, where it is there. Lines are remembered in $XDG_STATE_HOME/tenon/history, which
 * only the person can read.
 */
#ifndef CLI_SHELL_LINE_H
#define CLI_SHELL_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

#define LINE_BYTES_MAX ((size_t)1 << 20)

/* The nth text that may stand where `word` begins, as the word of the line `before` it; NULL when there are no more. It is
 * copied. */
typedef const char *(*line_choice_fn)(void *user, const char *before, const char *word, size_t nth);

struct line {
    const char     *prompt;
    bool            is_terminal, is_edited;
    line_choice_fn  choice;
    void           *user;
    struct tn_arena arena; /* of the last one */
};

/* Columns of the terminal. */
size_t line_width(void);

void line_begin(struct line *line);

/* The next line without its end, until the next call; NULL at the end of the input. */
const char *line_next(struct line *line);

void line_end(struct line *line);

#endif
