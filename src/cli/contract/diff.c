/* diff.c - `tenon diff`: what callers meet when a server's definitions change. */
#include <string.h>

#include "cli/contract/report.h"
#include "contract/compare.h"

#define SUMMARY_MAX ((size_t)200)

static const struct option table[] = {
    TARGET_TABLE,
    [REPORT_STRICT] = { "strict", '\0', NULL, "end with 1 for what needs a review, too" },
    [REPORT_ALL]    = { "all", '\0', NULL, "also show what is written differently and means the same" },
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon diff [OPTION]... OLD NEW\n\n"
          "Compares two versions of what an MCP server offers: is every call that worked still accepted, and "
          "was every\n"
          "result that may come now promised before? OLD and NEW are an address, a command line in one word, "
          "a saved\n"
          "list of tools (.json), a lock, or a name in tenon.lock.\n\n"
          "  BREAKING  a call that worked fails now: it is shown\n"
          "  REVIEW    a description, a hint or a default changed, or neither could be shown\n"
          "  SAFE      proved: all calls that worked still do\n\n",
          to);
    options_help(to, table, REPORT_OPTIONS);
    fputs("\nEnds with 0 when nothing is BREAKING, with 1 when something is, and with 2 when the call is "
          "wrong or a server\n"
          "cannot be reached.\n",
          to);
}

static bool diff_option(void *user, int row, const char *value)
{
    return targets_option(user, row, value);
}

/* ---- Asking ------------------------------------------------------------------------------------------------------- */

/* The offers that an operand stands for, as one list: a lock may have several upstreams, of which --name chooses one. */
static bool take(struct targets *targets, const char *operand, struct target **target)
{
    size_t first = targets->count;

    if (!targets_take(targets, operand))
        return false;
    for (size_t i = first; i < targets->count; i++)
        if (targets->count - first == 1 ||
            (targets->name && tn_slice_is(targets->at[i].name, targets->name))) {
            *target = &targets->at[i];
            return target_ask(targets, *target);
        }
    console_error(targets->remote.console, "%s has several upstreams; choose one with --name", operand);
    return false;
}

static bool find_both(struct targets *targets, struct target *both[2])
{
    struct remote *remote = &targets->remote;

    if (remote->operand_count != 2)
        return remote_wrong(remote, "OLD and NEW are needed; quote a command line");
    return targets_begin(targets) && take(targets, remote->operands[0], &both[0]) &&
           take(targets, remote->operands[1], &both[1]);
}

/* ---- Showing ------------------------------------------------------------------------------------------------------ */

enum { RULE_SAME, RULE_WIDER, RULE_NEW, RULE_CHANGED, RULE_CALL, RULE_RESULT, RULE_GONE, RULES };

static const struct tn_finding_rule rules[RULES] = {
    [RULE_SAME]    = { "means-the-same", "It is written differently and means the same.", LEVEL_NONE },
    [RULE_WIDER]   = { "proved-safe", "It is proved that all calls that worked still do.", LEVEL_NOTE },
    [RULE_NEW]     = { "definition-new", "It is new.", LEVEL_NOTE },
    [RULE_CHANGED] = { "needs-review", "A person should look at the change.", LEVEL_WARNING },
    [RULE_CALL]    = { "call-breaks", "A call that worked fails now.", LEVEL_ERROR },
    [RULE_RESULT]  = { "result-breaks", "A result may come that was not promised.", LEVEL_ERROR },
    [RULE_GONE]    = { "definition-removed", "It is not there any more.", LEVEL_ERROR },
};

static size_t rule_of(const struct tn_difference *one)
{
    bool whole = one->place.len == 0;

    switch (one->class_) {
    case CLASS_BREAKING:
        return whole ? RULE_GONE : tn_slice_is(one->place, "result") ? RULE_RESULT : RULE_CALL;
    case CLASS_REVIEW: return RULE_CHANGED;
    case CLASS_SAFE: return whole ? RULE_NEW : RULE_WIDER;
    default: return RULE_SAME;
    }
}

static void add_difference(struct tn_findings *findings, const struct tn_difference *one)
{
    static const enum tn_level levels[CLASSES] = { [CLASS_NONE]     = LEVEL_NONE,
                                                   [CLASS_SAFE]     = LEVEL_NOTE,
                                                   [CLASS_REVIEW]   = LEVEL_WARNING,
                                                   [CLASS_BREAKING] = LEVEL_ERROR };

    tn_findings_add(findings, &(struct tn_finding){ .rule    = rule_of(one),
                                                    .level   = levels[one->class_],
                                                    .class_  = tn_class_name(one->class_),
                                                    .tool    = one->name,
                                                    .subject = one->place,
                                                    .message = one->what,
                                                    .witness = one->witness,
                                                    .why     = one->why });
}

static void find_all(struct targets *targets, struct tn_findings *findings, const struct tn_comparison *all,
                     const struct target *after)
{
    const struct tn_offer_list *tools = &after->offer.kinds[KIND_TOOL];
    struct tn_buf               sums;

    tn_findings_init(findings, &targets->remote.arena, "diff", rules, RULES);
    findings->fails  = targets->strict ? LEVEL_WARNING : LEVEL_ERROR;
    findings->file   = after->file;
    findings->target = after->name;
    for (size_t i = 0; i < tools->count; i++)
        tn_findings_check(findings, tools->at[i].name);
    for (size_t i = 0; i < all->count; i++)
        if (targets->all || all->at[i].class_ != CLASS_NONE)
            add_difference(findings, &all->at[i]);
    tn_findings_sort(findings);
    tn_buf_init(&sums, findings->arena, 100, SUMMARY_MAX);
    tn_buf_addf(&sums, "%zu breaking, %zu to review, %zu safe, %zu that mean the same",
                all->counts[CLASS_BREAKING], all->counts[CLASS_REVIEW], all->counts[CLASS_SAFE],
                all->counts[CLASS_NONE]);
    findings->summary = tn_buf_slice(&sums);
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static enum ending compare(void *user)
{
    struct targets      *targets = user;
    struct tn_comparison all;
    struct tn_findings   findings;
    struct target       *both[2] = { NULL, NULL };

    if (!find_both(targets, both) || !both[0] || !both[1])
        return ENDING_UNUSABLE;
    if (!tn_compare_offers(&all, &targets->remote.arena, &both[0]->offer, &both[1]->offer)) {
        console_error(targets->remote.console, "out of memory");
        return ENDING_UNUSABLE;
    }
    if (targets->remote.raw)
        targets->format = FINDINGS_JSON;
    find_all(targets, &findings, &all, both[1]);
    if (!report_print(targets, &findings))
        return ENDING_UNUSABLE;
    return tn_findings_fail(&findings) ? ENDING_BAD : ENDING_GOOD;
}

static enum ending diff_run(const struct console *console, int count, char **arguments)
{
    struct targets targets = { .remote = { .console = console,
                                           .command = "diff",
                                           .help    = print_help,
                                           .option  = diff_option,
                                           .user    = &targets } };

    return targets_run(&targets, table, REPORT_OPTIONS, count, arguments, compare);
}

const struct command command_diff = { "diff", "what callers meet when a server's definitions change",
                                      diff_run };
