/* inside.h - what the files of lint share. */
#ifndef CONTRACT_LINT_INSIDE_H
#define CONTRACT_LINT_INSIDE_H

#include "contract/lint/lint.h"
#include "contract/lint/rule.h"
#include "contract/screen.h"

/* Rows of the table of findings that need no profile; those of checks follow. */
enum {
    LINT_UNREADABLE,
    LINT_BROKEN,
    LINT_EMPTY,
    LINT_DEFAULT,
    LINT_EXAMPLE,
    LINT_PATTERN,
    LINT_UNTYPED,
    LINT_UNDESCRIBED,
    LINT_UNDECLARED,
    LINT_HINTS,
    LINT_HIDDEN,
    LINT_COMMAND,
    LINT_SIZE,
    LINT_CHECKS,
    LINT_RULES = LINT_CHECKS + CHECKS
};

#define LINT_INPUT  "/inputSchema"
#define LINT_OUTPUT "/outputSchema"

/* One tool that is looked at. */
struct tn_lint_tool {
    struct tn_lint             *lint;
    const struct tn_definition *definition;
    struct tn_arena            *scratch; /* of this tool */
    struct matcher            **matcher;
    size_t                      at; /* of the list */
};

/* Adds a finding of a row, at its usual level. The repair may be NULL. */
void tn_lint_find(const struct tn_lint_tool *tool, size_t row, struct tn_slice place, const char *repair,
                  const char *format, ...) TENON_PRINTF(5, 6);

/* schema_lint.c: what the schema under a member of the definition, LINT_INPUT or LINT_OUTPUT, gets wrong by itself. */
void tn_lint_schema(const struct tn_lint_tool *tool, const char *member);

/* text_lint.c: descriptions, hints, and what people do not see. */
void tn_lint_texts(const struct tn_lint_tool *tool, const struct tn_screening *screening);

/* client_lint.c: a tool by the rules of every profile; then all of them together. */
struct tn_lint_sums {
    size_t at[COUNTS];
};
void tn_lint_clients(const struct tn_lint_tool *tool, struct tn_lint_sums *sums);
void tn_lint_list(struct tn_lint *lint, const struct tn_lint_sums *sums);

#endif
