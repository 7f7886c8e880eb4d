/* report.h - everything that is wrong with the arguments of a call, as the details of one error. */
#ifndef ANSWER_REPORT_H
#define ANSWER_REPORT_H

#include "base/buf.h"
#include "model/issue.h"

/* Bytes of fieldErrors and issues together; what does not fit is counted only. */
#define REPORT_LEN_MAX     ((size_t)8192)
#define REPORT_PART_MAX    ((size_t)2048) /* of `expected`, `example` or `suggestion`: a longer one is left out */
#define REPORT_PARAM_MAX   ((size_t)256)  /* bytes of a parameter's name; a longer one is echoed, and cut */

/* The issues, rendered: NULL when memory is refused. `guarded` says that containers may hold secrets, so that only their type
 * is reported. `issues` must outlive it. */
struct tn_report;
struct tn_report *tn_report_new(struct tn_arena *arena, const struct tn_issues *issues, bool guarded);

/* Writes "fieldErrors":{...},"totalErrors":n,"issues":[...] without braces around it. */
void tn_report_write(struct tn_buf *out, const struct tn_report *report);

/* The same for a reader of the sentences: an issue has what they do not say, the value to send instead, and is left out when
 * there is none. */
void tn_report_write_brief(struct tn_buf *out, const struct tn_report *report);

/* Writes the sentences of fieldErrors as one text, in the same order: "a is required; b must be positive". As many as fit
 * into `most` bytes. */
void tn_report_sentences(struct tn_buf *out, struct tn_report *report, size_t most);

#endif
