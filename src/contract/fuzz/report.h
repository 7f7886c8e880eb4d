/* report.h - what a run has found: one finding for each tool, verdict and parameter, however many calls show it. */
#ifndef CONTRACT_FUZZ_REPORT_H
#define CONTRACT_FUZZ_REPORT_H

#include "contract/findings/findings.h"
#include "contract/fuzz/run.h"

#define FUZZ_FOUND_MAX ((size_t)2000)

/* Copies all texts. Is it the first of its tool, verdict and place? */
bool tn_fuzz_found(struct tn_fuzz *fuzz, const struct tn_found *found);

/* Was there one before of this tool, verdict and place? */
struct tn_found *tn_fuzz_known(const struct tn_fuzz *fuzz, size_t tool, enum tn_fuzz_verdict verdict,
                               struct tn_slice where);

/* As findings of a command. */
void tn_fuzz_findings(struct tn_findings *findings, struct tn_arena *arena, const struct tn_fuzz *fuzz);

/* The table of tools and marks, for people; with a run through the guard, before and after. */
void tn_fuzz_table(struct tn_buf *out, const struct tn_fuzz *fuzz, const struct tn_fuzz *guarded);

/* The same as a JSON object. */
void tn_fuzz_marks(struct tn_buf *out, const struct tn_fuzz *fuzz, const struct tn_fuzz *guarded);

#endif
