/* judged.h - rows and arguments in, one line of text out, so that a case is a line.
 *
 * In arguments ' stands for "; in what comes back every " is shown as '. What comes back:
 *
 *     {'n':80} + Converted n from '80' to 80      the bound struct, then each message
 *     n must be an integer, got 2.5 | m is required                every issue, then each message
 */
#ifndef SUPPORT_JUDGED_H
#define SUPPORT_JUDGED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/shape.h"
#include "rows/bind.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* One judgement that is still open to questions. */
struct judged {
    tenon_shape    *shape;
    struct tn_arena arena;
    struct matcher *matcher;
    struct tn_judge judge;
    const void     *bound; /* NULL when there are issues */
};

/* Compiles `rows`, which must be sound. `how` gives unknown, strict, destructive and limits; zero limits are wide. */
void judged_open(struct judged *judged, const tenon_rows *rows, const char *args, const struct tn_judge *how);
void judged_close(struct judged *judged);

/* The texts of a judgement, in its arena. */
const char *judged_line(struct judged *judged);

/* "parameter:code parameter:code", and " ~VALUE" behind a code that has a suggestion. */
const char *judged_codes(struct judged *judged);

/* Fails, with a text that shows the case, unless `args` give `want`. */
void judged_is(const tenon_rows *rows, const char *args, const char *want);
void judged_is_how(const tenon_rows *rows, const char *args, const struct tn_judge *how, const char *want);
void judged_codes_are(const tenon_rows *rows, const char *args, const char *want);

/* Fails unless the mistake in `rows` is `want`; NULL wants none. */
void judged_mistake_is(const tenon_rows *rows, const char *want);

#endif
