/* errors.h - the closed table of errors: the library's nine codes and the toolbox's own. */
#ifndef ANSWER_ERRORS_H
#define ANSWER_ERRORS_H

#include <tenon/toolbox.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"

struct tn_error_table {
    const tenon_error *own; /* the toolbox's */
    size_t             own_count;
};

/* NULL when the table has no such code. */
const tenon_error *tn_errors_find(const struct tn_error_table *table, const char *code);

/* The first mistake in the toolbox's own rows, written to `out`; false when there is none. */
bool tn_errors_mistake(const struct tn_error_table *table, struct tn_buf *out);

/* ---- Details of a failure ------------------------------------------------------------------------------ */

#define DETAILS_MAX     16
#define DETAILS_LEN_MAX ((size_t)8192) /* of all their JSON */

struct tn_detail {
    struct tn_slice key, json;
    struct tn_slice plain; /* what {key} in a text stands for */
};

struct tn_details {
    struct tn_detail at[DETAILS_MAX];
    size_t           count, len;
    bool             lost; /* some did not fit */
};

/* Keeps a detail, in the place of one of the same key. All three texts must outlive the details. */
void tn_details_put(struct tn_details *details, struct tn_detail detail);

/* Is `key` one that the library writes itself? */
bool tn_details_reserved(struct tn_slice key);

/* "a":1,"b":"x" without braces. */
void tn_details_write(struct tn_buf *out, const struct tn_details *details);

/* The row's text with each {key} replaced. A key without a detail stays as it is, and is logged. */
void tn_errors_expand(struct tn_buf *out, const tenon_error *error, const struct tn_details *details,
                      const struct tn_log *log);

#endif
