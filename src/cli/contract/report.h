/* report.h - findings of a contract tool, printed in the form that the call asks for. */
#ifndef CLI_CONTRACT_REPORT_H
#define CLI_CONTRACT_REPORT_H

#include "cli/contract/target.h"

/* On standard output. False without memory, which was reported. */
bool report_print(struct targets *targets, const struct tn_findings *findings);

/* What was not found as it was approved: for programs, while review.h is for people. */
bool report_reviews(struct targets *targets, const struct tn_review *reviews);

#endif
