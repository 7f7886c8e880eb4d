/* report.c - findings on standard output, and reviews as findings. */
#include "cli/contract/report.h"

#include "cli/contract/review.h"
#include "contract/change.h"

#define MESSAGE_MAX ((size_t)1000)
#define DATE_LEN    10

bool report_print(struct targets *targets, const struct tn_findings *findings)
{
    const struct console *console = targets->remote.console;
    struct tn_buf         out;

    tn_buf_init(&out, &targets->remote.arena, 4096, FINDINGS_OUT_MAX);
    tn_findings_write(&out, findings, targets->format, console->out_coloured);
    if (out.failed || findings->failed) {
        console_error(console, "out of memory");
        return false;
    }
    fwrite(out.at ? out.at : "", 1, out.len, console->out);
    return true;
}

/* ---- Reviews ------------------------------------------------------------------------------------------------------ */

enum { REPORT_TEXT = REVIEW_UNFIT + 1, REPORT_RULES };

static const struct tn_finding_rule rules[REPORT_RULES] = {
    [REVIEW_SAME]    = { "definition-same", "It is as it was approved.", LEVEL_NONE },
    [REVIEW_NEW]     = { "definition-new", "It was never approved.", LEVEL_ERROR },
    [REVIEW_CHANGED] = { "definition-changed", "It is not as it was approved.", LEVEL_ERROR },
    [REVIEW_REMOVED] = { "definition-removed", "It was approved, and is not there any more.", LEVEL_ERROR },
    [REVIEW_UNFIT]   = { "definition-unfit", "It cannot be approved at all.", LEVEL_ERROR },
    [REPORT_TEXT]    = { "text-hidden", "A text has parts that people do not see.", LEVEL_WARNING },
};

/* "is changed: description (approved by ann on 2026-11-16)" */
static void describe(struct tn_buf *out, struct tn_arena *arena, const struct tn_reviewed *one)
{
    struct tn_buf change;

    tn_buf_addf(out, "is %s", tn_review_word(one->state));
    tn_buf_init(&change, arena, 0, CHANGE_TEXT_MAX);
    if (one->state == REVIEW_CHANGED && one->live && one->approved)
        tn_change_describe(&change, arena, one->approved->definition.value, one->live->value);
    if (one->state == REVIEW_UNFIT && one->live)
        tn_buf_text(&change, tn_canonical_why(one->live->fault));
    if (change.len > 0)
        tn_buf_addf(out, ": %.*s", (int)change.len, change.at);
    if (one->approved)
        tn_buf_addf(out, " (approved by %.*s on %.*s)", (int)one->approved->by.len, one->approved->by.at,
                    DATE_LEN, one->approved->approved.at);
}

static void add_remarks(struct tn_findings *findings, struct tn_slice name,
                        const struct tn_screening *remarks)
{
    for (size_t i = 0; i < remarks->count; i++)
        tn_findings_add(findings, &(struct tn_finding){ .rule    = REPORT_TEXT,
                                                        .level   = LEVEL_WARNING,
                                                        .tool    = name,
                                                        .place   = tn_slice_of(remarks->at[i].place),
                                                        .message = tn_remark_predicate(&remarks->at[i]) });
}

static void add_reviewed(struct tn_findings *findings, const struct target *target,
                         const struct tn_reviewed *one)
{
    struct tn_buf   name, message;
    struct tn_slice found;

    tn_buf_init(&name, findings->arena, 64, FINDINGS_TEXT_MAX);
    tn_review_name(&name, target->name, one);
    found = tn_buf_slice(&name);
    if (!one->instructions && one->kind == KIND_TOOL)
        tn_findings_check(findings, found);
    if (one->state == REVIEW_SAME)
        return;
    tn_buf_init(&message, findings->arena, 64, MESSAGE_MAX);
    describe(&message, findings->arena, one);
    tn_findings_add(findings,
                    &(struct tn_finding){ .rule    = one->state,
                                          .level   = LEVEL_ERROR,
                                          .tool    = found,
                                          .message = message.failed ? tn_slice_of(tn_review_word(one->state))
                                                                    : tn_buf_slice(&message) });
    if (one->findings)
        add_remarks(findings, found, one->findings);
}

bool report_reviews(struct targets *targets, const struct tn_review *reviews)
{
    struct tn_findings findings;

    tn_findings_init(&findings, &targets->remote.arena, targets->remote.command, rules, REPORT_RULES);
    for (size_t i = 0; i < targets->count; i++)
        for (size_t j = 0; j < reviews[i].count; j++)
            if (review_is_meant(&targets->at[i], &reviews[i].at[j]))
                add_reviewed(&findings, &targets->at[i], &reviews[i].at[j]);
    if (targets->count == 1) {
        findings.file   = targets->at[0].file;
        findings.target = targets->at[0].name;
    }
    return report_print(targets, &findings);
}
