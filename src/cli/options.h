/* options.h - a command's arguments, one after another: options by a table, operands in between.
 *
 * "--name value" and "--name=value" are the same; "--" makes everything after it an operand; "-" is one.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

#define OPTION_WHY_MAX 300

struct option {
    const char *name;  /* without its dashes */
    char        alias; /* one letter, or NUL */
    const char *value; /* what --help calls the value that it takes; NULL when it takes none */
    const char *help;
};

enum { OPTION_OPERAND = -1, OPTION_END = -2, OPTION_WRONG = -3 };

struct options {
    const struct option *table;
    int                  table_count;
    char               **arguments;
    int                  count, next;
    bool                 ended;               /* "--" was seen */
    const char          *value;               /* of the option, or the operand */
    char                 why[OPTION_WHY_MAX]; /* with OPTION_WRONG */
};

/* The next one's row in the table, or one of the above. */
int options_next(struct options *options);

/* The table as lines of a --help. */
void options_help(FILE *to, const struct option *table, int count);

/* Which of `count` names is most like `given`, or NULL when none is: for "did you mean". */
const char *options_nearest(const char *given, size_t len, const char *const *names, size_t count);

#endif
