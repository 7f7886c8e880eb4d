/* errors.h - the closed table of errors: the library's nine codes and the toolbox's own. */
#ifndef ANSWER_ERRORS_H
#define ANSWER_ERRORS_H

#include <tenon/toolbox.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"

struct error_table {
    const tenon_error *own; /* the toolbox's */
    size_t             own_count;
};

/* NULL when the table has no such code. */
const tenon_error *errors_find(const struct error_table *table, const char *code);

/* The first mistake in the toolbox's own rows, written to `out`; false when there is none. */
bool errors_mistake(const struct error_table *table, struct buf *out);

/* ---- Details of a failure ------------------------------------------------------------------------------ */

#define DETAILS_MAX     16
#define DETAILS_LEN_MAX ((size_t)8192) /* of all their JSON */

struct detail {
    struct slice key, json;
    struct slice plain; /* what {key} in a text stands for */
};

struct details {
    struct detail at[DETAILS_MAX];
    size_t        count, len;
    bool          lost; /* some did not fit */
};

/* Keeps a detail, in the place of one of the same key. All three texts must outlive the details. */
void details_put(struct details *details, struct detail detail);

/* Is `key` one that the library writes itself? */
bool details_reserved(struct slice key);

/* "a":1,"b":"x" without braces. */
void details_write(struct buf *out, const struct details *details);

/* The row's text with each {key} replaced. A key without a detail stays as it is, and is logged. */
void errors_expand(struct buf *out, const tenon_error *error, const struct details *details,
                   const struct log *log);

#endif
